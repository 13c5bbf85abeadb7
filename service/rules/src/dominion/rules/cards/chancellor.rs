//! Chancellor (DOM-7.4).

use crate::dominion::action::Action;
use crate::dominion::event::Event;
use crate::dominion::state::{Play, State};
use crate::table::{Lister, Visit};

/// Returns whether there is a draw pile to discard, so that the player is asked.
pub fn asks(state: &State) -> bool {
    !state.active().draw_pile.is_empty()
}

pub fn candidates(list: &mut Lister<'_, Action>) -> Visit {
    [false, true]
        .into_iter()
        .try_for_each(|discard_deck| list.visit(Action::ChancellorDecide { discard_deck }))
}

/// Discards the draw pile as a block: its bottom card is the new top of the discard pile.
///
/// # Rule DOM-7.4
pub fn perform(play: &mut Play<'_>, discard_deck: bool) {
    play.state.stack.pop();
    let seat = play.state.turn.active;
    let player = &mut play.state.players[seat];
    let mut count = 0;
    if discard_deck {
        count = player.turn_over().len();
    }
    let discard_top = player.discard_pile.top();
    play.tell(Event::ChancellorDecided {
        seat,
        discarded: discard_deck,
        discard_top,
        count: Some(count),
    });
}
