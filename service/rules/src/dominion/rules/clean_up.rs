//! From the end of one turn to the beginning of the next, or to the end of the game
//! (DOM-6.3, DOM-6.14 to DOM-6.16a).

use super::end;
use super::procedures::draw;
use crate::dominion::data::{Card, HAND_SIZE};
use crate::dominion::event::Event;
use crate::dominion::stage::{Counters, Phase};
use crate::dominion::state::ExecContext;
use crate::table::Seat;

/// The counters at the start of a turn (DOM-6.3).
const FRESH: Counters = Counters {
    actions: 1,
    buys: 1,
    coins: 0,
};

/// Begins the player's next turn in its Action phase.
///
/// # Rule DOM-6.3
pub fn start_turn(ctx: &mut ExecContext<'_>, seat: Seat) {
    ctx.state.players[seat].turns_taken += 1;
    let turn = &mut ctx.state.turn;
    turn.active = seat;
    turn.phase = Phase::Action;
    turn.counters = FRESH;
    turn.bought = false;
    ctx.emit(Event::TurnStarted {
        seat,
        turn_number: ctx.state.turn_number(),
    });
}

/// Cleans up: discards everything, and draws a new hand.
///
/// # Rule DOM-6.14 to DOM-6.16
pub fn execute(ctx: &mut ExecContext<'_>, discard_top: Option<Card>) {
    let seat = ctx.state.turn.active;
    discard_everything(ctx, seat, discard_top);
    draw(ctx, seat, u16::from(HAND_SIZE));
}

/// Tests for the end of the game after clean-up, and otherwise begins the next turn.
///
/// # Rule DOM-6.16a
pub fn next_turn(ctx: &mut ExecContext<'_>) {
    if !end::comes(ctx) {
        let next = ctx.state.turn.active.next(ctx.state.seats());
        start_turn(ctx, next);
    }
}

/// Discards the cards in play and in hand. On top is the requested card, otherwise the last one in play, otherwise the
/// first one of the hand.
///
/// # Rule DOM-6.14, DOM-6.16
fn discard_everything(ctx: &mut ExecContext<'_>, seat: Seat, discard_top: Option<Card>) {
    let player = &mut ctx.state.players[seat];
    let in_play = &mut ctx.state.turn.in_play;
    let hand = player.hand;
    let top = discard_top
        .or(in_play.last().copied())
        .or_else(|| hand.first());
    player.clean_up(&in_play.drain(..).collect(), top);
    let discard_top = player.discard_pile.top();
    ctx.emit(Event::CleanedUp {
        seat,
        count: hand.len(),
        discard_top,
        cards: Some(hand.each().collect()),
    });
}
