//! The policies of bots: some choose from the list of actions alone, for any ruleset; others use the rules in this
//! program.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use clap::builder::PossibleValue;
use gamekeeper_proto::raw::LegalAction;
use gamekeeper_rules::bots::{self, Heuristics, Strategy};
use rand::Rng;
use rand::seq::IteratorRandom;

use crate::failure::Failure;

/// The policy by which a bot chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Policy {
    /// Chooses a random legal action.
    Random,
    /// Chooses a random kind of legal action, then an action of this kind.
    Kinds,
    /// Chooses the action with the highest immediate value.
    Greedy,
    /// Chooses the action that does best in playouts.
    Search,
    /// Follows a strategy of one ruleset.
    Strategy(Strategy),
}

/// All policies: those of every ruleset, then the strategies of each.
static ALL: LazyLock<Vec<Policy>> = LazyLock::new(|| {
    let strategies = gamekeeper_rules::of_each_ruleset!(R => R::STRATEGIES);
    let strategies = strategies.into_iter().flatten();
    let general = [
        Policy::Random,
        Policy::Kinds,
        Policy::Greedy,
        Policy::Search,
    ];
    let all = general.into_iter();
    all.chain(strategies.map(|strategy| Policy::Strategy(*strategy)))
        .collect()
});

impl ValueEnum for Policy {
    fn value_variants<'a>() -> &'a [Self] {
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let about = match self {
            Self::Random => "Any legal action, each equally likely",
            Self::Kinds => {
                "Any kind of legal action, each equally likely; then any action of that kind"
            }
            Self::Greedy => {
                "The action after which the table is worth most to the seat at first sight. Ties are \
                 broken at random"
            }
            Self::Search => {
                "The action that leads furthest when many games are played on from worlds that the \
                 seat thinks possible"
            }
            Self::Strategy(strategy) => strategy.about,
        };
        Some(PossibleValue::new(self.id()).help(about))
    }
}

/// The effort of `search` per decision.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Budget {
    /// The default number of playouts of the ruleset.
    Default,
    /// A number of playouts. The same seed then gives the same choices.
    Playouts(u32),
    /// A length of time.
    Time(Duration),
}

impl Budget {
    /// Creates a budget from the command line, which sets at most one of the two.
    pub(crate) fn of(playouts: Option<u32>, think: Option<Duration>) -> Self {
        let playouts = playouts.map_or(Self::Default, Self::Playouts);
        think.map_or(playouts, Self::Time)
    }

    /// Returns a function that maps the number of playouts done to the spent share of the budget, in thousandths. The
    /// value 0 restarts it.
    pub(crate) fn share_spent<R: Heuristics>(self) -> impl FnMut(u32) -> u32 {
        let mut started_at = Instant::now();
        move |playouts_done| {
            if playouts_done == 0 {
                started_at = Instant::now();
            }
            let (used, budget) = match self {
                Self::Default => (u128::from(playouts_done), u128::from(R::PLAYOUTS)),
                Self::Playouts(all) => (u128::from(playouts_done), u128::from(all)),
                Self::Time(all) => (started_at.elapsed().as_micros(), all.as_micros()),
            };
            u32::try_from(used.saturating_mul(1_000) / budget.max(1)).unwrap_or(u32::MAX)
        }
    }
}

impl Policy {
    /// Returns all policies of a ruleset; empty if it is unknown.
    pub(crate) fn all_of(ruleset: &str) -> Vec<Self> {
        let is_available: fn(Self) -> bool = gamekeeper_rules::with_ruleset!(ruleset,
            R => |policy: Self| policy.to_rules_policy::<R>().is_ok(),
            _ => |_| false);
        ALL.iter()
            .copied()
            .filter(|policy| is_available(*policy))
            .collect()
    }

    /// Returns the name of the policy on the command line.
    pub(crate) fn id(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Kinds => "kinds",
            Self::Greedy => "greedy",
            Self::Search => "search",
            Self::Strategy(strategy) => strategy.id,
        }
    }

    /// Resolves this policy to its local implementation in ruleset `R`.
    ///
    /// # Errors
    /// If it is a strategy of another ruleset.
    pub(crate) fn to_rules_policy<R: Heuristics>(self) -> Result<bots::Policy, Failure> {
        let policy = bots::Policy::named::<R>(self.id());
        policy.map_err(|no| Failure::Usage(no.to_string()))
    }

    /// Returns whether the policy evaluates tables, not only the list of actions.
    pub(crate) fn needs_worlds(self) -> bool {
        match self {
            Self::Random | Self::Kinds => false,
            Self::Greedy | Self::Search | Self::Strategy(_) => true,
        }
    }

    /// Chooses one of these actions by their kinds alone. Returns `None` if there are none. An action that ends the
    /// game is always chosen, because the rules offer it only to the winner.
    pub(crate) fn choose_by_kind(
        self,
        actions: &[LegalAction],
        rng: &mut impl Rng,
    ) -> Option<usize> {
        let indices = 0..actions.len();
        let kinds_by_index: Vec<&str> = actions.iter().map(|action| action.kind.as_str()).collect();
        if let Some(end) = kinds_by_index
            .iter()
            .position(|kind| *kind == END_GAME_KIND)
        {
            return Some(end);
        }
        let all_ruinous = kinds_by_index.iter().all(|kind| *kind == SELF_HARMING_KIND);
        let indices =
            indices.filter(|index| all_ruinous || kinds_by_index[*index] != SELF_HARMING_KIND);
        if self == Self::Random {
            return indices.choose(rng);
        }
        let mut kinds: Vec<&str> = indices.clone().map(|index| kinds_by_index[index]).collect();
        kinds.dedup();
        let kind = kinds.into_iter().choose(rng)?;
        indices
            .filter(|index| kinds_by_index[*index] == kind)
            .choose(rng)
    }
}

/// The kind of action that ends a game in favor of the seat that plays it.
const END_GAME_KIND: &str = "end_game";

/// A kind of action that is avoided if there are others: decks that shrink at random have nothing left to end a game
/// with.
const SELF_HARMING_KIND: &str = "remove_cards";

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    use super::*;
    fn actions(kinds: &[&str]) -> Vec<LegalAction> {
        let action = |kind: &&str| LegalAction {
            kind: (*kind).to_owned(),
            ..LegalAction::default()
        };
        kinds.iter().map(action).collect()
    }

    #[test]
    fn every_kind_is_as_likely() {
        let actions = actions(&["buy_card", "buy_card", "buy_card", "end_turn"]);
        let mut rng = StdRng::seed_from_u64(1);
        for (policy, ends) in [(Policy::Random, 200..300), (Policy::Kinds, 450..550)] {
            let picks = (0..1_000).map(|_| policy.choose_by_kind(&actions, &mut rng).unwrap());
            let count = picks.filter(|index| *index == 3).count();
            assert!(ends.contains(&count), "{policy:?}: {count}");
            assert_eq!(policy.choose_by_kind(&[], &mut rng), None);
        }
    }

    #[test]
    fn strategies_belong_to_a_ruleset() {
        use gamekeeper_rules::{dominion::Dominion, kingsburg::Kingsburg};
        for policy in Policy::value_variants() {
            let named = Policy::from_str(policy.id(), false);
            assert_eq!(named, Ok(*policy));
            let rules_policy = policy.to_rules_policy::<Dominion>().unwrap();
            assert_eq!(rules_policy.id(), policy.id());
        }
        let smithy = Policy::from_str("bm-smithy1", false).unwrap();
        let Err(Failure::Usage(text)) = smithy.to_rules_policy::<Kingsburg>() else {
            panic!("Kingsburg has no Smithy");
        };
        assert_eq!(
            text,
            "no policy \"bm-smithy1\" for kingsburg; there are random, kinds, greedy, search"
        );
    }

    #[test]
    fn the_end_of_the_game_is_taken() {
        let actions = actions(&["pass_turn", "end_game"]);
        let mut rng = StdRng::seed_from_u64(1);
        for _ in 0..20 {
            assert_eq!(Policy::Random.choose_by_kind(&actions, &mut rng), Some(1));
            assert_eq!(Policy::Kinds.choose_by_kind(&actions, &mut rng), Some(1));
        }
    }

    #[test]
    fn budgets_are_spent_in_parts_of_a_thousand() {
        use gamekeeper_rules::{dominion::Dominion, kingsburg::Kingsburg};
        let usual = Budget::of(None, None);
        assert_eq!(usual.share_spent::<Kingsburg>()(32), 500);
        assert_eq!(usual.share_spent::<Dominion>()(512), 500);
        let mut playouts = Budget::of(Some(50), None).share_spent::<Kingsburg>();
        assert_eq!(
            [0, 1, 25, 50, 75].map(&mut playouts),
            [0, 20, 500, 1_000, 1_500]
        );
        let mut time = Budget::of(None, Some(Duration::from_millis(1))).share_spent::<Kingsburg>();
        std::thread::sleep(Duration::from_millis(2));
        assert!(time(1) >= 1_000);
        assert!(Budget::Time(Duration::from_secs(3_600)).share_spent::<Kingsburg>()(0) == 0);
    }
}
