//! Points and the end of the game.

use super::table::*;
use gamekeeper_rules::mythotopia::action::Action;
use gamekeeper_rules::mythotopia::data::Stack;
use gamekeeper_rules::mythotopia::{EndGameWars, Event, Mythotopia};
use gamekeeper_rules::ruleset::apply;
use gamekeeper_rules::table::Chance;

const ISLANDS: [&str; 10] = [
    "shog", "eagre", "camarine", "peened", "remise", "oxter", "talion", "nivus", "custus", "mome",
];
const NORTH: [&str; 10] = [
    "lea",
    "quean",
    "eoan",
    "sorner",
    "grimp",
    "darb",
    "ogdoad",
    "coryphee",
    "dragonate",
    "blore",
];

/// A table with four empty cards, and this many points for red and blue.
fn ending(red: u8, blue: u8) -> Table {
    let mut table = Table::of(4);
    table.in_play(&[
        "spoils_of_war",
        "defender_of_the_realm",
        "patronage",
        "citadel",
    ]);
    for stack in [Stack::City, Stack::Castle, Stack::Road, Stack::Citadel] {
        table.tokens(stack, 0);
    }
    table.control(R, &ISLANDS);
    table.control(B, &NORTH);
    table.state.players[R].tokens = [red - 30, 0, 0];
    table.state.players[B].tokens = [blue - 30, 0, 0];
    table
}

#[test]
fn myt_t56_the_leader_ends_the_game() {
    let mut table = ending(40, 40);
    table.tokens(Stack::City, 1);
    table.refuses(R, &Action::EndGame, "NOT_ENOUGH_EMPTY_CARDS");
    table.tokens(Stack::City, 0);
    table.refuses(R, &Action::EndGame, "NOT_STRICT_LEADER");
    table.refuses(B, &Action::EndGame, "NOT_YOUR_TURN");
    table.state.players[R].tokens[0] += 1;
    table.play(R, &Action::EndGame);
    assert_eq!(table.state.decision(), None);
    table.refuses(B, &Action::PassTurn, "GAME_OVER");
    let ranks = [(R, 1, 41), (B, 2, 40), (Y, 3, 12), (G, 3, 12)];
    assert_eq!(table.ranks(), ranks);
}

#[test]
fn myt_t57_open_wars_end_first() {
    let mut table = ending(40, 39);
    table.armies(B, "oxter", 3);
    table.refuses(R, &Action::EndGame, "NOT_STRICT_LEADER");
    table.state.switches.end_game_wars = EndGameWars::DefenderWins;
    let defended = apply::<Mythotopia>(&table.state, &table.luck, R, &Action::EndGame).unwrap();
    assert_eq!(defended.state.points(R), 41);
    table.state.switches.end_game_wars = EndGameWars::ByStrength;
    table.armies(R, "oxter", 3);
    table.play(R, &Action::EndGame);
    assert_eq!(table.points(R), 41);
    assert_eq!(table.state.controller(prov("oxter")), Some(R));
}

#[test]
fn myt_6_5_16_wars_are_won_on_the_way_and_tokens_are_not_asked_for() {
    let mut table = ending(40, 42);
    table.reserve(R, &["imp:scribe"]);
    table.armies(R, "lea", 2);
    // Red 43 for the province, 44 with the token of Spoils of War; blue 39.
    table.play(R, &Action::EndGame);
    assert_eq!((table.points(R), table.points(B)), (44, 39));
    assert_eq!(table.state.tokens[Stack::SpoilsOfWar.index()], 5);
}

#[test]
fn myt_14_15_a_refused_end_draws_nothing_and_changes_nothing() {
    let mut table = ending(40, 48);
    table.armies(R, "lea", 2);
    table.deck(B, &["prov:lea", "prov:darb"]);
    table.luck = Chance::scripted([]);
    let before = table.state.clone();
    table.refuses(R, &Action::EndGame, "NOT_STRICT_LEADER");
    assert_eq!(table.state, before);
    table.play(R, &Action::PassTurn);
    table.script_is_used();
}

#[test]
fn myt_t58_the_floor() {
    let mut table = Table::of(4);
    table.control(R, &["mome", "darb", "shog"]);
    assert_eq!(table.points(R), 12);
    table.state.players[R].tokens = [0, 1, 1];
    assert_eq!(table.points(R), 14);
    table.state.players[R].tokens = [0; 3];
    table.state.switches.vp_floor = 0;
    assert_eq!(table.points(R), 9);
}

#[test]
fn myt_a22_wars_end_in_the_order_of_the_numbers() {
    let mut table = ending(40, 39);
    table.tokens(Stack::SpoilsOfWar, 1);
    table.state.switches.end_game_wars = EndGameWars::ByStrength;
    table.armies(R, "sorner", 2);
    table.armies(R, "coryphee", 2);
    let events = table.play(R, &Action::EndGame).log.events.clone();
    let capture_or_token = |event: &Event| {
        if let Event::ProvinceCaptured { province, .. } = event {
            return Some(province.id().to_owned());
        }
        matches!(event, Event::TokenTaken { .. }).then(|| String::from("token"))
    };
    let story: Vec<String> = events.iter().filter_map(capture_or_token).collect();
    assert_eq!(story, ["coryphee", "token", "sorner"]);
}

#[test]
fn myt_6_5_16_attackers_who_tie_leave_a_province_to_its_defender() {
    let mut table = ending(41, 40);
    table.armies(R, "lea", 3);
    table.armies(Y, "lea", 3);
    // Lea is rugged: 1 for blue, 3 for each attacker. Blue takes a token and has 41 as well.
    table.refuses(R, &Action::EndGame, "NOT_STRICT_LEADER");
    table.state.players[R].tokens[0] += 1;
    table.play(R, &Action::EndGame);
    assert_eq!((table.points(R), table.points(B)), (42, 41));
    assert_eq!(table.state.controller(prov("lea")), Some(B));
}
