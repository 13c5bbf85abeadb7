//! Phase 2 (CAY-6.4).

use super::table::*;
use gamekeeper_rules::caylus::action::{Action, Target};
use gamekeeper_rules::caylus::data::{Special, Tile};
use gamekeeper_rules::caylus::event::Event;
use gamekeeper_rules::caylus::stage::{Decision, Phase};

const STABLES: Target = Target::Special(Special::Stables);

/// The seed's example of passing: turn order blue, green, orange, red; green owns the mason on 9,
/// red the farm on 10; blue has the only worker in the castle; blue acts.
fn example() -> Table {
    let mut table = Table::of(4);
    table.order([BLUE, GREEN, ORANGE, RED]);
    table.built(9, Tile::Mason, GREEN);
    table.built(10, Tile::WoodFarmFood, RED);
    table.in_castle([BLUE]);
    for seat in [BLUE, GREEN, ORANGE, RED] {
        table.has(seat, 10, &[]);
    }
    table.placing([], BLUE);
    table
}

fn blue_passes() -> Table {
    let mut table = example();
    table.play(BLUE, &Action::PassTurn);
    table
}

fn green_goes_to_the_peddler() -> Table {
    let mut table = blue_passes();
    table.play(GREEN, place_on(7));
    table
}

fn red_goes_to_the_mason() -> Table {
    let mut table = green_goes_to_the_peddler();
    table.play(ORANGE, &Action::PassTurn);
    table.play(RED, place_on(9));
    table
}

fn red_goes_to_their_farm() -> Table {
    let mut table = red_goes_to_the_mason();
    table.play(GREEN, &Action::PassTurn);
    table.play(RED, place_on(10));
    table
}

#[test]
fn cay_ac_2_the_first_to_pass_gains_a_denier() {
    let table = blue_passes();
    assert_eq!(table.deniers(BLUE), 11);
    assert_eq!(table.state.pass_order[..], [BLUE]);
}

#[test]
fn cay_ac_3_the_price_rises_with_the_first_pass() {
    let table = green_goes_to_the_peddler();
    assert_eq!(table.deniers(GREEN), 10 - 2);
    assert_eq!(table.state.road[space(7)].worker, Some(GREEN));
}

#[test]
fn cay_ac_4_the_owner_gains_a_point_at_once() {
    let table = red_goes_to_the_mason();
    assert_eq!(table.deniers(RED), 10 - 3);
    assert_eq!(table.vp(GREEN), 1);
    assert_eq!(table.deniers(ORANGE), 10);
}

#[test]
fn cay_ac_5_an_own_building_costs_one_denier_and_gives_no_point() {
    let table = red_goes_to_their_farm();
    assert_eq!(table.deniers(RED), 10 - 3 - 1);
    assert_eq!(table.vp(RED), 0);
}

#[test]
fn cay_ac_6_the_castle_costs_the_full_price() {
    let mut table = red_goes_to_their_farm();
    table.play(RED, place(Target::Castle));
    assert_eq!(table.deniers(RED), 10 - 3 - 1 - 4);
    assert_eq!(table.state.castle.queue[..], [BLUE, RED]);
}

#[test]
fn cay_ac_28_the_gold_mine_is_open_from_turn_1() {
    let mut table = Table::of(2);
    table.has(BLUE, 7, &[]);
    table.play(BLUE, place_on(16));
    assert_eq!(table.deniers(BLUE), 6);
    table.skip_turn();
    assert_eq!(
        table.count(BLUE, gamekeeper_rules::caylus::data::Resource::Gold),
        0
    );
    assert_eq!(table.state.road[space(16)].worker, None);
    assert_eq!(table.state.players[BLUE].workers, 6);
}

#[test]
fn cay_ac_31_only_the_acting_player_acts() {
    let table = Table::of(3);
    let before = table.state.clone();
    table.refuses(RED, &Action::PassTurn, "NOT_YOUR_TURN");
    assert_eq!(table.state, before);
}

#[test]
fn cay_ac_32_an_empty_space_takes_no_worker() {
    let table = Table::of(3);
    table.refuses(BLUE, place_on(9), "SPACE_EMPTY");
}

#[test]
fn cay_ac_33_a_residence_takes_no_worker() {
    let mut table = Table::of(3);
    table.built(2, Tile::Residence, RED);
    table.built(3, Tile::Statue, BLUE);
    table.refuses(BLUE, place_on(2), "SPACE_NOT_WORKABLE");
    table.refuses(BLUE, place_on(3), "SPACE_NOT_WORKABLE");
}

#[test]
fn cay_ac_34_a_building_takes_one_worker() {
    let mut table = Table::of(3);
    table.worker(7, RED);
    table.refuses(BLUE, place_on(7), "SPACE_OCCUPIED");
}

/// Four players, two have passed; green has this many deniers and owns the mason on 9.
fn price_three(deniers: u16) -> Table {
    let mut table = Table::of(4);
    table.built(9, Tile::Mason, GREEN);
    table.has(GREEN, deniers, &[]);
    table.placing([BLUE, RED], GREEN);
    table
}

#[test]
fn cay_ac_35_a_player_who_cannot_pay_three_may_use_their_own_building() {
    let mut table = price_three(2);
    table.refuses(GREEN, place(Target::Castle), "CANNOT_AFFORD");
    table.play(GREEN, place_on(9));
    assert_eq!(table.deniers(GREEN), 1);
}

#[test]
fn cay_ac_36_the_inn_makes_every_place_cost_one() {
    let mut table = price_three(1);
    table.inn_right(GREEN);
    table.placing([BLUE, RED], GREEN);
    table.play(GREEN, place(Target::Castle));
    assert_eq!(table.deniers(GREEN), 0);
}

#[test]
fn cay_ac_37_one_worker_of_each_player_in_the_castle() {
    let mut table = Table::of(3);
    table.in_castle([BLUE]);
    table.refuses(BLUE, place(Target::Castle), "ALREADY_IN_CASTLE");
}

#[test]
fn cay_ac_38_three_workers_of_three_players_in_the_stables() {
    let mut table = Table::of(4);
    for seat in [BLUE, RED, GREEN] {
        table.special(Special::Stables, seat);
    }
    table.placing([], ORANGE);
    table.refuses(ORANGE, place(STABLES), "STABLES_FULL");
    table.placing([], BLUE);
    table.refuses(BLUE, place(STABLES), "ALREADY_IN_STABLES");
}

#[test]
fn cay_ac_39_two_players_do_not_use_the_stables() {
    let mut table = Table::of(2);
    table.refuses(BLUE, place(STABLES), "STABLES_NOT_USED");
    table.special(Special::Gate, BLUE);
    table.specials();
    assert_eq!(table.pending(), Some((BLUE, Decision::GateRelocate)));
    table.refuses(BLUE, send(STABLES), "STABLES_NOT_USED");
}

#[test]
fn cay_ac_40_two_players_pay_three_after_the_other_passed() {
    let mut table = Table::of(2);
    table.has(RED, 3, &[]);
    table.placing([BLUE], RED);
    table.play(RED, place(Target::Castle));
    assert_eq!(table.state.castle.queue[..], [RED]);
    assert_eq!(table.deniers(RED), 0);

    let mut table = Table::of(2);
    table.has(RED, 2, &[]);
    table.placing([BLUE], RED);
    assert!(table.forced(RED, &Action::PassTurn));
    assert_eq!(table.pending(), Some((BLUE, Decision::BribeProvost)));
}

#[test]
fn cay_ac_41_a_player_without_deniers_must_pass() {
    let mut table = Table::of(3);
    table.has(BLUE, 0, &[]);
    table.placing([], BLUE);
    assert!(table.forced(BLUE, &Action::PassTurn));
    assert!(table.happened(&Event::Passed {
        seat: BLUE,
        bonus: 1
    }));
    assert_eq!(table.deniers(BLUE), 1);
    assert_eq!(table.pending(), Some((RED, Decision::PlaceWorker)));
    table.play(RED, &Action::PassTurn);
    table.play(GREEN, &Action::PassTurn);
    assert_eq!(table.state.phase, Phase::Provost);
}

#[test]
fn cay_ac_42_the_last_of_five_pays_five() {
    let mut table = Table::of(5);
    table.built(9, Tile::Mason, BLACK);
    table.has(BLACK, 6, &[]);
    table.placing([BLUE, RED, GREEN, ORANGE], BLACK);
    table.play(BLACK, place_on(1));
    assert_eq!(table.deniers(BLACK), 1);
    table.has(BLACK, 6, &[]);
    table.play(BLACK, place_on(9));
    assert_eq!(table.deniers(BLACK), 5);
}

/// CAY-6.4.1: round by round, skipping those who passed.
#[test]
fn placement_goes_round() {
    let mut table = Table::of(3);
    table.order([RED, GREEN, BLUE]);
    table.placing([], RED);
    let mut acted = Vec::new();
    for (number, passes) in (1..).zip([false, true, false, false, false, true, true]) {
        let (seat, _) = table.pending().unwrap();
        acted.push(seat);
        let action = if passes {
            Action::PassTurn
        } else {
            place_on(number)
        };
        table.play(seat, &action);
    }
    assert_eq!(acted, [RED, GREEN, BLUE, RED, BLUE, RED, BLUE]);
    assert_eq!(table.state.pass_order[..], [GREEN, RED, BLUE]);
    assert_eq!(table.state.phase, Phase::Provost);
}

/// CAY-10.28: in the inn, an opponent's building costs 1 and still gives its owner a point.
#[test]
fn the_inn_does_not_take_the_owners_point() {
    let mut table = price_three(5);
    table.inn_right(GREEN);
    table.built(10, Tile::Lawyer, RED);
    table.placing([BLUE, RED], GREEN);
    table.play(GREEN, place_on(10));
    assert_eq!((table.deniers(GREEN), table.vp(RED)), (4, 1));
}

/// CAY-14.1: hidden by forced passing in real games.
#[test]
fn without_workers_nobody_places() {
    let mut table = Table::of(3);
    table.player(BLUE).workers = 0;
    table.refuses(BLUE, place(Target::Castle), "NO_WORKERS");
    table.placing([], BLUE);
    assert!(table.forced(BLUE, &Action::PassTurn));
}
