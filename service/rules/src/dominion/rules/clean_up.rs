//! From the end of one turn to the beginning of the next, or to the end of the game
//! (DOM-6.3, DOM-6.14 to DOM-6.16a, DOM-8.1, DOM-14.1).

use super::procedures::Table;
use crate::dominion::data::{Card, CardType, EMPTY_PILES_TO_END, HAND_SIZE};
use crate::dominion::event::Event;
use crate::dominion::score;
use crate::dominion::state::{Counters, Phase, State};
use crate::table::Seat;

/// What a turn begins with (DOM-6.3).
const FRESH: Counters = Counters {
    actions: 1,
    buys: 1,
    coins: 0,
};

/// What is left when the game is over (DOM-14.7).
const NOTHING: Counters = Counters {
    actions: 0,
    buys: 0,
    coins: 0,
};

/// # Rule DOM-6.3
/// The player's next turn begins in its Action phase.
pub(crate) fn start_turn(table: &mut Table<'_>, seat: Seat) {
    table.player(seat).turns_taken += 1;
    let turn = &mut table.state.turn;
    turn.active = seat;
    turn.phase = Phase::Action;
    turn.counters = FRESH;
    turn.bought = false;
    table.event(Event::TurnStarted {
        seat,
        turn_number: table.state.turn_number(),
    });
}

/// Clean-up, the end test, and the next turn if the game goes on.
pub(crate) fn perform_end_turn(table: &mut Table<'_>, discard_top: Option<Card>) {
    let seat = table.active();
    discard_everything(table, seat, discard_top);
    table.draw(seat, u16::from(HAND_SIZE));
    if is_at_end(table.state) {
        end_game(table);
    } else if is_stalemate(table.state) {
        table.event(Event::Stalemate);
        end_game(table);
    } else {
        let next = seat.next(table.state.seats());
        start_turn(table, next);
    }
}

/// # Rules DOM-6.14, DOM-6.16
/// Cards in play and in hand are discarded. On top lies the card that was asked for; else the last
/// one in play; else the first one of the hand.
fn discard_everything(table: &mut Table<'_>, seat: Seat, discard_top: Option<Card>) {
    let player = &mut table.state.players[seat];
    let in_play = &mut table.state.turn.in_play;
    let hand = player.hand.take();
    let top = discard_top
        .or(in_play.last().copied())
        .or_else(|| hand.first());
    for card in in_play.drain(..) {
        player.discard_pile.put(card);
    }
    player.discard_pile.put_all(&hand, top);
    let discard_top = player.discard_pile.top();
    table.event(Event::CleanedUp {
        seat,
        count: hand.len(),
        discard_top,
        cards: Some(hand.each().collect()),
    });
}

/// # Rule DOM-8.1
/// No Provinces are left, or at least three piles are empty.
fn is_at_end(state: &State) -> bool {
    !state.supply.has(Card::Province) || state.supply.empty_piles() >= EMPTY_PILES_TO_END
}

/// # Rule DOM-14.1
/// Nothing can ever change again: nothing is free, and nobody has a card that brings anything.
fn is_stalemate(state: &State) -> bool {
    let nothing_is_free = !state.supply.has(Card::Copper) && !state.supply.has(Card::Curse);
    nothing_is_free
        && state.players.seats().all(|seat| {
            let mut owned = state.owned(seat).iter();
            !owned.any(|(card, _)| brings_something(state, card))
        })
}

fn brings_something(state: &State, card: Card) -> bool {
    let gains = matches!(card, Card::Remodel | Card::Workshop | Card::Feast);
    let gains_silver = card == Card::Bureaucrat && state.supply.has(Card::Silver);
    card.is(CardType::Treasure) || card.sheet().plus.coins > 0 || gains || gains_silver
}

fn end_game(table: &mut Table<'_>) {
    table.state.turn.phase = Phase::GameOver;
    table.state.turn.counters = NOTHING;
    let results = score::results(table.state);
    table.event(Event::GameOver { results });
}
