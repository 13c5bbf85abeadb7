//! Random games of every number of players: every guarantee of the suite, checked after every action (MYT-11, MYT-13).

use gamekeeper_rules::conformance::{Plan, play_games, whoever_leaves};
use gamekeeper_rules::mythotopia::Mythotopia;

fn random_games(seats: usize) {
    let plan = Plan {
        games: 6,
        max_actions: 1500,
        closely_every: 31,
        ..Plan::default()
    };
    let tally =
        play_games::<Mythotopia>(seats, &plan).unwrap_or_else(|failure| panic!("{failure}"));
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

/// Any seats may leave at any time: their fallbacks are legal. The rules do not guarantee an end, but when all but one
/// have left, the game is over.
#[test]
fn whoever_leaves_is_answered_for() {
    for seats in 2..=4 {
        let played = whoever_leaves::<Mythotopia>(seats, 2, 400);
        let (ended, _) = played.unwrap_or_else(|failure| panic!("{failure}"));
        let seats = u64::try_from(seats).unwrap();
        assert!(
            ended >= 2 * (1 + seats),
            "{seats} seats: only {ended} ended"
        );
    }
}
