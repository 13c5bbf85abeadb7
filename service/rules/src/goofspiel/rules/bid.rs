//! Bids (GOO-6.2 to GOO-6.4).

use crate::goofspiel::action::Action;
use crate::goofspiel::data::Card;
use crate::goofspiel::event::Event;
use crate::goofspiel::refusal::{Refusal, RefusedAction};
use crate::goofspiel::state::{ExecContext, State};
use crate::table::{ActionEnumerator, MaybeKnown, Refusal as _, Seat, VisitFlow};

/// Lists the cards in hand, the lowest first: it is bid for a player who has left (GOO-9.2).
pub fn candidates(state: &State, seat: Seat, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    let mut hand = state.players[seat].hand.iter();
    hand.try_for_each(|card| list.visit(Action::Bid { card: Some(card) }))
}

/// # Rule GOO-6.3
pub fn check(state: &State, seat: Seat, card: MaybeKnown<Card>) -> Result<Card, RefusedAction> {
    let card = card.ok_or(Refusal::UnknownId { field: "card" }.citing("GOO-6.3"))?;
    if state.players[seat].hand.contains(card) {
        Ok(card)
    } else {
        Err(Refusal::CardNotInHand { card }.citing("GOO-6.3"))
    }
}

/// Puts the bid on the table. The card stays hidden until all have bid.
pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, card: Card) {
    ctx.state.players[seat].bid = Some(card);
    let card = Some(card);
    ctx.emit(Event::BidMade { seat, card });
}

/// Bids for every player who has only one card left.
///
/// # Rule GOO-6.4
pub fn perform_forced(ctx: &mut ExecContext<'_>) {
    for seat in ctx.state.players.seats() {
        let hand = ctx.state.players[seat].hand;
        if let Some(card) = hand.iter().next().filter(|_| hand.len() == 1) {
            let action = Action::Bid { card: Some(card) };
            ctx.execute_forced(seat, action, |ctx| execute(ctx, seat, card));
        }
    }
}
