//! Playouts (**rollouts**): quick simulated play from a table.

use super::mind::{after, lead};
use super::{Mind, below, best, legal, legal_of, seed};
use crate::ruleset::play;
use crate::table::{Chance, Seat, Seed};

/// The interval, in decisions, at which a playout takes a random legal action on average.
const ANY_ACTION: usize = 20;

/// Plays an action and continues by habit or appeal, for all seats. Returns the seat's lead after it.
pub(super) fn playout<R: Mind>(
    world: &R::State,
    seat: Seat,
    action: &R::Action,
    luck: &Seed,
) -> i32 {
    let mut luck = Chance::from_seed(luck);
    let mut whim = Chance::from_seed(&seed(&mut luck));
    let Some(mut state) = after::<R>(world, seat, action, &luck) else {
        return i32::MIN;
    };
    // A fresh stream, because later draws must not repeat those of the first action.
    luck = Chance::from_seed(&seed(&mut whim));
    for _ in 0..R::HORIZON {
        let Some(next) = R::pending(&state).first().map(|pending| pending.seat) else {
            break;
        };
        let action = R::habit(&state, next).or_else(|| likely::<R>(&state, next, &mut whim));
        let Some(action) = action else {
            break;
        };
        if play::<R>(&mut state, &mut luck, next, &action).is_err() {
            break;
        }
        drop(luck.take_record());
    }
    lead::<R>(&state, seat)
}

/// Lists the actions that a playout considers.
fn considered<R: Mind>(state: &R::State, seat: Seat) -> Vec<R::Action> {
    let likely = legal_of::<R>(state, seat, R::LIKELY);
    if likely.is_empty() && !R::LIKELY.is_empty() {
        return legal::<R>(state, seat);
    }
    likely
}

/// Chooses an action by appeal alone, or now and then at random.
fn likely<R: Mind>(state: &R::State, seat: Seat, whim: &mut Chance) -> Option<R::Action> {
    let mut actions = considered::<R>(state, seat);
    if actions.len() < 2 || below(ANY_ACTION, whim) == 0 {
        let place = (!actions.is_empty()).then(|| below(actions.len(), whim))?;
        return Some(actions.swap_remove(place));
    }
    let luck = Chance::from_seed(&seed(whim));
    let appeals = actions
        .iter()
        .map(|action| R::appeal(state, seat, action, &luck));
    let place = best(appeals, whim)?;
    Some(actions.swap_remove(place))
}
