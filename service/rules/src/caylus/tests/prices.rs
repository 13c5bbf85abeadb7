//! The sentences of actions name their costs and gains.

use super::table::*;
use gamekeeper_rules::caylus::Caylus;
use gamekeeper_rules::caylus::action::{Action, Target};
use gamekeeper_rules::caylus::data::{Resource, Space, Special, Tile};
use gamekeeper_rules::caylus::holdings::RESOURCES;
use gamekeeper_rules::ruleset::holdings;

/// CAY-6.4: a worker costs a denier, and one more for everybody who has passed.
#[test]
fn a_worker_costs_deniers() {
    let mut table = Table::of(3);
    let castle = place(Target::Castle);
    table.placing([], BLUE);
    let said_first = table.said(BLUE, &castle);
    assert_eq!(said_first, "place a worker in the castle (costs 1 denier)");
    table.placing([RED, GREEN], BLUE);
    assert!(table.said(BLUE, &castle).ends_with(" (costs 3 deniers)"));
}

/// CAY-6.5.3, CAY-6.6.1: the guild moves the provost free of charge, everybody else pays.
#[test]
fn the_provost_is_free_by_the_guild_alone() {
    let mut table = Table::of(2);
    table.special(Special::MerchantsGuild, BLUE);
    table.specials();
    let free = table.said(BLUE, provost(3));
    assert!(!free.contains("denier"), "{free}");
    let mut table = Table::of(2);
    table.bribing([BLUE, RED]);
    let bribed = table.said(BLUE, provost(3));
    assert!(bribed.ends_with(" (costs 3 deniers)"), "{bribed}");
}

/// CAY-6.7: a sale says what it brings; a trade says it anyway.
#[test]
fn sales_bring_deniers() {
    let mut table = Table::of(2);
    table.built(11, Tile::NeutralMarket, BLUE);
    table.worker(11, BLUE);
    table.has(BLUE, 0, &[(1, Resource::Food), (1, Resource::Cloth)]);
    table.road_up_to(11);
    assert_eq!(
        table.said(BLUE, sell(Resource::Cloth)),
        "sell 1 cloth (brings 4 deniers)"
    );
}

/// CAY-6.8: a part of the castle takes three cubes and brings points.
#[test]
fn parts_of_the_castle_bring_points() {
    let mut table = Table::of(2);
    table.has(
        BLUE,
        0,
        &[
            (1, Resource::Food),
            (1, Resource::Wood),
            (2, Resource::Stone),
        ],
    );
    table.in_castle([BLUE]);
    table.castle();
    let built = table.said(BLUE, batch(Resource::Wood, Resource::Stone));
    assert_eq!(
        built,
        "build a part of the castle with 1 food, 1 wood and 1 stone (brings 5 VP)"
    );
}

/// CAY-6.5.4: the joust says its whole price and brings a favor.
#[test]
fn the_joust_brings_a_favor() {
    let mut table = Table::of(2);
    table.has(BLUE, 1, &[(1, Resource::Cloth)]);
    table.special(Special::JoustField, BLUE);
    table.specials();
    assert_eq!(
        table.said(BLUE, &Action::Joust { accept: true }),
        "pay 1 denier and 1 cloth for a royal favor"
    );
}

/// CAY-6.5.2, CAY-7.5: what a worker at the trading post brings is certain, and so are the points of a residence that
/// waits for a worker to leave.
#[test]
fn what_comes_later_for_certain_is_a_gain() {
    let mut table = Table::of(3);
    table.placing([], BLUE);
    let post = place(Target::Special(Special::TradingPost));
    let said_post = table.said(BLUE, &post);
    assert!(said_post.ends_with(" (brings 2 deniers)"), "{said_post}");
    let points = |table: &Table| {
        let at = RESOURCES.iter().position(|one| one.id == "prestige_point");
        holdings::<Caylus>(&table.state, BLUE).total(at.unwrap())
    };
    let before = points(&table);
    table.built(11, Tile::NeutralMarket, BLUE);
    let space = Space::new(11).unwrap();
    table.state.road[space].pending_transform = Some(BLUE);
    assert_eq!(points(&table) - before, 2);
}
