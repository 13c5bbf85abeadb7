//! Mythotopia: decks that grow, on a map where wars end only when a player ends them.
//!
//! Rule ids are `MYT-...`, those of `rules.md`. Start with `data` (what is printed) and `stage` (the course
//! of the game); then `rules` has a file for each theme, `legal` judges by them, and `flow` runs them.

mod action;
#[cfg(any(test, feature = "conformance"))]
mod audit;
mod board;
mod components;
pub mod data;
mod event;
mod fallback;
mod flow;
mod holdings;
mod legal;
mod options;
mod picture;
mod refusal;
mod rules;
mod score;
mod setup;
mod stage;
mod starts;
mod state;
mod tally;
#[cfg(test)]
mod tests;
mod view;
mod words;
mod worlds;
mod worth;

pub use action::{Action, Invasion, Origin, RoadMove, Route, SymbolPlay, TokenSource};
pub use event::{Event, March, PlayedCard, Purpose};
pub use legal::Permit;
pub use options::{Draft, EndGameWars, HandStacking, Options, RoadScope, Switches};
pub use refusal::{CardUse, Place, Purchase, Refusal};
pub use stage::{
    Building, Decision, SeasMark, SetupChoice, Side, Strength, Token, TurnMark, WarEnd, Zone,
};
pub use state::State;
pub use view::{
    AwardView, BoxView, Force, PiecesView, PlayerView, PointCardView, ProvinceView, Question,
    SeaView, SupplyView, TokenStack, TurnView, View, WarView,
};

use crate::rulebook::Documents;
use crate::ruleset::{Ruleset, Sheet, by_modules};
use crate::table::{Seat, Viewer};

/// The ruleset.
pub enum Mythotopia {}

impl Ruleset for Mythotopia {
    const SHEET: Sheet = Sheet {
        id: "mythotopia",
        title: "Mythotopia",
        min_seats: data::MIN_PLAYERS,
        max_seats: data::MAX_PLAYERS,
        unit: "victory point",
        revision: 1,
    };

    const RULES: Documents = Documents {
        prefix: "MYT",
        texts: &[include_str!("rules.md")],
    };

    const LEAVES_OUT: bool = true;

    fn tallied() -> Vec<String> {
        tally::names()
    }

    fn tally(state: &State, viewer: Viewer, seat: Seat, count: &mut dyn FnMut(usize, u16)) {
        tally::count(state, viewer, seat, count);
    }

    by_modules!();

    fn is_legal(state: &State, seat: Seat, candidate: &Action) -> bool {
        legal::is_legal(state, seat, candidate)
    }
}
