//! The end of the game and its points (DOM-8, DOM-14.1).

use crate::dominion::data::{Card, CardType, EMPTY_PILES_TO_END};
use crate::dominion::event::Event;
use crate::dominion::stage::{Counters, Phase};
use crate::dominion::state::{Cards, Play, State};

/// The counters when the game is over (DOM-14.7).
const NOTHING: Counters = Counters {
    actions: 0,
    buys: 0,
    coins: 0,
};

/// One Gardens is worth a point for this many cards (DOM-7.9).
const CARDS_PER_GARDENS_POINT: u16 = 10;

/// Ends the game after a turn, if its end has come.
pub(crate) fn comes(play: &mut Play<'_>) -> bool {
    let regular = is_at_end(play.state);
    if !regular && !is_stalemate(play.state) {
        return false;
    }
    if !regular {
        play.tell(Event::Stalemate);
    }
    play.state.turn.phase = Phase::Over;
    play.state.turn.counters = NOTHING;
    true
}

/// No Provinces are left, or at least three piles are empty.
///
/// # Rule DOM-8.1
fn is_at_end(state: &State) -> bool {
    !state.supply.has(Card::Province) || state.supply.empty_piles() >= EMPTY_PILES_TO_END
}

/// Nothing can ever change again: no card is free, and nobody has a card that brings coins or cards.
///
/// # Rule DOM-14.1
fn is_stalemate(state: &State) -> bool {
    let nothing_is_free = !state.supply.has(Card::Copper) && !state.supply.has(Card::Curse);
    nothing_is_free
        && state.players.seats().all(|seat| {
            let mut owned = state.owned(seat).iter();
            !owned.any(|(card, _)| brings_something(state, card))
        })
}

fn brings_something(state: &State, card: Card) -> bool {
    let gains = [Card::Remodel, Card::Workshop, Card::Feast].contains(&card);
    let gains_silver = card == Card::Bureaucrat && state.supply.has(Card::Silver);
    card.is(CardType::Treasure) || card.sheet().plus.coins > 0 || gains || gains_silver
}

/// The points of all cards that a player owns.
pub(crate) fn total(owned: &Cards) -> i32 {
    let cards = owned.iter();
    cards
        .map(|(card, count)| i32::from(count) * points(card, owned))
        .sum()
}

/// What one card is worth. Gardens count all cards of their owner, Gardens and Curses included.
///
/// # Rule DOM-8.2, DOM-7.9
pub(crate) fn points(card: Card, owned: &Cards) -> i32 {
    if card == Card::Gardens {
        i32::from(owned.len() / CARDS_PER_GARDENS_POINT)
    } else {
        i32::from(card.sheet().points)
    }
}
