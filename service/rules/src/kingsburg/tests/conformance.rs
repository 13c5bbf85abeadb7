//! Random games: every promise of the suite and every invariant of KIN-11.

use super::super::Kingsburg;
use crate::conformance::{Plan, play_games};

#[test]
fn random_games_keep_every_promise() {
    for seats in 2..=5 {
        let plan = Plan {
            games: 6,
            closely_every: 29,
            ..Plan::default()
        };
        let tally = play_games::<Kingsburg>(seats, &plan).unwrap();
        assert_eq!((tally.games, tally.finished), (6, 6));
        assert!(tally.largest_state <= 300, "{tally:?}");
        println!("{seats}: {tally:?}");
    }
}
