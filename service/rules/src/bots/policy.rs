//! The policies of bots.

use sha2::{Digest, Sha256};

use super::glance::{effort, glance};
use super::search::{Budget, Rating, WorldSampler, search};
use super::{Effort, Heuristics, Level, Strategy, best, legal, seed, uniform_index};
use crate::ruleset::Ruleset;
use crate::table::{Chance, Seat, Seed};

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
    /// The action of `search` with the effort of a level.
    Level(Level),
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
    pub const ALL: [Self; 7] = [
        Self::Random,
        Self::Kinds,
        Self::Greedy,
        Self::Search,
        Self::Level(Level::Easy),
        Self::Level(Level::Medium),
        Self::Level(Level::Strong),
    ];

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
            Self::Level(level) => level.id(),
            Self::Strategy(strategy) => strategy.id,
        }
    }

    /// Returns a description in a few words.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::Random => "Any legal action, each equally likely",
            Self::Kinds => {
                "Any kind of legal action, each equally likely; then any action of that kind"
            }
            Self::Greedy => {
                "The action after which the table is worth most to the seat at first sight. Ties are broken at random"
            }
            Self::Search => {
                "The action that leads furthest when many games are played on from worlds that the seat thinks possible"
            }
            Self::Level(Level::Easy) => "A bot for beginners: it sees little of what follows",
            Self::Level(Level::Medium) => "A bot that looks ahead",
            Self::Level(Level::Strong) => "A bot that looks ahead further",
            Self::Strategy(strategy) => strategy.about,
        }
    }

    /// Returns the level, or `None` for other policies.
    #[must_use]
    pub const fn level(self) -> Option<Level> {
        match self {
            Self::Level(level) => Some(level),
            Self::Random | Self::Kinds | Self::Greedy | Self::Search | Self::Strategy(_) => None,
        }
    }

    /// Chooses an action of a seat that owes a decision at this table, by what the seat knows. The same seed of the
    /// game, seat and version give the same action, unless the time is over first. `state` may be the table or any world
    /// of the seat. Returns `None` as [`choose`](Self::choose) does.
    pub fn decide<R: Heuristics>(
        self,
        state: &R::State,
        (seat, version): (Seat, u64),
        game: &Seed,
        budget: Budget<'_>,
    ) -> Option<R::Action> {
        let mut worlds = |chance: &mut Chance| R::sample_world(state, seat, chance);
        let mut chance = choice_luck(game, seat, version);
        self.choose::<R>(seat, &mut worlds, budget, &mut chance)
    }

    /// Chooses an action of a seat that owes a decision. Returns `None` if the seat owes no decision, or if the strategy
    /// belongs to another ruleset.
    pub fn choose<R: Heuristics>(
        self,
        seat: Seat,
        worlds: WorldSampler<'_, R::State>,
        budget: Budget<'_>,
        chance: &mut Chance,
    ) -> Option<R::Action> {
        let world = worlds(chance);
        let mut actions = considered::<R>(&world, seat);
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
            Self::Search => {
                let thinking = (search_effort::<R>(budget.playouts), budget.is_over);
                return best_of(search::<R>(seat, actions, worlds, thinking, chance));
            }
            Self::Level(level) => {
                let won = glance::<R>(level, (&world, &mut *worlds), seat, &mut actions, chance);
                if won.is_some() {
                    return won;
                }
                let thinking = (effort::<R>(level), budget.is_over);
                return best_of(search::<R>(seat, actions, worlds, thinking, chance));
            }
            Self::Strategy(strategy) => {
                let strategy_index = R::STRATEGIES.iter().position(|one| *one == strategy)?;
                return R::strategy_action(strategy_index, &world, seat);
            }
        };
        Some(actions.swap_remove(index))
    }
}

/// Rates the actions that `search` compares, best first: the first one is what [`Policy::Search`] chooses with the same
/// luck. Returns an empty list if the seat owes no decision.
pub fn rate<R: Heuristics>(
    seat: Seat,
    worlds: WorldSampler<'_, R::State>,
    budget: Budget<'_>,
    chance: &mut Chance,
) -> Vec<Rating<R::Action>> {
    let world = worlds(chance);
    let actions = considered::<R>(&world, seat);
    if actions.len() < 2 {
        return actions.into_iter().map(Rating::new).collect();
    }
    let thinking = (search_effort::<R>(budget.playouts), budget.is_over);
    search::<R>(seat, actions, worlds, thinking, chance)
}

/// Returns the effort of `search` with this many playouts, or with the ruleset's own number.
fn search_effort<R: Heuristics>(playouts: Option<u32>) -> Effort {
    Effort::of(playouts.unwrap_or(R::PLAYOUTS), R::WIDTH, R::HORIZON)
}

/// Returns the action that is rated best.
fn best_of<A>(ratings: Vec<Rating<A>>) -> Option<A> {
    ratings.into_iter().next().map(|rating| rating.action)
}

/// Lists the legal actions that a policy considers: the one that ends the game if there is one, otherwise those of kinds
/// that are not avoided, otherwise all.
fn considered<R: Heuristics>(world: &R::State, seat: Seat) -> Vec<R::Action> {
    let mut actions = legal::<R>(world, seat);
    if let Some(index) = actions.iter().position(|action| R::ends(action)) {
        return vec![actions.swap_remove(index)];
    }
    let is_avoided = |action: &R::Action| R::AVOIDED_KINDS.contains(&R::kind(action));
    if !actions.iter().all(is_avoided) {
        actions.retain(|action| !is_avoided(action));
    }
    actions
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

/// Returns the luck of a bot's choice: SHA-256 of the game's seed, a text, seat and version. Nobody who lacks the seed can
/// compute it, and it tells nothing of the game's own luck.
#[must_use]
pub fn choice_luck(game: &Seed, seat: Seat, version: u64) -> Chance {
    let hash = Sha256::new()
        .chain_update(game.as_bytes())
        .chain_update(b"bot")
        .chain_update([seat.number()])
        .chain_update(version.to_le_bytes());
    Chance::from_seed(&Seed::new(hash.finalize().into()))
}
