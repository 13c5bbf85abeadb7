//! Drawings of random games.

use gamekeeper_rules::conformance::{assert_drawn_as_recorded, drawings_are_whole};
use gamekeeper_rules::mythotopia::Mythotopia;

#[test]
fn drawings_show_what_actions_and_events_name() {
    for seats in 2..=4 {
        drawings_are_whole::<Mythotopia>(seats, 1, 29).unwrap();
    }
}

#[test]
fn a_table_is_drawn_as_recorded() {
    assert_drawn_as_recorded::<Mythotopia>(4, 3, 160);
}
