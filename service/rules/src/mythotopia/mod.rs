//! Mythotopia: decks that grow, on a map where wars end only when somebody ends them.
//!
//! Rule ids are those of the rule document. The files:
//! `data` is what is printed, `state` what is on the table, `action` what players send, `legal` and
//! `rules` what they may do and what it does, `view` and `event` what they get to know.

mod action;
pub mod data;
mod event;
mod ids;
mod options;
mod pending;
mod refusal;
mod view;

pub use action::{Action, Named, Origin, RoadMove, Route, SymbolPlay, TokenSource};
pub use event::{
    Building, Event, March, PlayedCard, Purpose, SetupChoice, Side, Strength, Token, WarEnd, Zone,
};
pub use options::{
    ColourWish, Draft, EndGameWars, ExtraProvince, HandStacking, Options, RoadScope, Switches,
};
pub use pending::Phase;
pub use refusal::Refusal;
pub use view::*;

