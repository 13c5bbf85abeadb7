//! What a creator asks for, and what the rules accept (CAY-5.1).

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::data::{NEUTRAL_TILES, Tile};
use super::refusal::Refusal;
use crate::table::{MAX_SEATS, Seat};

/// Seats one after the other.
pub type SeatList = ArrayVec<Seat, MAX_SEATS>;

/// What a creator asks for, unchecked. The default is the plain game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    /// Every favor gives 3 VP at once; the favor table is not used (CAY-9.3).
    pub simplified_favors: bool,
    /// The neutral tiles on spaces 1 to 6; empty: drawn. `None` is an unknown tile.
    pub neutral_order: Vec<Option<Tile>>,
    /// The numbers of the seats in the turn order of turn 1; empty: drawn.
    pub turn_order: Vec<u32>,
}

/// A checked set of options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// The number of players, 2 to 5.
    pub players: u8,
    /// Every favor gives 3 VP at once; the favor table is not used (CAY-9.3).
    pub simplified_favors: bool,
    /// The neutral tiles on spaces 1 to 6; nothing: drawn.
    pub neutral_order: Option<[Tile; 6]>,
    /// The turn order of turn 1; nothing: drawn.
    pub turn_order: Option<SeatList>,
}

impl Options {
    /// The plain game of so many players.
    #[must_use]
    pub const fn plain(players: u8) -> Self {
        Self {
            players,
            simplified_favors: false,
            neutral_order: None,
            turn_order: None,
        }
    }
}

/// Checks a draft.
///
/// # Rule CAY-5.1
/// 2 to 5 players; an explicit order is a permutation of the neutral tiles, or of the seats.
pub(super) fn check(players: usize, draft: &Draft) -> Result<Options, Refusal> {
    let count = u8::try_from(players)
        .ok()
        .filter(|count| (2..=5).contains(count))
        .ok_or(Refusal::InvalidPlayerCount { players })?;
    let neutral_order = match draft.neutral_order[..] {
        [] => None,
        _ => Some(check_neutral_order(&draft.neutral_order)?),
    };
    let turn_order = match draft.turn_order[..] {
        [] => None,
        _ => Some(check_turn_order(players, &draft.turn_order)?),
    };
    Ok(Options {
        players: count,
        simplified_favors: draft.simplified_favors,
        neutral_order,
        turn_order,
    })
}

fn check_neutral_order(tiles: &[Option<Tile>]) -> Result<[Tile; 6], Refusal> {
    let refusal = Refusal::InvalidOptions {
        option: "neutral_order",
    };
    let known: Option<Vec<Tile>> = tiles.iter().copied().collect();
    let order: [Tile; 6] = known
        .and_then(|tiles| tiles.try_into().ok())
        .ok_or(refusal.clone())?;
    if NEUTRAL_TILES.iter().all(|tile| order.contains(tile)) {
        Ok(order)
    } else {
        Err(refusal)
    }
}

fn check_turn_order(players: usize, numbers: &[u32]) -> Result<SeatList, Refusal> {
    let refusal = Refusal::InvalidOptions {
        option: "turn_order",
    };
    if numbers.len() != players {
        return Err(refusal);
    }
    let seat = |&number: &u32| u8::try_from(number).ok().and_then(Seat::new);
    let order: SeatList = numbers
        .iter()
        .map(seat)
        .collect::<Option<_>>()
        .ok_or(refusal.clone())?;
    if Seat::all(players).all(|seat| order.contains(&seat)) {
        Ok(order)
    } else {
        Err(refusal)
    }
}
