//! The table, with simple queries (KIN-4).
//!
//! Derived values are not stored: victory points are the sum of their sources, build actions follow
//! from the stage, outcomes from strengths.

pub mod battle;
pub mod court;
pub mod dice;
pub mod player;

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::action::Action;
use super::data::{Advisor, Enemy, Phase, Step, YEARS};
use super::event::{Event, TurnOrder};
use super::options::Options;
use super::stage::{Decision, Part, Stage};
use crate::table::{self, PerSeat, Seat, SeatSet, invariant_violated};

pub use battle::Battle;
pub use court::{Envoy, Group, MAX_GROUPS, NeutralGroup};
pub use dice::Dice;
pub use player::{Player, PointSource};

/// The whole table. The [`View`](super::View) has the part that a viewer may know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    pub options: Options,
    /// The year, 1 to 5.
    pub year: u8,
    pub phase: Phase,
    pub stage: Stage,
    /// The turn order.
    pub order: TurnOrder,
    /// The enemy of each year. Hidden until winter.
    pub deck: [Enemy; YEARS as usize],
    /// The seats that have seen this year's enemy.
    pub peeked_by: SeatSet,
    /// The holder of the white die of the Aid from the King.
    pub aid_die: Option<Seat>,
    pub envoy: Envoy,
    /// The advisors that neutral dice block this season, in games of two players.
    pub neutral: ArrayVec<NeutralGroup, 3>,
    /// This season's groups in the order in which they were placed.
    pub groups: ArrayVec<Group, MAX_GROUPS>,
    pub players: PerSeat<Player>,
    /// The battle of this winter.
    pub battle: Option<Battle>,
    /// The battles of previous years.
    pub history: ArrayVec<Battle, { YEARS as usize }>,
}

impl State {
    /// The number of seats.
    pub fn seats(&self) -> usize {
        self.players.count()
    }

    /// Returns whether the game is over (KIN-8.1).
    pub fn is_over(&self) -> bool {
        self.stage == Stage::Over
    }

    /// The seat that has to decide, and its decision. Returns `None` when the game is over.
    pub fn pending(&self) -> Option<(Seat, Decision)> {
        let (turn_index, decision) = match self.stage {
            Stage::AidGood { turn_index, .. } => (turn_index, Decision::AidGood),
            Stage::EnvoyDeclaration => {
                return Some((self.envoy.holder()?, Decision::EnvoyDeclaration));
            }
            Stage::Reroll { turn_index } => (turn_index, Decision::Reroll),
            Stage::SetAside { turn_index } => (turn_index, Decision::SetAside),
            Stage::Influence { turn_index } => (turn_index, Decision::Influence),
            Stage::Help { advisor, served } => {
                let group = self.group_to_serve(advisor, served)?;
                return Some((group.owner, Decision::HelpChoice { advisor }));
            }
            Stage::Build {
                turn_index,
                actions_left,
            } => (turn_index, Decision::Build { actions_left }),
            Stage::SeasonEnd { turn_index } => (turn_index, Decision::TownHall),
            Stage::Recruit { turn_index } => {
                let seat = self.seat_at(turn_index)?;
                let goods = self.players[seat].soldier_price();
                return Some((seat, Decision::Recruit { goods }));
            }
            Stage::Resolve { turn_index, part } => match part {
                Part::RewardGood => (turn_index, Decision::RewardGood),
                Part::AnyGoods { goods } => (turn_index, Decision::LossGoods { goods }),
                Part::Building => (turn_index, Decision::LossBuilding),
                Part::Card | Part::Fortress | Part::Points => return None,
            },
            Stage::KingsAid
            | Stage::Roll
            | Stage::Order
            | Stage::KingsReward
            | Stage::KingsEnvoy
            | Stage::Reveal
            | Stage::Strongest
            | Stage::Over => return None,
        };
        Some((self.seat_at(turn_index)?, decision))
    }

    /// The current step of a season or of winter (KIN-16.2).
    pub const fn step(&self) -> Option<Step> {
        match self.stage {
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
            Stage::Over => Some(Step::Over),
        }
    }

    /// The seat at this position of the turn order.
    pub fn seat_at(&self, turn_index: u8) -> Option<Seat> {
        self.order.get(usize::from(turn_index)).copied()
    }

    /// The position of a seat in the turn order.
    pub fn turn_index_of(&self, seat: Seat) -> u8 {
        let mut places = (0..).zip(&self.order);
        places
            .find_map(|(turn_index, at)| (*at == seat).then_some(turn_index))
            .unwrap_or_else(|| invariant_violated("KIN-INV-3", seat))
    }

    /// The position after this one, cyclically.
    pub fn next_turn_index(&self, turn_index: u8) -> u8 {
        if usize::from(turn_index) + 1 < self.order.len() {
            turn_index + 1
        } else {
            0
        }
    }

    /// Returns whether there are only two players (KIN-9.2).
    pub fn is_two_player(&self) -> bool {
        self.order.len() == 2
    }

    /// The enemy of this year, revealed or not.
    pub fn enemy(&self) -> Enemy {
        self.deck[usize::from(self.year) - 1]
    }

    /// The number of years whose enemies are revealed.
    pub fn revealed(&self) -> usize {
        self.history.len() + usize::from(self.battle.is_some())
    }

    /// The number of buildings that a player may still build this season; 0 outside of BUILD (KIN-16.8).
    pub fn build_actions_left(&self, seat: Seat) -> u8 {
        let Stage::Build {
            turn_index,
            actions_left,
        } = self.stage
        else {
            return 0;
        };
        match self.turn_index_of(seat).cmp(&turn_index) {
            std::cmp::Ordering::Less => 0,
            std::cmp::Ordering::Equal => actions_left,
            std::cmp::Ordering::Greater => self.envoy.build_actions(seat),
        }
    }

    /// The advisors who have a group, player's or neutral: bit n for advisor n.
    pub fn occupied(&self) -> u64 {
        let neutral = self.neutral.iter().map(|group| group.advisor);
        let players = self.groups.iter().map(|group| group.advisor);
        neutral
            .chain(players)
            .fold(0, |mask, advisor| mask | bit(advisor))
    }

    /// The group at this advisor whose turn it is, after this many were served: in turn order of the
    /// owners, groups of one owner in order of placement. The envoy allows at most two of them
    /// (KIN-INV-5).
    ///
    /// # Rule KIN-6.50
    pub fn group_to_serve(&self, advisor: Advisor, served: u8) -> Option<&Group> {
        let here = self.groups.iter().filter(|group| group.advisor == advisor);
        let mut here: ArrayVec<&Group, 2> = here.take(2).collect();
        here.sort_by_key(|group| self.turn_index_of(group.owner));
        here.get(usize::from(served)).copied()
    }
}

/// The bit of an advisor in a mask: bit n for advisor n.
pub const fn bit(advisor: Advisor) -> u64 {
    1 << advisor.number()
}

/// The table while an action is carried out.
pub type ExecContext<'a> = table::ExecContext<'a, State, Action, Event>;
