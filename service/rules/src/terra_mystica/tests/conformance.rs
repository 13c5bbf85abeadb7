//! Random games of every number of players: every guarantee of the suite, checked after every action (TM-11).

use crate::conformance::{Plan, all_end_whoever_leaves, play_games, starts_are_legal};
use crate::terra_mystica::TerraMystica;

fn random_games(seats: usize) {
    let plan = Plan {
        games: 8,
        closely_every: 97,
        ..Plan::default()
    };
    let tally = play_games::<TerraMystica>(seats, &plan).unwrap();
    assert_eq!(tally.finished, tally.games);
    assert_eq!(tally.worlds_finished, tally.games);
    assert!(tally.largest_state <= 700, "{tally:?}");
    println!("{tally:?}");
}

#[test]
fn random_games_of_two() {
    random_games(2);
}

#[test]
fn random_games_of_three() {
    random_games(3);
}

#[test]
fn random_games_of_four() {
    random_games(4);
}

#[test]
fn random_games_of_five() {
    random_games(5);
}

/// Whichever seats leave, and whenever: their fallbacks are legal, and the game ends.
#[test]
fn games_end_whoever_leaves() {
    all_end_whoever_leaves::<TerraMystica>(1).unwrap();
}

/// Rich and late starts are legal tables.
#[test]
fn every_start_is_legal() {
    starts_are_legal::<TerraMystica>(8).unwrap();
}
