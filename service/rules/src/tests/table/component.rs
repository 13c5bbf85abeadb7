//! The names of components.

use gamekeeper_rules::table::{Component, Seat};

#[test]
fn names_say_kind_owner_and_id() {
    let second = Seat::at(1);
    let names = [
        Component::new("advisor", "king"),
        Component::number("space", 17_u8),
        Component::piece("favor", "deniers", 3_u8),
        Component::seat(second),
        Component::of(second, "building", "crane"),
        Component::numbered(second, "die", 0_u8),
    ];
    let expected = [
        "advisor:king",
        "space:17",
        "favor:deniers.3",
        "seat:2",
        "building:2.crane",
        "die:2.0",
    ];
    assert_eq!(names.map(|name| name.to_string()), expected);
}
