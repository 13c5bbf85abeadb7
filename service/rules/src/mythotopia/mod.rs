//! Mythotopia: decks that grow, on a map where wars end only when a player ends them.
//!
//! Rule ids are `MYT-...`, those of `rules.md`. Start with `data` (the printed figures) and `stage` (the course
//! of the game); then `rules` has a file for each theme, `legal` judges by them, and `flow` runs them.

pub mod data;

// The files are public for the tests beside this crate. Other crates use what is re-exported below (tests/circles.py).
#[doc(hidden)]
#[path = ""]
pub mod files {
    use super::{Mythotopia, data};

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
    pub mod tally;
    pub mod view;
    pub mod words;
    pub mod worlds;
}

#[doc(hidden)]
pub use files::*;

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

    by_modules!(with fallbacks, questions, starts, labels, tally, shortcut, positions);
}
