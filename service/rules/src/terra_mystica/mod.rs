//! Terra Mystica: fourteen factions on a hex map, four cults, power in bowls.
//!
//! Rule ids are `TM-...`, those of `rules.md`, and of `rules_promos.md` about the optional tiles. Start with
//! `data` (the printed figures) and `stage` (the course of the game); then `rules` has a file for each theme,
//! `legal` judges by them, and `flow` runs them.

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

    const HAS_HIDDEN_INFORMATION: bool = false;

    const RULES: Documents = Documents::new(
        "TM",
        &[include_str!("rules.md"), include_str!("rules_promos.md")],
    );

    const HAS_OMITTED_ACTIONS: bool = true;

    by_modules!(with starts, labels, context, costs, positions);
}
