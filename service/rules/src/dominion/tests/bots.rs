//! The choices of bots when they buy and trash: big money, and points once the game is about to end.

use std::cmp::Reverse;

use super::table::*;
use gamekeeper_rules::bots::Heuristics;
use gamekeeper_rules::dominion::data::KingdomSet::FirstGame;
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
