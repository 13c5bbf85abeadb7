//! Drawings of random games.

use gamekeeper_rules::conformance::{assert_drawn_as_recorded, drawings_are_whole};
use gamekeeper_rules::terra_mystica::TerraMystica;

#[test]
fn drawings_show_what_actions_and_events_name() {
    for seats in 2..=5 {
        drawings_are_whole::<TerraMystica>(seats, 1, 19).unwrap();
    }
}

#[test]
fn a_table_is_drawn_as_recorded() {
    assert_drawn_as_recorded::<TerraMystica>(4, 3, 100);
}
