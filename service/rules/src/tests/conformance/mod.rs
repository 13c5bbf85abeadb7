//! The suite accepts a small honest ruleset and catches each way to cheat.

#[expect(unreachable_pub, reason = "nouns are part of a ruleset's interface")]
pub(crate) mod burdens;
mod odds;
mod toy;

use burdens::Burdens;
use gamekeeper_rules::conformance::{
    Audit as _, Plan, all_end_whoever_leaves, drawings_are_whole, drawings_can_be_read, estimates,
    golden_text, looks, play_games, playthrough, refusals, starts_are_legal, touches, universe,
};
use gamekeeper_rules::ruleset::{Ruleset, create};
use gamekeeper_rules::table::{Chance, Seat, Seed};
use toy::{Table, Toy};

fn caught<const CHEAT: u8>() -> &'static str {
    play_games::<Toy<CHEAT>>(
        3,
        &Plan {
            closely_every: 1,
            ..Plan::default()
        },
    )
    .unwrap_err()
    .fault
    .rule
}

#[test]
fn an_honest_ruleset_passes() {
    for seats in 2..=4 {
        let tally = play_games::<Toy<{ toy::HONEST }>>(seats, &Plan::default()).unwrap();
        assert_eq!((tally.games, tally.finished), (20, 20));
        assert!(tally.actions >= 20 * 2 && tally.closely >= 20 && tally.longest_list == 3);
    }
}

/// The suite assumes nothing that is only true of most rulesets.
#[test]
fn a_ruleset_of_another_kind_passes() {
    assert_eq!(Burdens::INFO.seats(), 3..=5);
    for seats in Burdens::INFO.seats() {
        let tally = play_games::<Burdens>(seats, &Plan::default()).unwrap();
        assert_eq!((tally.finished, tally.worlds_finished), (20, 20));
        assert!(tally.exact > 0 && tally.closely > 0, "{tally:?}");
    }
    all_end_whoever_leaves::<Burdens>(3).unwrap();
    starts_are_legal::<Burdens>(4).unwrap();
}

#[test]
fn drawings_of_another_kind_are_whole_and_can_be_read() {
    for seats in Burdens::INFO.seats() {
        drawings_are_whole::<Burdens>(seats, 1, 1).unwrap();
    }
    drawings_can_be_read::<Burdens>(Burdens::INFO.seats(), 1..=3, 7, 100).unwrap();
}

/// Stories, refusals, looks and estimates, which tests of a ruleset compare with recorded ones, can be recorded.
#[test]
fn games_of_another_kind_can_be_recorded() {
    let story = golden_text::<Burdens>(5, 1).unwrap();
    assert!(story.contains("takes the"), "{story}");
    let refused = refusals::<Burdens>(1, 1).unwrap();
    for code in ["NOT_YOUR_TURN", "TOO_FEW_CHIPS", "UNKNOWN_ID"] {
        assert!(refused.contains(code), "{refused}");
    }
    let played = playthrough::<Burdens>(&Burdens::table(3, 1), 1).unwrap();
    assert!(played.contains("automatic seat"), "{played}");
    for recorded in [
        looks::<Burdens>(1, 1),
        touches::<Burdens>(1),
        estimates::<Burdens>(1, 1),
    ] {
        assert!(!recorded.unwrap().is_empty());
    }
}

#[test]
fn every_cheat_is_caught() {
    assert_eq!(caught::<{ toy::VIEW_LEAKS }>(), "secrecy");
    assert_eq!(caught::<{ toy::EVENT_LEAKS }>(), "secrecy");
    assert_eq!(caught::<{ toy::REFUSAL_LEAKS }>(), "secrecy");
    assert_eq!(caught::<{ toy::LISTS_TOO_LITTLE }>(), "accepted_is_listed");
    assert_eq!(caught::<{ toy::LISTS_NOTHING }>(), "no_dead_end");
    assert_eq!(caught::<{ toy::LISTS_TWICE }>(), "listed_once");
    assert_eq!(caught::<{ toy::LOSES_A_CARD }>(), "TOY-1");
    assert_eq!(caught::<{ toy::FORGETS_WHEN_SAVED }>(), "codec");
    assert_eq!(caught::<{ toy::NO_RANKING }>(), "ranking");
    assert_eq!(caught::<{ toy::RANKS_THE_LAST_FIRST }>(), "ranking");
    assert_eq!(caught::<{ toy::KEEPS_A_SOURCE_BACK }>(), "sources");
    assert_eq!(caught::<{ toy::TELLS_NOTHING }>(), "told");
    assert_eq!(caught::<{ toy::SAYS_ALIKE }>(), "said_alike");
    assert_eq!(caught::<{ toy::CHANGES_NO_SCENE }>(), "scene");
    assert_eq!(caught::<{ toy::DRAWS_IN_SECRET }>(), "branches");
    assert_eq!(caught::<{ toy::DECIDES_A_CHOICE }>(), "forced");
    assert_eq!(caught::<{ toy::MARKS_ANOTHER_EVENT }>(), "forced");
    assert_eq!(caught::<{ toy::TELLS_ANOTHER_SEAT }>(), "retelling");
    assert_eq!(caught::<{ toy::CHARGES_LATER }>(), "prices");
    assert_eq!(caught::<{ toy::WORLD_IS_REAL }>(), "worlds");
    assert_eq!(caught::<{ toy::WORLD_LOOKS_OTHER }>(), "worlds");
    assert_eq!(caught::<{ toy::WORLD_LOSES_A_CARD }>(), "TOY-1");
    assert_eq!(caught::<{ toy::WORLD_KEEPS_RECORD }>(), "worlds");
}

#[test]
fn a_playthrough_is_the_same_every_time() {
    let play = || playthrough::<Toy<{ toy::HONEST }>>(&Table { seats: 2 }, 5).unwrap();
    assert_eq!(play(), play());
    assert!(
        play().contains("draw deal seat 1:") && play().contains("automatic seat"),
        "{}",
        play()
    );
}

#[test]
fn a_universe_is_the_same_every_time_and_has_each_action_once() {
    let luck = Chance::from_seed(&Seed::from_number(3));
    let table = create::<Toy<{ toy::HONEST }>>(&Table { seats: 2 }, luck).state;
    let try_all = || universe::<Toy<{ toy::HONEST }>>(&table, Seat::FIRST);
    let actions = try_all();
    assert_eq!(actions, try_all());
    assert!(actions.len() > 20, "{actions:?}");
    let is_new = |at: usize| !actions[..at].contains(&actions[at]);
    assert!((0..actions.len()).all(is_new), "{actions:?}");
}
