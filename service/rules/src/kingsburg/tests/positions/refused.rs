//! Described tables on which no game can begin, each with the rule that it breaks and the path of the field.

#![expect(clippy::too_many_lines, reason = "a row for each broken table")]

use gamekeeper_rules::kingsburg::action::EnvoyUse;
use gamekeeper_rules::kingsburg::data::{Advisor, DieId, Enemy, Phase};
use gamekeeper_rules::kingsburg::view::{Bookkeeping, PointsView, View};
use gamekeeper_rules::table::Seat;

use super::described::{Described, TestDescription as _};
use crate::table::*;

fn recruiting() -> Described {
    Described::of(3, 2, Phase::Recruit)
        .goods(EVA, (2, 0, 0))
        .asks(EVA, "recruit")
}

fn influencing() -> Described {
    Described::of(2, 2, Phase::Autumn)
        .dice(EVA, &[1, 4, 6])
        .set_aside(EVA, DieId::Own2)
        .group(EVA, Advisor::Jester, &[DieId::Own0])
        .dice(ANNA, &[2, 4, 6])
        .set_aside(ANNA, DieId::Own2)
        .neutral(Advisor::Sergeant, &[1, 2, 2])
        .asks(EVA, "influence")
}

fn fighting() -> Described {
    Described::of(2, 4, Phase::Winter)
        .goods(EVA, (2, 1, 3))
        .battle(Enemy::Y4Demons6, 1)
        .asks(EVA, "loss_goods")
}

/// KIN-5.10, KIN-INV-2, KIN-INV-3.
#[test]
fn numbers_have_bounds() {
    let table = recruiting();
    table.broken_by(|view| view.year = 6, "KIN-5.10", "year");
    table.broken_by(|view| view.turn_order[0] = ANNA, "KIN-INV-3", "turn_order");
    table.broken_by(
        |view| view.players[1].goods.wood = 130,
        "KIN-5.10",
        "players[1].goods",
    );
    table.broken_by(
        |view| view.players[1].plus2 = 51,
        "KIN-5.10",
        "players[1].plus2",
    );
    table.broken_by(
        |view| view.players[2].soldiers = 301,
        "KIN-5.10",
        "players[2].soldiers",
    );
    table.broken_by(
        |view| view.players[2].rows[4] = 5,
        "KIN-INV-2",
        "players[2].rows[4]",
    );
    table.broken_by(|view| view.players[0].vp = -17, "KIN-5.10", "players[0].vp");
    let points = |view: &mut View| {
        let points = |seat| PointsView {
            seat,
            advisors: 0,
            kings_reward: 6,
            town_hall: 0,
            embassy: 0,
            enemies: 0,
            fortress: 0,
            strongest: 0,
            cathedral: 0,
        };
        let points = Seat::all(3).map(points).collect();
        view.bookkeeping = Some(Bookkeeping {
            points,
            ..Bookkeeping::default()
        });
    };
    table.broken_by(points, "KIN-5.10", "bookkeeping.points[0].kings_reward");
}

/// KIN-5.1: lists have a row for each seat, and no other seats.
#[test]
fn seats_are_those_of_the_table() {
    let table = recruiting();
    table.broken_by(|view| view.players.truncate(1), "KIN-5.1", "players");
    table.broken_by(|view| view.players.swap(0, 1), "KIN-5.1", "players");
    table.broken_by(
        |view| view.pending[0].seat = BELA,
        "KIN-5.1",
        "bookkeeping.open[0].seat",
    );
    table.broken_by(
        |view| view.peeked_by = vec![EVA, EVA],
        "KIN-5.8",
        "peeked_by[1]",
    );
    table.broken_by(
        |view| view.peeked_by = vec![BELA],
        "KIN-5.1",
        "peeked_by[0]",
    );
    table.broken_by(
        |view| view.history[0].fighters.truncate(1),
        "KIN-6.102",
        "history[0].fighters",
    );
}

/// KIN-5.11.
#[test]
fn the_decision_fits_the_table() {
    let table = recruiting();
    table.broken_by(|view| view.pending.clear(), "KIN-6.1", "bookkeeping.open");
    table.broken_by(
        |view| view.pending[0].decision = "dance",
        "KIN-5.11",
        "bookkeeping.open[0].decision",
    );
    table.broken_by(
        |view| view.pending[0].decision = "build",
        "KIN-3.7",
        "phase",
    );
    let reroll = Described::of(3, 2, Phase::Summer)
        .rows(EVA, [1, 0, 0, 0, 0])
        .dice(EVA, &[3, 3, 3])
        .dice(ANNA, &[1, 1, 1])
        .dice(DAVID, &[6, 5, 4])
        .asks(EVA, "reroll");
    reroll.broken_by(
        |view| view.players[0].dice[0].value = 2,
        "KIN-6.33",
        "bookkeeping.open[0]",
    );
    reroll.broken_by(
        |view| view.players[0].reroll_used = true,
        "KIN-6.33",
        "players[0].reroll_used",
    );
    let hall = Described::of(3, 2, Phase::Summer)
        .rows(EVA, [0, 0, 0, 0, 3])
        .asks(EVA, "town_hall");
    hall.broken_by(
        |view| view.players[0].rows[4] = 2,
        "KIN-6.70",
        "bookkeeping.open[0]",
    );
    let building = Described::of(3, 2, Phase::Summer).asks(EVA, "build");
    let twice = |view: &mut View| {
        view.question = Some(gamekeeper_rules::kingsburg::Question {
            build_actions_left: Some(2),
            ..Default::default()
        });
    };
    building.broken_by(twice, "KIN-6.60", "question.build_actions_left");
    let aided = Described::of(2, 4, Phase::KingsAid).asks(EVA, "aid_good");
    aided.broken_by(
        |view| view.players[0].goods.gold = 1,
        "KIN-6.12",
        "bookkeeping.aided",
    );
}

/// KIN-5.12.
#[test]
fn dice_and_groups_fit_the_season() {
    let table = influencing();
    table.broken_by(
        |view| view.players[0].dice[1].value = 7,
        "KIN-5.7",
        "players[0].dice[1].value",
    );
    table.broken_by(
        |view| view.players[0].dice[1].value = 6,
        "KIN-6.35",
        "turn_order",
    );
    table.broken_by(
        |view| view.players[0].dice.truncate(2),
        "KIN-INV-7",
        "players[0].dice",
    );
    table.broken_by(
        |view| view.players[1].dice[1].die = DieId::Own0,
        "KIN-INV-4",
        "players[1].dice[1].die",
    );
    table.broken_by(
        |view| view.players[0].market_used = true,
        "KIN-6.43",
        "players[0].market_used",
    );
    table.broken_by(
        |view| view.players[0].influence_done = true,
        "KIN-6.40",
        "bookkeeping.open[0]",
    );
    table.broken_by(
        |view| view.court[0].advisor = Advisor::Queen,
        "KIN-INV-6",
        "court[0].advisor",
    );
    table.broken_by(
        |view| view.court[0].plus2 = 2,
        "KIN-INV-6",
        "court[0].plus2",
    );
    table.broken_by(
        |view| view.court[0].market_offset = 1,
        "KIN-INV-6",
        "court[0].market_offset",
    );
    table.broken_by(
        |view| view.court[0].dice = vec![DieId::Own2],
        "KIN-INV-6",
        "court[0].dice",
    );
    table.broken_by(
        |view| view.court[0].owner = Some(DAVID),
        "KIN-5.1",
        "court[0].owner",
    );
    table.broken_by(
        |view| view.court[0].via_envoy = true,
        "KIN-INV-5",
        "court[0].via_envoy",
    );
    table.broken_by(
        |view| view.court[1].values = vec![5],
        "KIN-6.25",
        "court[1].values",
    );
    table.broken_by(|view| drop(view.court.pop()), "KIN-6.25", "court");
    table.broken_by(
        |view| view.players[0].aid_die = true,
        "KIN-INV-8",
        "players[0].aid_die",
    );
    let envoy = table.clone().envoy(EVA, EnvoyUse::Advisor);
    envoy.broken_by(|view| view.phase = Phase::Summer, "KIN-16.1", "envoy");
    envoy.broken_by(|view| view.envoy.spent = true, "KIN-16.1", "envoy");
    envoy.broken_by(
        |view| view.envoy.declarer = None,
        "KIN-16.1",
        "envoy.declarer",
    );
    let aside = |view: &mut View| {
        view.players[1].dice[2].place = gamekeeper_rules::kingsburg::DiePlace::Pool;
    };
    table.broken_by(aside, "KIN-6.37", "players[1].dice");
    let spring = table.with(|view| view.phase = Phase::Spring);
    spring.broken_by(
        |view| view.players[1].soldiers = 1,
        "KIN-INV-11",
        "players[1].soldiers",
    );
    spring.broken_by(|view| view.peeked_by = vec![EVA], "KIN-6.54", "peeked_by");
}

/// KIN-5.13.
#[test]
fn battles_fit_the_year() {
    let table = fighting();
    table.broken_by(|view| view.battle = None, "KIN-16.15", "battle");
    table.broken_by(|view| drop(view.history.pop()), "KIN-16.15", "history");
    table.broken_by(
        |view| view.history[1].card = Enemy::Y1Orcs3,
        "KIN-INV-14",
        "history[1].card",
    );
    table.broken_by(
        |view| view.history[1].king_die = 0,
        "KIN-6.101",
        "history[1].king_die",
    );
    table.broken_by(
        |view| view.history[0].fighters[1].strength = -1,
        "KIN-5.10",
        "history[0].fighters[1].strength",
    );
    table.broken_by(
        |view| view.players[1].soldiers = 0,
        "KIN-6.101",
        "players[1].soldiers",
    );
    let counted = |view: &mut View| {
        let battle = view.battle.as_mut().unwrap();
        battle.fighters.clone_from(&view.history[0].fighters);
        battle.fighters[1].strength = 3;
    };
    table.broken_by(counted, "KIN-6.102", "battle.fighters[1].strength");
    let strong = |view: &mut View| view.players[0].soldiers = 9;
    table.broken_by(strong, "KIN-5.11", "bookkeeping.open[0].decision");
    table.broken_by(
        |view| view.pending[0].decision = "loss_building",
        "KIN-5.11",
        "bookkeeping.open[0].decision",
    );
    table.broken_by(
        |view| view.pending[0].decision = "reward_good",
        "KIN-5.11",
        "bookkeeping.open[0].decision",
    );
    let enemies = |view: &mut View| {
        let enemies = Described::of(2, 4, Phase::Winter)
            .enemy(Enemy::Y5Demons8)
            .view
            .enemies
            .clone();
        view.enemies = enemies;
    };
    table.broken_by(enemies, "KIN-INV-14", "enemies[3].card");
    let recruiting = recruiting();
    recruiting.broken_by(
        |view| view.battle = view.history.first().cloned(),
        "KIN-INV-14",
        "battle.card",
    );
}
