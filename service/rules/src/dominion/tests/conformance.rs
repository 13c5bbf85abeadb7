//! Random games with all checks of the suite, and one game of each size as text.

use crate::conformance::{
    Plan, all_end_whoever_leaves, play_games, playthrough, starts_are_legal, story,
};
use crate::dominion::data::KingdomSet;
use crate::dominion::{Dominion, Kingdom, Options};

#[test]
fn random_games_keep_every_promise() {
    for seats in 2..=4 {
        let plan = Plan {
            games: 5,
            ..Plan::default()
        };
        match play_games::<Dominion>(seats, &plan) {
            Ok(tally) => {
                assert_eq!(tally.finished, plan.games);
                assert_eq!(tally.worlds_finished, plan.games);
                assert!(tally.largest_state <= 400, "{tally:?}");
            }
            Err(failure) => panic!("{seats} seats, {failure}"),
        }
    }
}

/// A whole game as text, compared with the recorded one.
fn plays_as_recorded(name: &str, options: &Options, seed: u64) {
    let text = playthrough::<Dominion>(options, seed).unwrap();
    insta::with_settings!({
        snapshot_path => "playthroughs",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!(name, text);
    });
}

#[test]
fn two_players_first_game() {
    let options = Options {
        seats: 2,
        kingdom: Kingdom::Set(KingdomSet::FirstGame),
        first_player: None,
        strict_secrecy: false,
    };
    plays_as_recorded("two_players", &options, 1);
}

#[test]
fn three_players_interaction_under_strict_secrecy() {
    let options = Options {
        seats: 3,
        kingdom: Kingdom::Set(KingdomSet::Interaction),
        first_player: None,
        strict_secrecy: true,
    };
    plays_as_recorded("three_players", &options, 2);
}

#[test]
fn four_players_random_kingdom() {
    let options = Options {
        seats: 4,
        kingdom: Kingdom::Random,
        first_player: None,
        strict_secrecy: false,
    };
    plays_as_recorded("four_players", &options, 3);
}

/// Whichever seats leave, and whenever: their fallbacks are legal, and the game ends.
#[test]
fn games_end_whoever_leaves() {
    all_end_whoever_leaves::<Dominion>(3).unwrap();
}

/// The sentences of a whole game, as its players see them: read them after every change.
#[test]
fn a_game_is_a_story() {
    let text = story::<Dominion>(3, 2).unwrap();
    insta::with_settings!({ snapshot_path => "playthroughs", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("story", text);
    });
}

/// Rich and late starts are legal tables.
#[test]
fn every_start_is_legal() {
    starts_are_legal::<Dominion>(8).unwrap();
}
