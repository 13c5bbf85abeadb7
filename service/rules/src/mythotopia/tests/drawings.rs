//! Drawings of random games.

use gamekeeper_rules::conformance::{
    assert_drawn_as_recorded, drawings_are_whole, drawings_can_be_read,
};
use gamekeeper_rules::mythotopia::Mythotopia;

#[test]
fn drawings_show_what_actions_and_events_name() {
    for seats in 2..=4 {
        drawings_are_whole::<Mythotopia>(seats, 1, 29).unwrap();
    }
}

#[test]
fn every_text_of_a_drawing_can_be_read() {
    drawings_can_be_read::<Mythotopia>(2..=4, 1..=4, 17).unwrap();
}

#[test]
fn a_table_is_drawn_as_recorded() {
    assert_drawn_as_recorded::<Mythotopia>(4, 3, 160);
}
