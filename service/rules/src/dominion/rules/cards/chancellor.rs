//! Chancellor (DOM-7.4).

use crate::dominion::action::Action;
use crate::dominion::event::Event;
use crate::dominion::state::{ExecContext, State};
use crate::table::{ActionEnumerator, VisitFlow};

/// Returns whether there is a draw pile to discard, so that the player is asked.
pub fn asks(state: &State) -> bool {
    !state.active().draw_pile.is_empty()
}

pub fn candidates(list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    [false, true]
        .into_iter()
        .try_for_each(|discard_deck| list.visit(Action::ChancellorDecide { discard_deck }))
}

/// Discards the draw pile as a block: its bottom card is the new top of the discard pile.
///
/// # Rule DOM-7.4
pub fn execute(ctx: &mut ExecContext<'_>, discard_deck: bool) {
    ctx.state.stack.pop();
    let seat = ctx.state.turn.active;
    let player = &mut ctx.state.players[seat];
    let mut count = 0;
    if discard_deck {
        count = player.turn_over().len();
    }
    let discard_top = player.discard_pile.top();
    ctx.emit(Event::ChancellorDecided {
        seat,
        discarded: discard_deck,
        discard_top,
        count: Some(count),
    });
}
