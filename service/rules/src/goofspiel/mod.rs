//! Goofspiel, the Game of Pure Strategy: everybody bids cards of the same suit for the cards of another.
//!
//! Rule ids are `GOO-...`, those of `rules.md`. The smallest ruleset, and the result of the tutorial in
//! `service/docs/contributing.md`: read the files in its order.

pub mod data;

// The files are public for the tests beside this crate. Other crates use what is re-exported below (tests/circles.py).
#[doc(hidden)]
#[path = ""]
pub mod files {
    use super::{Goofspiel, data};

    pub mod action;
    #[cfg(feature = "conformance")]
    pub mod audit;
    pub mod board;
    pub mod components;
    pub mod event;
    pub mod flow;
    pub mod heuristics;
    pub mod holdings;
    pub mod legal;
    pub mod movements;
    pub mod options;
    pub mod picture;
    pub mod position;
    pub mod refusal;
    pub mod rules;
    pub mod score;
    pub mod setup;
    pub mod stage;
    pub mod state;
    pub mod view;
    pub mod words;
    pub mod worlds;
}

#[doc(hidden)]
pub use files::*;

pub use action::Action;
pub use event::Event;
pub use legal::Permit;
pub use options::{Draft, Options, Ties};
pub use refusal::Refusal;
pub use stage::Decision;
pub use state::State;
pub use view::{PlayerView, View};

use crate::rulebook::Documents;
use crate::ruleset::{Ruleset, RulesetInfo, by_modules};

/// The ruleset.
pub enum Goofspiel {}

impl Ruleset for Goofspiel {
    const INFO: RulesetInfo = RulesetInfo::new(
        "goofspiel",
        "Goofspiel",
        data::MIN_PLAYERS,
        data::MAX_PLAYERS,
    );

    const IS_EXAMPLE: bool = true;

    const RULES: Documents = Documents::new("GOO", &[include_str!("rules.md")]);

    by_modules!(with labels, positions);
}
