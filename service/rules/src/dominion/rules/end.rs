//! The end of the game and its points (DOM-8).

use super::stalemate;
use crate::dominion::data::{Card, EMPTY_PILES_TO_END};
use crate::dominion::event::Event;
use crate::dominion::stage::{Counters, Phase};
use crate::dominion::state::{Cards, ExecContext, State};

/// The counters when the game is over (DOM-14.7).
const NOTHING: Counters = Counters {
    actions: 0,
    buys: 0,
    coins: 0,
};

/// One Gardens is worth a point for this many cards (DOM-7.9).
const CARDS_PER_GARDENS_POINT: u16 = 10;

/// Ends the game after a turn, if its end has come. Returns whether it has.
pub fn comes(ctx: &mut ExecContext<'_>) -> bool {
    let regular = is_at_end(ctx.state);
    if !regular && !stalemate::is_reached(ctx.state) {
        return false;
    }
    if !regular {
        ctx.emit(Event::Stalemate);
    }
    ctx.state.turn.phase = Phase::Over;
    ctx.state.turn.counters = NOTHING;
    true
}

/// Returns whether the game ends with a turn after which the table is as it is now: by its piles, or because nothing can
/// change anymore.
pub fn is_due(state: &State) -> bool {
    is_at_end(state) || stalemate::is_reached(state)
}

/// No Provinces are left, or at least three piles are empty.
///
/// # Rule DOM-8.1
fn is_at_end(state: &State) -> bool {
    !state.supply.has(Card::Province) || state.supply.empty_piles() >= EMPTY_PILES_TO_END
}

/// The points of all cards that a player owns.
pub fn total(owned: &Cards) -> i32 {
    let cards = owned.iter();
    cards
        .map(|(card, count)| i32::from(count) * points(card, owned))
        .sum()
}

/// The points of one card. Gardens count all cards of their owner, Gardens and Curses included.
///
/// # Rule DOM-8.2, DOM-7.9
pub fn points(card: Card, owned: &Cards) -> i32 {
    if card == Card::Gardens {
        i32::from(owned.len() / CARDS_PER_GARDENS_POINT)
    } else {
        i32::from(card.sheet().points)
    }
}
