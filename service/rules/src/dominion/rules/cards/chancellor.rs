//! Chancellor (DOM-7.4).

use crate::dominion::action::Action;
use crate::dominion::event::Event;
use crate::dominion::pending::Frame;
use crate::dominion::rules::procedures::Table;
use crate::table::Visit;

/// Asked while there is a draw pile to turn over.
pub(crate) fn advance(table: &Table<'_>) -> Option<Frame> {
    let asks = !table.state.active().draw_pile.is_empty();
    asks.then_some(Frame::Chancellor)
}

pub(crate) fn candidates(visit: &mut dyn FnMut(Action) -> Visit) -> Visit {
    [false, true]
        .into_iter()
        .try_for_each(|discard_deck| visit(Action::ChancellorDecide { discard_deck }))
}

/// # Rule DOM-7.4
/// The draw pile is turned over as a block: its bottom card is the new top of the discard pile.
pub(crate) fn perform_discard(table: &mut Table<'_>) {
    let seat = table.active();
    let player = table.player(seat);
    let bottom = player.draw_pile.bottom();
    let cards = player.draw_pile.take_all();
    player.discard_pile.put_all(&cards, bottom);
    decided(table, Some(cards.len()));
}

pub(crate) fn perform_keep(table: &mut Table<'_>) {
    decided(table, None);
}

/// The question is answered; `discarded` tells how many cards were turned over, if they were.
fn decided(table: &mut Table<'_>, discarded: Option<u16>) {
    table.state.stack.pop();
    let seat = table.active();
    let discard_top = table.player(seat).discard_pile.top();
    table.event(Event::ChancellorDecided {
        seat,
        discarded: discarded.is_some(),
        discard_top,
        count: Some(discarded.unwrap_or(0)),
    });
}
