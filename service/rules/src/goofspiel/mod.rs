//! Goofspiel, the Game of Pure Strategy: everybody bids cards of the same suit for the cards of another.
//!
//! Rule ids are `GOO-...`, those of `rules.md`. The smallest ruleset, and the result of the tutorial in
//! `service/docs/contributing.md`: read the files in its order.

// Public for the tests beside this crate. Other crates use what is re-exported below (tests/circles.py).
#[doc(hidden)]
pub mod action;
#[cfg(feature = "conformance")]
#[doc(hidden)]
pub mod audit;
#[doc(hidden)]
pub mod board;
#[doc(hidden)]
pub mod components;
pub mod data;
#[doc(hidden)]
pub mod event;
#[doc(hidden)]
pub mod fallback;
#[doc(hidden)]
pub mod flow;
#[doc(hidden)]
pub mod heuristics;
#[doc(hidden)]
pub mod holdings;
#[doc(hidden)]
pub mod legal;
#[doc(hidden)]
pub mod movements;
#[doc(hidden)]
pub mod options;
#[doc(hidden)]
pub mod picture;
#[doc(hidden)]
pub mod position;
#[doc(hidden)]
pub mod refusal;
#[doc(hidden)]
pub mod rules;
#[doc(hidden)]
pub mod score;
#[doc(hidden)]
pub mod setup;
#[doc(hidden)]
pub mod stage;
#[doc(hidden)]
pub mod state;
#[doc(hidden)]
pub mod view;
#[doc(hidden)]
pub mod words;
#[doc(hidden)]
pub mod worlds;

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
