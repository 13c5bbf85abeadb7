//! Named cards and answered effects, shared by several themes.

use crate::dominion::data::{Card, CardType};
use crate::dominion::refusal::{No, Refusal, known};
use crate::dominion::stage::Frame;
use crate::dominion::state::{Play, State};
use crate::table::{Named, Refusal as _, Seat, broken};

pub fn all_known(cards: &[Named<Card>]) -> Result<Vec<Card>, No> {
    cards.iter().map(|&card| known(card, "cards")).collect()
}

/// Checks that a card is known and in this hand.
pub fn held(state: &State, seat: Seat, card: Named<Card>, rule: &'static str) -> Result<Card, No> {
    let card = known(card, "card")?;
    in_hand(state, seat, &[card], rule)?;
    Ok(card)
}

/// Checks that cards are known and in this hand.
pub fn all_held(
    state: &State,
    seat: Seat,
    cards: &[Named<Card>],
    rule: &'static str,
) -> Result<Vec<Card>, No> {
    let cards = all_known(cards)?;
    in_hand(state, seat, &cards, rule)?;
    Ok(cards)
}

/// Checks an answer without a card: legal for a hand without cards of this type, which is also asked under strict
/// secrecy.
///
/// # Rule DOM-14.2
pub fn nothing(state: &State, seat: Seat, card_type: CardType) -> Result<Option<Card>, No> {
    if state.players[seat].hand.has_type(card_type) {
        known(None, "card").map(Some)
    } else {
        Ok(None)
    }
}

/// Checks that all of these cards are in this hand, each as often as it is named.
pub fn in_hand(state: &State, seat: Seat, cards: &[Card], rule: &'static str) -> Result<(), No> {
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
    Err(refusal.at(rule))
}

/// Returns whether the effect asks: with a card of this type in hand; under strict secrecy with any hand (DOM-14.2).
pub fn asks_for(state: &State, card_type: CardType) -> bool {
    let hand = &state.active().hand;
    hand.has_type(card_type) || state.options.strict_secrecy && !hand.is_empty()
}

/// Takes the effect that waits for the answer from the stack.
///
/// # Rule DOM-6.20
pub fn answered(play: &mut Play<'_>) -> Frame {
    let frame = play.state.stack.pop();
    frame.unwrap_or_else(|| broken("DOM-6.20", "no effect waits"))
}
