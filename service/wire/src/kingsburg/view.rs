//! What one viewer may know of the table. `None` stays unset: hidden is not the same as empty.

use gamekeeper_rules::kingsburg::{
    BattleView, Building, Decision, DiePlace, DieView, EnemyView, EnvoyMode, EnvoyView, GroupView,
    PendingView, PlayerView, SeatResult, View,
};

use super::event::faces;
use super::{ids, options, pb};
use crate::names::{Name, names};
use crate::{seat_number, seat_numbers};

names! { EnvoyMode => pb::EnvoyMode { None, Undeclared, Advisor, SecondBuilding } }

pub(super) fn message(view: &View) -> pb::View {
    pb::View {
        options: Some(options::message(&view.options)),
        year: u32::from(view.year),
        phase: Name::number(view.phase),
        step: view.step.map_or(0, Name::number),
        turn_order: seat_numbers(&view.turn_order),
        players: view.players.iter().map(player).collect(),
        envoy: Some(envoy(&view.envoy)),
        court: view.court.iter().map(group).collect(),
        enemies: view.enemies.iter().map(enemy).collect(),
        peeked_by: seat_numbers(&view.peeked_by),
        battle: view.battle.as_ref().map(battle),
        history: view.history.iter().map(battle).collect(),
        question: view.pending.map(question),
        results: view.results.iter().map(result).collect(),
    }
}

fn player(player: &PlayerView) -> pb::PlayerView {
    pb::PlayerView {
        seat: seat_number(player.seat),
        color: player.color.number(),
        vp: i32::from(player.vp),
        goods: Some(ids::goods(player.goods)),
        plus2: u32::from(player.plus2),
        soldiers: u32::from(player.soldiers),
        rows: faces(&player.rows),
        buildings: buildings(&player.rows),
        aid_die: player.aid_die,
        dice: player.dice.iter().map(die).collect(),
        reroll_used: player.reroll_used,
        market_used: player.market_used,
        influence_done: player.influence_done,
        build_actions_left: u32::from(player.build_actions_left),
    }
}

/// The buildings that stand, from the lengths of the rows.
fn buildings(rows: &[u8]) -> Vec<i32> {
    let stands = |building: &Building| rows.get(building.row_index()) >= Some(&building.column());
    let standing = Building::ALL.into_iter().filter(stands);
    standing.map(Name::number).collect()
}

fn die(die: &DieView) -> pb::DieView {
    let (place, advisor) = match die.place {
        DiePlace::Pool => (pb::DiePlace::Pool, None),
        DiePlace::Court(advisor) => (pb::DiePlace::Court, Some(Name::number(advisor))),
        DiePlace::SetAside => (pb::DiePlace::SetAside, None),
    };
    pb::DieView {
        die: u32::from(die.die.number()),
        white: die.die.is_white(),
        value: u32::from(die.value),
        place: place as i32,
        advisor,
    }
}

fn envoy(envoy: &EnvoyView) -> pb::EnvoyView {
    pb::EnvoyView {
        holder: envoy.holder.map(seat_number),
        mode: envoy.mode.number(),
        declarer: envoy.declarer.map(seat_number),
        spent: envoy.spent,
    }
}

fn group(group: &GroupView) -> pb::GroupView {
    let dice = group.dice.iter();
    pb::GroupView {
        advisor: Name::number(group.advisor),
        owner: group.owner.map(seat_number),
        dice: dice.map(|die| u32::from(die.number())).collect(),
        values: faces(&group.values),
        plus2: u32::from(group.plus2),
        market_offset: i32::from(group.market_offset),
        via_envoy: group.via_envoy,
        sequence: u32::from(group.sequence),
    }
}

fn enemy(enemy: &EnemyView) -> pb::EnemyView {
    pb::EnemyView {
        year: u32::from(enemy.year),
        least_strength: u32::from(enemy.least),
        greatest_strength: u32::from(enemy.greatest),
        card: enemy.card.map(Name::number),
        revealed: enemy.revealed,
    }
}

fn battle(battle: &BattleView) -> pb::BattleView {
    let fighters = battle.fighters.iter().map(|fighter| pb::FighterView {
        seat: seat_number(fighter.seat),
        strength: i32::from(fighter.strength),
        outcome: fighter.outcome.number(),
    });
    pb::BattleView {
        card: Name::number(battle.card),
        king_die: u32::from(battle.king_die),
        fighters: fighters.collect(),
    }
}

fn question(pending: PendingView) -> pb::Question {
    let mut question = pb::Question {
        seat: seat_number(pending.seat),
        ..pb::Question::default()
    };
    let decision = match pending.decision {
        Decision::AidGood => pb::Decision::AidGood,
        Decision::EnvoyDeclaration => pb::Decision::EnvoyDeclaration,
        Decision::Reroll => pb::Decision::Reroll,
        Decision::SetAside => pb::Decision::SetAside,
        Decision::Influence => pb::Decision::Influence,
        Decision::HelpChoice { advisor } => {
            question.advisor = Some(Name::number(advisor));
            pb::Decision::HelpChoice
        }
        Decision::Build { actions_left } => {
            question.build_actions_left = Some(u32::from(actions_left));
            pb::Decision::Build
        }
        Decision::TownHall => pb::Decision::TownHall,
        Decision::Recruit { goods } => {
            question.goods = Some(u32::from(goods));
            pb::Decision::Recruit
        }
        Decision::RewardGood => pb::Decision::RewardGood,
        Decision::LossGoods { goods } => {
            question.goods = Some(u32::from(goods));
            pb::Decision::LossGoods
        }
        Decision::LossBuilding => pb::Decision::LossBuilding,
    };
    question.set_decision(decision);
    question
}

fn result(result: &SeatResult) -> pb::SeatResult {
    pb::SeatResult {
        seat: seat_number(result.seat),
        rank: u32::from(result.rank),
        vp: i32::from(result.vp),
        goods: u32::from(result.goods),
        buildings: u32::from(result.buildings),
    }
}

#[cfg(test)]
#[path = "view_tests.rs"]
mod tests;
