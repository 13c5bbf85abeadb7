//! **Golden tests**: a recorded game of every number of players. A changed rule shows as a changed line.

use gamekeeper_rules::conformance::{Audit, assert_plays_as_recorded};
use gamekeeper_rules::mythotopia::Mythotopia;

fn plays_as_recorded(name: &str, seats: usize, seed: u64) {
    assert_plays_as_recorded::<Mythotopia>(name, &Mythotopia::table(seats, seed), seed);
}

#[test]
fn two_players() {
    plays_as_recorded("two_players", 2, 3);
}

#[test]
fn three_players() {
    plays_as_recorded("three_players", 3, 3);
}

#[test]
fn four_players() {
    plays_as_recorded("four_players", 4, 3);
}
