//! Groups of cards, and the ways to choose some of them, against the plainest possible model.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use proptest::prelude::*;

use crate::dominion::data::{Card, CardType};
use crate::dominion::rules::subsets::subsets;
use crate::dominion::state::Cards;
use crate::table::{decode, encode};

/// Cards of seven kinds, so that equal ones are frequent.
fn some_cards(most: usize) -> impl Strategy<Value = Vec<Card>> {
    let any_card = (0_usize..7).prop_map(|index| Card::ALL[index * 5]);
    prop::collection::vec(any_card, 0..=most)
}

/// All sorted groups of `least` to `most` of these cards: every set of places is tried.
fn by_brute_force(cards: &[Card], least: usize, most: usize) -> Vec<Vec<Card>> {
    let groups: BTreeSet<Vec<Card>> = (0_u32..1 << cards.len())
        .map(|places| {
            let chosen = |place: &usize| places >> place & 1 == 1;
            let mut group: Vec<Card> = (0..cards.len())
                .filter(chosen)
                .map(|at| cards[at])
                .collect();
            group.sort_unstable();
            group
        })
        .filter(|group| (least..=most).contains(&group.len()))
        .collect();
    groups.into_iter().collect()
}

proptest! {
    #[test]
    fn every_group_is_listed_once_in_dictionary_order(
        cards in some_cards(9),
        least in 0_u16..10,
        more in 0_u16..5,
    ) {
        let most = least + more;
        let mut found = Vec::new();
        let hand: Cards = cards.iter().copied().collect();
        let _all = subsets(&hand, least, most, &mut |group| {
            found.push(group.into_iter().flatten().collect::<Vec<Card>>());
            ControlFlow::Continue(())
        });
        prop_assert_eq!(found, by_brute_force(&cards, least.into(), most.into()));
    }

    #[test]
    fn a_group_of_cards_is_a_multiset(cards in some_cards(20), out in some_cards(20)) {
        let mut model = cards.clone();
        let mut group: Cards = cards.iter().copied().collect();
        let missing = out.iter().find(|&&card| {
            let place = model.iter().position(|&held| held == card);
            place.map(|place| model.swap_remove(place)).is_none()
        });
        prop_assert_eq!(group.missing(&out), missing.copied());
        model = cards;
        for card in out {
            let place = model.iter().position(|&held| held == card);
            prop_assert_eq!(group.remove(card), place.is_some());
            place.map(|place| model.swap_remove(place));
        }
        model.sort_unstable();
        prop_assert_eq!(group.each().collect::<Vec<_>>(), model.clone());
        prop_assert_eq!(usize::from(group.len()), model.len());
        prop_assert_eq!(group.first(), model.first().copied());
        prop_assert_eq!(group.is_empty(), model.is_empty());
        for card_type in CardType::ALL {
            let of_type: Vec<Card> = model.iter().copied().filter(|card| card.is(card_type)).collect();
            prop_assert_eq!(group.has_type(card_type), !of_type.is_empty());
            prop_assert_eq!(group.of_type(card_type).each().collect::<Vec<_>>(), of_type);
        }
        let again: Cards = decode(&encode(&group)).unwrap();
        prop_assert_eq!(again, group);
    }
}

#[test]
fn a_listing_stops_when_nobody_wants_more() {
    let hand: Cards = [(Card::Copper, 60), (Card::Silver, 40), (Card::Gold, 30)]
        .into_iter()
        .collect();
    let mut visited = 0;
    let flow = subsets(&hand, 0, hand.len(), &mut |_| {
        visited += 1;
        if visited == 10 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    assert!(flow.is_break());
    assert_eq!(visited, 10);
}
