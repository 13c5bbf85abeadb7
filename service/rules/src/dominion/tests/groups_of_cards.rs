//! Groups of cards, and the ways to choose some of them, against the plainest possible model.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

use proptest::prelude::*;

use gamekeeper_rules::dominion::action::Action;
use gamekeeper_rules::dominion::data::{Card, CardType};
use gamekeeper_rules::dominion::rules::subsets::subsets;
use gamekeeper_rules::dominion::state::Cards;
use gamekeeper_rules::table::{ActionCursor, ActionEnumerator, Kind, VisitFlow, decode, encode};

/// Cards of seven kinds, so that equal ones are frequent.
fn some_cards(most: usize) -> impl Strategy<Value = Vec<Card>> {
    let any_card = (0_usize..7).prop_map(|index| Card::ALL[index * 5]);
    prop::collection::vec(any_card, 0..=most)
}

/// All sorted groups of `least` to `most` of these cards: every set of indexes is tried.
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

/// Lists groups from a place on, and returns where the listing stopped.
fn groups(
    hand: &Cards,
    (least, most): (u16, u16),
    from: ActionCursor,
    visit: &mut dyn FnMut(Vec<Card>) -> VisitFlow,
) -> Option<ActionCursor> {
    let mut visit = |action| match action {
        Action::CellarDiscard { cards } => visit(cards.into_iter().flatten().collect()),
        other => panic!("{other:?}"),
    };
    let mut list = ActionEnumerator::new(Action::kind, &mut visit).resume_at(from, u32::MAX);
    let action = |cards| Action::CellarDiscard { cards };
    let flow = subsets(&mut list, hand, least, most, action);
    flow.is_break().then(|| list.cursor())
}

/// Returns the number of groups, and the number of actions that were made to count them. Only groups of groups larger
/// than this are entered.
fn counted(hand: &Cards, (least, most): (u16, u16), largest: u64) -> (u64, u64) {
    let (total, made) = (Cell::new(0_u64), Cell::new(0));
    let mut visit = |_| {
        total.set(total.get() + 1);
        made.set(made.get() + 1);
        ControlFlow::Continue(())
    };
    let mut pass = |count| {
        let passes = count <= largest;
        let more = if passes { count } else { 0 };
        total.set(total.get().saturating_add(more));
        passes
    };
    let mut list = ActionEnumerator::new(Action::kind, &mut visit).counting(&mut pass);
    let action = |cards| Action::CellarDiscard { cards };
    let _end = subsets(&mut list, hand, least, most, action);
    (total.get(), made.get())
}

proptest! {
    #[test]
    fn groups_are_counted_without_being_listed(
        cards in some_cards(9),
        least in 0_u16..10,
        more in 0_u16..5,
        largest in 0_u64..200,
    ) {
        let most = least + more;
        let hand: Cards = cards.iter().copied().collect();
        let all = by_brute_force(&cards, least.into(), most.into());
        let (total, _) = counted(&hand, (least, most), largest);
        prop_assert_eq!(total, all.len() as u64);
        let (total, made) = counted(&hand, (least, most), u64::MAX);
        prop_assert_eq!(total, all.len() as u64);
        prop_assert!(made <= 1, "the empty group is no group of groups");
    }

    #[test]
    fn every_group_is_listed_once_in_dictionary_order(
        cards in some_cards(9),
        least in 0_u16..10,
        more in 0_u16..5,
    ) {
        let most = least + more;
        let mut found = Vec::new();
        let hand: Cards = cards.iter().copied().collect();
        let _end = groups(&hand, (least, most), ActionCursor::default(), &mut |group| {
            found.push(group);
            ControlFlow::Continue(())
        });
        prop_assert_eq!(found, by_brute_force(&cards, least.into(), most.into()));
    }

    #[test]
    fn a_group_of_cards_is_a_multiset(cards in some_cards(20), out in some_cards(20)) {
        let mut model = cards.clone();
        let mut group: Cards = cards.iter().copied().collect();
        let missing = out.iter().find(|&&card| {
            let place = model.iter().position(|&other| other == card);
            place.map(|place| model.swap_remove(place)).is_none()
        });
        prop_assert_eq!(group.missing(&out), missing.copied());
        model = cards;
        for card in out {
            let place = model.iter().position(|&other| other == card);
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

/// 37 cards of which 2,332,800 different groups can be discarded.
fn large_hand() -> Cards {
    let counts = [14, 5, 4, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1];
    Card::ALL.iter().copied().zip(counts).collect()
}

#[test]
fn a_listing_stops_when_nobody_wants_more() {
    let mut visited = 0;
    let place = groups(&large_hand(), (0, 37), ActionCursor::default(), &mut |_| {
        visited += 1;
        if visited == 10 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    assert!(place.is_some());
    assert_eq!(visited, 10);
}

/// Lists pages from a place on: the numbers of judged actions and of steps do not depend on the place.
#[test]
fn a_deep_page_costs_what_the_first_does() {
    let page = |from: ActionCursor, size: usize| {
        let (mut page, mut next) = (Vec::new(), None);
        let judged = Cell::new(0);
        let mut visit = |action| {
            if page.len() == size {
                return ControlFlow::Break(());
            }
            page.push(action);
            ControlFlow::Continue(())
        };
        let judge = |_: &Action| {
            judged.set(judged.get() + 1);
            true
        };
        // Each group is a part and an action in it.
        let steps = 2 * u32::try_from(size).unwrap() + 2;
        let mut list = ActionEnumerator::new(Action::kind, &mut visit)
            .checked_by(&judge)
            .resume_at(from, steps);
        let hand = large_hand();
        let action = |cards| Action::CellarDiscard { cards };
        if subsets(&mut list, &hand, 0, hand.len(), action).is_break() {
            next = Some(list.cursor());
        }
        (page, judged.get(), next)
    };
    const SIZE: usize = 1_000;
    let mut all = 0;
    let deep = groups(&large_hand(), (0, 37), ActionCursor::default(), &mut |_| {
        all += 1;
        if all == 2_000_000 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    for from in [ActionCursor::default(), deep.unwrap()] {
        let (shown, judged, next) = page(from.clone(), SIZE);
        assert_eq!((shown.len(), judged), (SIZE, SIZE + 1));
        // One by one, the pages are the same.
        let (mut one_by_one, mut place) = (Vec::new(), Some(from));
        while one_by_one.len() < SIZE {
            let (action, judged, next) = page(place.take().unwrap(), 1);
            assert!(judged <= 2);
            one_by_one.extend(action);
            place = next;
        }
        assert!(one_by_one == shown && place == next);
    }
}

#[test]
fn there_are_as_many_groups_as_were_counted() {
    let mut all = 0_u64;
    let end = groups(&large_hand(), (0, 37), ActionCursor::default(), &mut |_| {
        all += 1;
        ControlFlow::Continue(())
    });
    assert_eq!((all, end), (2_332_800, None));
    assert_eq!(counted(&large_hand(), (0, 37), u64::MAX), (2_332_800, 1));
}

/// The largest representable number stands for itself and all larger ones.
#[test]
fn more_groups_than_can_be_counted_are_that_many() {
    let everything: Cards = Card::ALL.iter().map(|&card| (card, 6)).collect();
    let all = counted(&everything, (0, everything.len()), u64::MAX);
    assert_eq!(all, (u64::MAX, 1));
}
