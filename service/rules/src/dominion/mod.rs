//! Dominion, the base set of the first edition: decks grow from a common supply of cards.
//!
//! Rule ids are `DOM-...`, those of `rules.md`. Start with `data` (what is printed) and `stage` (the course
//! of a turn); then `rules` has a file for each theme and for each card, `legal` judges by them, and `flow`
//! runs them.

mod action;
#[cfg(any(test, feature = "conformance"))]
mod audit;
mod board;
mod components;
pub mod data;
mod event;
mod fallback;
mod flow;
mod foresight;
mod holdings;
mod legal;
mod menu;
mod options;
mod picture;
mod refusal;
mod rules;
mod score;
mod setup;
mod stage;
mod starts;
mod state;
mod strategies;
mod tactics;
mod tally;
#[cfg(test)]
mod tests;
mod view;
mod words;
mod worlds;
mod worth;

pub use action::Action;
pub use event::{Event, Source, Zone};
pub use legal::Permit;
pub use options::{Draft, Kingdom, KingdomDraft, Options};
pub use refusal::{OptionFlaw, Refusal};
pub use stage::{
    Counters, Decision, Destination, Frame, Gain, Immune, Phase, Playing, Queue, Revealed, Trashed,
};
pub use state::{Cards, State};
pub use view::{Choice, FinalDeck, PlayerView, Question, View};

use crate::rulebook::Documents;
use crate::ruleset::{Ruleset, Sheet, by_modules};
use crate::table::{Seat, Viewer};

/// The ruleset.
pub enum Dominion {}

impl Ruleset for Dominion {
    const SHEET: Sheet = Sheet {
        id: "dominion",
        title: "Dominion",
        min_seats: data::MIN_PLAYERS,
        max_seats: data::MAX_PLAYERS,
        unit: "victory point",
        revision: 1,
    };

    const RULES: Documents = Documents {
        prefix: "DOM",
        texts: &[include_str!("rules.md")],
    };

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
