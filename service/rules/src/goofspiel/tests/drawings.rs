//! Drawings of random games.

use gamekeeper_rules::conformance::{assert_drawn_as_recorded, drawings_are_whole};
use gamekeeper_rules::goofspiel::Goofspiel;

#[test]
fn drawings_show_what_actions_and_events_name() {
    for seats in 2..=5 {
        drawings_are_whole::<Goofspiel>(seats, 1, 5).unwrap();
    }
}

#[test]
fn a_table_is_drawn_as_recorded() {
    assert_drawn_as_recorded::<Goofspiel>(3, 3, 16);
}
