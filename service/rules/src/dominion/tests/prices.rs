//! The sentences of actions name their costs and gains.

use super::table::*;
use gamekeeper_rules::dominion::Dominion;
use gamekeeper_rules::dominion::action::Action;
use gamekeeper_rules::dominion::data::{Card, KingdomSet};
use gamekeeper_rules::dominion::holdings::RESOURCES;
use gamekeeper_rules::dominion::stage::EffectFrame;
use gamekeeper_rules::ruleset::{CostPreview, holdings};
use gamekeeper_rules::table::Amount;

/// DOM-6.17: printed bonuses are certain; the kinds of drawn cards are not. The action and the card that are used up
/// count against them.
#[test]
fn cards_bring_what_is_printed() {
    let table = table(KingdomSet::FirstGame)
        .hand(P1, "market, village, militia")
        .draw_pile(P1, "5 copper");
    let brings = |id: &str, what: &str| {
        let said = table.said(P1, play(id));
        assert!(said.ends_with(&format!(" (brings {what})")), "{said}");
    };
    brings("market", "1 buy and 1 coin");
    brings("village", "1 action");
    brings("militia", "2 coins");
}

/// DOM-7.1, DOM-7.11: players know their decks, and so how many Treasures the Adventurer finds, and how many cards the
/// Library draws at least. The card that is played leaves the hand.
#[test]
fn a_known_deck_makes_draws_certain() {
    let change = |table: &Table, card: &str| {
        let price = CostPreview::<Dominion>::new(&table.state, P1).price(&play(card));
        let of = |amounts: &[Amount]| {
            let hand = amounts
                .iter()
                .find(|amount| amount.resource.id == "hand_card");
            hand.map_or(0, |amount| amount.count)
        };
        of(&price.gains) - of(&price.cost)
    };
    let table = || table(KingdomSet::FirstGame).hand(P1, "adventurer, library, estate");
    for (pile, found, drawn) in [
        ("3 copper, 5 estate", 1, 4),
        ("1 copper, 3 village", 0, 0),
        ("5 village", -1, -1),
    ] {
        let table = table().draw_pile(P1, pile);
        assert_eq!(
            (change(&table, "adventurer"), change(&table, "library")),
            (found, drawn),
            "{pile}"
        );
    }
}

/// DOM-7.16: the Moneylender takes a Copper.
#[test]
fn the_moneylender_takes_a_copper() {
    let table = table(KingdomSet::BigMoney).hand(P1, "moneylender, copper");
    let said = table.said(P1, play("moneylender"));
    assert!(
        said.ends_with(" (costs 1 Copper; brings 3 coins)"),
        "{said}"
    );
}

/// DOM-6.10: a purchase costs coins and brings the card with its points.
#[test]
fn purchases_bring_cards_and_points() {
    let table = table(KingdomSet::FirstGame).buy_phase().coins(8);
    assert_eq!(
        table.said(P1, buy("province")),
        "buy a Province for 8 coins (brings 6 VP)"
    );
}

/// DOM-6.9, DOM-6.14: Treasures bring coins; the end of the turn brings nothing.
#[test]
fn treasures_bring_coins_and_clean_up_nothing() {
    let table = table(KingdomSet::FirstGame)
        .hand(P1, "copper, silver, gold")
        .buy_phase();
    assert!(
        table
            .said(P1, &Action::PlayAllTreasures)
            .ends_with(" (brings 6 coins)")
    );
    let end = table.said(P1, &Action::EndTurn { discard_top: None });
    assert!(!end.contains("brings") && !end.contains("costs"), "{end}");
}

/// The certain gain of this resource from two unfinished effects of this card.
fn due(table: &Table, card: Card, resource: &str) -> i32 {
    let at = RESOURCES.iter().position(|one| one.id == resource).unwrap();
    let total = |state: &_| holdings::<Dominion>(state, P1).total(at);
    let mut later = table.state.clone();
    later.stack = vec![
        EffectFrame::ThroneSecond { card },
        EffectFrame::ThroneSecond { card },
    ];
    total(&later) - total(&table.state)
}

/// DOM-7.16: each Copper is trashed once.
#[test]
fn two_moneylenders_need_two_coppers() {
    let coins = |hand| {
        let table = table(KingdomSet::BigMoney).hand(P1, hand);
        due(&table, Card::Moneylender, "coin")
    };
    let hands = ["silver", "copper, silver", "2 copper", "3 copper"];
    assert_eq!(hands.map(coins), [0, 3, 6, 6]);
}

/// DOM-7.7: each Feast in play is trashed once.
#[test]
fn a_feast_trashes_itself_once() {
    let feasts = |in_play| {
        let table = table(KingdomSet::BigMoney).in_play(in_play);
        due(&table, Card::Feast, "feast")
    };
    assert_eq!(["", "feast", "2 feast"].map(feasts), [0, -1, -2]);
}

/// DOM-6.14, DOM-6.15: the number of cards drawn at the end of a turn is certain.
#[test]
fn the_end_of_a_turn_brings_a_hand() {
    let table = table(KingdomSet::FirstGame)
        .hand(P1, "copper")
        .draw_pile(P1, "4 estate, 4 copper")
        .buy_phase();
    let said = table.said(P1, &Action::EndTurn { discard_top: None });
    assert!(said.ends_with(" (brings 4 cards in hand)"), "{said}");
}

/// DOM-7.2: a Silver is gained if one is left.
#[test]
fn two_bureaucrats_need_two_silvers() {
    let silvers = |left| {
        let table = table(KingdomSet::BigMoney).pile("silver", left);
        due(&table, Card::Bureaucrat, "silver")
    };
    assert_eq!([0, 1, 2, 3].map(silvers), [0, 1, 2, 2]);
}
