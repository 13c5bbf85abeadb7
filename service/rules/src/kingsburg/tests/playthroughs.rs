//! A recorded game per number of players: a changed rule shows as a changed line.

use crate::conformance::{Audit, playthrough, story};
use crate::kingsburg::Kingsburg;

#[track_caller]
fn recorded(players: usize) {
    let options = Kingsburg::table(players, 1);
    let text = playthrough::<Kingsburg>(&options, 1).unwrap();
    let settings = || {
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path("playthroughs");
        settings.set_prepend_module_to_snapshot(false);
        settings
    };
    settings().bind(|| insta::assert_snapshot!(format!("{players}_players"), text));
}

#[test]
fn a_game_of_two() {
    recorded(2);
}

#[test]
fn a_game_of_three() {
    recorded(3);
}

#[test]
fn a_game_of_four() {
    recorded(4);
}

#[test]
fn a_game_of_five() {
    recorded(5);
}

/// The sentences of a whole game, as its players see them: read them after every change.
#[test]
fn a_game_is_a_story() {
    let text = story::<Kingsburg>(3, 1).unwrap();
    insta::with_settings!({ snapshot_path => "playthroughs", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("story", text);
    });
}
