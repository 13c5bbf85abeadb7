//! Described tables on which no game can begin, each with the rule that it breaks and the path of the field.

#![expect(clippy::too_many_lines, reason = "a row for each broken table")]

use gamekeeper_rules::mythotopia::View;
use gamekeeper_rules::mythotopia::data::{Improvement, Stack};
use gamekeeper_rules::mythotopia::stage::Building;

use super::CARDS;
use super::described::{Described, TestDescription as _, set, token};
use crate::table::*;

fn plain() -> Described {
    Described::of(4, CARDS)
        .towns(R, &["mome"])
        .towns(B, &["shog"])
        .armies(R, "shog", 2)
        .castle("mome")
        .road("mome", "coryphee")
        .hand(R, &["prov:mome"])
}

/// MYT-5.1, MYT-5.15.
#[test]
fn decisions_and_seats_fit() {
    let table = plain();
    table.broken_by(|view| view.pending.clear(), "MYT-6.1", "bookkeeping.open");
    table.broken_by(
        |view| view.pending[0].decision = "dance",
        "MYT-6.1",
        "bookkeeping.open[0].decision",
    );
    table.broken_by(
        |view| view.pending[0].seat = B,
        "MYT-5.15",
        "bookkeeping.open",
    );
    table.broken_by(|view| view.players.truncate(1), "MYT-5.1", "players");
    table.broken_by(|view| view.turn_order.clear(), "MYT-5.9", "turn_order");
    table.broken_by(|view| view.turn = None, "MYT-5.9", "turn");
    let done = |view: &mut View| view.turn.as_mut().unwrap().actions_done = 3;
    table.broken_by(done, "MYT-11.11", "turn.actions_done");
    let road = |view: &mut View| view.turn.as_mut().unwrap().road_move_used = true;
    table.broken_by(road, "MYT-4.3", "turn.road_move_used");
    let source = |view: &mut View| view.pending[0].decision = "choose_token_source";
    table.broken_by(source, "MYT-5.15", "bookkeeping.open");
    let set_up = |view: &mut View| view.pending[0].decision = "setup_discard";
    table.broken_by(set_up, "MYT-5.16", "turn");
}

/// MYT-11.1 to MYT-11.3, MYT-11.9, MYT-11.10.
#[test]
fn pieces_are_as_many_as_there_are() {
    let table = plain();
    table.broken_by(
        |view| view.provinces[1].forces[0].armies = 15,
        "MYT-11.1",
        "provinces[1].forces[0].armies",
    );
    table.broken_by(
        |view| view.provinces[1].forces[0].mercenaries = 3,
        "MYT-11.3",
        "provinces[1].forces[0].mercenaries",
    );
    table.broken_by(
        |view| view.players[0].stock.armies = 13,
        "MYT-11.1",
        "players[0].stock.armies",
    );
    table.broken_by(
        |view| view.players[1].stock.ships = 6,
        "MYT-11.1",
        "players[1].stock.ships",
    );
    table.broken_by(
        |view| view.seas[2].ships[1] = 6,
        "MYT-11.1",
        "seas[2].ships[1]",
    );
    table.broken_by(
        |view| view.provinces[1].province = prov("mome"),
        "MYT-11.9",
        "provinces[1].province",
    );
    table.broken_by(
        |view| view.provinces[0].dragon = true,
        "MYT-5.5",
        "provinces[0].dragon",
    );
    table.broken_by(
        |view| view.provinces[0].runestone = true,
        "MYT-11.9",
        "provinces[0].runestone",
    );
    table.broken_by(
        |view| view.provinces[0].building = Some(Building::Citadel),
        "MYT-11.2",
        "provinces[0].building",
    );
    table.broken_by(
        |view| view.provinces[1].building = Some(Building::Citadel),
        "MYT-5.8",
        "players[1].citadel",
    );
    table.broken_by(
        |view| view.roads.push(view.roads[0]),
        "MYT-11.10",
        "roads[1]",
    );
    table.broken_by(
        |view| view.players[0].seas_towns = 1,
        "MYT-5.14",
        "players[0].seas_towns",
    );
    table.broken_by(
        |view| view.players[0].three_seas_claimed = true,
        "MYT-5.5",
        "players[0].three_seas_claimed",
    );
}

/// MYT-11.4 to MYT-11.8, MYT-11.20.
#[test]
fn cards_and_tokens_are_as_many_as_there_are() {
    let table = plain();
    table.broken_by(
        |view| view.players[1].hand = Some(set(&["prov:mome"])),
        "MYT-11.4",
        "players[1].hand",
    );
    table.broken_by(
        |view| view.players[0].discard = set(&["prov:mome"]),
        "MYT-11.4",
        "players[0].hand",
    );
    let secret = |view: &mut View| view.players[1].removed = set(&["imp:hero"]);
    table.broken_by(secret, "MYT-11.4", "players[1].hand");
    table.broken_by(
        |view| view.players[1].tokens[2] = 4,
        "MYT-11.7",
        "players.tokens.threes",
    );
    let empty = table.clone().emptied(&["city"]);
    empty.broken_by(
        |view| view.point_cards[0].tokens[0].count = 8,
        "MYT-11.8",
        "point_cards[0].tokens[0].count",
    );
    table.broken_by(
        |view| drop(view.point_cards.pop()),
        "MYT-5.5",
        "point_cards",
    );
    let looks =
        table
            .clone()
            .looks_at([Improvement::Scribe, Improvement::Ranger, Improvement::Hero]);
    let looks = looks.asks(R, "choose_philosopher_card");
    let twice = |view: &mut View| {
        view.inspected = Some(vec![
            Improvement::Scribe,
            Improvement::Scribe,
            Improvement::Hero,
        ]);
    };
    looks.broken_by(twice, "MYT-11.5", "inspected");
    let award = table
        .clone()
        .reserve(R, &["imp:scribe"])
        .award(R, Stack::SpoilsOfWar);
    let award = award.asks(R, "choose_token_source");
    award.broken_by(
        |view| view.awards[0].token = token(Stack::Citadel),
        "MYT-6.8",
        "awards[0].token",
    );
    award.broken_by(
        |view| view.awards[0].seat = gamekeeper_rules::table::Seat::at(4),
        "MYT-5.1",
        "awards[0].seat",
    );
}
