//! Goofspiel, the Game of Pure Strategy: everybody bids cards of the same suit for the cards of another.
//!
//! Rule ids are `GOO-...`, those of `rules.md`. The smallest ruleset, and the result of the tutorial in
//! `service/docs/contributing.md`: read the files in its order.

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
mod state;
#[cfg(test)]
mod tests;
mod view;
mod words;
mod worlds;
mod worth;

pub use action::Action;
pub use event::Event;
pub use legal::Permit;
pub use options::{Draft, Options, Ties};
pub use refusal::Refusal;
pub use stage::Decision;
pub use state::State;
pub use view::{PlayerView, View};

use crate::rulebook::Documents;
use crate::ruleset::{Ruleset, Sheet, by_modules};

/// The ruleset.
pub enum Goofspiel {}

impl Ruleset for Goofspiel {
    const SHEET: Sheet = Sheet {
        id: "goofspiel",
        title: "Goofspiel",
        min_seats: data::MIN_PLAYERS,
        max_seats: data::MAX_PLAYERS,
        unit: "point",
        revision: 1,
    };

    const IS_EXAMPLE: bool = true;

    const RULES: Documents = Documents {
        prefix: "GOO",
        texts: &[include_str!("rules.md")],
    };

    by_modules!(without starts);
}
