//! Random games with all checks of the suite.

use crate::conformance::{Plan, play_games};
use crate::dominion::Dominion;

#[test]
fn random_games_keep_every_promise() {
    for seats in 2..=4 {
        let plan = Plan {
            games: 10,
            most_actions: 2_000,
            ..Plan::default()
        };
        let tally = play_games::<Dominion>(seats, &plan).unwrap_or_else(|fault| panic!("{fault}"));
        println!("{seats} {tally:?}");
    }
}
