//! Drawings of random games.

use super::table::*;
use gamekeeper_rules::conformance::{
    assert_drawn_as_recorded, drawings_are_whole, drawings_can_be_read, drawn,
};
use gamekeeper_rules::kingsburg::Kingsburg;
use gamekeeper_rules::table::picture::Size;
use gamekeeper_rules::table::{Names, Viewer};

#[test]
fn drawings_show_what_actions_and_events_name() {
    for seats in 2..=5 {
        drawings_are_whole::<Kingsburg>(seats, 1, 9).unwrap();
    }
}

#[test]
fn every_text_of_a_drawing_can_be_read() {
    drawings_can_be_read::<Kingsburg>(2..=5, 1..=4, 17).unwrap();
}

#[test]
fn a_table_is_drawn_as_recorded() {
    assert_drawn_as_recorded::<Kingsburg>(4, 3, 150);
}

/// Names have the room that is left, and are cut where it ends: in the standings where the bar of points begins.
#[test]
fn long_names_are_cut() {
    let table = Table::of(2);
    let times = |length| {
        let name = "n".repeat(length);
        let names = [name.clone(), String::from("Bo")];
        let seen = (Viewer::Spectator, Size::Wide);
        let drawing = drawn::<Kingsburg>(&table.state, seen, Names::new(&names), "");
        drawing.matches(&format!(">{name}<")).count()
    };
    // How often a name is drawn whole, for each number of letters.
    let times: Vec<usize> = (1..40).map(times).collect();
    let runs = times.chunk_by(|one, next| one == next);
    let runs: Vec<_> = runs.map(|run| (run[0], run.len())).collect();
    assert_eq!(runs, [(2, 24), (1, 15)]);
}
