//! The decisions that players owe, the stages between them, and the loop that runs the stages.
//!
//! A stage is *entered* once: its automatic part is done and it either moves the state on to the
//! next stage or stops to ask. The answer, carried out by `perform`, moves on too. So the state at
//! rest always stands at a stage that asks, or at the end.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use super::Log;
use super::data::{Advisor, Step};
use super::rules::{
    build, envoy, help, influence, kings_aid, kings_reward, recruit, roll, season_end, two_players,
    winter,
};
use super::state::{SeatSet, State};
use crate::table::{self, Chance, Pending, PendingList, Seat};

/// A decision and what belongs to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// `AID_GOOD`: which good (KIN-6.12)?
    AidGood,
    /// `ENVOY_DECLARATION`: what is the envoy for (KIN-6.20)?
    EnvoyDeclaration,
    /// `REROLL`: is a die rolled again (KIN-6.33)?
    Reroll,
    /// `SET_ASIDE`: which die (KIN-6.37)?
    SetAside,
    /// `INFLUENCE`: which dice on which advisor (KIN-6.41)?
    Influence,
    /// `HELP_CHOICE`: what does the advisor give (KIN-6.51)?
    HelpChoice {
        /// The advisor.
        advisor: Advisor,
    },
    /// `BUILD`: which building (KIN-6.61)?
    Build {
        /// How many buildings he may still build this season.
        actions_left: u8,
    },
    /// `TOWN_HALL`: token or sale (KIN-6.70)?
    TownHall,
    /// `RECRUIT`: one more soldier (KIN-6.90)?
    Recruit {
        /// Goods for one soldier.
        goods: u8,
    },
    /// `REWARD_GOOD`: which good after a victory (KIN-6.104)?
    RewardGood,
    /// `LOSS_GOODS`: which goods are lost (KIN-6.104)?
    LossGoods {
        /// How many.
        goods: u8,
    },
    /// `LOSS_BUILDING`: which building is lost (KIN-6.105)?
    LossBuilding,
}

impl Decision {
    /// The name, as the rule document spells it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::AidGood => "AID_GOOD",
            Self::EnvoyDeclaration => "ENVOY_DECLARATION",
            Self::Reroll => "REROLL",
            Self::SetAside => "SET_ASIDE",
            Self::Influence => "INFLUENCE",
            Self::HelpChoice { .. } => "HELP_CHOICE",
            Self::Build { .. } => "BUILD",
            Self::TownHall => "TOWN_HALL",
            Self::Recruit { .. } => "RECRUIT",
            Self::RewardGood => "REWARD_GOOD",
            Self::LossGoods { .. } => "LOSS_GOODS",
            Self::LossBuilding => "LOSS_BUILDING",
        }
    }

    /// The id of the rule that asks.
    #[must_use]
    pub const fn rule(self) -> &'static str {
        match self {
            Self::AidGood => "KIN-6.12",
            Self::EnvoyDeclaration => "KIN-6.20",
            Self::Reroll => "KIN-6.33",
            Self::SetAside => "KIN-6.37",
            Self::Influence => "KIN-6.42",
            Self::HelpChoice { .. } => "KIN-6.51",
            Self::Build { .. } => "KIN-6.62",
            Self::TownHall => "KIN-6.70",
            Self::Recruit { .. } => "KIN-6.90",
            Self::RewardGood | Self::LossGoods { .. } => "KIN-6.104",
            Self::LossBuilding => "KIN-6.105",
        }
    }
}

/// Where the game stands. `place` is a place in the turn order, 0 for the first player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Stage {
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
    /// The advisors help; so many groups at this one were served.
    Help { advisor: Advisor, served: u8 },
    /// Buildings, so many at most by this player.
    Build { place: u8, actions_left: u8 },
    /// Inn, Embassy and Town Hall.
    SeasonEnd { place: u8 },
    /// Who has the most buildings?
    KingsReward,
    /// Who gets the envoy?
    KingsEnvoy,
    /// Soldiers.
    Recruit { place: u8 },
    /// The enemy comes: everything up to the outcomes.
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
pub(super) enum Part {
    /// Victory: the card's fixed gain. Defeat: the named goods.
    Card,
    /// Victory: the good of his choice.
    RewardGood,
    /// Victory: the Fortress.
    Fortress,
    /// Defeat: so many goods of his choice.
    AnyGoods { goods: u8 },
    /// Defeat: a building.
    Building,
    /// Defeat: points.
    Points,
}

/// The decision at which the state rests, and whose it is; nothing when the game is over.
pub(super) fn asked(state: &State) -> Option<(Seat, Decision)> {
    let (place, decision) = match state.stage {
        Stage::AidGood { place, .. } => (place, Decision::AidGood),
        Stage::EnvoyDeclaration => {
            return Some((state.envoy.holder()?, Decision::EnvoyDeclaration));
        }
        Stage::Reroll { place } => (place, Decision::Reroll),
        Stage::SetAside { place } => (place, Decision::SetAside),
        Stage::Influence { place } => (place, Decision::Influence),
        Stage::Help { advisor, served } => {
            let group = help::group_to_serve(state, advisor, served)?;
            return Some((group.owner, Decision::HelpChoice { advisor }));
        }
        Stage::Build {
            place,
            actions_left,
        } => (place, Decision::Build { actions_left }),
        Stage::SeasonEnd { place } => (place, Decision::TownHall),
        Stage::Recruit { place } => {
            let seat = state.at(place)?;
            let goods = state.players[seat].soldier_price();
            return Some((seat, Decision::Recruit { goods }));
        }
        Stage::Resolve { place, part } => match part {
            Part::RewardGood => (place, Decision::RewardGood),
            Part::AnyGoods { goods } => (place, Decision::LossGoods { goods }),
            Part::Building => (place, Decision::LossBuilding),
            Part::Card | Part::Fortress | Part::Points => return None,
        },
        Stage::KingsAid
        | Stage::Roll
        | Stage::Order
        | Stage::KingsReward
        | Stage::KingsEnvoy
        | Stage::Reveal
        | Stage::Strongest
        | Stage::Final => return None,
    };
    Some((state.at(place)?, decision))
}

/// The decision as every ruleset names it.
pub(super) fn list(state: &State) -> PendingList {
    asked(state)
        .map(|(seat, decision)| Pending {
            seat,
            decision: decision.name(),
        })
        .into_iter()
        .collect()
}

/// The step of a season or of winter at which the state rests (KIN-16.2).
pub(super) fn step(state: &State) -> Option<Step> {
    match state.stage {
        Stage::KingsAid
        | Stage::AidGood { .. }
        | Stage::KingsReward
        | Stage::KingsEnvoy
        | Stage::Recruit { .. } => None,
        Stage::EnvoyDeclaration => Some(Step::EnvoyDeclaration),
        Stage::Roll => Some(Step::Roll),
        Stage::Reroll { .. } => Some(Step::Reroll),
        Stage::Order => Some(Step::Order),
        Stage::SetAside { .. } => Some(Step::SetAside),
        Stage::Influence { .. } => Some(Step::Influence),
        Stage::Help { .. } => Some(Step::Help),
        Stage::Build { .. } => Some(Step::Build),
        Stage::SeasonEnd { .. } => Some(Step::SeasonEnd),
        Stage::Reveal => Some(Step::Reveal),
        Stage::Resolve { .. } => Some(Step::Resolve),
        Stage::Strongest => Some(Step::Strongest),
        Stage::Final => Some(Step::Final),
    }
}

/// Runs stages up to the next decision, or to the end of the game.
///
/// # Rule KIN-6.1
pub(super) fn settle(state: &mut State, chance: &mut Chance, journal: &mut Log) {
    table::settle(state, |state| enter(state, chance, journal));
}

/// Enters the stage at which the state stands. Breaks where a player must decide.
fn enter(state: &mut State, chance: &mut Chance, journal: &mut Log) -> ControlFlow<()> {
    match state.stage {
        Stage::KingsAid => kings_aid::enter(state, journal),
        Stage::AidGood { place, tied } => {
            return kings_aid::enter_choice(state, place, tied, journal);
        }
        Stage::EnvoyDeclaration => return envoy::enter_declaration(state),
        Stage::Roll => roll::enter(state, chance, journal),
        Stage::Reroll { place } => return roll::enter_reroll(state, place),
        Stage::Order => roll::enter_order(state, journal),
        Stage::SetAside { place } => return two_players::enter_set_aside(state, place),
        Stage::Influence { place } => return influence::enter(state, place, journal),
        Stage::Help { advisor, served } => return help::enter(state, advisor, served, journal),
        Stage::Build {
            place,
            actions_left,
        } => return build::enter(state, place, actions_left, journal),
        Stage::SeasonEnd { place } => return season_end::enter(state, place, journal),
        Stage::KingsReward => kings_reward::enter(state, journal),
        Stage::KingsEnvoy => envoy::enter_award(state, journal),
        Stage::Recruit { place } => return recruit::enter(state, place, journal),
        Stage::Reveal => winter::enter(state, chance, journal),
        Stage::Resolve { place, part } => {
            return winter::enter_resolve(state, place, part, journal);
        }
        Stage::Strongest => winter::enter_strongest(state, journal),
        Stage::Final => return ControlFlow::Break(()),
    }
    ControlFlow::Continue(())
}
