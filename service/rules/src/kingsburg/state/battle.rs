//! One winter: the enemy, the King's reinforcement, and the outcomes.

use serde::{Deserialize, Serialize};

use crate::kingsburg::data::Enemy;
use crate::kingsburg::event::Outcome;
use crate::table::{PerSeat, Seat, SeatSet};

/// Strengths and outcomes are fixed when they are counted; buildings lost later change nothing
/// (KIN-6.102).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Battle {
    pub enemy: Enemy,
    /// The King's die: soldiers for everybody.
    pub king_die: u8,
    pub strength: PerSeat<i16>,
    /// The seats with the Stone Wall when strengths were counted.
    pub stone_walls: SeatSet,
}

impl Battle {
    /// The outcome for a player.
    ///
    /// # Rule KIN-6.103, KIN-7.15
    pub fn outcome(&self, seat: Seat) -> Outcome {
        let enemy = i16::from(self.enemy.card().strength);
        match self.strength[seat].cmp(&enemy) {
            std::cmp::Ordering::Greater => Outcome::Victory,
            std::cmp::Ordering::Less => Outcome::Defeat,
            std::cmp::Ordering::Equal if self.stone_walls.contains(seat) => Outcome::Victory,
            std::cmp::Ordering::Equal => Outcome::Standoff,
        }
    }
}
