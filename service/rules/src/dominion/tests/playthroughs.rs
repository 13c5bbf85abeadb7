//! **Golden tests**: a recorded game of every number of players. A changed rule shows as a changed line.

use gamekeeper_rules::conformance::assert_plays_as_recorded;
use gamekeeper_rules::dominion::data::KingdomSet;
use gamekeeper_rules::dominion::{Dominion, Kingdom, Options};

#[test]
fn two_players_first_game() {
    let options = Options {
        seats: 2,
        kingdom: Kingdom::Set(KingdomSet::FirstGame),
        first_player: None,
        strict_secrecy: false,
    };
    assert_plays_as_recorded::<Dominion>("two_players", &options, 1);
}

#[test]
fn three_players_interaction_under_strict_secrecy() {
    let options = Options {
        seats: 3,
        kingdom: Kingdom::Set(KingdomSet::Interaction),
        first_player: None,
        strict_secrecy: true,
    };
    assert_plays_as_recorded::<Dominion>("three_players", &options, 2);
}

#[test]
fn four_players_random_kingdom() {
    let options = Options {
        seats: 4,
        kingdom: Kingdom::Random,
        first_player: None,
        strict_secrecy: false,
    };
    assert_plays_as_recorded::<Dominion>("four_players", &options, 3);
}
