//! Drawings of random games.

use gamekeeper_rules::caylus::Caylus;
use gamekeeper_rules::conformance::{assert_drawn_as_recorded, drawings_are_whole};

#[test]
fn drawings_show_what_actions_and_events_name() {
    for seats in 2..=5 {
        drawings_are_whole::<Caylus>(seats, 1, 9).unwrap();
    }
}

#[test]
fn a_table_is_drawn_as_recorded() {
    assert_drawn_as_recorded::<Caylus>(4, 3, 150);
}
