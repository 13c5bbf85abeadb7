//! **Greedy lookahead**: the further actions of a seat in this round, as if the others waited for it. They seldom
//! prevent these actions, and there is no luck, so one such line tells more than many playouts in which all players
//! move. Only factions are compared by whole games: what another seat makes of one that is left to it counts as well.

use std::ops::ControlFlow;

use super::TerraMystica;
use super::appeal::{NOWHERE, appeal};
use super::figures::{AT_ONCE, PLAYED_OUT};
use super::judge;
use crate::bots::{Heuristics as _, state_after};
use crate::ruleset::visit_legal_from;
use crate::table::{ActionCursor, Chance, Detail, Seat, Wanted};
use crate::terra_mystica::action::Action;
use crate::terra_mystica::stage::{Decision, Stage};
use crate::terra_mystica::state::{State, Turn};

/// The value of an action with the best actions that can follow it. A share of it is the immediate value, since the
/// others may come between.
pub(super) fn foresee(
    world: &State,
    seat: Seat,
    action: &Action,
    horizon: u32,
    luck: &Chance,
) -> i32 {
    let at_once = appeal(world, seat, action, luck);
    let passes = matches!(action, Action::PassTurn { .. });
    if at_once == NOWHERE || passes {
        return at_once;
    }
    if let Action::ChooseFaction { .. } = action {
        return rate_faction(world, seat, action, at_once, luck);
    }
    if world.stage != Stage::Action {
        return at_once;
    }
    let Some(mut state) = state_after::<TerraMystica>(world, seat, action, luck) else {
        return NOWHERE;
    };
    let mut value = at_once;
    for _ in 0..horizon {
        if state.stage != Stage::Action || state.round != world.round || state.has_passed(seat) {
            break;
        }
        wait(&mut state, seat, luck);
        let Some((next, best)) = most_appealing(&state, seat, luck) else {
            break;
        };
        value = best;
        if matches!(next, Action::PassTurn { .. }) {
            break;
        }
        let Some(then) = state_after::<TerraMystica>(&state, seat, &next, luck) else {
            break;
        };
        state = then;
    }
    blend(at_once, AT_ONCE.at(0), value)
}

/// Returns the first value by this percentage, and the second by the rest.
const fn blend(value: i32, percent: i32, other: i32) -> i32 {
    (value * percent + other * (100 - percent)) / 100
}

/// The value of a faction: its rating, and the lead of the seat at the end of a game in which all play by appeal.
fn rate_faction(world: &State, seat: Seat, action: &Action, rating: i32, luck: &Chance) -> i32 {
    let Some(mut state) = state_after::<TerraMystica>(world, seat, action, luck) else {
        return NOWHERE;
    };
    while let Some((next, _)) = state.pending() {
        let best = most_appealing(&state, next, luck);
        let after =
            best.and_then(|(best, _)| state_after::<TerraMystica>(&state, next, &best, luck));
        let Some(after) = after else {
            break;
        };
        state = after;
    }
    let others = seat.others(state.seats());
    let best = others.map(|other| judge(&state, other)).max();
    let lead = judge(&state, seat) - best.unwrap_or(0);
    blend(lead, PLAYED_OUT.at(0), rating)
}

/// Lets the others answer the offers of power and do nothing else, until it is the seat's turn again.
fn wait(state: &mut State, seat: Seat, luck: &Chance) {
    while let Some((other, decision)) = state.pending()
        && other != seat
    {
        let answered = (decision == Decision::PowerDecision)
            .then(|| most_appealing(state, other, luck))
            .flatten()
            .and_then(|(best, _)| state_after::<TerraMystica>(state, other, &best, luck));
        match answered {
            Some(answered) => *state = answered,
            None => state.turn = Turn::of(seat),
        }
    }
}

/// The action with the highest appeal, and its appeal. Conversions are left out, since they lead to nothing by
/// themselves.
fn most_appealing(state: &State, seat: Seat, luck: &Chance) -> Option<(Action, i32)> {
    let (mut best, mut most) = (None, NOWHERE);
    let wanted = Wanted {
        detail: Detail::Moves,
        kinds: TerraMystica::PLAYOUT_KINDS,
    };
    let from = (ActionCursor::default(), u32::MAX);
    let _all = visit_legal_from::<TerraMystica>(state, seat, wanted, from, &mut |action| {
        let value = appeal(state, seat, &action, luck);
        if value > most {
            (best, most) = (Some(action), value);
        }
        ControlFlow::Continue(())
    });
    best.map(|action| (action, most))
}
