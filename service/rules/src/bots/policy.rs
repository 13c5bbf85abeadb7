//! The policies.

use super::search::{Spent, Worlds, search};
use super::{Mind, below, best, legal, seed};
use crate::ruleset::Ruleset;
use crate::table::{Chance, Seat, ids};

ids! {
    /// How a bot chooses.
    Policy {
        /// Any legal action, each equally likely.
        Random "random",
        /// Any kind of legal action, each equally likely, then any action of that kind.
        Kinds "kinds",
        /// The action with the highest immediate value for the seat.
        Greedy "greedy",
        /// The action with the greatest lead in playouts.
        Search "search",
    }
}

impl Policy {
    /// Chooses an action of a seat that owes a decision. `spent` returns how much of the time or of
    /// the playouts is spent; only `search` calls it. `None` if the seat owes no decision.
    pub fn choose<R: Mind>(
        self,
        seat: Seat,
        worlds: Worlds<'_, R::State>,
        spent: Spent<'_>,
        chance: &mut Chance,
    ) -> Option<R::Action> {
        let world = worlds(chance);
        let mut actions = legal::<R>(&world, seat);
        if let Some(place) = actions.iter().position(|action| R::ends(action)) {
            return Some(actions.swap_remove(place));
        }
        let is_ruinous = |action: &R::Action| R::RUINOUS.contains(&R::kind(action));
        if !actions.iter().all(is_ruinous) {
            actions.retain(|action| !is_ruinous(action));
        }
        if actions.len() < 2 {
            return actions.pop();
        }
        let place = match self {
            Self::Random => below(actions.len(), chance),
            Self::Kinds => kinds::<R>(&actions, chance),
            Self::Greedy if R::WHIM > 0 && below(R::WHIM, chance) == 0 => {
                below(actions.len(), chance)
            }
            Self::Greedy => {
                let luck = Chance::from_seed(&seed(chance));
                let worths = actions.iter();
                let worths = worths.map(|action| R::glance(&world, seat, action, &luck));
                best(worths, chance)?
            }
            Self::Search => return search::<R>(seat, actions, worlds, spent, chance),
        };
        Some(actions.swap_remove(place))
    }
}

/// Any action of any kind.
fn kinds<R: Ruleset>(actions: &[R::Action], chance: &mut Chance) -> usize {
    let mut kinds: Vec<&str> = actions.iter().map(R::kind).collect();
    let all = kinds.clone();
    kinds.sort_unstable();
    kinds.dedup();
    let kind = kinds[below(kinds.len(), chance)];
    let places: Vec<usize> = (0..all.len()).filter(|&place| all[place] == kind).collect();
    places[below(places.len(), chance)]
}
