//! Recorded games: a changed rule shows as a changed line.

use crate::conformance::{Audit, assert_plays_as_recorded, assert_tells_as_recorded};
use crate::goofspiel::Goofspiel;

#[test]
fn three_players() {
    assert_plays_as_recorded::<Goofspiel>("3_players", &Goofspiel::table(3, 2), 2);
}

#[test]
fn a_game_is_a_story() {
    assert_tells_as_recorded::<Goofspiel>(2, 3);
}
