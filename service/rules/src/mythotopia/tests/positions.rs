//! Games that begin on tables which somebody describes (MYT-5.12 to MYT-5.16).

mod changes;
mod described;
mod refused;

use described::{Described, TestDescription as _};
use gamekeeper_rules::conformance::assert_changed_tables_are_judged;
use gamekeeper_rules::mythotopia::action::Action;
use gamekeeper_rules::mythotopia::data::{Border, Improvement, Stack, Symbol};
use gamekeeper_rules::mythotopia::stage::{Building, SetupChoice};
use gamekeeper_rules::mythotopia::{Event, Mythotopia, TokenSource};
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::Viewer;

use super::table::*;

pub(crate) const CARDS: [&str; 4] = ["spoils_of_war", "patronage", "roadside_inns", "runestones"];
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

/// MYT-5.14: a game goes on from every table that is accepted.
#[test]
fn changed_tables_are_refused_or_played() {
    assert_changed_tables_are_judged::<Mythotopia>(150, changes::change);
}

/// MYT-10.3: of two attackers of a neutral province the stronger one wins, whoever ends the war.
#[test]
fn a_war_of_two_attackers() {
    let table = Described::of(4, CARDS)
        .armies(R, "blore", 5)
        .armies(B, "blore", 6);
    let tied = table.clone().armies(Y, "blore", 6);
    tied.begin().refuses(R, end_war("blore"), "NO_CLEAR_WINNER");
    let mut table = table.begin();
    table.play(R, end_war("blore"));
    assert_eq!(table.state.controller(prov("blore")), Some(B));
}

/// MYT-6.7: who has no town in stock takes a province from its owner without getting it.
#[test]
fn a_conqueror_without_a_town() {
    let mut table = Described::of(4, CARDS)
        .towns(R, &ISLANDS)
        .towns(R, &["kinabra", "aporia", "ictus", "nesh"])
        .towns(B, &["lea"])
        .armies(R, "lea", 3)
        .begin();
    let events = table.play(R, end_war("lea")).log.events.clone();
    assert!(
        events
            .iter()
            .any(|event| matches!(event, Event::ProvinceNotTaken { .. }))
    );
    assert_eq!(table.state.controller(prov("lea")), None);
}

/// MYT-11.3: there are nine roads.
#[test]
fn no_road_is_left() {
    let hand = [
        "start:red:build#1",
        "start:red:build#2",
        "start:red:market#1",
        "prov:mome",
    ];
    let roads = |number| {
        let table = Described::of(4, CARDS)
            .towns(R, &["mome", "coryphee"])
            .hand(R, &hand);
        let others = Border::all().filter(|&other| other != border("mome", "coryphee"));
        table
            .with(|view| view.roads = others.take(number).collect())
            .begin()
    };
    let road = Action::BuildRoad {
        build_card: Some(card("start:red:build#1")),
        site_card: Some(card("prov:mome")),
        a: Some(prov("mome")),
        b: Some(prov("coryphee")),
        stone: ["start:red:build#2", "start:red:market#1"]
            .map(|id| play(id, Symbol::Stone))
            .into(),
        inn_gold: Vec::new(),
    };
    roads(9).refuses(R, &road, "SUPPLY_EMPTY");
    assert!(roads(8).allows(R, &road));
}

/// MYT-7.26: in the middle of an award; the card is empty, so that the bank gives the token or nobody.
#[test]
fn a_token_from_the_bank() {
    let mut table = Described::of(
        4,
        [
            "master_of_the_seas",
            "patronage",
            "runestones",
            "guild_city",
        ],
    )
    .towns(B, &["nivus", "jeopigia", "darb", "malebolge"])
    .reserve(B, &["imp:scribe"])
    .emptied(&["master_of_the_seas"])
    .award(B, Stack::ThreeSeas)
    .asks(B, "choose_token_source")
    .begin();
    let take = |source| Action::ChooseTokenSource {
        source: Some(source),
    };
    table.refuses(B, take(TokenSource::Card), "SOURCE_NOT_OFFERED");
    table.play(B, take(TokenSource::Bank));
    assert_eq!(table.state.players[B].seas_towns, 1);
    assert!(table.allows(R, &Action::PassTurn));
}

/// MYT-7.19: in the middle of Philosopher.
#[test]
fn philosopher_shows_three_improvements() {
    let shown = [Improvement::Scribe, Improvement::Ranger, Improvement::Hero];
    let mut table = Described::of(2, CARDS)
        .looks_at(shown)
        .asks(R, "choose_philosopher_card")
        .begin();
    let keep = |id| Action::ChoosePhilosopherCard {
        card: Some(card(id)),
    };
    table.refuses(R, keep("imp:merchant"), "CARD_NOT_AVAILABLE");
    table.play(R, keep("imp:ranger"));
    let left = table.state.improvement_deck.iter().rev().take(2).copied();
    assert_eq!(
        left.collect::<Vec<_>>(),
        [Improvement::Scribe, Improvement::Hero]
    );
    assert_eq!(table.state.players[R].secret, Some(Improvement::Ranger));
}

/// MYT-5.8, MYT-5.16: in the middle of the set-up, with one choice made.
#[test]
fn the_last_citadel_begins_the_game() {
    let mut table = Described::of(2, ["citadel", "patronage", "guild_city", "spoils_of_war"])
        .towns(R, &ISLANDS)
        .towns(R, &["kinabra"])
        .towns(B, &NORTH)
        .towns(B, &["aporia"])
        .asks(B, "setup_citadel")
        .with(|view| {
            view.turn = None;
            view.players[0].setup_choice = Some(SetupChoice::Citadel(prov("shog")));
        })
        .begin();
    let place = |id| Action::SetupPlaceCitadel {
        province: Some(prov(id)),
    };
    table.refuses(B, place("shog"), "NOT_CONTROLLED");
    table.refuses(R, place("eagre"), "ALREADY_SUBMITTED");
    table.play(B, place("lea"));
    assert_eq!(
        table.state.players[R].building(prov("shog")),
        Some(Building::Citadel)
    );
    assert_eq!((table.hand_of(R), table.hand_of(B)), (5, 5));
}

/// MYT-6.5.16: the game ends on a described table.
#[test]
fn the_leader_ends_the_game() {
    let table = Described::of(4, CARDS).towns(R, &ISLANDS).towns(B, &NORTH);
    let three = table
        .clone()
        .tokens(R, [1, 0, 0])
        .emptied(&["city", "castle", "road"]);
    three
        .begin()
        .refuses(R, &Action::EndGame, "NOT_ENOUGH_EMPTY_CARDS");
    let table = table.emptied(&["city", "castle", "road", "patronage"]);
    table
        .clone()
        .begin()
        .refuses(R, &Action::EndGame, "NOT_STRICT_LEADER");
    let mut table = table.tokens(R, [1, 0, 0]).begin();
    table.play(R, &Action::EndGame);
    assert_eq!(table.state.decision(), None);
    assert_eq!((table.points(R), table.points(B)), (31, 30));
}

/// MYT-6.9.1: who has no card at all draws none.
#[test]
fn a_turn_ends_without_cards() {
    let starting = Described::of(2, CARDS).begin().state.players[R]
        .deck
        .clone();
    let removed: Vec<String> = starting.iter().map(|card| card.id()).collect();
    let removed: Vec<&str> = removed.iter().map(String::as_str).collect();
    let mut table = Described::of(2, CARDS).removed(R, &removed).done(2).begin();
    table.refuses(R, &Action::PassTurn, "NO_ACTIONS_LEFT");
    let events = table.play(R, &Action::EndTurn).log.events.clone();
    assert!(
        !events
            .iter()
            .any(|event| matches!(event, Event::CardsDrawn { .. }))
    );
    assert_eq!(table.state.active, B);
}

/// MYT-5.13: what is hidden and left out is shuffled, as in a set-up; what is given is kept.
#[test]
fn hidden_cards_that_are_left_out_are_shuffled() {
    let table = Described::of(2, CARDS)
        .towns(R, &["mome", "shog"])
        .with(|view| {
            for player in &mut view.players {
                (player.hand, player.hand_count) = (None, 3);
            }
        });
    let (state, draws) = table.drawn();
    assert_eq!(draws, ["improvements", "deck:red", "deck:blue"]);
    assert_eq!(
        (state.players[R].hand.len(), state.players[R].deck.len()),
        (3, 4)
    );
    let again = Described::of_view(Mythotopia::view(&state, Viewer::Operator)).drawn();
    assert_eq!(again, (state, Vec::new()));
    let given = Described::of(2, CARDS)
        .hand(B, &["start:blue:ship#1"])
        .drawn();
    assert_eq!(
        given.0.players[B].hand,
        described::set(&["start:blue:ship#1"])
    );
    let cards = described::set(&["start:blue:ship#1"]);
    let deck = Described::of(2, CARDS)
        .deck(B, &[])
        .with(|view| view.players[1].hand = None);
    assert!((cards - deck.drawn().0.players[B].hand).is_empty());
}
