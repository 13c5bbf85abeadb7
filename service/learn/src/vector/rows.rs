//! The arrays of the caller of a vector, and the games that ended.

use crate::rewards::Standing;

/// The arrays of the caller, with a row for each game. They are written completely when games begin, and must be
/// passed unchanged to each later step, which writes only differences.
pub struct BatchRows<'a, C> {
    /// The observations of the seats to move.
    pub observations: &'a mut [C],
    /// The action masks: 1 for each word that the seat to move can say.
    pub masks: &'a mut [i8],
    /// The seats to move, from 0.
    pub seats: &'a mut [i64],
}

impl<C> BatchRows<'_, C> {
    pub(super) fn reborrow(&mut self) -> BatchRows<'_, C> {
        BatchRows {
            observations: self.observations,
            masks: self.masks,
            seats: self.seats,
        }
    }
}

/// A game that ended. The next game has already taken its slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The slot in the vector.
    pub slot: usize,
    /// The results in seat order. Is `None` if the game was cut off.
    pub standings: Option<Vec<Standing>>,
    /// The last version.
    pub version: u64,
}
