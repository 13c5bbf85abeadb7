//! Kingsburg: dice at the King's court, five years of building, and an enemy every winter.
//!
//! Rule ids are `KIN-...`, those of `rules.md`. Start with `data` (what is printed) and `stage` (the course
//! of a year); then `rules` has a file for each theme, `legal` judges by them, and `flow` runs them.

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
#[cfg(test)]
mod tests;
mod view;
mod words;
mod worlds;
mod worth;

pub use action::{Action, EnvoyUse, Influence, NamedDice, Payment};
pub use event::{Event, Outcome, ShownDie, TurnOrder};
pub use legal::Permit;
pub use options::{Draft, InitialOrder, Options};
pub use refusal::Refusal;
pub use stage::Decision;
pub use state::State;
pub use view::{
    BattleView, DiePlace, DieView, EnemyView, EnvoyMode, EnvoyView, FighterView, GroupView,
    PlayerView, Question, View,
};

use crate::rulebook::Documents;
use crate::ruleset::{Ruleset, Sheet, by_modules};

/// The ruleset.
pub enum Kingsburg {}

impl Ruleset for Kingsburg {
    const SHEET: Sheet = Sheet {
        id: "kingsburg",
        title: "Kingsburg",
        min_seats: data::MIN_PLAYERS,
        max_seats: data::MAX_PLAYERS,
        unit: "victory point",
        revision: 1,
    };

    const RULES: Documents = Documents {
        prefix: "KIN",
        texts: &[include_str!("rules.md")],
    };

    by_modules!();
}
