//! Bureaucrat (DOM-7.2).

use crate::dominion::action::Action;
use crate::dominion::data::{Card, CardType};
use crate::dominion::event::Zone;
use crate::dominion::refusal::{Refusal, RefusedAction};
use crate::dominion::rules::attack::touched;
use crate::dominion::rules::common::{answered, require_in_hand};
use crate::dominion::rules::procedures::{gain, reveal, topdeck};
use crate::dominion::stage::{Destination, EffectFrame, Immune, Queue};
use crate::dominion::state::{ExecContext, State};
use crate::table::{
    ActionEnumerator, MaybeKnown, Refusal as _, Seat, VisitFlow, invariant_violated,
};

/// Gains a Silver onto the player's draw pile, then continues with the opponents.
pub fn resolve(ctx: &mut ExecContext<'_>, immune: Immune) {
    let active = ctx.state.turn.active;
    gain(ctx, active, Card::Silver, Destination::DrawPile);
    let queue = touched(ctx.state, &immune);
    ctx.state
        .stack
        .push(EffectFrame::Bureaucrat { queue, immune });
}

/// An opponent with a Victory card in hand chooses one; the others show their hands.
pub fn advance(ctx: &mut ExecContext<'_>, mut queue: Queue, immune: Immune) -> Option<EffectFrame> {
    while let Some(&seat) = queue.first() {
        let hand = ctx.state.players[seat].hand;
        if hand.has_type(CardType::Victory) {
            return Some(EffectFrame::Bureaucrat { queue, immune });
        }
        ctx.state.players[seat].show_hand();
        reveal(ctx, seat, Zone::Hand, hand.each().collect());
        queue.remove(0);
    }
    None
}

pub fn candidates(state: &State, seat: Seat, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    let victories = state.players[seat].hand.of_type(CardType::Victory);
    victories
        .iter()
        .try_for_each(|(card, _)| list.visit(Action::BureaucratTopdeck { card: Some(card) }))
}

/// Checks that the card is in hand and a Victory card.
///
/// # Rule DOM-7.2
pub fn check(state: &State, seat: Seat, card: MaybeKnown<Card>) -> Result<Card, RefusedAction> {
    let card = require_in_hand(state, seat, card, "DOM-7.2")?;
    if card.is(CardType::Victory) {
        Ok(card)
    } else {
        Err(Refusal::NotAVictoryCard { card }.citing("DOM-7.2"))
    }
}

/// Shows the card, and puts it on the player's own draw pile.
pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, card: Card) {
    let EffectFrame::Bureaucrat { mut queue, immune } = answered(ctx) else {
        invariant_violated("DOM-7.2", &ctx.state.stack)
    };
    queue.remove(0);
    ctx.state
        .stack
        .push(EffectFrame::Bureaucrat { queue, immune });
    ctx.state.players[seat].give_away(card);
    reveal(ctx, seat, Zone::Hand, vec![card]);
    topdeck(ctx, seat, Zone::Hand, card);
}
