//! The choices of bots when they buy and trash: big money or a thin deck, and points once the game is about to end.

use std::cmp::Reverse;

use super::table::*;
use gamekeeper_rules::bots::{Budget, Heuristics, Policy};
use gamekeeper_rules::dominion::data::KingdomSet::{self, BigMoney, FirstGame, SizeDistortion};
use gamekeeper_rules::dominion::{Action, Dominion};
use gamekeeper_rules::table::{Chance, Seed};

/// Orders P1's actions by the rating of bots, best first; those before the bar are better than nothing.
fn liked<'a>(table: &Table, actions: &[(&'a str, Action)]) -> String {
    let luck = Chance::from_seed(&Seed::from_number(1));
    let appeal = |action: &Action| Dominion::prior(&table.state, P1, action, &luck);
    let mut rated: Vec<(Reverse<i32>, &'a str)> = actions
        .iter()
        .map(|(name, action)| (Reverse(appeal(action)), *name))
        .chain([(Reverse(0), "|")])
        .collect();
    rated.sort();
    rated
        .iter()
        .map(|(_, name)| *name)
        .collect::<Vec<_>>()
        .join(" ")
}

/// Orders P1's purchases by the rating of bots, with this many Provinces left and this many Coppers owned.
fn bought(provinces: u8, coppers: usize) -> String {
    let table = table(FirstGame)
        .discard_pile(P1, &format!("{coppers} copper"))
        .buy_phase()
        .pile("province", provinces);
    let cards = [
        "province", "gold", "silver", "duchy", "gardens", "estate", "copper", "curse",
    ];
    liked(&table, &cards.map(|id| (id, buy(id))))
}

#[test]
fn points_are_bought_when_the_game_is_about_to_end() {
    let early = "province gold silver | duchy gardens estate copper curse";
    assert_eq!((bought(8, 20), bought(7, 7)), (early.into(), early.into()));
    let middle = "province gold duchy silver | gardens estate copper curse";
    assert_eq!(
        (bought(6, 7), bought(5, 20)),
        (middle.into(), middle.into())
    );
    let late = "province duchy gold gardens silver | estate copper curse";
    assert_eq!(bought(4, 20), late);
    let small = "province duchy gold silver | gardens estate copper curse";
    assert_eq!(bought(4, 19), small);
    let later = "province duchy gold gardens estate silver | copper curse";
    assert_eq!(bought(3, 21), later);
    let last = "province duchy gold estate gardens silver | copper curse";
    assert_eq!((bought(2, 20), bought(1, 20)), (last.into(), last.into()));
}

/// The purchases of a good player and of `bm0` as P1, who has 5 Gold and this much to spend, against these cards of P2.
fn purchases(table: Table, coins: u16, others: &str) -> [Option<Action>; 2] {
    let table = table
        .discard_pile(P1, "5 gold")
        .discard_pile(P2, others)
        .buy_phase()
        .coins(coins);
    [
        Dominion::playout_policy(&table.state, P1),
        Dominion::strategy_action(0, &table.state, P1),
    ]
}

#[test]
fn a_good_player_does_not_buy_the_end_of_a_lost_game() {
    let last_province = || table(FirstGame).pile("province", 1);
    let [province, duchy] = ["province", "duchy"].map(|id| Some(buy(id)));
    let won = purchases(last_province(), 8, "duchy, 2 estate");
    assert_eq!(won, [province.clone(), province.clone()]);
    let lost = purchases(last_province(), 8, "2 province");
    assert_eq!(lost, [duchy, province.clone()]);
    let open = purchases(table(FirstGame).pile("province", 2), 8, "2 province");
    assert_eq!(open, [province.clone(), province]);
    // The third pile ends the game as well.
    let third_pile = || {
        let table = table(FirstGame).pile("province", 2).pile("estate", 1);
        table.pile("cellar", 0).pile("moat", 0)
    };
    let end_turn = Some(Action::EndTurn { discard_top: None });
    let lost = purchases(third_pile(), 2, "province");
    assert_eq!(lost[0], end_turn);
    assert_eq!(purchases(third_pile(), 2, "")[0], Some(buy("estate")));
}

#[test]
fn what_is_trashed_is_worth_little() {
    let table = table(FirstGame);
    let cards = ["curse", "estate", "copper", "silver", "gold", "province"];
    let trashed = cards.map(|id| (id, chapel(id)));
    assert_eq!(
        liked(&table, &trashed),
        "curse estate copper | gold province silver"
    );
    let discarded = cards.map(|id| (id, militia(id)));
    assert_eq!(
        liked(&table, &discarded),
        "curse estate province | copper silver gold"
    );
}

/// The cards with which everybody begins.
const STARTING_DECK: &str = "7 copper, 3 estate";

#[test]
fn a_chapel_is_considered_early_and_once() {
    let rated = |deck: &str| {
        let table = table(BigMoney).discard_pile(P1, deck).buy_phase();
        liked(
            &table,
            &["chapel", "silver", "gold"].map(|id| (id, buy(id))),
        )
    };
    assert_eq!(rated(STARTING_DECK), "gold chapel silver |");
    assert_eq!(
        rated("7 copper, 3 estate, 5 silver"),
        "gold silver chapel |"
    );
    assert_eq!(rated("7 copper, 3 estate, chapel"), "gold silver chapel |");
}

#[test]
fn an_owner_of_a_chapel_builds_a_thin_deck() {
    let bought = |deck: &str, coins| {
        let table = table(BigMoney).discard_pile(P1, deck).buy_phase();
        Dominion::playout_policy(&table.coins(coins).state, P1)
    };
    let [gold, laboratory, market, silver] =
        ["gold", "laboratory", "market", "silver"].map(|id| Some(buy(id)));
    assert_eq!(bought("7 copper, chapel", 3), silver);
    assert_eq!(bought("7 copper, chapel", 5), laboratory);
    assert_eq!(bought("7 copper, chapel, laboratory", 5), market);
    assert_eq!(bought("7 copper, laboratory", 5), laboratory);
    // Points must wait until the deck pays for more of them.
    assert_eq!(bought("5 copper, chapel", 8), gold);
    assert_eq!(bought("4 gold, chapel", 8), Some(buy("province")));
}

/// The purchase of `search` on its second turn with this much to spend.
fn second_purchase(set: KingdomSet, coins: u16) -> Option<Action> {
    let table = table(set)
        .discard_pile(P1, "7 copper, 3 estate, silver")
        .discard_pile(P2, "7 copper, 3 estate, silver")
        .buy_phase()
        .coins(coins);
    let seed = Seed::from_number(1);
    Policy::Search.decide::<Dominion>(&table.state, (P1, 1), &seed, Budget::untimed(None))
}

/// A thin deck meets its Witch and its Laboratory more often, and gets rid of the Curses of others.
#[test]
fn search_opens_with_silver_and_chapel_where_good_cards_wait() {
    for coins in [2, 3] {
        let bought = second_purchase(SizeDistortion, coins);
        assert_eq!(bought, Some(buy("chapel")), "{coins} coins");
    }
}
