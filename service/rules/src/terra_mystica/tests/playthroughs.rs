//! **Golden tests**: a recorded game of every number of players. A changed rule shows as a changed line.

use gamekeeper_rules::conformance::{Audit, assert_plays_as_recorded};
use gamekeeper_rules::terra_mystica::TerraMystica;

fn plays_as_recorded(name: &str, seats: usize, seed: u64) {
    assert_plays_as_recorded::<TerraMystica>(name, &TerraMystica::table(seats, seed), seed);
}

#[test]
fn two_players() {
    plays_as_recorded("seats_2", 2, 42);
}

#[test]
fn three_players() {
    plays_as_recorded("seats_3", 3, 43);
}

#[test]
fn four_players() {
    plays_as_recorded("seats_4", 4, 44);
}

#[test]
fn five_players() {
    plays_as_recorded("seats_5", 5, 45);
}
