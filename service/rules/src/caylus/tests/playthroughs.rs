//! **Golden tests**: a recorded game of every number of players. A changed rule shows as a changed line.

use gamekeeper_rules::caylus::{Caylus, RichCaylus};
use gamekeeper_rules::conformance::{Audit, assert_plays_as_recorded};

fn plays_as_recorded<R: Audit>(name: &str, seats: usize, seed: u64) {
    assert_plays_as_recorded::<R>(name, &R::table(seats, seed), seed);
}

#[test]
fn two_players() {
    plays_as_recorded::<Caylus>("two_players", 2, 7);
}

#[test]
fn three_players() {
    plays_as_recorded::<Caylus>("three_players", 3, 11);
}

#[test]
fn four_players_with_simplified_favors() {
    plays_as_recorded::<Caylus>("four_players_with_simplified_favors", 4, 8);
}

#[test]
fn five_players_from_rich_starts() {
    plays_as_recorded::<RichCaylus<4>>("five_players_from_rich_starts", 5, 13);
}
