//! DOM-14.1: the game ends when nothing can ever change again, and only then.

use super::table::*;
use gamekeeper_rules::dominion::Event;
use gamekeeper_rules::dominion::data::Card;
use gamekeeper_rules::dominion::data::KingdomSet::BigMoney;
use gamekeeper_rules::dominion::rules::end::total;
use gamekeeper_rules::dominion::state::{Cards, Supply};
use gamekeeper_rules::table::{Chance, Seed};

/// A table at which Coppers and Curses are gone, and all else is left.
fn nothing_is_free() -> Table {
    table(BigMoney).pile("copper", 0).pile("curse", 0)
}

/// Returns whether the game ends because nothing can change, once P1 ends this turn.
fn ends(table: Table) -> bool {
    let mut table = table.buy_phase();
    table.play(P1, end_turn());
    assert_eq!(table.is_over(), table.history.contains(&Event::Stalemate));
    table.is_over()
}

#[test]
fn dom_14_1_nothing_can_change_anymore() {
    let table = nothing_is_free().hand(P1, "chapel").hand(P2, "chapel");
    let mut table = table.buy_phase();
    table.play(P1, end_turn());
    assert!(table.is_over());
    assert!(table.history.contains(&Event::Stalemate));
    assert_eq!(table.ranks(), [(P2, 1, 0), (P1, 2, 0)]);
}

/// All Provinces are left; each player owns a Chapel, 5 Curses and 3 Estates, and who trashes the Curses gains by it.
#[test]
fn dom_14_1_curses_can_still_be_trashed() {
    let mut table = nothing_is_free().buy_phase();
    for seat in [P1, P2] {
        table = table.hand(seat, "chapel, 4 curse");
        table = table.draw_pile(seat, "curse, 3 estate");
    }
    let points = |table: &Table| total(&table.state.owned(P2));
    assert_eq!(table.left_of("province"), Some(8));
    table.play(P1, end_turn()).asks(P2, "action_phase");
    assert_eq!(points(&table), -2);
    table
        .play(P2, play("chapel"))
        .play(P2, chapel("4 curse"))
        .play(P2, end_turn());
    assert!(!table.is_over());
    assert_eq!(points(&table), 2);
}

#[test]
fn dom_14_1_what_can_still_change_something() {
    let hands = [
        "silver",
        "gold",
        "2 copper",
        "copper, market",
        "2 market",
        "market, throne_room",
        "chancellor",
        "festival",
        "militia",
        "woodcutter",
        "workshop",
        "feast",
        "bureaucrat",
        "chapel, estate",
        "2 chapel",
        "remodel, estate",
        "mine, copper",
        "moneylender, copper",
    ];
    for hand in hands {
        assert!(!ends(nothing_is_free().hand(P2, hand)), "{hand}");
    }
    for free in ["copper", "curse"] {
        assert!(!ends(nothing_is_free_but(free)), "{free}");
    }
}

/// A table at which Coppers and Curses are gone, but one of the two piles still has cards.
fn nothing_is_free_but(free: &str) -> Table {
    let gone = if free == "copper" { "curse" } else { "copper" };
    table(BigMoney).pile(gone, 0)
}

#[test]
fn dom_14_1_what_can_change_nothing() {
    let hands = [
        "",
        "copper",
        "market",
        "copper, throne_room",
        "chapel",
        "remodel",
        "mine, estate",
        "moneylender, province",
        "adventurer, cellar, council_room, gardens, laboratory",
        "library, moat, smithy, spy, thief",
        "throne_room, village, witch, curse, duchy",
    ];
    for hand in hands {
        assert!(ends(nothing_is_free().hand(P2, hand)), "{hand}");
    }
}

/// A Copper that its owner always has in hand cannot be revealed from the draw pile.
#[test]
fn dom_14_1_a_thief_takes_treasures_from_draw_piles() {
    let thief = || nothing_is_free().hand(P1, "thief");
    assert!(ends(thief().hand(P2, "copper, 4 estate")));
    let larger = thief().hand(P2, "copper, 4 estate").draw_pile(P2, "estate");
    assert!(!ends(larger));
}

/// Two empty piles and no Silvers: that would be three. Only DOM-8.1 applies then.
#[test]
fn dom_14_1_the_ordinary_end_comes_first() {
    let table = nothing_is_free().pile("silver", 0);
    let mut table = table.hand(P2, "bureaucrat").buy_phase();
    table.play(P1, end_turn());
    assert!(table.is_over());
    assert!(!table.history.contains(&Event::Stalemate));
}

/// Tables with random cards. Where the game ends, no turn of random play changes anything, however the cards of the
/// players are distributed over their piles; where it goes on, one of these turns does.
#[test]
fn dom_14_1_the_game_ends_exactly_if_nothing_can_change() {
    const TABLES: u64 = 150;
    const TURNS: u32 = 300;
    let mut ended = 0;
    for number in 0..TABLES {
        let mut luck = Chance::from_seed(&Seed::from_number(number));
        let cards = [few_cards(&mut luck), few_cards(&mut luck)];
        let ends = ends(dealt(&cards, &mut luck));
        let [first, second] = &cards;
        let orders = [cards.clone(), [second.clone(), first.clone()]];
        let changes = (0..TURNS)
            .zip(orders.iter().cycle())
            .any(|(_, cards)| a_turn_changes_something(cards, &mut luck));
        assert_eq!(ends, !changes, "{number}: {cards:?}");
        ended += u64::from(ends);
    }
    assert!((TABLES / 4..TABLES * 3 / 4).contains(&ended), "{ended}");
}

/// Draws up to two cards of any kind, and up to six that do nothing by themselves.
fn few_cards(luck: &mut Chance) -> Vec<Card> {
    const IDLE: [Card; 4] = [Card::Estate, Card::Gardens, Card::Smithy, Card::Spy];
    let mut some = |from: &[Card], most: u8| -> Vec<Card> {
        let [count] = luck.dice("count", None, most + 1);
        let picks = (1..count).filter_map(|_| luck.pick("card", None, from));
        picks.collect()
    };
    [some(&Card::ALL, 2), some(&IDLE, 6)].concat()
}

/// P1 and P2 with these cards: five in hand, the others in the draw pile or in the discard pile.
fn dealt(cards: &[Vec<Card>; 2], luck: &mut Chance) -> Table {
    let mut table = nothing_is_free();
    for (seat, cards) in [P1, P2].into_iter().zip(cards) {
        let mut cards = cards.clone();
        luck.shuffle("deal", None, &mut cards);
        let ids: Vec<&str> = cards.into_iter().map(Card::id).collect();
        let (hand, rest) = ids.split_at(ids.len().min(5));
        table = table.hand(seat, &hand.join(","));
        let is_discarded = luck.dice("rest", None, 2) == [1];
        table = if is_discarded {
            table.discard_pile(seat, &rest.join(","))
        } else {
            table.draw_pile(seat, &rest.join(","))
        };
    }
    table
}

/// Plays P1's turn, in which everybody plays at random. Returns whether it changes something.
fn a_turn_changes_something(cards: &[Vec<Card>; 2], luck: &mut Chance) -> bool {
    let mut table = dealt(cards, luck);
    let before = belongings(&table);
    while !table.is_over() && table.state.turn.active == P1 {
        let (seat, _) = table.state.pending().unwrap();
        let legal = table.legal_of(seat);
        let places: Vec<u16> = (0..legal.len().try_into().unwrap()).collect();
        let place = luck.pick("action", None, &places).unwrap();
        table.play(seat, legal[usize::from(place)].clone());
    }
    belongings(&table) != before
}

fn belongings(table: &Table) -> (Supply, Cards, [Cards; 2]) {
    let state = &table.state;
    let owned = [P1, P2].map(|seat| state.owned(seat));
    (state.supply.clone(), state.trash, owned)
}
