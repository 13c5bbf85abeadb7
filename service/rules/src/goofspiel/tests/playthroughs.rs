//! **Golden tests**: recorded games. A changed rule shows as a changed line.

use gamekeeper_rules::conformance::{Audit, assert_plays_as_recorded};
use gamekeeper_rules::goofspiel::Goofspiel;

#[test]
fn three_players() {
    assert_plays_as_recorded::<Goofspiel>("3_players", &Goofspiel::table(3, 2), 2);
}
