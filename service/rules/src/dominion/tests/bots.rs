//! What bots buy and trash: big money, and points once the game is about to end.

use super::table::*;
use crate::bots::Mind;
use crate::dominion::data::KingdomSet::FirstGame;
use crate::dominion::{Action, Dominion};
use crate::table::{Chance, Seed};

/// Orders what P1 may do by how much bots like it, best first; those before the bar are better than nothing.
fn liked<'a>(table: &Table, actions: &[(&'a str, Action)]) -> String {
    let luck = Chance::from_seed(&Seed::from_number(1));
    let appeal = |action: &Action| Dominion::appeal(&table.state, P1, action, &luck);
    let mut rated: Vec<(i32, &'a str)> = actions
        .iter()
        .map(|(name, action)| (-appeal(action), *name))
        .chain([(0, "|")])
        .collect();
    rated.sort();
    rated
        .iter()
        .map(|(_, name)| *name)
        .collect::<Vec<_>>()
        .join(" ")
}

/// With this many Provinces left, what P1 likes to buy who owns this many Coppers.
fn bought(provinces: u8, coppers: usize) -> String {
    let table = table(FirstGame)
        .hand(P1, &format!("{coppers} copper"))
        .pile("province", provinces);
    let cards = [
        "province", "gold", "silver", "duchy", "gardens", "estate", "copper", "curse",
    ];
    liked(&table, &cards.map(|id| (id, buy(id))))
}

#[test]
fn points_are_bought_when_the_game_is_about_to_end() {
    let early = "province gold silver | duchy gardens copper estate curse";
    assert_eq!((bought(5, 20), bought(5, 7)), (early.into(), early.into()));
    let late = "province duchy gold gardens silver | copper estate curse";
    assert_eq!((bought(4, 20), bought(3, 21)), (late.into(), late.into()));
    let small = "province duchy gold silver | gardens copper estate curse";
    assert_eq!(bought(4, 19), small);
    let last = "province duchy gold estate gardens silver | copper curse";
    assert_eq!((bought(2, 20), bought(1, 20)), (last.into(), last.into()));
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
