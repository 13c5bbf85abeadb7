//! What is on the table, and small questions about it (KIN-4).
//!
//! What follows from something else is not kept: victory points are the sum of their sources,
//! build actions follow from the stage, outcomes from strengths.

mod battle;
mod court;
mod dice;
mod player;
mod seats;

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::data::{Advisor, Enemy, Phase, YEARS};
use super::event::TurnOrder;
use super::options::Options;
use super::pending::Stage;
use crate::table::{PerSeat, Seat};

pub(super) use battle::Battle;
pub(super) use court::{Envoy, Group, MAX_GROUPS, NeutralGroup};
pub(super) use dice::Dice;
pub(super) use player::{Player, PointSource};
pub(super) use seats::SeatSet;

/// The whole table. What a viewer may know of it is the [`View`](super::View).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    pub(super) options: Options,
    /// The year, 1 to 5.
    pub(super) year: u8,
    pub(super) phase: Phase,
    pub(super) stage: Stage,
    /// Who acts first, second, ...
    pub(super) order: TurnOrder,
    /// The enemy of each year. Hidden until winter.
    pub(super) deck: [Enemy; YEARS as usize],
    /// Who has seen this year's enemy.
    pub(super) peeked_by: SeatSet,
    /// Who holds the white die of the Aid from the King.
    pub(super) aid_die: Option<Seat>,
    pub(super) envoy: Envoy,
    /// Two players: the advisors that neutral dice block this season.
    pub(super) neutral: ArrayVec<NeutralGroup, 3>,
    /// This season's groups in the order in which they were placed.
    pub(super) groups: ArrayVec<Group, MAX_GROUPS>,
    pub(super) players: PerSeat<Player>,
    /// The battle of this winter.
    pub(super) battle: Option<Battle>,
    /// The battles of the years before.
    pub(super) history: ArrayVec<Battle, { YEARS as usize }>,
}

impl State {
    /// The seat at this place of the turn order.
    pub(super) fn at(&self, place: u8) -> Option<Seat> {
        self.order.get(usize::from(place)).copied()
    }

    /// The place of a seat in the turn order.
    pub(super) fn place_of(&self, seat: Seat) -> u8 {
        // A table has at most five places; every seat has one.
        (0..)
            .zip(&self.order)
            .find(|(_, at)| **at == seat)
            .map_or(0, |(place, _)| place)
    }

    /// The place after this one, going round.
    pub(super) fn place_after(&self, place: u8) -> u8 {
        if usize::from(place) + 1 < self.order.len() {
            place + 1
        } else {
            0
        }
    }

    /// Are there only two players (KIN-9.2)?
    pub(super) fn is_two_player(&self) -> bool {
        self.order.len() == 2
    }

    /// The enemy of this year, revealed or not.
    pub(super) fn enemy(&self) -> Enemy {
        self.deck[usize::from(self.year.clamp(1, YEARS)) - 1]
    }

    /// How many years' enemies are revealed.
    pub(super) fn revealed(&self) -> usize {
        self.history.len() + usize::from(self.battle.is_some())
    }

    /// How many buildings a player may still build this season; none outside of BUILD (KIN-16.8).
    pub(super) fn build_actions_left(&self, seat: Seat) -> u8 {
        let Stage::Build {
            place,
            actions_left,
        } = self.stage
        else {
            return 0;
        };
        match self.place_of(seat).cmp(&place) {
            std::cmp::Ordering::Less => 0,
            std::cmp::Ordering::Equal => actions_left,
            std::cmp::Ordering::Greater => self.envoy.build_actions(seat),
        }
    }

    /// The advisors who have a group, player's or neutral: bit n for advisor n.
    pub(super) fn occupied(&self) -> u64 {
        let neutral = self.neutral.iter().map(|group| group.advisor);
        let players = self.groups.iter().map(|group| group.advisor);
        neutral
            .chain(players)
            .fold(0, |mask, advisor| mask | bit(advisor))
    }
}

/// The bit of an advisor in a mask: bit n for advisor n.
pub(super) const fn bit(advisor: Advisor) -> u64 {
    1 << advisor.number()
}
