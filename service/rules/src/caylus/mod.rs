//! Caylus: worker placement along a road, with a castle and the king's favors.
//!
//! Rule ids are `CAY-...`, those of `rules.md`. Start with `data` (the printed figures) and `stage` (the course
//! of a turn); then `rules` has a file for each theme, `legal` judges by them, and `flow` runs them.

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

    const HAS_HIDDEN_INFORMATION: bool = false;

    const RULES: Documents = Documents::new("CAY", &[include_str!("rules.md")]);

    by_modules!(with starts, labels, context, positions);
}
