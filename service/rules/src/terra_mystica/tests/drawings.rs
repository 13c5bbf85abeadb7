//! Drawings of random games.

use gamekeeper_rules::conformance::{
    assert_drawn_as_recorded, drawings_are_whole, drawings_can_be_read,
};
use gamekeeper_rules::terra_mystica::TerraMystica;

#[test]
fn drawings_show_what_actions_and_events_name() {
    for seats in 2..=5 {
        drawings_are_whole::<TerraMystica>(seats, 1, 19).unwrap();
    }
}

#[test]
fn every_text_of_a_drawing_can_be_read() {
    drawings_can_be_read::<TerraMystica>(2..=5, 1..=4, 17).unwrap();
}

#[test]
fn a_table_is_drawn_as_recorded() {
    assert_drawn_as_recorded::<TerraMystica>(4, 3, 100);
}
