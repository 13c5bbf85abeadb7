//! Random games of every number of players: every guarantee of the suite, checked after every action (CAY-11).

use gamekeeper_rules::caylus::{Caylus, RichCaylus};
use gamekeeper_rules::conformance::{Audit, Plan, Tally, all_end_whoever_leaves, play_games};

fn soak<R: Audit>(seats: usize, games: u64) -> Tally {
    let plan = Plan {
        games,
        ..Plan::default()
    };
    let tally = play_games::<R>(seats, &plan).unwrap_or_else(|failure| panic!("{failure}"));
    assert_eq!((tally.games, tally.finished), (games, games));
    assert_eq!(tally.worlds_finished, games);
    assert!(tally.largest_state <= 400, "{tally:?}");
    tally
}

#[test]
fn random_games_keep_every_promise() {
    for seats in 2..=5 {
        soak::<Caylus>(seats, 30);
    }
}

#[test]
fn random_games_from_rich_starts_keep_every_promise() {
    for seats in 2..=5 {
        soak::<RichCaylus<12>>(seats, 12);
    }
}

/// Any seats may leave at any time: their fallbacks are legal, and the game ends.
#[test]
fn games_end_whoever_leaves() {
    all_end_whoever_leaves::<Caylus>(2).unwrap();
}
