//! Components: everything on a table that actions and events touch. Each has one name, the same in actions, events,
//! drawings and catalogues.

use std::fmt;

use super::seat::Seat;

/// A card, a space, a tile, a die, a track: something that can be pointed at.
///
/// The contract writes it `kind:id`, or `kind:seat.id` if it belongs to one seat: `advisor:king`, `die:2.0`. A piece
/// keeps its name throughout the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Component {
    kind: &'static str,
    seat: Option<Seat>,
    name: Name,
}

/// The part of a name that distinguishes components of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Name {
    /// No further name: each seat has only one.
    None,
    Id(&'static str),
    Number(u16),
    /// One of several identical pieces: their common id, and a number.
    Piece(&'static str, u16),
}

impl Component {
    /// Names the only component with this id: `advisor:king`.
    #[must_use]
    pub const fn new(kind: &'static str, id: &'static str) -> Self {
        let (seat, name) = (None, Name::Id(id));
        Self { kind, seat, name }
    }

    /// Names a component by its number: `space:17`.
    #[must_use]
    pub fn number(kind: &'static str, number: impl Into<u16>) -> Self {
        let (seat, name) = (None, Name::Number(number.into()));
        Self { kind, seat, name }
    }

    /// Names one of several identical pieces: `favor:deniers.3`.
    #[must_use]
    pub fn piece(kind: &'static str, id: &'static str, number: impl Into<u16>) -> Self {
        let (seat, name) = (None, Name::Piece(id, number.into()));
        Self { kind, seat, name }
    }

    /// Names the area of a player: `seat:2`.
    #[must_use]
    pub const fn seat(seat: Seat) -> Self {
        Self::only("seat", seat)
    }

    /// Names the only component of this kind that a seat has: `hand:2`.
    #[must_use]
    pub const fn only(kind: &'static str, seat: Seat) -> Self {
        let (seat, name) = (Some(seat), Name::None);
        Self { kind, seat, name }
    }

    /// Names a component of a seat by its id: `building:2.crane`.
    #[must_use]
    pub const fn of(seat: Seat, kind: &'static str, id: &'static str) -> Self {
        let (seat, name) = (Some(seat), Name::Id(id));
        Self { kind, seat, name }
    }

    /// Names a component of a seat by its number: `die:2.0`.
    #[must_use]
    pub fn numbered(seat: Seat, kind: &'static str, number: impl Into<u16>) -> Self {
        let (seat, name) = (Some(seat), Name::Number(number.into()));
        Self { kind, seat, name }
    }
}

impl fmt::Display for Component {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.kind)?;
        if let Some(seat) = self.seat {
            write!(f, "{}", seat.number())?;
            if self.name != Name::None {
                f.write_str(".")?;
            }
        }
        match self.name {
            Name::None => Ok(()),
            Name::Id(id) => f.write_str(id),
            Name::Number(number) => write!(f, "{number}"),
            Name::Piece(id, number) => write!(f, "{id}.{number}"),
        }
    }
}
