//! Caylus: worker placement along a road, with a castle and the king's favors.
//!
//! Rule ids are `CAY-...`, those of `rules.md`. Start with `data` (what is printed) and `stage` (the course
//! of a turn); then `rules` has a file for each theme, `legal` judges by them, and `flow` runs them.

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

pub use action::{Action, FavorEffect, Target};
#[cfg(any(test, feature = "conformance"))]
pub use audit::RichCaylus;
pub use event::Event;
pub use legal::Permit;
pub use options::{Draft, Options};
pub use refusal::{Expense, OptionFlaw, PaymentFlaw, Refusal};
pub use stage::{Decision, Phase, SeatList};
pub use state::{PendingFavors, State};
pub use view::{
    CastleView, PlayerView, Question, SectionView, SpaceView, SpecialView, SupplyView, View,
};

use crate::rulebook::Documents;
use crate::ruleset::{Ruleset, Sheet, by_modules};
use crate::table::Scene;

/// The ruleset.
pub enum Caylus {}

impl Ruleset for Caylus {
    const SHEET: Sheet = Sheet {
        id: "caylus",
        title: "Caylus",
        min_seats: data::MIN_PLAYERS,
        max_seats: data::MAX_PLAYERS,
        unit: "prestige point",
        revision: 1,
    };

    const RULES: Documents = Documents {
        prefix: "CAY",
        texts: &[include_str!("rules.md")],
    };

    by_modules!();

    fn scene(state: &State) -> Option<Scene> {
        Some(state.scene())
    }

    fn changes(scene: &mut Scene, event: &Event) {
        event.changes(scene);
    }
}
