//! Bureaucrat (DOM-7.2).

use crate::dominion::action::Action;
use crate::dominion::data::{Card, CardType};
use crate::dominion::event::Zone;
use crate::dominion::refusal::{No, Refusal};
use crate::dominion::rules::attack::touched;
use crate::dominion::rules::common::{answered, held};
use crate::dominion::rules::procedures::{gain, reveal, topdeck};
use crate::dominion::stage::{Destination, Frame, Immune, Queue};
use crate::dominion::state::{Play, State};
use crate::table::{Lister, Named, Refusal as _, Seat, Visit, broken};

/// Gains a Silver onto the player's draw pile, then continues with the opponents.
pub fn resolve(play: &mut Play<'_>, immune: Immune) {
    let active = play.state.turn.active;
    gain(play, active, Card::Silver, Destination::DrawPile);
    let queue = touched(play.state, &immune);
    play.state.stack.push(Frame::Bureaucrat { queue, immune });
}

/// An opponent with a Victory card in hand chooses one; the others show their hands.
pub fn advance(play: &mut Play<'_>, mut queue: Queue, immune: Immune) -> Option<Frame> {
    while let Some(&seat) = queue.first() {
        let hand = play.state.players[seat].hand;
        if hand.has_type(CardType::Victory) {
            return Some(Frame::Bureaucrat { queue, immune });
        }
        play.state.players[seat].show_hand();
        reveal(play, seat, Zone::Hand, hand.each().collect());
        queue.remove(0);
    }
    None
}

pub fn candidates(state: &State, seat: Seat, list: &mut Lister<'_, Action>) -> Visit {
    let victories = state.players[seat].hand.of_type(CardType::Victory);
    victories
        .iter()
        .try_for_each(|(card, _)| list.visit(Action::BureaucratTopdeck { card: Some(card) }))
}

/// Checks that the card is in hand and a Victory card.
///
/// # Rule DOM-7.2
pub fn check(state: &State, seat: Seat, card: Named<Card>) -> Result<Card, No> {
    let card = held(state, seat, card, "DOM-7.2")?;
    if card.is(CardType::Victory) {
        Ok(card)
    } else {
        Err(Refusal::NotAVictoryCard { card }.at("DOM-7.2"))
    }
}

/// Shows the card, and puts it on the player's own draw pile.
pub fn perform(play: &mut Play<'_>, seat: Seat, card: Card) {
    let Frame::Bureaucrat { mut queue, immune } = answered(play) else {
        broken("DOM-7.2", &play.state.stack)
    };
    queue.remove(0);
    play.state.stack.push(Frame::Bureaucrat { queue, immune });
    play.state.players[seat].give_away(card);
    reveal(play, seat, Zone::Hand, vec![card]);
    topdeck(play, seat, Zone::Hand, card);
}
