//! Bids (GOO-6.2 to GOO-6.4).

use crate::goofspiel::action::Action;
use crate::goofspiel::data::Card;
use crate::goofspiel::event::Event;
use crate::goofspiel::refusal::{No, Refusal};
use crate::goofspiel::state::{Play, State};
use crate::table::{Lister, Named, Refusal as _, Seat, Visit};

/// Lists the cards in hand, the lowest first.
pub fn candidates(state: &State, seat: Seat, list: &mut Lister<'_, Action>) -> Visit {
    let mut hand = state.players[seat].hand.iter();
    hand.try_for_each(|card| list.visit(Action::Bid { card: Some(card) }))
}

/// # Rule GOO-6.3
pub fn check(state: &State, seat: Seat, card: Named<Card>) -> Result<Card, No> {
    let card = card.ok_or(Refusal::UnknownId { field: "card" }.at("GOO-6.3"))?;
    if state.players[seat].hand.contains(card) {
        Ok(card)
    } else {
        Err(Refusal::CardNotInHand { card }.at("GOO-6.3"))
    }
}

/// Puts the bid on the table. The card stays hidden until all have bid.
pub fn perform(play: &mut Play<'_>, seat: Seat, card: Card) {
    play.state.players[seat].bid = Some(card);
    let card = Some(card);
    play.tell(Event::BidMade { seat, card });
}

/// Bids for every player who has only one card left.
///
/// # Rule GOO-6.4
pub fn perform_forced(play: &mut Play<'_>) {
    for seat in play.state.players.seats() {
        let hand = play.state.players[seat].hand;
        if let Some(card) = hand.iter().next().filter(|_| hand.len() == 1) {
            let action = Action::Bid { card: Some(card) };
            play.automatic(seat, action, |play| perform(play, seat, card));
        }
    }
}
