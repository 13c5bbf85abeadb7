//! The data types of the course of play: stages, decisions (KIN-6). `flow` runs them.
//!
//! A stage is *entered* once: its automatic part is done, and it either moves the state on to the
//! next stage or stops to ask. The answer, carried out by `execute`, moves on too. So a state at
//! rest is always at a stage that asks, or at the end.

use serde::{Deserialize, Serialize};

use super::data::Advisor;
use crate::table::{SeatSet, decisions};

decisions! {
    /// A decision, and its details.
    Decision {
        /// KIN-6.12.
        AidGood "aid_good"
            "Take a good from the King" "Which good do you take?",
        /// KIN-6.20.
        EnvoyDeclaration "envoy_declaration"
            "Declare the King's Envoy" "What do you use the King's Envoy for?",
        /// KIN-6.33.
        Reroll "reroll"
            "Re-roll a die" "Which die do you re-roll, if any?",
        /// KIN-6.37.
        SetAside "set_aside"
            "Set a die aside" "Which die do you set aside this season?",
        /// KIN-6.41.
        Influence "influence"
            "Choose an advisor" "Which advisor do you influence, and with which dice?",
        /// KIN-6.51.
        HelpChoice {
            /// The advisor.
            advisor: Advisor,
        } "help_choice"
            "Choose the help" "What do you take from the advisor?",
        /// KIN-6.61.
        Build {
            /// The number of buildings that the player may still build this season.
            actions_left: u8,
        } "build"
            "Build" "Which building do you build, if any?",
        /// KIN-6.70.
        TownHall "town_hall"
            "Use the Town Hall" "Do you take a +2 token, or sell a good for 1 victory point?",
        /// KIN-6.90.
        Recruit {
            /// Goods for one soldier.
            goods: u8,
        } "recruit"
            "Recruit soldiers" "Do you pay for another soldier?",
        /// KIN-6.104.
        RewardGood "reward_good"
            "Choose a reward" "Which good do you take for the victory?",
        /// KIN-6.104.
        LossGoods {
            /// The number of goods due.
            goods: u8,
        } "loss_goods"
            "Give up goods" "Which goods do you give up?",
        /// KIN-6.105.
        LossBuilding "loss_building"
            "Lose a building" "Which building do you lose?",
    }
}

/// The current stage. `turn_index` is a position in the turn order, 0 for the first player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    /// The Aid from the King is given.
    KingsAid,
    /// The tied players choose goods.
    AidGood { turn_index: u8, tied: SeatSet },
    /// Autumn begins with the holder of the envoy.
    EnvoyDeclaration,
    /// Neutral dice, income and the roll.
    Roll,
    /// Owners of the Statue may roll a die again.
    Reroll { turn_index: u8 },
    /// The new turn order.
    Order,
    /// Two players set a die aside.
    SetAside { turn_index: u8 },
    /// Dice are placed, round after round.
    Influence { turn_index: u8 },
    /// The advisors help; this many groups at this one have been served.
    Help { advisor: Advisor, served: u8 },
    /// Buildings, this many at most by this player.
    Build { turn_index: u8, actions_left: u8 },
    /// Inn, Embassy and Town Hall.
    SeasonEnd { turn_index: u8 },
    /// The King's Reward goes to the players with the most buildings.
    KingsReward,
    /// The King's Envoy is given.
    KingsEnvoy,
    /// Soldiers are recruited.
    Recruit { turn_index: u8 },
    /// The enemy arrives: everything up to the outcomes.
    Reveal,
    /// Gains and losses, part by part.
    Resolve { turn_index: u8, part: Part },
    /// The strongest, and the end of the year.
    Strongest,
    /// The end of the game.
    Over,
}

/// A part of one player's gains or losses (KIN-6.104).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Part {
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
