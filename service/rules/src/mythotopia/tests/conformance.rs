//! Random games keep every promise (chapter 11, 13).

use crate::conformance::{Plan, play_games};
use crate::mythotopia::Mythotopia;

fn random_games(seats: usize) {
    let plan = Plan {
        games: 6,
        most_actions: 1500,
        closely_every: 31,
        ..Plan::default()
    };
    let tally =
        play_games::<Mythotopia>(seats, &plan).unwrap_or_else(|failure| panic!("{failure}"));
    println!("{tally:?}");
    assert_eq!(tally.games, 6);
    assert!(tally.largest_state <= 800, "{tally:?}");
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
