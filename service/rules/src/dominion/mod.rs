//! Dominion, first edition base set (2008), for 2 to 4 players.
//!
//! Rule ids `DOM-...` are those of the rule document. Seats are numbered from 1.

mod action;
mod cards;
pub mod data;
mod decision;
mod event;
mod options;
mod pending;
mod refusal;
mod view;

pub use action::{Action, Named};
pub use cards::Cards;
pub use data::{Card, CardSheet, CardType, Group, KINGDOM_SIZE, KingdomSet, Plus};
pub use decision::Decision;
pub use event::{Counters, Event, Phase, Pile, Play, RevealedFrom, SeatResult, Source};
pub use options::{Draft, FirstPlayerDraft, Kingdom, KingdomDraft, Options};
pub use pending::{Destination, Frame, Immune, Queue};
pub use refusal::{KingdomFlaw, Refusal};
pub use view::{Choice, PlayerView, Question, View};

/// The ruleset.
pub enum Dominion {}
