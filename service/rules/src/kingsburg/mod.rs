//! Kingsburg: dice at the King's court, five years of building, and an enemy every winter.
//!
//! Rule ids are `KIN-...`, those of `rules.md`. Start with `data` (the printed figures) and `stage` (the course
//! of a year); then `rules` has a file for each theme, `legal` judges by them, and `flow` runs them.

pub mod data;

// The files are public for the tests beside this crate. Other crates use what is re-exported below (tests/circles.py).
#[doc(hidden)]
#[path = ""]
pub mod files {
    use super::{Kingsburg, data};

    pub mod action;
    #[cfg(feature = "conformance")]
    pub mod audit;
    pub mod board;
    pub mod components;
    pub mod event;
    pub mod fallback;
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
    pub mod starts;
    pub mod state;
    pub mod view;
    pub mod words;
    pub mod worlds;
}

#[doc(hidden)]
pub use files::*;

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

    by_modules!(with fallbacks, questions, starts, labels, positions, settle);
}
