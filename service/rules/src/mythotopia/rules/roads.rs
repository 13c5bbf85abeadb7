//! Moving armies by road (MYT-6.6.1).

use super::actor::ActorContext;
use super::gate;
use crate::mythotopia::action::{Action, RoadMove};
use crate::mythotopia::data::{Piece, count};
use crate::mythotopia::data::{Province, ProvinceSet};
use crate::mythotopia::event::{Event, March};
use crate::mythotopia::refusal::{Refusal, RefusedAction, ensure, require_known};
use crate::mythotopia::stage::TurnMark;
use crate::mythotopia::state::ExecContext;
use crate::table::{ActionEnumerator, Refusal as _, Seat, VisitFlow};

/// Checks that these armies may march.
///
/// # Rule MYT-6.6.1, 14.9, 14.16
/// Once a turn, all at once, within a road network; only armies present before the move may leave.
pub fn check(actor: ActorContext, moves: &[RoadMove]) -> Result<Vec<March>, RefusedAction> {
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
            .citing("MYT-6.6.1"),
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
        ensure(needed <= u32::from(there), missing.citing("MYT-6.6.1"))?;
    }
    let march = |(&(from, to), step): (&(Province, Province), &RoadMove)| March {
        from_province: from,
        to_province: to,
        count: count(usize::try_from(step.count).unwrap_or(usize::MAX)),
    };
    Ok(pairs.iter().zip(moves).map(march).collect())
}

/// Checks that there are moves, each of some armies to another province, and each pair of provinces once.
fn well_formed(moves: &[RoadMove], pairs: &[(Province, Province)]) -> Result<(), RefusedAction> {
    ensure(
        !moves.is_empty(),
        Refusal::EmptyList { field: "moves" }.citing("MYT-6.6.1"),
    )?;
    for (index, (&(from, to), step)) in pairs.iter().zip(moves).enumerate() {
        let spot = Refusal::SameProvince { province: from };
        ensure(
            step.count > 0,
            Refusal::EmptyMove {
                from_province: from,
                to_province: to,
            }
            .citing("MYT-6.6.1"),
        )?;
        ensure(from != to, spot.citing("MYT-6.6.1"))?;
        let twice = pairs[..index].contains(&(from, to));
        ensure(
            !twice,
            Refusal::DuplicateMove {
                from_province: from,
                to_province: to,
            }
            .citing("MYT-6.6.1"),
        )?;
    }
    Ok(())
}

fn ends(moves: &[RoadMove]) -> Result<Vec<(Province, Province)>, RefusedAction> {
    moves
        .iter()
        .map(|step| {
            Ok((
                require_known(step.from_province, "moves")?,
                require_known(step.to_province, "moves")?,
            ))
        })
        .collect()
}

/// Moves the armies. All leave before any arrives.
pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, moves: Vec<March>) {
    let armies = &mut ctx.state.players[seat].armies;
    for step in &moves {
        armies.take(step.from_province, step.count);
    }
    for step in &moves {
        armies.add(step.to_province, step.count);
    }
    ctx.emit(Event::ArmiesMoved { seat, moves });
}

/// Lists marches: for each pair of provinces the largest, or every combination.
pub fn candidates(actor: ActorContext, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
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
    actor: ActorContext,
    steps: &mut Vec<(Province, Province, u32)>,
    list: &mut ActionEnumerator<'_, Action>,
) -> VisitFlow {
    for (index, &(from, to)) in pairs.iter().enumerate() {
        let gone: u32 = steps.iter().filter(|s| s.0 == from).map(|s| s.2).sum();
        let left = u32::from(actor.player().armies.at(from)) - gone;
        for count in 1..=left {
            steps.push((from, to, count));
            if steps.len() == 1 && count == left {
                list.visit(by_road(steps))?;
            } else {
                list.only_in_full(|list| list.visit(by_road(steps)))?;
            }
            list.only_in_full(|list| combinations(&pairs[index + 1..], actor, steps, list))?;
            steps.pop();
        }
    }
    VisitFlow::Continue(())
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
