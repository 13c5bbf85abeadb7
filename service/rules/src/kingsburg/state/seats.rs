//! A set of seats.

use serde::{Deserialize, Serialize};

use crate::table::Seat;

/// Some of the seats of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in super::super) struct SeatSet(u8);

impl SeatSet {
    /// Nobody.
    pub(in super::super) const EMPTY: Self = Self(0);

    pub(in super::super) fn insert(&mut self, seat: Seat) {
        self.0 |= 1 << seat.index();
    }

    pub(in super::super) const fn contains(self, seat: Seat) -> bool {
        self.0 & (1 << seat.index()) != 0
    }

    /// The seats, in seat order.
    pub(in super::super) fn seats(self) -> impl Iterator<Item = Seat> {
        Seat::all(crate::table::MAX_SEATS).filter(move |&seat| self.contains(seat))
    }

    /// The only seat, if there is exactly one.
    pub(in super::super) fn only(self) -> Option<Seat> {
        let mut seats = self.seats();
        let first = seats.next();
        first.filter(|_| seats.next().is_none())
    }
}

impl FromIterator<Seat> for SeatSet {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Self {
        let mut set = Self::EMPTY;
        for seat in seats {
            set.insert(seat);
        }
        set
    }
}
