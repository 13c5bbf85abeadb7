//! Games recorded as text (**snapshot tests**): a changed rule shows as a changed line.

use super::golden_bot_scores::estimates;
use super::golden_components::touches;
use super::golden_renderings::{digest, looks};
use super::refused::refusals;
use super::{Audit, drawings_after, golden_text, playthrough};
use crate::bots::Heuristics;
use crate::ruleset::Ruleset;

/// Plays a random game with this seed, and compares its text with the recorded one of this name.
#[track_caller]
pub fn assert_plays_as_recorded<R: Audit>(name: &str, options: &R::Options, seed: u64) {
    let text = playthrough::<R>(options, seed).unwrap();
    assert_recorded::<R>(name, &text);
}

/// Compares the sentences of a whole game, as its players see them, with the recorded ones. Proofread them after every
/// change.
#[track_caller]
pub fn assert_tells_as_recorded<R: Audit>(seats: usize, seed: u64) {
    let text = golden_text::<R>(seats, seed).unwrap();
    assert_recorded::<R>("story", &text);
}

/// Compares the drawings of a random game after this many actions with the recorded ones. Look at them in a browser
/// after every change.
#[track_caller]
pub fn assert_drawn_as_recorded<R: Audit>(seats: usize, seed: u64, actions: usize) {
    let drawings = drawings_after::<R>(seats, seed, actions).unwrap();
    for (name, drawing) in ["wide.svg", "tablet.svg", "phone.svg"].iter().zip(drawings) {
        insta::with_settings!({
            snapshot_path => format!("../{}/tests/pictures", R::INFO.id),
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, {
            insta::assert_binary_snapshot!(name, drawing.into_bytes());
        });
    }
}

/// Compares the evaluations of tables and actions of random games by bots with the recorded ones. After a change of
/// weights, let bots play each other before recording the new values.
#[track_caller]
pub fn assert_weighed_as_recorded<R: Audit + Heuristics>(seed: u64, every: usize) {
    assert_recorded::<R>("weighed", &estimates::<R>(seed, every).unwrap());
}

/// Compares the components that actions and events touch with the recorded ones.
#[track_caller]
pub fn assert_touches_as_recorded<R: Audit>(seed: u64) {
    assert_recorded::<R>("touched", &touches::<R>(seed).unwrap());
}

/// Compares the sentences of refusals in random games, each with an action that causes it, with the recorded ones.
#[track_caller]
pub fn assert_refuses_as_recorded<R: Audit>(seed: u64, every: usize) {
    assert_recorded::<R>("refused", &refusals::<R>(seed, every).unwrap());
}

/// Compares hashes of the catalogue, and of drawings, boards, points, goods and prices in random games, with the
/// recorded ones. If one has changed, look at the picture or text behind it.
#[track_caller]
pub fn assert_looks_as_recorded<R: Audit>(seed: u64, every: usize) {
    let games = looks::<R>(seed, every).unwrap();
    let catalogue = format!("catalogue {}\n", digest(&format!("{:?}", R::plates())));
    assert_recorded::<R>("looks", &(catalogue + &games));
}

#[track_caller]
fn assert_recorded<R: Ruleset>(name: &str, text: &str) {
    let folder = format!("../{}/tests/playthroughs", R::INFO.id);
    insta::with_settings!({
        snapshot_path => folder,
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!(name, text);
    });
}
