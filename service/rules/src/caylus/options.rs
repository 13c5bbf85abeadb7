//! Options of a new game: requested, and validated (CAY-5.1).

use serde::{Deserialize, Serialize};

use super::data::{MAX_PLAYERS, MIN_PLAYERS, NEUTRAL_TILES, Tile};
use super::refusal::{OptionFlaw, Refusal};
use super::stage::SeatList;
use crate::table::{
    Field, MaybeKnown, OptionRule, Refusal as _, RefusedOption, Seat, Values, player_count,
};

/// The requested options, not yet validated. The default is the plain game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    /// Every favor gives 3 VP at once; the favor table is not used (CAY-9.3).
    pub simplified_favors: bool,
    /// The neutral tiles on spaces 1 to 6. Drawn if empty. A `None` in the list is an unknown tile.
    pub neutral_order: Vec<MaybeKnown<Tile>>,
    /// The numbers of the seats in the turn order of turn 1. Drawn if empty.
    pub turn_order: Vec<u32>,
}

/// Validated options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// The number of players, 2 to 5.
    pub players: u8,
    /// Every favor gives 3 VP at once; the favor table is not used (CAY-9.3).
    pub simplified_favors: bool,
    /// The neutral tiles on spaces 1 to 6. Is `None` if they are drawn.
    pub neutral_order: Option<[Tile; 6]>,
    /// The turn order of turn 1. Is `None` if it is drawn.
    pub turn_order: Option<SeatList>,
}

impl Options {
    /// The number of seats.
    #[must_use]
    pub fn seats(&self) -> usize {
        usize::from(self.players)
    }

    /// The plain game of this many players.
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

const NEUTRAL_ORDER: &str = "neutral_order";
const TURN_ORDER: &str = "turn_order";

/// The fields, and the values of the two orders (CAY-5.1).
pub const OPTIONS: &[OptionRule] = &[
    OptionRule::new("simplified_favors", "Simplified favors"),
    OptionRule::of::<Tile>(NEUTRAL_ORDER, "Order of the neutral buildings")
        .taking(|_| Values::names(NEUTRAL_TILES))
        .listing(|_| NEUTRAL_TILES.len()..=NEUTRAL_TILES.len()),
    OptionRule::new(TURN_ORDER, "First turn order")
        .taking(Values::seats)
        .listing(|seats| seats.into()..=seats.into()),
];

/// Validates the requested options.
///
/// # Rule CAY-5.1
/// 2 to 5 players; an explicit order is a permutation of the neutral tiles, or of the seats.
pub fn check(players: &[String], draft: &Draft) -> Result<Options, RefusedOption<Refusal>> {
    let seats = player_count(players, MIN_PLAYERS..=MAX_PLAYERS, "CAY-5.1")?;
    let tiles = &draft.neutral_order;
    let flaw = OptionFlaw::NeutralOrder;
    let neutral_order = order(NEUTRAL_ORDER, flaw, tiles, &NEUTRAL_TILES)?;
    let named = draft.turn_order.iter();
    let named: Vec<_> = named.map(|&number| Seat::of_table(number, seats)).collect();
    let all: SeatList = Seat::all(players.len()).collect();
    let flaw = OptionFlaw::TurnOrder { seats };
    let turn_order = order(TURN_ORDER, flaw, &named, &all)?;
    Ok(Options {
        players: seats,
        simplified_favors: draft.simplified_favors,
        neutral_order: neutral_order.and_then(|tiles| tiles.try_into().ok()),
        turn_order: turn_order.map(|seats| seats.into_iter().collect()),
    })
}

/// Returns an order of all these things. Returns `None` if none was requested.
fn order<T: Copy + PartialEq>(
    option: &'static str,
    flaw: OptionFlaw,
    named: &[MaybeKnown<T>],
    all: &[T],
) -> Result<Option<Vec<T>>, RefusedOption<Refusal>> {
    let refusal = Refusal::InvalidOption {
        field: option,
        flaw,
    };
    let refused = |field: Field| refusal.citing("CAY-5.1").for_field(field);
    if named.is_empty() {
        return Ok(None);
    }
    if named.len() != all.len() {
        return Err(refused(option.into()));
    }
    let mut order = Vec::with_capacity(all.len());
    for (index, thing) in named.iter().enumerate() {
        let thing = thing.filter(|thing| all.contains(thing) && !order.contains(thing));
        order.push(thing.ok_or(refused((option, index).into()))?);
    }
    Ok(Some(order))
}
