//! Actions to try in every state, legal and illegal ones of every kind.

use crate::dominion::action::{Action, Named};
use crate::dominion::data::Card;
use crate::dominion::state::Cards;

/// Actions of every kind with every card, misspelt ones included, and many groups of cards of this
/// hand.
pub(crate) fn universe(hand: &Cards) -> Vec<Action> {
    let mut actions = vec![
        Action::EndActionPhase,
        Action::PlayAllTreasures,
        Action::DeclineReaction,
        Action::EndTurn { discard_top: None },
        Action::MineTrash { card: None },
        Action::ThroneRoomChoose { card: None },
    ];
    for choice in [false, true] {
        actions.extend([
            Action::ChancellorDecide {
                discard_deck: choice,
            },
            Action::LibraryDecide { set_aside: choice },
            Action::SpyDecide { discard: choice },
        ]);
    }
    let names = || Card::ALL.into_iter().map(Some).chain([None]);
    names().for_each(|card| actions.extend(with_card(card)));
    for cards in groups(hand) {
        actions.extend(with_cards(&cards));
    }
    actions
}

fn with_card(card: Named) -> [Action; 10] {
    [
        Action::PlayAction { card },
        Action::BuyCard { card },
        Action::EndTurn {
            discard_top: Some(card),
        },
        Action::RevealReaction { card },
        Action::GainCard { card },
        Action::RemodelTrash { card },
        Action::MineTrash { card: Some(card) },
        Action::BureaucratTopdeck { card },
        Action::ThiefTrash { card },
        Action::ThroneRoomChoose { card: Some(card) },
    ]
}

fn with_cards(cards: &[Named]) -> [Action; 5] {
    [
        Action::PlayTreasures {
            cards: cards.to_vec(),
        },
        Action::CellarDiscard {
            cards: cards.to_vec(),
        },
        Action::ChapelTrash {
            cards: cards.to_vec(),
        },
        Action::MilitiaDiscard {
            cards: cards.to_vec(),
        },
        Action::ThiefGain {
            cards: cards.to_vec(),
        },
    ]
}

/// Groups of cards: none, one or two of anything, every beginning and every end of the hand in
/// both directions, one card more than the hand, an unknown card.
fn groups(hand: &Cards) -> Vec<Vec<Named>> {
    let mut groups = vec![Vec::new(), vec![None]];
    for card in Card::ALL.map(Some) {
        groups.extend([vec![card], vec![card, card]]);
        groups.push(vec![card, Some(Card::Copper), None]);
        groups.push(vec![card, Some(Card::Silver)]);
    }
    let mut order: Vec<Named> = hand.each().map(Some).collect();
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

/// The action with its cards in canonical order: any order of a listed group is accepted.
pub(crate) fn sorted(action: &Action) -> Action {
    let mut action = action.clone();
    match &mut action {
        Action::PlayTreasures { cards }
        | Action::CellarDiscard { cards }
        | Action::ChapelTrash { cards }
        | Action::MilitiaDiscard { cards }
        | Action::ThiefGain { cards } => cards.sort_unstable(),
        _ => {}
    }
    action
}

/// The place of a sensible action in the list, in the Buy phase.
pub(crate) fn sensible(legal: &[Action]) -> Option<usize> {
    let treasures = legal
        .iter()
        .position(|action| *action == Action::PlayAllTreasures);
    let price = |action: &Action| match action {
        Action::BuyCard { card: Some(card) } => Some(card.cost()),
        _ => None,
    };
    let dearest = (0..legal.len()).filter(|&place| price(&legal[place]) > Some(0));
    treasures.or_else(|| dearest.max_by_key(|&place| price(&legal[place])))
}
