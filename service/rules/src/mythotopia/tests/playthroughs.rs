//! A whole game for each number of players as readable text.

use crate::conformance::{Audit, playthrough, story};
use crate::mythotopia::Mythotopia;

fn compare(seats: usize, seed: u64, name: &str) {
    let text = playthrough::<Mythotopia>(&Mythotopia::table(seats, seed), seed).unwrap();
    assert!(text.contains("ends the game and wins"), "{seed}");
    insta::with_settings!({ snapshot_path => "playthroughs", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(name, text);
    });
}

#[test]
fn a_game_of_two() {
    compare(2, 3, "two_players");
}

#[test]
fn a_game_of_three() {
    compare(3, 3, "three_players");
}

#[test]
fn a_game_of_four() {
    compare(4, 3, "four_players");
}

/// The sentences of a whole game, as its players see them: read them after every change.
#[test]
fn a_game_is_a_story() {
    let text = story::<Mythotopia>(2, 3).unwrap();
    insta::with_settings!({ snapshot_path => "playthroughs", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("story", text);
    });
}
