//! Drawings.

use super::table::*;
use gamekeeper_rules::conformance::drawn;
use gamekeeper_rules::kingsburg::Kingsburg;
use gamekeeper_rules::table::picture::Size;
use gamekeeper_rules::table::{Names, Viewer};

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
