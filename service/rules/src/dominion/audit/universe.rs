//! Actions that the conformance suite must try: the near misses that it makes of listed actions name few cards.

use crate::dominion::action::Action;
use crate::dominion::data::Card;
use crate::dominion::state::{Cards, State};
use crate::table::{MaybeKnown, Seat};

/// Lists small actions with every card, misspelled ones included, and groups of cards of this hand.
pub fn universe(state: &State, seat: Seat) -> Vec<Action> {
    let hand = &state.players[seat].hand;
    let mut actions = vec![
        Action::EndActionPhase,
        Action::PlayAllTreasures,
        Action::DeclineReaction,
        Action::EndTurn { discard_top: None },
    ];
    for card in Card::ALL.into_iter().map(Some).chain([None]) {
        actions.extend([
            Action::PlayAction { card },
            Action::BuyCard { card },
            Action::EndTurn {
                discard_top: Some(card),
            },
            Action::GainCard { card },
            Action::BureaucratTopdeck { card },
        ]);
    }
    for cards in groups(hand) {
        actions.extend([
            Action::PlayTreasures {
                cards: cards.clone(),
            },
            Action::ChapelTrash {
                cards: cards.clone(),
            },
            Action::ThiefGain { cards },
        ]);
    }
    actions
}

/// Groups of cards: none, one or two of anything, every beginning and every end of the hand in
/// both directions, one card more than the hand, an unknown card.
fn groups(hand: &Cards) -> Vec<Vec<MaybeKnown<Card>>> {
    let mut groups = vec![Vec::new(), vec![None]];
    for card in Card::ALL.map(Some) {
        groups.extend([vec![card], vec![card, card]]);
        groups.push(vec![card, Some(Card::Copper), None]);
        groups.push(vec![card, Some(Card::Silver)]);
    }
    let mut order: Vec<MaybeKnown<Card>> = hand.each().map(Some).collect();
    for _ in 0..2 {
        for place in 0..=order.len() {
            groups.push(order[..place].to_vec());
            groups.push(order[place..].to_vec());
        }
        order.reverse();
    }
    order.push(Some(Card::Curse));
    groups.push(order);
    groups
}
