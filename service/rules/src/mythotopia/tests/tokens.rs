//! Awards: islands, seas, Scribe.

use super::table::*;
use gamekeeper_rules::mythotopia::action::Action;
use gamekeeper_rules::mythotopia::data::{Stack, Symbol};
use gamekeeper_rules::mythotopia::stage::SeasMark;
use gamekeeper_rules::mythotopia::{Decision, TokenSource};
use gamekeeper_rules::table::{Seat, Viewer};

#[test]
fn myt_t11_scribe_and_lord_of_the_isles() {
    let mut table = Table::of(4);
    table.in_play(&["lord_of_the_isles"]);
    table.tokens(Stack::SmallIsland, 0);
    table.control(R, &["kinabra"]);
    table.control(B, &["aporia"]);
    table.reserve(R, &["imp:scribe"]);
    table.armies(R, "aporia", 1);
    let bank = table.state.bank[1];
    table.play(R, end_war("aporia"));
    assert_eq!(table.state.players[R].tokens, [0, 1, 0]);
    assert_eq!(table.state.bank[1], bank - 1);
}

#[test]
fn myt_6_8_5_the_large_island_has_a_slot_of_its_own() {
    let mut table = Table::of(4);
    table.in_play(&["lord_of_the_isles"]);
    table.control(R, &["ictus", "jeopigia"]);
    table.armies(R, "nesh", 3);
    table.play(R, end_war("nesh"));
    assert_eq!(table.state.players[R].tokens, [0, 0, 1]);
    assert_eq!(table.state.tokens[Stack::LargeIsland.index()], 0);
    assert_eq!(table.state.tokens[Stack::SmallIsland.index()], 1);
}

fn sail(table: &mut Table, seat: Seat, id: &str) {
    let color = table.state.players[seat].color.id();
    let ship = format!("start:{color}:ship#1");
    table.hand(seat, &[&ship]);
    table.turn(seat);
    let ships = vec![play(&ship, Symbol::Ship)];
    table.play(
        seat,
        &Action::PlaceShips {
            sea: Some(sea(id)),
            ships,
        },
    );
}

fn sail_back(table: &mut Table, seat: Seat, id: &str) {
    table.turn(seat);
    table.play(
        seat,
        &Action::RemoveShips {
            sea: Some(sea(id)),
            count: 1,
        },
    );
}

fn on_three_coasts() -> Table {
    let mut table = Table::of(4);
    table.in_play(&["master_of_the_seas"]);
    table.control(R, &["palmain", "ambsace", "mome", "shog"]);
    table.control(B, &["nivus", "jeopigia", "darb", "malebolge"]);
    for seat in [R, B] {
        table.ships(seat, "serpent_sea", 1);
        table.ships(seat, "beast_sea", 1);
    }
    table
}

#[test]
fn myt_t53_master_of_the_seas() {
    let mut table = on_three_coasts();
    sail(&mut table, R, "inland_sea_east");
    assert_eq!(table.state.players[R].tokens, [0, 1, 0]);
    assert_eq!(table.state.tokens[Stack::ThreeSeas.index()], 0);
    sail_back(&mut table, R, "inland_sea_east");
    sail(&mut table, R, "inland_sea_east");
    assert_eq!(table.state.players[R].tokens, [0, 1, 0]);
    sail(&mut table, B, "inland_sea_east");
    assert_eq!(table.state.players[B].tokens, [0; 3]);
    assert!(table.state.players[B].seas_claimed.is_empty());
    sail_back(&mut table, B, "inland_sea_east");
    table.reserve(B, &["imp:scribe"]);
    sail(&mut table, B, "inland_sea_east");
    assert_eq!(table.state.decision(), Some(Decision::ChooseTokenSource));
    let sources = &table.view(Viewer::Spectator).awards[0].sources;
    assert_eq!(sources, &[TokenSource::Bank, TokenSource::None]);
    let towns = table.state.town_stock(B);
    table.play(
        B,
        &Action::ChooseTokenSource {
            source: Some(TokenSource::Bank),
        },
    );
    assert_eq!(table.state.players[B].tokens, [0, 1, 0]);
    assert_eq!(table.state.town_stock(B), towns - 1);
    assert_eq!(table.state.players[B].seas_towns, 1);
}

#[test]
fn myt_7_26_4_a_declined_token_is_not_claimed() {
    let mut table = on_three_coasts();
    table.tokens(Stack::ThreeSeas, 0);
    table.reserve(B, &["imp:scribe"]);
    sail(&mut table, B, "inland_sea_east");
    table.play(
        B,
        &Action::ChooseTokenSource {
            source: Some(TokenSource::None),
        },
    );
    assert_eq!(table.state.players[B].tokens, [0; 3]);
    assert!(
        !table.state.players[B]
            .seas_claimed
            .contains(SeasMark::ThreeSeas)
    );
    assert_eq!(table.state.players[B].seas_towns, 0);
}

#[test]
fn myt_14_14_with_scribe_a_town_marks_the_claim_whatever_the_source() {
    let mut table = on_three_coasts();
    table.reserve(R, &["imp:scribe"]);
    sail(&mut table, R, "inland_sea_east");
    table.play(
        R,
        &Action::ChooseTokenSource {
            source: Some(TokenSource::Card),
        },
    );
    assert_eq!(table.state.players[R].seas_towns, 1);
    // Without a town in stock the card is the only source, and no town leaves.
    let mut table = on_three_coasts();
    table.reserve(R, &["imp:scribe"]);
    table.state.players[R].seas_towns = table.state.town_stock(R);
    let marked = table.state.players[R].seas_towns;
    sail(&mut table, R, "inland_sea_east");
    assert_eq!(table.state.players[R].tokens, [0, 1, 0]);
    assert_eq!(table.state.players[R].seas_towns, marked);
}

#[test]
fn myt_t60_a_captured_citadel_is_worth_three() {
    let mut table = Table::of(4);
    table.in_play(&["citadel", "spoils_of_war"]);
    table.control(R, &["mome", "darb"]);
    table.citadel(R, "mome");
    table.control(B, &["shog"]);
    assert_eq!(table.state.players[R].reserve_limit(), 3);
    table.armies(B, "mome", 3);
    assert_eq!(table.state.strengths(prov("mome"))[0].strength, 2);
    table.turn(B);
    table.play(B, end_war("mome"));
    assert_eq!(table.state.players[B].tokens, [1, 0, 1]);
    assert_eq!(table.state.players[R].reserve_limit(), 2);
    assert_eq!(table.state.tokens[Stack::Citadel.index()], 0);
}

#[test]
fn myt_6_8_3_sources_are_those_of_the_moment() {
    // Two tokens of value 1 for one capture, one of value 1 in the bank: if the first comes from
    // the bank, only the card is left for the second.
    let mut table = Table::of(4);
    table.in_play(&["spoils_of_war", "here_be_dragons", "citadel"]);
    table.control(R, &["mome"]);
    table.citadel(R, "mome");
    table.control(B, &["shog"]);
    table.reserve(B, &["imp:scribe"]);
    table.state.bank = [1, 0, 1];
    table.armies(B, "mome", 3);
    table.turn(B);
    table.play(B, end_war("mome"));
    let view = table.view(Viewer::Seat(R));
    assert_eq!(view.awards.len(), 2);
    assert_eq!(
        view.awards[0].sources,
        [TokenSource::Card, TokenSource::Bank]
    );
    assert!(view.awards[1].sources.is_empty());
    table.play(
        B,
        &Action::ChooseTokenSource {
            source: Some(TokenSource::Bank),
        },
    );
    table.play(
        B,
        &Action::ChooseTokenSource {
            source: Some(TokenSource::Bank),
        },
    );
    assert_eq!(table.state.decision(), Some(Decision::Turn));
    assert_eq!(table.state.players[B].tokens, [1, 0, 1]);
    assert_eq!(table.state.bank, [0, 0, 0]);
}
