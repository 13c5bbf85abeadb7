//! Bureaucrat (DOM-7.2).

use crate::dominion::action::Action;
use crate::dominion::data::{Card, CardType};
use crate::dominion::decision::Decision;
use crate::dominion::event::Zone;
use crate::dominion::pending::{Destination, Frame, Immune, Queue};
use crate::dominion::refusal::Refusal;
use crate::dominion::rules::attack::touched;
use crate::dominion::rules::procedures::Table;
use crate::dominion::state::State;
use crate::table::{Seat, Visit};

/// A Silver for the player's draw pile, then the opponents.
pub(crate) fn resolve(table: &mut Table<'_>, immune: &Immune) {
    table.gain(table.active(), Card::Silver, Destination::DrawPile);
    table.push(Frame::Bureaucrat {
        queue: touched(table.state, immune),
        immune: immune.clone(),
    });
}

/// Who holds a Victory card chooses one; the others show their hands.
pub(crate) fn advance(table: &mut Table<'_>, mut queue: Queue, immune: Immune) -> Option<Frame> {
    while let Some(&seat) = queue.first() {
        let hand = table.state.players[seat].hand;
        if hand.has_type(CardType::Victory) {
            return Some(Frame::Bureaucrat { queue, immune });
        }
        table.reveal(seat, Zone::Hand, hand.each().collect());
        queue.remove(0);
    }
    None
}

/// # Rule DOM-7.2
/// The card is in hand and a Victory card.
pub(crate) fn check(state: &State, seat: Seat, card: Card) -> Result<(), Refusal> {
    state.in_hand(seat, &[card], Decision::BureaucratTopdeck)?;
    if card.is(CardType::Victory) {
        Ok(())
    } else {
        Err(Refusal::NotAVictoryCard { card })
    }
}

pub(crate) fn candidates(
    state: &State,
    seat: Seat,
    visit: &mut dyn FnMut(Action) -> Visit,
) -> Visit {
    let victories = state.players[seat].hand.of_type(CardType::Victory);
    victories
        .iter()
        .try_for_each(|(card, _)| visit(Action::BureaucratTopdeck { card: Some(card) }))
}

/// The card is shown and put on the own draw pile.
pub(crate) fn perform(table: &mut Table<'_>, card: Card) {
    let Some(Frame::Bureaucrat { queue, .. }) = table.state.stack.last_mut() else {
        return;
    };
    let Some(seat) = queue.pop_at(0) else {
        return;
    };
    table.player(seat).hand.remove(card);
    table.reveal(seat, Zone::Hand, vec![card]);
    table.topdeck(seat, Zone::Hand, card);
}
