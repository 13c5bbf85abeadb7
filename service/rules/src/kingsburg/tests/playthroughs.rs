//! **Golden tests**: a recorded game of every number of players. A changed rule shows as a changed line.

use gamekeeper_rules::conformance::{Audit, assert_plays_as_recorded};
use gamekeeper_rules::kingsburg::Kingsburg;

fn plays_as_recorded(name: &str, seats: usize, seed: u64) {
    assert_plays_as_recorded::<Kingsburg>(name, &Kingsburg::table(seats, seed), seed);
}

#[test]
fn two_players() {
    plays_as_recorded("2_players", 2, 1);
}

#[test]
fn three_players() {
    plays_as_recorded("3_players", 3, 1);
}

#[test]
fn four_players() {
    plays_as_recorded("4_players", 4, 1);
}

#[test]
fn five_players() {
    plays_as_recorded("5_players", 5, 1);
}
