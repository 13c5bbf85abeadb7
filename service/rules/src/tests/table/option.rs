//! Fields of a request, and lists without repetitions.

use gamekeeper_rules::table::{Field, first_repeated};

#[test]
fn a_field_is_shown_as_its_path() {
    assert_eq!(Field::Players.to_string(), "players");
    assert_eq!(Field::from("vp_floor").to_string(), "options.vp_floor");
    assert_eq!(Field::from(("colors", 1)).to_string(), "options.colors[1]");
}

#[test]
fn the_first_repetition_is_found() {
    assert_eq!(first_repeated(&[1, 2, 3, 2, 1]), Some(3));
    assert_eq!(first_repeated(&[1, 2, 3]), None);
}
