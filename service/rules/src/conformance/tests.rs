//! The suite accepts a small honest ruleset and catches each way to cheat.

mod toy;

use super::{Plan, play_games, playthrough, universe};
use crate::ruleset::create;
use crate::table::{Chance, Seat, Seed};
use toy::{Table, Toy};

fn caught<const CHEAT: u8>() -> &'static str {
    play_games::<Toy<CHEAT>>(
        3,
        &Plan {
            closely_every: 1,
            ..Plan::default()
        },
    )
    .expect_err("a cheat")
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
    for seats in 3..=4 {
        let tally = play_games::<Toy<{ toy::OF_ANOTHER_KIND }>>(seats, &Plan::default()).unwrap();
        assert_eq!((tally.games, tally.finished), (20, 20));
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
