//! Random games of every number of players: every guarantee of the suite, checked after every action (TM-11).

use std::collections::BTreeSet;

use gamekeeper_rules::conformance::{Audit, Plan, all_end_whoever_leaves, play_games};
use gamekeeper_rules::ruleset::create;
use gamekeeper_rules::table::{Chance, Seat, Seed};
use gamekeeper_rules::terra_mystica::TerraMystica;
use gamekeeper_rules::terra_mystica::action::{Action, SpecialUse};
use gamekeeper_rules::terra_mystica::data::{PowerAction, SpecialAction};

fn random_games(seats: usize) {
    let plan = Plan {
        games: 8,
        closely_every: 97,
        ..Plan::default()
    };
    let tally = play_games::<TerraMystica>(seats, &plan).unwrap();
    assert_eq!(tally.finished, tally.games);
    assert_eq!(tally.worlds_finished, tally.games);
    assert!(tally.largest_state <= 700, "{tally:?}");
}

#[test]
fn random_games_of_two() {
    random_games(2);
}

#[test]
fn random_games_of_three() {
    random_games(3);
}

#[test]
fn random_games_of_four() {
    random_games(4);
}

#[test]
fn random_games_of_five() {
    random_games(5);
}

/// The suite tries every power action and special action, even those that no seat of the table has.
#[test]
fn every_use_is_tried() {
    let options = TerraMystica::table(2, 7);
    let applied = create::<TerraMystica>(&options, Chance::from_seed(&Seed::from_number(7)));
    let (mut powers, mut specials, mut storms) =
        (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for action in TerraMystica::universe(&applied.state, Seat::FIRST) {
        if let Action::TakePowerAction { power_use, .. } = &action {
            powers.insert(power_use.action());
        }
        if let Action::TakeSpecialAction { special_use } = &action {
            specials.insert(special_use.action());
        }
        if let Action::TakeSpecialAction {
            special_use: SpecialUse::Sandstorm { build, .. },
        } = action
        {
            storms.insert(build);
        }
    }
    assert!(
        PowerAction::ALL
            .iter()
            .all(|action| powers.contains(action)),
        "{powers:?}"
    );
    assert!(
        SpecialAction::ALL
            .iter()
            .all(|action| specials.contains(action)),
        "{specials:?}"
    );
    assert_eq!(storms, [false, true].into());
}

/// Any seats may leave at any time: their fallbacks are legal, and the game ends.
#[test]
fn games_end_whoever_leaves() {
    all_end_whoever_leaves::<TerraMystica>(1).unwrap();
}
