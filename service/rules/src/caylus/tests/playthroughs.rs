//! A recorded game of every number of players. A changed rule shows as a changed line.

use crate::caylus::{Caylus, RichCaylus};
use crate::conformance::{Audit, playthrough, story};

fn recorded<R: Audit>(name: &str, seats: usize, seed: u64) {
    let text = playthrough::<R>(&R::table(seats, seed), seed).unwrap();
    insta::with_settings!({ snapshot_path => "playthroughs", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(name, text);
    });
}

#[test]
fn two_players() {
    recorded::<Caylus>("two_players", 2, 7);
}

#[test]
fn three_players() {
    recorded::<Caylus>("three_players", 3, 11);
}

#[test]
fn four_players_with_simplified_favors() {
    recorded::<Caylus>("four_players_with_simplified_favors", 4, 8);
}

#[test]
fn five_players_from_rich_starts() {
    recorded::<RichCaylus<4>>("five_players_from_rich_starts", 5, 13);
}

/// The sentences of a whole game, as its players see them: read them after every change.
#[test]
fn a_game_is_a_story() {
    let text = story::<Caylus>(3, 11).unwrap();
    insta::with_settings!({ snapshot_path => "playthroughs", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("story", text);
    });
}
