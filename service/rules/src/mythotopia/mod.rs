//! Mythotopia: decks that grow, on a map where wars end only when a player ends them.
//!
//! Rule ids are `MYT-...`, those of `rules.md`. Start with `data` (the printed figures) and `stage` (the course
//! of the game); then `rules` has a file for each theme, `legal` judges by them, and `flow` runs them.

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
pub mod tally;
#[doc(hidden)]
pub mod view;
#[doc(hidden)]
pub mod words;
#[doc(hidden)]
pub mod worlds;

pub use action::{Action, Invasion, Origin, RoadMove, Route, SymbolPlay, TokenSource};
pub use event::{Event, March, PlayedCard, Purpose};
pub use legal::Permit;
pub use options::{Draft, EndGameWars, HandStacking, Options, RoadScope, Switches};
pub use refusal::{CardUse, Place, Purchase, Refusal};
pub use stage::{
    Building, Decision, SeasMark, SetupChoice, Side, Strength, Token, TurnMark, WarEnd, Zone,
};
pub use state::State;
pub use view::{
    AwardView, Bookkeeping, BoxView, Force, PiecesView, PlayerBookkeeping, PlayerView,
    PointCardView, ProvinceView, Question, SeaView, SupplyView, TokenStack, TurnView, View,
    WarView,
};

use crate::rulebook::Documents;
use crate::ruleset::{Ruleset, RulesetInfo, by_modules};

/// The ruleset.
pub enum Mythotopia {}

impl Ruleset for Mythotopia {
    const INFO: RulesetInfo = RulesetInfo {
        unit: "victory point",
        ..RulesetInfo::new(
            "mythotopia",
            "Mythotopia",
            data::MIN_PLAYERS,
            data::MAX_PLAYERS,
        )
    };

    const RULES: Documents = Documents::new("MYT", &[include_str!("rules.md")]);

    const HAS_OMITTED_ACTIONS: bool = true;

    by_modules!(with starts, labels, tally, shortcut, positions);
}
