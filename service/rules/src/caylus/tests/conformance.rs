//! Random games from rich starts: every guarantee of the suite, checked after every action (CAY-11).

use gamekeeper_rules::caylus::RichCaylus;
use gamekeeper_rules::conformance::{Plan, play_games};

#[test]
fn random_games_from_rich_starts_keep_every_promise() {
    let plan = Plan {
        games: 12,
        ..Plan::SHORT
    };
    for seats in 2..=5 {
        let tally = play_games::<RichCaylus<12>>(seats, &plan).unwrap();
        assert_eq!((tally.finished, tally.worlds_finished), (12, 12));
        assert!(tally.largest_state <= 400, "{tally:?}");
    }
}
