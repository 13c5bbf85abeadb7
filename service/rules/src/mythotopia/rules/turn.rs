//! The end of a turn (MYT-6.1).

use super::{Actor, Play, drawing, ensure};
use crate::mythotopia::data::ACTIONS;
use crate::mythotopia::event::Event;
use crate::mythotopia::refusal::Refusal;
use crate::mythotopia::state::{Turn, count};
use crate::table::Seat;

/// May the turn end?
///
/// # Rule MYT-6.1.1
/// After two actions.
pub(in crate::mythotopia) fn check_end(actor: Actor) -> Result<(), Refusal> {
    let done = actor.state.turn.actions_done;
    ensure(done >= ACTIONS, Refusal::ActionsRemaining { done })
}

/// The player draws up to his hand limit; the next turn begins.
///
/// # Rule MYT-6.1.2
/// Nobody discards down.
pub(in crate::mythotopia) fn end(play: &mut Play, seat: Seat) {
    let limit = play.state.players[seat].hand_limit(play.state.switches.hand_limit_stacking);
    let hand = count(play.state.players[seat].hand.len());
    drawing::draw(play, seat, limit.saturating_sub(hand));
    let next = seat.next(play.state.players.count());
    play.state.active = next;
    play.state.turn = Turn::default();
    play.note(Event::TurnBegan { seat: next });
}
