//! The nouns of the course of play: stages, decisions (KIN-6). `flow` runs them.
//!
//! A stage is *entered* once: its automatic part is done, and it either moves the state on to the
//! next stage or stops to ask. The answer, carried out by `perform`, moves on too. So a state at
//! rest is always at a stage that asks, or at the end.

use serde::{Deserialize, Serialize};

use super::data::Advisor;
use crate::table::SeatSet;

/// A decision and what belongs to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr, strum::VariantNames)]
#[strum(serialize_all = "snake_case")]
pub enum Decision {
    /// Which good (KIN-6.12)?
    AidGood,
    /// The purpose of the envoy (KIN-6.20)?
    EnvoyDeclaration,
    /// Is a die rolled again (KIN-6.33)?
    Reroll,
    /// Which die (KIN-6.37)?
    SetAside,
    /// Which dice on which advisor (KIN-6.41)?
    Influence,
    /// What does the advisor give (KIN-6.51)?
    HelpChoice {
        /// The advisor.
        advisor: Advisor,
    },
    /// Which building (KIN-6.61)?
    Build {
        /// How many buildings the player may still build this season.
        actions_left: u8,
    },
    /// Token or sale (KIN-6.70)?
    TownHall,
    /// One more soldier (KIN-6.90)?
    Recruit {
        /// Goods for one soldier.
        goods: u8,
    },
    /// Which good after a victory (KIN-6.104)?
    RewardGood,
    /// Which goods are lost (KIN-6.104)?
    LossGoods {
        /// How many.
        goods: u8,
    },
    /// Which building is lost (KIN-6.105)?
    LossBuilding,
}

impl Decision {
    /// The stable id, as pending decisions give it.
    #[must_use]
    pub fn id(self) -> &'static str {
        self.into()
    }
}

/// The current stage. `place` is a position in the turn order, 0 for the first player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Stage {
    /// Who gets the Aid from the King?
    KingsAid,
    /// The tied players choose goods.
    AidGood { place: u8, tied: SeatSet },
    /// Autumn begins with the holder of the envoy.
    EnvoyDeclaration,
    /// Neutral dice, income and the roll.
    Roll,
    /// Owners of the Statue.
    Reroll { place: u8 },
    /// The new turn order.
    Order,
    /// Two players set a die aside.
    SetAside { place: u8 },
    /// Dice are placed, round after round.
    Influence { place: u8 },
    /// The advisors help; this many groups at this one have been served.
    Help { advisor: Advisor, served: u8 },
    /// Buildings, this many at most by this player.
    Build { place: u8, actions_left: u8 },
    /// Inn, Embassy and Town Hall.
    SeasonEnd { place: u8 },
    /// Who has the most buildings?
    KingsReward,
    /// Who gets the envoy?
    KingsEnvoy,
    /// Soldiers.
    Recruit { place: u8 },
    /// The enemy arrives: everything up to the outcomes.
    Reveal,
    /// Gains and losses, part by part.
    Resolve { place: u8, part: Part },
    /// The strongest, and the end of the year.
    Strongest,
    /// The end of the game.
    Final,
}

/// A part of one player's gains or losses (KIN-6.104).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Part {
    /// Victory: the card's fixed gain. Defeat: the named goods.
    Card,
    /// Victory: the good of the player's choice.
    RewardGood,
    /// Victory: the Fortress.
    Fortress,
    /// Defeat: this many goods of the player's choice.
    AnyGoods { goods: u8 },
    /// Defeat: a building.
    Building,
    /// Defeat: points.
    Points,
}
