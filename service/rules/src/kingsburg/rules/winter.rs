//! Phase 8, the battle (KIN-6.8). What a defeat costs is in `losses`.

use std::ops::ControlFlow;

use super::super::Log;
use super::super::action::Action;
use super::super::data::{Building, DIE_FACES, Good, Goods, Phase, YEARS};
use super::super::event::{Event, Outcome};
use super::super::pending::{Part, Stage};
use super::super::score;
use super::super::state::{Battle, PointSource, SeatSet, State};
use super::{Answer, Deed, known, losses, year};
use crate::table::{Chance, PerSeat, Seat, Visit};

/// The enemy is revealed, the King sends soldiers, and all outcomes are fixed.
///
/// # Rule KIN-6.100 to KIN-6.103
pub(in super::super) fn enter(state: &mut State, chance: &mut Chance, journal: &mut Log) {
    let enemy = state.enemy();
    state.peeked_by = SeatSet::EMPTY;
    journal.event(Event::EnemyRevealed { card: enemy });
    let king_die = send_soldiers(state, chance, journal);
    let players = &state.players;
    let seats = players.seats();
    let battle = Battle {
        enemy,
        king_die,
        strength: PerSeat::new(players.count(), |seat| strength(state, seat)),
        stone_walls: seats
            .filter(|&seat| players[seat].has(Building::StoneWall))
            .collect(),
    };
    for &seat in &state.order {
        journal.event(Event::StrengthCounted {
            seat,
            strength: battle.strength[seat],
            outcome: battle.outcome(seat),
        });
    }
    state.battle = Some(battle);
    state.stage = year::resolve(0);
}

/// Draw `king_die`: one die for all.
///
/// # Rule KIN-6.101
fn send_soldiers(state: &mut State, chance: &mut Chance, journal: &mut Log) -> u8 {
    let value: u8 = chance.roll("king_die", None, DIE_FACES, 1).iter().sum();
    for seat in state.players.seats() {
        state.players[seat].soldiers += u16::from(value);
    }
    if let Some(seat) = state.at(0) {
        journal.event(Event::KingDieRolled { seat, value });
    }
    value
}

/// Soldiers and buildings against this year's enemy.
///
/// # Rule KIN-6.102
fn strength(state: &State, seat: Seat) -> i16 {
    let player = &state.players[seat];
    let buildings = player.province.strength_against(state.enemy().card().kind);
    i16::try_from(player.soldiers).unwrap_or(i16::MAX - buildings.max(0)) + buildings
}

/// Gains and losses in turn order, part by part.
///
/// # Rule KIN-6.104, KIN-16.14
pub(in super::super) fn enter_resolve(
    state: &mut State,
    place: u8,
    part: Part,
    journal: &mut Log,
) -> ControlFlow<()> {
    let Some(seat) = state.at(place) else {
        state.stage = Stage::Strongest;
        return ControlFlow::Continue(());
    };
    let next = match part {
        Part::Card => match state.battle.as_ref().map(|battle| battle.outcome(seat)) {
            Some(Outcome::Victory) => Some(gain(state, seat, journal)),
            Some(Outcome::Defeat) => Some(losses::lose_named_goods(state, seat, journal)),
            Some(Outcome::Standoff) | None => None,
        },
        Part::RewardGood => return ControlFlow::Break(()),
        Part::Fortress => {
            score_fortress(state, seat, journal);
            None
        }
        Part::AnyGoods { goods } => return losses::enter_goods(state, seat, goods, journal),
        Part::Building => return losses::enter_building(state, seat, journal),
        Part::Points => {
            losses::lose_points(state, seat, journal);
            None
        }
    };
    state.stage = match next {
        Some(part) => Stage::Resolve { place, part },
        None => year::resolve(place + 1),
    };
    ControlFlow::Continue(())
}

/// The gain printed on the card; says what comes next.
fn gain(state: &mut State, seat: Seat, journal: &mut Log) -> Part {
    let reward = state.enemy().card().reward;
    let player = &mut state.players[seat];
    player.goods = player.goods.plus(reward.goods);
    player.score(PointSource::Enemies, i16::from(reward.vp));
    if !reward.goods.is_none() || reward.vp > 0 {
        journal.event(Event::EnemyRewarded {
            seat,
            goods: reward.goods,
            vp: reward.vp,
        });
    }
    match reward.any_goods {
        0 => Part::Fortress,
        _ => Part::RewardGood,
    }
}

/// Lists `choose_reward_good` for every kind.
pub(in super::super) fn candidates_reward(visit: &mut dyn FnMut(Action) -> Visit) -> Visit {
    Good::ALL
        .into_iter()
        .try_for_each(|good| visit(Action::ChooseRewardGood { good: Some(good) }))
}

/// Judges `choose_reward_good`.
pub(in super::super) fn check_reward(action: &Action) -> Answer {
    let Action::ChooseRewardGood { good } = *action else {
        return None;
    };
    Some(known(good).map(Deed::TakeReward))
}

/// Takes the good.
pub(super) fn perform_reward(state: &mut State, seat: Seat, good: Good, journal: &mut Log) {
    let player = &mut state.players[seat];
    player.goods = player.goods.plus(Goods::of(good, 1));
    journal.event(Event::RewardGoodChosen { seat, good });
    state.stage = Stage::Resolve {
        place: state.place_of(seat),
        part: Part::Fortress,
    };
}

/// # Rule KIN-7.16
fn score_fortress(state: &mut State, seat: Seat, journal: &mut Log) {
    let player = &mut state.players[seat];
    if player.has(Building::Fortress) {
        player.score(PointSource::Fortress, 1);
        journal.event(Event::FortressPoint { seat });
    }
}

/// Of all players, those with the greatest strength; of those, each who won gets a point.
///
/// # Rule KIN-6.107
pub(in super::super) fn enter_strongest(state: &mut State, journal: &mut Log) {
    if let Some(battle) = state.battle.take() {
        let greatest = battle.strength.iter().copied().max();
        for &seat in &state.order {
            let strongest = Some(battle.strength[seat]) == greatest;
            if strongest && battle.outcome(seat) == Outcome::Victory {
                state.players[seat].score(PointSource::Strongest, 1);
                journal.event(Event::StrongestPoint { seat });
            }
        }
        state.history.push(battle);
    }
    end_year(state, journal);
}

/// The soldiers go home; a new year, or the end of the game.
///
/// # Rule KIN-6.108, KIN-8.1
fn end_year(state: &mut State, journal: &mut Log) {
    for seat in state.players.seats() {
        state.players[seat].soldiers = 0;
    }
    journal.event(Event::YearEnded { year: state.year });
    if state.year < YEARS {
        state.year += 1;
        year::begin_phase(state, Phase::KingsAid, journal);
    } else {
        score::finish(state, journal);
    }
}
