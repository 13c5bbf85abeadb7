//! Sampled worlds against the probabilities of the enemy deck (KIN-5.5): one of five cards each year.

use super::table::*;
use gamekeeper_rules::conformance::{assert_same_worlds, assert_worlds};
use gamekeeper_rules::kingsburg::Kingsburg;
use gamekeeper_rules::kingsburg::data::{Enemy, Phase};

/// The enemies of these years, 1 to 5, in worlds of ANNA.
#[track_caller]
fn assert_enemies(table: &Table, odds: impl IntoIterator<Item = Vec<Enemy>>, years: &[usize]) {
    let odds = odds.into_iter().map(|cards| (cards, 1));
    assert_worlds::<Kingsburg, _>(&table.state, ANNA, odds, |world| {
        years.iter().map(|year| world.deck[year - 1]).collect()
    });
}

fn one(enemies: &[Enemy]) -> impl Iterator<Item = Vec<Enemy>> {
    enemies.iter().map(|&card| vec![card])
}

/// 5 cards of each year; of two years 5 times 5 pairs.
#[test]
fn hidden_enemies_are_drawn_anew_and_independently() {
    let table = Table::of(3);
    for year in 1..=5 {
        assert_enemies(&table, one(Enemy::of_year(year)), &[usize::from(year)]);
    }
    let second = Enemy::of_year(2).iter();
    let pairs = second.flat_map(|&a| Enemy::of_year(4).iter().map(move |&b| vec![a, b]));
    assert_enemies(&table, pairs, &[2, 4]);
}

/// A viewer who has peeked knows this year's card and no other; others do not know it.
#[test]
fn a_world_keeps_what_was_peeked_at() {
    let mut table = Table::of(3);
    table.state.peeked_by.insert(EVA);
    assert_enemies(&table, one(Enemy::of_year(1)), &[1]);
    table.state.peeked_by.insert(ANNA);
    let peeked_card = table.state.deck[0];
    assert_enemies(&table, [vec![peeked_card]], &[1]);
    assert_enemies(&table, one(Enemy::of_year(2)), &[2]);
}

/// Revealed enemies stay; those to come are hidden.
#[test]
fn a_world_keeps_what_was_revealed() {
    let table = Table::of(2)
        .enemy(Enemy::Y1Goblins3)
        .luck(&[("king_die", None, &[6])])
        .begin(Phase::Winter);
    assert_eq!(table.state.year, 2);
    assert_enemies(&table, [vec![Enemy::Y1Goblins3]], &[1]);
    assert_enemies(&table, one(Enemy::of_year(2)), &[2]);
}

/// Two tables that look the same give the same worlds.
#[test]
fn twins_have_the_same_worlds() {
    let one = Table::of(3);
    let mut two = Table::of(3);
    two.state.deck = std::array::from_fn(|year| {
        let cards = Enemy::of_year(u8::try_from(year + 1).unwrap());
        *cards
            .iter()
            .find(|&&card| card != one.state.deck[year])
            .unwrap()
    });
    assert_same_worlds::<Kingsburg>(&one.state, &two.state, ANNA);
}
