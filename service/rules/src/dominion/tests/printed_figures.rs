//! DOM-3: the figures of cards and kingdoms by counts and sums, and the names on the wire.

use std::collections::BTreeSet;

use super::scene::card;
use crate::dominion::data::{Card, CardType, Group, KingdomSet};
use crate::dominion::{Decision, Refusal};
use crate::dominion::{Dominion, KingdomFlaw};
use crate::ruleset::Ruleset;
use crate::table::{Refusal as _, Seat};

fn sum(of: impl Fn(Card) -> u32) -> u32 {
    Card::ALL.into_iter().map(of).sum()
}

fn of_type(card_type: CardType) -> Vec<&'static str> {
    let cards = Card::ALL.into_iter().filter(|card| card.is(card_type));
    cards.map(Card::id).collect()
}

#[test]
fn the_box_holds_500_cards_with_blanks_and_randomizers() {
    let copies = |card: Card| u32::from(card.sheet().copies);
    let of_group = |group| {
        sum(|card| {
            if card.sheet().group == group {
                copies(card)
            } else {
                0
            }
        })
    };
    let treasures = sum(|card| {
        if card.is(CardType::Treasure) {
            copies(card)
        } else {
            0
        }
    });
    assert_eq!(treasures, 130);
    assert_eq!(of_group(Group::Basic), 130 + 48 + 30);
    assert_eq!(of_group(Group::Kingdom), 252);
    assert_eq!(sum(copies) + 33 + 7, 500);
}

#[test]
fn sums_of_the_card_tables() {
    let sheets = |of: fn(&'static crate::dominion::CardSheet) -> u32| sum(|card| of(card.sheet()));
    assert_eq!(sheets(|sheet| u32::from(sheet.cost)), 24 + 99);
    assert_eq!(sheets(|sheet| u32::from(sheet.coins)), 6);
    assert_eq!(sheets(|sheet| u32::from(sheet.plus.cards)), 16);
    assert_eq!(sheets(|sheet| u32::from(sheet.plus.actions)), 8);
    assert_eq!(sheets(|sheet| u32::from(sheet.plus.buys)), 4);
    assert_eq!(sheets(|sheet| u32::from(sheet.plus.coins)), 9);
    assert_eq!(
        Card::ALL.iter().map(|card| card.sheet().points).sum::<i8>(),
        9
    );
    let piles = |column: usize| sum(|card| u32::from(card.sheet().piles[column]));
    assert_eq!([piles(0), piles(1), piles(2)], [398, 417, 420]);
}

#[test]
fn dom_3_1_cards_of_each_type() {
    assert_eq!(of_type(CardType::Treasure), ["copper", "silver", "gold"]);
    assert_eq!(
        of_type(CardType::Victory),
        ["estate", "duchy", "province", "gardens"]
    );
    assert_eq!(of_type(CardType::Curse), ["curse"]);
    assert_eq!(of_type(CardType::Action).len(), 24);
    let attacks = ["bureaucrat", "militia", "spy", "thief", "witch"];
    assert_eq!(of_type(CardType::Attack), attacks);
    assert_eq!(of_type(CardType::Reaction), ["moat"]);
}

#[test]
fn costs_by_name() {
    let of_cost = |cost| {
        let cards = Card::ALL.into_iter().filter(|card| card.cost() == cost);
        cards.map(Card::id).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(of_cost(0), "copper curse");
    assert_eq!(of_cost(2), "estate cellar chapel moat");
    assert_eq!(of_cost(3), "silver chancellor village woodcutter workshop");
    let four = "bureaucrat feast gardens militia moneylender remodel smithy spy thief throne_room";
    assert_eq!(of_cost(4), four);
    let five = "duchy council_room festival laboratory library market mine witch";
    assert_eq!(of_cost(5), five);
    assert_eq!(of_cost(6), "gold adventurer");
    assert_eq!(of_cost(8), "province");
}

#[test]
fn names_are_unique_and_follow_from_the_ids() {
    let ids: BTreeSet<&str> = Card::ALL.iter().map(|card| card.id()).collect();
    assert_eq!(ids.len(), 32);
    for card in Card::ALL {
        let words = card.id().split('_').map(|word| {
            let (first, rest) = word.split_at(1);
            first.to_uppercase() + rest
        });
        assert_eq!(card.name(), words.collect::<Vec<_>>().join(" "));
        assert!(card.sheet().text.ends_with('.'), "{card}");
    }
    for name in CardType::ALL
        .iter()
        .map(|t| t.id())
        .chain(Decision::ALL.iter().map(|d| d.name()))
    {
        assert!(
            name.bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte == b'_'),
            "{name}"
        );
    }
}

#[test]
fn dom_3_3_the_recommended_kingdoms() {
    let ids: Vec<&str> = KingdomSet::ALL.iter().map(|set| set.id()).collect();
    let all = [
        "first_game",
        "big_money",
        "interaction",
        "size_distortion",
        "village_square",
    ];
    assert_eq!(ids, all);
    let cards: BTreeSet<Card> = KingdomSet::ALL.iter().flat_map(|set| set.cards()).collect();
    // All 25 kinds occur in some set.
    assert_eq!(cards.len(), 25);
    assert!(
        cards
            .iter()
            .all(|card| card.sheet().group == Group::Kingdom)
    );
    let with = |id| {
        KingdomSet::ALL
            .iter()
            .filter(|set| set.cards().contains(&card(id)))
            .count()
    };
    assert_eq!((with("village"), with("feast"), with("gardens")), (4, 2, 1));
}

/// One refusal of every code, and every code of the data file once.
#[test]
#[expect(
    clippy::too_many_lines,
    reason = "one plain table: a refusal of each code"
)]
fn refusal_codes_are_those_of_the_data_file() {
    let (card, decision) = (Card::Moat, Decision::BuyPhase);
    let all = [
        Refusal::GameOver,
        Refusal::NotYourTurn {
            to_act: Seat::FIRST,
            decision,
        },
        Refusal::WrongPhase {
            action: "buy_card",
            decision,
        },
        Refusal::DecisionPending {
            action: "buy_card",
            decision,
        },
        Refusal::NoSuchDecision {
            action: "gain_card",
        },
        Refusal::UnknownCard,
        Refusal::CardNotInHand { card, decision },
        Refusal::CardNotAvailable { card },
        Refusal::CardNotEligible { card, decision },
        Refusal::NotAnAction { card, decision },
        Refusal::NotATreasure { card, decision },
        Refusal::NotAVictoryCard { card },
        Refusal::EmptySelection,
        Refusal::WrongNumberOfCards {
            count: 5,
            least: 0,
            most: 4,
            decision,
        },
        Refusal::TreasuresClosed,
        Refusal::NoBuysLeft,
        Refusal::CannotAfford {
            card,
            cost: 2,
            coins: 1,
        },
        Refusal::TooExpensive {
            card,
            cost: 2,
            limit: 1,
        },
        Refusal::NotInSupply { card, decision },
        Refusal::PileEmpty { card, decision },
        Refusal::InvalidPlayerCount { players: 5 },
        Refusal::InvalidKingdom {
            flaw: KingdomFlaw::WrongNumber { count: 9 },
        },
        Refusal::InvalidFirstPlayer {
            number: 4,
            seats: 3,
        },
    ];
    assert_eq!(all.map(|refusal| refusal.code()), Refusal::CODES);
    for refusal in all {
        assert!(refusal.rule().starts_with("DOM-"));
        assert!(refusal.to_string().ends_with('.'), "{refusal}");
    }
    assert_eq!(Refusal::NoTreasureInHand.code(), "EMPTY_SELECTION");
}

#[test]
fn refusals_name_the_rule_of_the_pending_decision() {
    let missing = |decision| Refusal::CardNotInHand {
        card: Card::Gold,
        decision,
    };
    assert_eq!(missing(Decision::ActionPhase).rule(), "DOM-6.5");
    assert_eq!(missing(Decision::MilitiaDiscard).rule(), "DOM-7.13");
    let empty = |decision| Refusal::PileEmpty {
        card: Card::Gold,
        decision,
    };
    assert_eq!(empty(Decision::BuyPhase).rule(), "DOM-6.10");
    assert_eq!(empty(Decision::GainCard).rule(), "DOM-6.34");
}

#[test]
fn the_sheet_of_the_game() {
    let sheet = Dominion::SHEET;
    assert_eq!(
        (sheet.id, sheet.min_seats, sheet.max_seats),
        ("dominion", 2, 4)
    );
}
