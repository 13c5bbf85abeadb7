//! Terra Mystica: fourteen factions on a hex map, four cults, power in bowls.
//!
//! Rule ids are `TM-...`, those of `rules.md`, and of `rules_promos.md` about the optional tiles. Start with
//! `data` (the printed figures) and `stage` (the course of the game); then `rules` has a file for each theme,
//! `legal` judges by them, and `flow` runs them.

pub mod data;

// The files are public for the tests beside this crate. Other crates use what is re-exported below (tests/circles.py).
#[doc(hidden)]
#[path = ""]
pub mod files {
    use super::{TerraMystica, data};

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

pub use action::{
    Action, Direction, MAX_LIST, PowerUse, Span, SpecialUse, Transform, Transforms, Work,
};
pub use event::{Event, GoodsSource, Purpose, VpSource};
pub use legal::Permit;
pub use options::{Draft, HouseRules, MAX_CARDS, Options, PromoTiles, SetupMode, TurnOrder};
pub use refusal::{Expense, Piece, Refusal, TakenAction, Tile, Track};
pub use stage::{Decision, Phase};
pub use state::State;
pub use view::{
    BoardView, BridgeView, FollowUp, OfferView, PlayerView, PoolView, SpaceView, SpadesView,
    TownView, TurnView, View,
};

use crate::rulebook::Documents;
use crate::ruleset::{Ruleset, RulesetInfo, by_modules};

/// The ruleset.
pub enum TerraMystica {}

impl Ruleset for TerraMystica {
    const INFO: RulesetInfo = RulesetInfo {
        unit: "victory point",
        ..RulesetInfo::new(
            "terra_mystica",
            "Terra Mystica",
            data::MIN_PLAYERS,
            data::MAX_PLAYERS,
        )
    };

    const RULES: Documents = Documents::new(
        "TM",
        &[include_str!("rules.md"), include_str!("rules_promos.md")],
    );

    const HAS_OMITTED_ACTIONS: bool = true;

    by_modules!(with execute, fallbacks, questions, starts, labels, context, costs, positions, open);
}
