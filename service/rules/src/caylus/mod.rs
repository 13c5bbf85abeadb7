//! Caylus: worker placement along a road, with a castle and the king's favors.
//!
//! Rule ids are `CAY-...`, those of `rules.md`. Start with `data` (the printed figures) and `stage` (the course
//! of a turn); then `rules` has a file for each theme, `legal` judges by them, and `flow` runs them.

pub mod data;

// The files are public for the tests beside this crate. Other crates use what is re-exported below (tests/circles.py).
#[doc(hidden)]
#[path = ""]
pub mod files {
    use super::{Caylus, data};

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
}

#[doc(hidden)]
pub use files::*;

pub use action::{Action, FavorEffect, Target};
#[cfg(feature = "conformance")]
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
use crate::ruleset::{Ruleset, RulesetInfo, by_modules};

/// The ruleset.
pub enum Caylus {}

impl Ruleset for Caylus {
    const INFO: RulesetInfo = RulesetInfo {
        unit: "prestige point",
        ..RulesetInfo::new("caylus", "Caylus", data::MIN_PLAYERS, data::MAX_PLAYERS)
    };

    const RULES: Documents = Documents::new("CAY", &[include_str!("rules.md")]);

    by_modules!(with fallbacks, questions, starts, labels, context, positions, open);
}
