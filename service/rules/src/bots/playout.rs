//! Playouts (**rollouts**): quick simulated play from a table.

use super::heuristics::{score_margin, state_after};
use super::{Heuristics, best, legal, legal_of, seed, uniform_index};
use crate::ruleset::apply_in_place;
use crate::table::{Chance, Seat, Seed};

/// The interval, in decisions, at which a playout takes a random legal action on average.
const ANY_ACTION: usize = 20;

/// Plays an action and continues by playout policy or prior, for all seats and this many decisions. Returns the seat's
/// lead after it.
pub(super) fn playout<R: Heuristics>(
    world: &R::State,
    seat: Seat,
    action: &R::Action,
    horizon: u32,
    luck: &Seed,
) -> i32 {
    let mut luck = Chance::from_seed(luck);
    let mut rng = Chance::from_seed(&seed(&mut luck));
    let Some(mut state) = state_after::<R>(world, seat, action, &luck) else {
        return i32::MIN;
    };
    // A fresh stream, because later draws must not repeat those of the first action.
    luck = Chance::from_seed(&seed(&mut rng));
    for _ in 0..horizon {
        let Some(next) = R::pending(&state).first().map(|pending| pending.seat) else {
            break;
        };
        let action =
            R::playout_policy(&state, next).or_else(|| playout_choice::<R>(&state, next, &mut rng));
        let Some(action) = action else {
            break;
        };
        if apply_in_place::<R>(&mut state, &mut luck, next, &action).is_err() {
            break;
        }
        drop(luck.take_record());
    }
    score_margin::<R>(&state, seat)
}

/// Lists the actions that a playout considers.
fn playout_candidates<R: Heuristics>(state: &R::State, seat: Seat) -> Vec<R::Action> {
    let candidates = legal_of::<R>(state, seat, R::PLAYOUT_KINDS);
    if candidates.is_empty() && !R::PLAYOUT_KINDS.is_empty() {
        return legal::<R>(state, seat);
    }
    candidates
}

/// Chooses an action by appeal alone, or now and then at random.
fn playout_choice<R: Heuristics>(
    state: &R::State,
    seat: Seat,
    rng: &mut Chance,
) -> Option<R::Action> {
    let mut actions = playout_candidates::<R>(state, seat);
    if actions.len() < 2 || uniform_index(ANY_ACTION, rng) == 0 {
        let index = (!actions.is_empty()).then(|| uniform_index(actions.len(), rng))?;
        return Some(actions.swap_remove(index));
    }
    let luck = Chance::from_seed(&seed(rng));
    let priors = actions
        .iter()
        .map(|action| R::prior(state, seat, action, &luck));
    let index = best(priors, rng)?;
    Some(actions.swap_remove(index))
}
