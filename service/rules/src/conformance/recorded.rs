//! Games recorded as text: a changed rule shows as a changed line.

use super::{Audit, drawings_after, playthrough, story};
use crate::ruleset::Ruleset;

/// Plays a random game with this seed, and compares its text with the recorded one of this name.
#[track_caller]
pub(crate) fn assert_plays_as_recorded<R: Audit>(name: &str, options: &R::Options, seed: u64) {
    let text = playthrough::<R>(options, seed).unwrap();
    assert_recorded::<R>(name, &text);
}

/// Compares the sentences of a whole game, as its players see them, with the recorded ones: read them after
/// every change.
#[track_caller]
pub(crate) fn assert_tells_as_recorded<R: Audit>(seats: usize, seed: u64) {
    let text = story::<R>(seats, seed).unwrap();
    assert_recorded::<R>("story", &text);
}

/// Compares the drawings of a random game after this many actions with the recorded ones: look at them in a browser
/// after every change.
#[track_caller]
pub(crate) fn assert_drawn_as_recorded<R: Audit>(seats: usize, seed: u64, actions: usize) {
    let [wide, phone] = drawings_after::<R>(seats, seed, actions);
    for (name, drawing) in [("wide.svg", wide), ("phone.svg", phone)] {
        insta::with_settings!({
            snapshot_path => format!("../{}/tests/pictures", R::SHEET.id),
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, {
            insta::assert_binary_snapshot!(name, drawing.into_bytes());
        });
    }
}

#[track_caller]
fn assert_recorded<R: Ruleset>(name: &str, text: &str) {
    let folder = format!("../{}/tests/playthroughs", R::SHEET.id);
    insta::with_settings!({
        snapshot_path => folder,
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!(name, text);
    });
}
