//! What a creator asks for, and what the rules accept (CAY-5.1).

use serde::{Deserialize, Serialize};

use super::data::{MAX_PLAYERS, MIN_PLAYERS, NEUTRAL_TILES, Tile};
use super::refusal::{No, OptionFlaw, Refusal};
use super::stage::SeatList;
use crate::table::{Refusal as _, Seat};

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
pub(crate) fn check(players: usize, draft: &Draft) -> Result<Options, No> {
    let rule = "CAY-5.1";
    let invalid_count = Refusal::InvalidPlayerCount {
        players: u32::try_from(players).unwrap_or(u32::MAX),
        least: MIN_PLAYERS,
        most: MAX_PLAYERS,
    };
    let count = u8::try_from(players)
        .ok()
        .filter(|count| (MIN_PLAYERS..=MAX_PLAYERS).contains(count))
        .ok_or(invalid_count.at(rule))?;
    let incomplete = |field, flaw| Refusal::InvalidOption { field, flaw }.at(rule);
    let neutral_order = match draft.neutral_order[..] {
        [] => None,
        _ => {
            let order = neutral_order(&draft.neutral_order);
            Some(order.ok_or(incomplete("neutral_order", OptionFlaw::NeutralOrder))?)
        }
    };
    let turn_order = match draft.turn_order[..] {
        [] => None,
        _ => {
            let order = turn_order(players, &draft.turn_order);
            Some(order.ok_or(incomplete(
                "turn_order",
                OptionFlaw::TurnOrder { seats: count },
            ))?)
        }
    };
    Ok(Options {
        players: count,
        simplified_favors: draft.simplified_favors,
        neutral_order,
        turn_order,
    })
}

fn neutral_order(tiles: &[Option<Tile>]) -> Option<[Tile; 6]> {
    let known: Option<Vec<Tile>> = tiles.iter().copied().collect();
    let order: [Tile; 6] = known?.try_into().ok()?;
    let all = NEUTRAL_TILES.iter().all(|tile| order.contains(tile));
    all.then_some(order)
}

fn turn_order(players: usize, numbers: &[u32]) -> Option<SeatList> {
    if numbers.len() != players {
        return None;
    }
    let seat = |&number: &u32| u8::try_from(number).ok().and_then(Seat::new);
    let order: SeatList = numbers.iter().map(seat).collect::<Option<_>>()?;
    let all = Seat::all(players).all(|seat| order.contains(&seat));
    all.then_some(order)
}
