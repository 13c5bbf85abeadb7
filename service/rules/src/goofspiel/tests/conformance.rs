//! Random games of every number of players: every guarantee of the suite, checked after every action (GOO-11, GOO-13).

use gamekeeper_rules::conformance::{Plan, all_end_whoever_leaves, play_games};
use gamekeeper_rules::goofspiel::Goofspiel;

#[test]
fn random_games_keep_every_promise() {
    for seats in 2..=5 {
        let tally = play_games::<Goofspiel>(seats, &Plan::default()).unwrap();
        assert_eq!((tally.finished, tally.worlds_finished), (20, 20));
        assert!(tally.largest_state <= 50, "{tally:?}");
    }
}

#[test]
fn games_end_whoever_leaves() {
    all_end_whoever_leaves::<Goofspiel>(4).unwrap();
}
