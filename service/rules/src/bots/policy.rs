//! The policies of bots.

use super::search::{BudgetUsed, WorldSampler, search};
use super::{Heuristics, Strategy, best, legal, seed, uniform_index};
use crate::ruleset::Ruleset;
use crate::table::{Chance, Seat};

/// The way in which a bot chooses its actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Any legal action, each equally likely.
    Random,
    /// Any kind of legal action, each equally likely, then any action of that kind.
    Kinds,
    /// The action with the highest immediate value for the seat.
    Greedy,
    /// The action with the greatest lead in playouts.
    Search,
    /// The action of a published strategy of one ruleset. In other rulesets it chooses nothing.
    Strategy(Strategy),
}

/// The error for an unknown policy: the ruleset has none of this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no policy {name:?} for {ruleset}; there are {}", .available.join(", "))]
pub struct NoPolicy {
    /// The name that was asked for.
    pub name: String,
    /// The ruleset.
    pub ruleset: &'static str,
    /// The names of all policies of the ruleset.
    pub available: Vec<&'static str>,
}

impl Policy {
    /// The policies of every ruleset.
    pub const ALL: [Self; 4] = [Self::Random, Self::Kinds, Self::Greedy, Self::Search];

    /// Lists the policies of a ruleset: those of all rulesets, then its strategies.
    pub fn of<R: Heuristics>() -> impl Iterator<Item = Self> {
        let strategies = R::STRATEGIES.iter().copied().map(Self::Strategy);
        Self::ALL.into_iter().chain(strategies)
    }

    /// Returns the policy of a ruleset with this name.
    ///
    /// # Errors
    /// Fails if there is none.
    pub fn named<R: Heuristics>(name: &str) -> Result<Self, NoPolicy> {
        let policy = Self::of::<R>().find(|policy| policy.id() == name);
        policy.ok_or_else(|| NoPolicy {
            name: name.to_owned(),
            ruleset: R::INFO.id,
            available: Self::of::<R>().map(Self::id).collect(),
        })
    }

    /// Returns its name.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Kinds => "kinds",
            Self::Greedy => "greedy",
            Self::Search => "search",
            Self::Strategy(strategy) => strategy.id,
        }
    }

    /// Chooses an action of a seat that owes a decision. `budget_used` returns the share of the time or of the playouts
    /// that is spent; only `search` calls it. Returns `None` if the seat owes no decision, or if the strategy belongs
    /// to another ruleset.
    pub fn choose<R: Heuristics>(
        self,
        seat: Seat,
        worlds: WorldSampler<'_, R::State>,
        budget_used: BudgetUsed<'_>,
        chance: &mut Chance,
    ) -> Option<R::Action> {
        let world = worlds(chance);
        let mut actions = legal::<R>(&world, seat);
        if let Some(index) = actions.iter().position(|action| R::ends(action)) {
            return Some(actions.swap_remove(index));
        }
        let is_avoided = |action: &R::Action| R::AVOIDED_KINDS.contains(&R::kind(action));
        if !actions.iter().all(is_avoided) {
            actions.retain(|action| !is_avoided(action));
        }
        if actions.len() < 2 {
            return actions.pop();
        }
        let index = match self {
            Self::Random => uniform_index(actions.len(), chance),
            Self::Kinds => kinds::<R>(&actions, chance),
            Self::Greedy
                if R::EPSILON_ONE_IN > 0 && uniform_index(R::EPSILON_ONE_IN, chance) == 0 =>
            {
                uniform_index(actions.len(), chance)
            }
            Self::Greedy => {
                let luck = Chance::from_seed(&seed(chance));
                let scores = actions.iter();
                let scores = scores.map(|action| R::greedy_score(&world, seat, action, &luck));
                best(scores, chance)?
            }
            Self::Search => return search::<R>(seat, actions, worlds, budget_used, chance),
            Self::Strategy(strategy) => {
                let strategy_index = R::STRATEGIES.iter().position(|one| *one == strategy)?;
                return R::strategy_action(strategy_index, &world, seat);
            }
        };
        Some(actions.swap_remove(index))
    }
}

/// Returns the index of a random action of a random kind.
fn kinds<R: Ruleset>(actions: &[R::Action], chance: &mut Chance) -> usize {
    let mut kinds: Vec<&str> = actions.iter().map(R::kind).collect();
    let all = kinds.clone();
    kinds.sort_unstable();
    kinds.dedup();
    let kind = kinds[uniform_index(kinds.len(), chance)];
    let indexes: Vec<usize> = (0..all.len()).filter(|&index| all[index] == kind).collect();
    indexes[uniform_index(indexes.len(), chance)]
}
