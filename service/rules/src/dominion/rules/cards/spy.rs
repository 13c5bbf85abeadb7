//! Spy (DOM-7.19).

use crate::dominion::action::Action;
use crate::dominion::event::Zone;
use crate::dominion::pending::{Frame, Immune, Queue};
use crate::dominion::rules::attack::touched;
use crate::dominion::rules::procedures::Table;
use crate::table::Visit;

/// The player's own card first, then those of the opponents.
pub(crate) fn resolve(table: &mut Table<'_>, immune: &Immune) {
    let own = std::iter::once(table.active());
    let queue = own.chain(touched(table.state, immune)).collect();
    table.push(Frame::Spy {
        queue,
        immune: immune.clone(),
        revealed: None,
    });
}

/// # Rule DOM-7.19
/// The next top card is revealed only after the last one was decided; who has no card is skipped.
pub(crate) fn advance(table: &mut Table<'_>, mut queue: Queue, immune: Immune) -> Option<Frame> {
    while let Some(&seat) = queue.first() {
        if let Some(card) = table.take_top(seat) {
            table.reveal(seat, Zone::DrawPile, vec![card]);
            return Some(Frame::Spy {
                queue,
                immune,
                revealed: Some(card),
            });
        }
        queue.remove(0);
    }
    None
}

pub(crate) fn candidates(visit: &mut dyn FnMut(Action) -> Visit) -> Visit {
    [false, true]
        .into_iter()
        .try_for_each(|discard| visit(Action::SpyDecide { discard }))
}

pub(crate) fn perform_discard(table: &mut Table<'_>) {
    if let Some(Frame::Spy {
        queue, revealed, ..
    }) = table.state.stack.last_mut()
        && let (Some(card), Some(seat)) = (revealed.take(), queue.pop_at(0))
    {
        table.discard_held(seat, vec![card]);
    }
}

pub(crate) fn perform_put_back(table: &mut Table<'_>) {
    if let Some(Frame::Spy {
        queue, revealed, ..
    }) = table.state.stack.last_mut()
        && let (Some(card), Some(seat)) = (revealed.take(), queue.pop_at(0))
    {
        table.topdeck(seat, Zone::Revealed, card);
    }
}
