//! Kingsburg: dice at the King's court, five years of building, and an enemy every winter.
//!
//! Rule ids are `KIN-...`, those of `rules.md`. Start with `data` (the printed figures) and `stage` (the course
//! of a year); then `rules` has a file for each theme, `legal` judges by them, and `flow` runs them.

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
pub mod starts;
#[doc(hidden)]
pub mod state;
#[doc(hidden)]
pub mod view;
#[doc(hidden)]
pub mod words;
#[doc(hidden)]
pub mod worlds;

pub use action::{Action, EnvoyUse, Influence, NamedDice, Payment};
pub use event::{Event, Outcome, ShownDie, TurnOrder};
pub use legal::Permit;
pub use options::{Draft, InitialOrder, Options};
pub use refusal::Refusal;
pub use stage::Decision;
pub use state::State;
pub use view::{
    BattleView, Bookkeeping, DiePlace, DieView, EnemyView, EnvoyMode, EnvoyView, FighterView,
    GroupView, PlayerView, PointsView, Question, StoneWallsView, View,
};

use crate::rulebook::Documents;
use crate::ruleset::{Ruleset, RulesetInfo, by_modules};

/// The ruleset.
pub enum Kingsburg {}

impl Ruleset for Kingsburg {
    const INFO: RulesetInfo = RulesetInfo {
        unit: "victory point",
        ..RulesetInfo::new(
            "kingsburg",
            "Kingsburg",
            data::MIN_PLAYERS,
            data::MAX_PLAYERS,
        )
    };

    const RULES: Documents = Documents::new("KIN", &[include_str!("rules.md")]);

    by_modules!(with starts, labels, positions);
}
