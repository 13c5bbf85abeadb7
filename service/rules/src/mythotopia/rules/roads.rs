//! Moving armies by road (MYT-6.6.1).

use super::actor::Actor;
use super::gate;
use crate::mythotopia::action::{Action, RoadMove};
use crate::mythotopia::data::{Piece, count};
use crate::mythotopia::data::{Province, ProvinceSet};
use crate::mythotopia::event::{Event, March};
use crate::mythotopia::refusal::{No, Refusal, ensure, known};
use crate::mythotopia::stage::TurnMark;
use crate::mythotopia::state::Play;
use crate::table::{Lister, Refusal as _, Seat, Visit};

/// Checks that these armies may march.
///
/// # Rule MYT-6.6.1, 14.9, 14.16
/// Once a turn, all at once, within a road network; only armies present before the move may leave.
pub fn check(actor: Actor, moves: &[RoadMove]) -> Result<Vec<March>, No> {
    let pairs = ends(moves)?;
    well_formed(moves, &pairs)?;
    gate::once(actor, TurnMark::RoadMove, "MYT-6.6.1")?;
    for &(from, to) in &pairs {
        let joined = actor.state.network(actor.seat, from).contains(to);
        ensure(
            joined,
            Refusal::NotConnectedByRoad {
                from_province: from,
                to_province: to,
            }
            .at("MYT-6.6.1"),
        )?;
    }
    let leaving = |province| {
        let steps = pairs.iter().zip(moves);
        let steps = steps.filter(|((from, _), _)| *from == province);
        steps.fold(0, |sum: u32, (_, step)| sum.saturating_add(step.count))
    };
    for &(from, _) in &pairs {
        let (there, needed) = (actor.player().armies.at(from), leaving(from));
        let missing = Refusal::NoArmyPresent {
            province: from,
            owner: None,
            piece: Piece::Army,
            there,
            needed,
        };
        ensure(needed <= u32::from(there), missing.at("MYT-6.6.1"))?;
    }
    let march = |(&(from, to), step): (&(Province, Province), &RoadMove)| March {
        from_province: from,
        to_province: to,
        count: count(usize::try_from(step.count).unwrap_or(usize::MAX)),
    };
    Ok(pairs.iter().zip(moves).map(march).collect())
}

/// Checks that there are moves, each of some armies to another province, and each pair of provinces once.
fn well_formed(moves: &[RoadMove], pairs: &[(Province, Province)]) -> Result<(), No> {
    ensure(
        !moves.is_empty(),
        Refusal::EmptyList { field: "moves" }.at("MYT-6.6.1"),
    )?;
    for (place, (&(from, to), step)) in pairs.iter().zip(moves).enumerate() {
        let spot = Refusal::SameProvince { province: from };
        ensure(
            step.count > 0,
            Refusal::EmptyMove {
                from_province: from,
                to_province: to,
            }
            .at("MYT-6.6.1"),
        )?;
        ensure(from != to, spot.at("MYT-6.6.1"))?;
        let twice = pairs[..place].contains(&(from, to));
        ensure(
            !twice,
            Refusal::DuplicateMove {
                from_province: from,
                to_province: to,
            }
            .at("MYT-6.6.1"),
        )?;
    }
    Ok(())
}

fn ends(moves: &[RoadMove]) -> Result<Vec<(Province, Province)>, No> {
    moves
        .iter()
        .map(|step| {
            Ok((
                known(step.from_province, "moves")?,
                known(step.to_province, "moves")?,
            ))
        })
        .collect()
}

/// Moves the armies. All leave before any arrives.
pub fn perform(play: &mut Play<'_>, seat: Seat, moves: Vec<March>) {
    let armies = &mut play.state.players[seat].armies;
    for step in &moves {
        armies.take(step.from_province, step.count);
    }
    for step in &moves {
        armies.add(step.to_province, step.count);
    }
    play.tell(Event::ArmiesMoved { seat, moves });
}

/// Lists marches: for each pair of provinces the largest, or every combination.
pub fn candidates(actor: Actor, list: &mut Lister<'_, Action>) -> Visit {
    let player = actor.player();
    let mut pairs = Vec::new();
    for from in (player.armies.provinces() & player.controlled()).iter() {
        let others = actor.state.network(actor.seat, from) - ProvinceSet::only(from);
        pairs.extend(others.iter().map(|to| (from, to)));
    }
    combinations(&pairs, actor, &mut Vec::new(), list)
}

fn combinations(
    pairs: &[(Province, Province)],
    actor: Actor,
    steps: &mut Vec<(Province, Province, u32)>,
    list: &mut Lister<'_, Action>,
) -> Visit {
    for (place, &(from, to)) in pairs.iter().enumerate() {
        let gone: u32 = steps.iter().filter(|s| s.0 == from).map(|s| s.2).sum();
        let left = u32::from(actor.player().armies.at(from)) - gone;
        for count in 1..=left {
            steps.push((from, to, count));
            if steps.len() == 1 && count == left {
                list.visit(by_road(steps))?;
            } else {
                list.beyond(|list| list.visit(by_road(steps)))?;
            }
            list.beyond(|list| combinations(&pairs[place + 1..], actor, steps, list))?;
            steps.pop();
        }
    }
    Visit::Continue(())
}

fn by_road(steps: &[(Province, Province, u32)]) -> Action {
    let moves = steps.iter().map(|&(from, to, count)| RoadMove {
        from_province: Some(from),
        to_province: Some(to),
        count,
    });
    Action::MoveArmiesByRoad {
        moves: moves.collect(),
    }
}
