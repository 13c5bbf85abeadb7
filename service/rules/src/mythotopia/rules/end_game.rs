//! Ending the game (MYT-6.5.16).

use std::cmp::Reverse;

use super::actor::ActorContext;
use super::{awards, gate, war};
use crate::mythotopia::data::{EMPTY_CARDS_TO_END, Province, count};
use crate::mythotopia::options::EndGameWars;
use crate::mythotopia::refusal::{Refusal, RefusedAction, ensure};
use crate::mythotopia::stage::{Side, Stage, WarEnd};
use crate::mythotopia::state::{ExecContext, State, strongest};
use crate::table::{Chance, Journal, Refusal as _, Seat};

/// Checks that the game may be ended.
///
/// # Rule MYT-6.5.16, 10.22
/// Four point cards are empty now, and the actor leads alone once all wars are over.
pub fn check(actor: ActorContext) -> Result<(), RefusedAction> {
    gate::first_action(actor)?;
    let state = actor.state;
    let empty = state
        .in_play
        .iter()
        .filter(|&card| state.is_empty_card(card));
    let empty = empty.count();
    let enough = empty >= EMPTY_CARDS_TO_END;
    ensure(
        enough,
        Refusal::NotEnoughEmptyCards {
            empty: count(empty),
            needed: count(EMPTY_CARDS_TO_END),
        }
        .citing("MYT-6.5.16"),
    )?;
    let last = last_table(state, actor.seat);
    let points = last.points(actor.seat);
    let others = actor.seat.others(last.players.count());
    let others = others.map(|other| (last.points(other), other));
    // The first of several equally good ones.
    match others.min_by_key(|&(points, _)| Reverse(points)) {
        Some((others, rival)) if others >= points => Err(Refusal::NotStrictLeader {
            points,
            rival,
            rival_points: others,
        }
        .citing("MYT-6.5.16")),
        Some(_) | None => Ok(()),
    }
}

/// A copy of the table on which all wars are over.
///
/// The cards drawn in the process do not affect the points, so the copy needs no random draws (MYT-14.15).
fn last_table(state: &State, seat: Seat) -> State {
    let mut copy = state.clone();
    let mut ctx = ExecContext {
        state: &mut copy,
        chance: &mut Chance::scripted([]),
        journal: &mut Journal::new(),
    };
    resolve_wars(&mut ctx, seat);
    copy
}

/// Ends the game.
pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat) {
    resolve_wars(ctx, seat);
    ctx.state.stage = Stage::Over;
}

/// # Rule MYT-6.5.16
/// Resolves wars in ascending order of provinces, without choices of token sources.
fn resolve_wars(ctx: &mut ExecContext<'_>, seat: Seat) {
    for province in ctx.state.wars().iter() {
        let verdict = war::Verdict {
            province,
            end: WarEnd::EndOfGame,
            winner: winner(ctx.state, province),
        };
        war::conclude(ctx, seat, &verdict);
        awards::settle(ctx, awards::SourceChooser::Nobody);
    }
}

/// # Rule MYT-6.5.16, A2
/// The strongest side, the defender in a tie; with the switch always the defender.
fn winner(state: &State, province: Province) -> Side {
    let defender = state.defender(province);
    match state.switches.end_game_wars {
        EndGameWars::DefenderWins => defender,
        EndGameWars::ByStrength => match strongest(&state.strengths(province)).as_slice() {
            &[winner] => winner,
            _ => defender,
        },
    }
}
