//! Named cards and answered effects, shared by several themes.

use crate::dominion::data::{Card, CardType};
use crate::dominion::refusal::{Refusal, RefusedAction, require_known};
use crate::dominion::stage::EffectFrame;
use crate::dominion::state::{ExecContext, State};
use crate::table::{MaybeKnown, Refusal as _, Seat, invariant_violated};

pub fn all_known(cards: &[MaybeKnown<Card>]) -> Result<Vec<Card>, RefusedAction> {
    cards
        .iter()
        .map(|&card| require_known(card, "cards"))
        .collect()
}

/// Checks that a card is known and in this hand.
pub fn require_in_hand(
    state: &State,
    seat: Seat,
    card: MaybeKnown<Card>,
    rule: &'static str,
) -> Result<Card, RefusedAction> {
    let card = require_known(card, "card")?;
    in_hand(state, seat, &[card], rule)?;
    Ok(card)
}

/// Checks that cards are known and in this hand.
pub fn all_held(
    state: &State,
    seat: Seat,
    cards: &[MaybeKnown<Card>],
    rule: &'static str,
) -> Result<Vec<Card>, RefusedAction> {
    let cards = all_known(cards)?;
    in_hand(state, seat, &cards, rule)?;
    Ok(cards)
}

/// Checks an answer without a card: legal for a hand without cards of this type, which is also asked under strict
/// secrecy.
///
/// # Rule DOM-14.2
pub fn nothing(
    state: &State,
    seat: Seat,
    card_type: CardType,
) -> Result<Option<Card>, RefusedAction> {
    if state.players[seat].hand.has_type(card_type) {
        require_known(None, "card").map(Some)
    } else {
        Ok(None)
    }
}

/// Checks that all of these cards are in this hand, each as often as it is named.
pub fn in_hand(
    state: &State,
    seat: Seat,
    cards: &[Card],
    rule: &'static str,
) -> Result<(), RefusedAction> {
    let hand = &state.players[seat].hand;
    let Some(card) = hand.missing(cards) else {
        return Ok(());
    };
    let named = cards.iter().filter(|&&named| named == card);
    let refusal = Refusal::CardNotInHand {
        card,
        count: u16::try_from(named.count()).unwrap_or(u16::MAX),
        held: u16::from(hand.count(card)),
    };
    Err(refusal.citing(rule))
}

/// Returns whether the effect asks: with a card of this type in hand; under strict secrecy with any hand (DOM-14.2).
pub fn asks_for(state: &State, card_type: CardType) -> bool {
    let hand = &state.active().hand;
    hand.has_type(card_type) || state.options.strict_secrecy && !hand.is_empty()
}

/// Takes the effect that waits for the answer from the stack.
///
/// # Rule DOM-6.20
pub fn answered(ctx: &mut ExecContext<'_>) -> EffectFrame {
    let frame = ctx.state.stack.pop();
    frame.unwrap_or_else(|| invariant_violated("DOM-6.20", "no effect waits"))
}
