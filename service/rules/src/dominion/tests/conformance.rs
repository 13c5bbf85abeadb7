//! Random games of every number of players: every guarantee of the suite, checked after every action (DOM-11).

use gamekeeper_rules::conformance::{Plan, all_end_whoever_leaves, play_games};
use gamekeeper_rules::dominion::Dominion;

#[test]
fn random_games_keep_every_promise() {
    for seats in 2..=4 {
        let plan = Plan {
            games: 5,
            ..Plan::default()
        };
        match play_games::<Dominion>(seats, &plan) {
            Ok(tally) => {
                assert_eq!(tally.finished, plan.games);
                assert_eq!(tally.worlds_finished, plan.games);
                assert!(tally.largest_state <= 400, "{tally:?}");
            }
            Err(failure) => panic!("{seats} seats, {failure}"),
        }
    }
}

/// Any seats may leave at any time: their fallbacks are legal, and the game ends.
#[test]
fn games_end_whoever_leaves() {
    all_end_whoever_leaves::<Dominion>(3).unwrap();
}
