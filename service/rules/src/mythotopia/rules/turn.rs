//! The end of a turn (MYT-6.1).

use super::actor::Actor;
use super::drawing;
use crate::mythotopia::data::ACTIONS;
use crate::mythotopia::data::count;
use crate::mythotopia::event::Event;
use crate::mythotopia::refusal::{No, Refusal, ensure};
use crate::mythotopia::stage::Turn;
use crate::mythotopia::state::Play;
use crate::table::{Refusal as _, Seat};

/// Checks that the turn may end.
///
/// # Rule MYT-6.1.1
/// After two actions.
pub fn check_end(actor: Actor) -> Result<(), No> {
    let done = actor.state.turn.actions_done;
    let left = ACTIONS.saturating_sub(done);
    ensure(
        left == 0,
        Refusal::ActionsRemaining { left }.at("MYT-6.1.1"),
    )
}

/// Draws up to the hand limit, and begins the next turn.
///
/// # Rule MYT-6.1.2
/// Nobody discards down to the limit.
pub fn end(play: &mut Play<'_>, seat: Seat) {
    let limit = play.state.players[seat].hand_limit(play.state.switches.hand_limit_stacking);
    let hand = count(play.state.players[seat].hand.len());
    drawing::draw(play, seat, limit.saturating_sub(hand));
    let next = seat.next(play.state.seats());
    play.state.active = next;
    play.state.turn = Turn::default();
    play.tell(Event::TurnBegan { seat: next });
}
