//! Phases 3 and 4 (CAY-6.5, CAY-6.6).

use super::table::*;
use gamekeeper_rules::caylus::action::{Action, Target};
use gamekeeper_rules::caylus::data::{FavorLine, Resource, Space, Special, Tile};
use gamekeeper_rules::caylus::event::Event;
use gamekeeper_rules::caylus::rules::placement::price;
use gamekeeper_rules::caylus::stage::{Decision, Phase};

#[test]
fn cay_ac_7_the_stables_change_the_turn_order() {
    let mut table = Table::of(4);
    table.order([RED, GREEN, ORANGE, BLUE]);
    table.special(Special::Stables, BLUE);
    table.special(Special::Stables, RED);
    table.specials();
    assert_eq!(table.state.turn_order[..], [BLUE, RED, GREEN, ORANGE]);
    assert!(table.state.special.stables.is_empty());
    assert!(table.state.players.iter().all(|player| player.workers == 6));
}

#[test]
fn cay_ac_8_the_left_worker_of_the_inn_moves_to_the_right() {
    let mut table = Table::of(4);
    table.special(Special::Inn, GREEN);
    table.inn_right(BLUE);
    table.specials();
    assert!(table.happened(&Event::InnChanged {
        returned: Some(BLUE),
        right: Some(GREEN)
    }));
    assert_eq!(table.state.special.inn_left, None);
    assert_eq!(table.pending(), Some((BLUE, Decision::BribeProvost)));
    table.skip_turn();
    assert_eq!(table.state.players[GREEN].workers, 5);
    assert_eq!(table.state.players[BLUE].workers, 6);
    table.placing([RED, ORANGE], BLUE);
    assert_eq!(price(&table.state, BLUE, Target::Castle), 3);
    assert_eq!(price(&table.state, GREEN, Target::Castle), 1);
}

#[test]
fn cay_ac_9_bribes_in_the_order_of_passing() {
    let mut table = Table::of(4);
    for seat in [BLUE, ORANGE, RED, GREEN] {
        table.has(seat, 5, &[]);
    }
    table.worker(5, BLUE);
    table.worker(6, RED);
    table.bribing([BLUE, ORANGE, RED, GREEN]);
    assert_eq!(table.state.provost, space(6));
    table.play(BLUE, provost(0));
    table.play(ORANGE, provost(-2));
    table.play(RED, provost(2));
    table.play(GREEN, provost(-1));
    let deniers = [BLUE, ORANGE, RED, GREEN].map(|seat| table.deniers(seat));
    assert_eq!(deniers, [5, 3, 3, 4]);
    assert_eq!(table.state.provost, space(5));
    let farm = Decision::UseBuilding { space: space(5) };
    assert_eq!(table.pending(), Some((BLUE, farm)));
    table.play(BLUE, produce(0));
    assert_eq!(table.count(BLUE, Resource::Food), 1);
    assert_eq!(table.count(RED, Resource::Wood), 0);
    assert_eq!(table.state.players[RED].workers, 6);
}

fn gate() -> Table {
    let mut table = Table::of(3);
    table.built(9, Tile::Mason, RED);
    table.special(Special::Gate, GREEN);
    table.has(GREEN, 1, &[(1, Resource::Cloth)]);
    table.specials();
    assert_eq!(table.pending(), Some((GREEN, Decision::GateRelocate)));
    table
}

#[test]
fn cay_ac_43_the_gate_leads_to_the_joust_field() {
    let mut table = gate();
    table.play(GREEN, send(Target::Special(Special::JoustField)));
    assert_eq!(table.deniers(GREEN), 1);
    assert_eq!(table.pending(), Some((GREEN, Decision::Joust)));
    assert_eq!(table.state.phase, Phase::Special);
}

#[test]
fn cay_ac_44_the_gate_leads_to_another_players_building() {
    let mut table = gate();
    let gate = send(Target::Special(Special::Gate));
    table.refuses(GREEN, &gate, "SPACE_OCCUPIED");
    assert!(table.allows(GREEN, &Action::RecallGateWorker));
    table.play(GREEN, send(Target::Road(space(9))));
    assert_eq!((table.deniers(GREEN), table.vp(RED)), (1, 1));
    assert_eq!(table.state.road[space(9)].worker, Some(GREEN));
}

#[test]
fn cay_ac_45_the_gate_leads_once_to_the_castle() {
    let mut table = gate();
    table.in_castle([GREEN]);
    table.refuses(GREEN, send(Target::Castle), "ALREADY_IN_CASTLE");
}

#[test]
fn cay_ac_46_the_guild_moves_the_provost_within_the_road() {
    let mut table = Table::of(3);
    table.officials(6, 2);
    table.special(Special::MerchantsGuild, BLUE);
    table.specials();
    assert_eq!(table.pending(), Some((BLUE, Decision::GuildMove)));
    table.refuses(BLUE, provost(-2), "PROVOST_OUT_OF_RANGE");
    table.refuses(BLUE, provost(4), "PROVOST_MOVE_TOO_LONG");
    table.play(BLUE, provost(-1));
    assert_eq!(
        (table.state.provost, table.deniers(BLUE)),
        (Space::FIRST, 20)
    );
    assert_eq!(table.state.players[BLUE].workers, 6);
}

#[test]
fn cay_ac_47_bribes_end_with_the_road_and_with_the_money() {
    let mut table = Table::of(3);
    table.officials(20, 27);
    table.has(BLUE, 2, &[]);
    table.bribing([BLUE, RED, GREEN]);
    table.refuses(BLUE, provost(2), "PROVOST_OUT_OF_RANGE");
    table.refuses(BLUE, provost(-3), "CANNOT_AFFORD");
    table.play(BLUE, provost(1));
    assert_eq!((table.state.provost, table.deniers(BLUE)), (Space::LAST, 1));
}

#[test]
fn cay_ac_48_a_player_who_cannot_pay_does_not_joust() {
    let mut table = Table::of(3);
    table.special(Special::JoustField, BLUE);
    table.has(BLUE, 1, &[]);
    table.specials();
    assert!(table.forced(BLUE, &Action::Joust { accept: false }));
    assert_eq!(table.state.special.joust_field, None);
    assert_eq!(table.state.players[BLUE].workers, 6);
}

#[test]
fn cay_ac_85_a_worker_stays_in_the_inn() {
    let mut table = Table::of(3);
    table.inn_right(BLUE);
    table.specials();
    assert_eq!(table.pending(), Some((BLUE, Decision::InnStay)));
    table.play(BLUE, &Action::InnChoice { stay: true });
    table.skip_turn();
    assert_eq!(table.state.special.inn_right, Some(BLUE));
    assert_eq!(table.state.players[BLUE].workers, 5);
    table.placing([RED, GREEN], BLUE);
    assert_eq!(price(&table.state, BLUE, Target::Castle), 1);
}

#[test]
fn a_worker_leaves_the_inn() {
    let mut table = Table::of(3);
    table.inn_right(BLUE);
    table.specials();
    table.play(BLUE, &Action::InnChoice { stay: false });
    assert_eq!(table.state.special.inn_right, None);
    assert_eq!(table.state.players[BLUE].workers, 6);
}

#[test]
fn cay_ac_86_both_workers_in_the_inn_may_belong_to_one_player() {
    let mut table = Table::of(3);
    table.special(Special::Inn, BLUE);
    table.inn_right(BLUE);
    assert_eq!(table.state.players[BLUE].workers, 4);
    table.specials();
    assert_eq!(table.state.special.inn_left, None);
    assert_eq!(table.state.special.inn_right, Some(BLUE));
    table.skip_turn();
    assert_eq!(table.state.players[BLUE].workers, 5);
}

#[test]
fn cay_ac_94_the_gate_leads_into_the_inn_beside_oneself() {
    let mut table = gate();
    table.inn_right(GREEN);
    table.play(GREEN, send(Target::Special(Special::Inn)));
    assert_eq!(table.state.special.inn_left, None);
    assert_eq!(table.state.special.inn_right, Some(GREEN));
    assert_eq!(table.state.players[GREEN].workers, 5);
}

/// CAY-10.23: the gate's worker takes the next circle and counts this turn.
#[test]
fn the_gate_leads_into_the_stables() {
    let mut table = gate();
    table.special(Special::Stables, RED);
    table.play(GREEN, send(Target::Special(Special::Stables)));
    assert_eq!(table.state.turn_order[..], [RED, GREEN, BLUE]);
}

#[test]
fn the_trading_post_gives_three_deniers() {
    let mut table = Table::of(3);
    table.special(Special::TradingPost, BLUE);
    table.specials();
    assert_eq!(table.deniers(BLUE), 23);
    assert_eq!(table.state.players[BLUE].workers, 6);
}

/// CAY-6.5.4: a favor for 1 denier and 1 cloth; the worker is home before it is used.
#[test]
fn a_joust_buys_a_favor() {
    let mut table = Table::of(3);
    table.special(Special::JoustField, BLUE);
    table.has(BLUE, 3, &[(1, Resource::Cloth)]);
    table.specials();
    table.play(BLUE, &Action::Joust { accept: true });
    assert_eq!(table.deniers(BLUE), 2);
    assert_eq!(table.count(BLUE, Resource::Cloth), 0);
    assert_eq!(table.pending(), Some((BLUE, Decision::TakeFavor)));
    assert_eq!(table.state.players[BLUE].workers, 6);
    assert_eq!(table.state.cursor, 3);
    table.play(BLUE, favor(FavorLine::Deniers, 1));
    assert_eq!(table.deniers(BLUE), 5);
}

/// CAY-6.1.2: a bribe with 0 deniers is no choice.
#[test]
fn a_player_without_deniers_leaves_the_provost_alone() {
    let mut table = Table::of(3);
    table.has(BLUE, 0, &[]);
    table.bribing([BLUE, RED, GREEN]);
    assert!(table.forced(BLUE, provost(0)));
    assert_eq!(table.pending(), Some((RED, Decision::BribeProvost)));
}
