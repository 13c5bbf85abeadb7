//! The end of a turn (MYT-6.1).

use super::actor::ActorContext;
use super::drawing;
use crate::mythotopia::data::ACTIONS;
use crate::mythotopia::data::count;
use crate::mythotopia::event::Event;
use crate::mythotopia::refusal::{Refusal, RefusedAction, ensure};
use crate::mythotopia::stage::Turn;
use crate::mythotopia::state::ExecContext;
use crate::table::{Refusal as _, Seat};

/// Checks that the turn may end.
///
/// # Rule MYT-6.1.1
/// After two actions.
pub fn check_end(actor: ActorContext) -> Result<(), RefusedAction> {
    let done = actor.state.turn.actions_done;
    let left = ACTIONS.saturating_sub(done);
    ensure(
        left == 0,
        Refusal::ActionsRemaining { left }.citing("MYT-6.1.1"),
    )
}

/// Draws up to the hand limit, and begins the next turn.
///
/// # Rule MYT-6.1.2
/// Nobody discards down to the limit.
pub fn end(ctx: &mut ExecContext<'_>, seat: Seat) {
    let limit = ctx.state.players[seat].hand_limit(ctx.state.switches.hand_limit_stacking);
    let hand = count(ctx.state.players[seat].hand.len());
    drawing::draw(ctx, seat, limit.saturating_sub(hand));
    let next = seat.next(ctx.state.seats());
    ctx.state.active = next;
    ctx.state.turn = Turn::default();
    ctx.emit(Event::TurnBegan { seat: next });
}
