//! The table, with simple queries (GOO-4).

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::action::Action;
use super::data::{Card, Cards};
use super::event::Event;
use super::options::Options;
use super::stage::Decision;
use crate::table::{self, PerSeat, Seat};

/// The whole table, hidden things included.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    pub options: Options,
    /// The prizes in the order in which they are turned up. Hidden from place `turn` on.
    pub order: ArrayVec<Card, { Card::COUNT }>,
    /// The turn, from 1: the number of prizes turned up.
    pub turn: u8,
    /// The prizes of this turn: the one turned up, and those of tied turns before.
    pub offered: Cards,
    pub players: PerSeat<Player>,
}

/// The possessions of one player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// The cards that are not revealed, the bid of this turn included.
    pub hand: Cards,
    /// The bid of this turn. Hidden until all have bid.
    pub bid: Option<Card>,
    /// The prizes taken.
    pub won: Cards,
}

impl State {
    /// The number of seats.
    pub fn seats(&self) -> usize {
        self.players.count()
    }

    /// The seats that have not bid yet. Empty when the game is over.
    ///
    /// # Rule GOO-6.2
    pub fn pending(&self) -> impl Iterator<Item = (Seat, Decision)> {
        let owe = |(_, player): &(Seat, &Player)| player.bid.is_none() && !player.hand.is_empty();
        let owing = self.players.entries().filter(owe);
        owing.map(|(seat, _)| (seat, Decision::Bid))
    }

    /// Returns whether all cards are played (GOO-8.1).
    pub fn is_over(&self) -> bool {
        self.players.iter().all(|player| player.hand.is_empty())
    }

    /// The prizes that are not turned up yet. Their order is hidden.
    pub fn to_come(&self) -> Cards {
        self.order.iter().skip(self.turn.into()).copied().collect()
    }
}

/// The table while an action is carried out.
pub type ExecContext<'a> = table::ExecContext<'a, State, Action, Event>;
