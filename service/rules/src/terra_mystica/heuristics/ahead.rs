//! **Greedy lookahead**: the further actions of a seat in this round, as if the others waited for it. They seldom
//! prevent these actions, and there is no luck, so one such line tells more than many playouts in which all players
//! move.

use std::ops::ControlFlow;

use super::TerraMystica;
use super::appeal::{NOWHERE, appeal};
use super::figures::{AT_ONCE, LINE};
use crate::bots::{Heuristics as _, state_after};
use crate::ruleset::visit_legal_from;
use crate::table::{ActionCursor, Chance, Detail, Seat, Wanted};
use crate::terra_mystica::action::Action;
use crate::terra_mystica::stage::{Decision, Stage};
use crate::terra_mystica::state::{State, Turn};

/// The value of an action with the best actions that can follow it. A share of it is the immediate value, since the
/// others may come between.
pub(super) fn foresee(world: &State, seat: Seat, action: &Action, luck: &Chance) -> i32 {
    let at_once = appeal(world, seat, action, luck);
    let passes = matches!(action, Action::PassTurn { .. });
    if at_once == NOWHERE || passes || world.stage != Stage::Action {
        return at_once;
    }
    let Some(mut state) = state_after::<TerraMystica>(world, seat, action, luck) else {
        return NOWHERE;
    };
    let mut value = at_once;
    for _ in 0..LINE.at(0) {
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
    let share = AT_ONCE.at(0);
    (value * (100 - share) + at_once * share) / 100
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
