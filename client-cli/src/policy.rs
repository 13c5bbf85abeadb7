//! The policies of bots: some choose from the list of actions alone, for any ruleset; others use the rules in this
//! program, or a network in a file of this machine.

use std::ffi::OsStr;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use clap::builder::{EnumValueParser, PossibleValue, TypedValueParser, ValueParserFactory};
use clap::error::ErrorKind;
use clap::{Arg, Command, ValueEnum};
use gamekeeper_policies::PREFIX;
use gamekeeper_proto::raw::LegalAction;
use gamekeeper_rules::bots::{self, Heuristics};
use gamekeeper_rules::table::{Seat, Seed};
use rand::Rng;
use rand::seq::IteratorRandom;

use crate::failure::Failure;
use crate::learned::Learned;

/// The policy by which a bot chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Policy {
    /// One of this program.
    Rules(bots::Policy),
    /// The network of a file.
    Learned(Learned),
}

/// A policy of this program by its name. `Policy` itself is no `ValueEnum`: the files of learned ones cannot be listed.
#[derive(Clone, Copy, Debug)]
struct NamedPolicy(bots::Policy);

/// All policies of this program: those of every ruleset, then the strategies of each.
static ALL: LazyLock<Vec<NamedPolicy>> = LazyLock::new(|| {
    let strategies = gamekeeper_rules::of_each_ruleset!(R => R::STRATEGIES);
    let strategies = strategies.into_iter().flatten().copied();
    let general = bots::Policy::ALL.into_iter();
    let all = general.chain(strategies.map(bots::Policy::Strategy));
    all.map(NamedPolicy).collect()
});

impl ValueEnum for NamedPolicy {
    fn value_variants<'a>() -> &'a [Self] {
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let Self(policy) = self;
        Some(PossibleValue::new(policy.id()).help(policy.about()))
    }
}

impl ValueParserFactory for Policy {
    type Parser = PolicyParser;

    fn value_parser() -> PolicyParser {
        PolicyParser(EnumValueParser::new())
    }
}

/// The parser of policies on the command line: names, and files behind `policy:`.
#[derive(Clone, Debug)]
pub(crate) struct PolicyParser(EnumValueParser<NamedPolicy>);

impl TypedValueParser for PolicyParser {
    type Value = Policy;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Policy, clap::Error> {
        let file = value.to_str().and_then(|text| text.strip_prefix(PREFIX));
        let Some(file) = file else {
            let NamedPolicy(policy) = self.0.parse_ref(command, argument, value)?;
            return Ok(Policy::Rules(policy));
        };
        let loaded = Learned::load(file).map(Policy::Learned);
        loaded.map_err(|error| {
            let text = format!("{PREFIX}{file}: {error}\n");
            clap::Error::raw(ErrorKind::ValueValidation, text).with_cmd(command)
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        self.0.possible_values()
    }
}

/// The effort of bots per decision, from the command line. The same playouts and the same seed give the same choices,
/// unless the time is over first.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Budget {
    /// The number of playouts of `search`. `None` if it is the ruleset's default.
    pub(crate) playouts: Option<u32>,
    /// The maximum time. `None` if there is no bound.
    pub(crate) think: Option<Duration>,
}

impl Budget {
    /// Lets a bot of this policy decide at a table, or at a world of it.
    pub(crate) fn decide<R: Heuristics>(
        self,
        policy: bots::Policy,
        state: &R::State,
        turn: (Seat, u64),
        seed: &Seed,
    ) -> Option<R::Action> {
        let begun = Instant::now();
        let is_over = || self.think.is_some_and(|most| begun.elapsed() >= most);
        let budget = bots::Budget {
            playouts: self.playouts,
            is_over: &is_over,
        };
        policy.decide::<R>(state, turn, seed, budget)
    }
}

impl Policy {
    /// Returns all policies of a ruleset; empty if it is unknown.
    pub(crate) fn all_of(ruleset: &str) -> Vec<Self> {
        let is_available: fn(Self) -> bool = gamekeeper_rules::with_ruleset!(ruleset,
            R => |policy: Self| policy.to_rules_policy::<R>().is_ok(),
            _ => |_| false);
        let all = ALL.iter().map(|named| Self::Rules(named.0));
        all.filter(|policy| is_available(*policy)).collect()
    }

    /// Returns the name of the policy on the command line.
    pub(crate) fn id(self) -> &'static str {
        match self {
            Self::Rules(policy) => policy.id(),
            Self::Learned(Learned(policy)) => policy.id(),
        }
    }

    /// Fails if the policy does not exist for ruleset `R` with this many seats.
    pub(crate) fn check<R: Heuristics>(self, seats: usize) -> Result<(), Failure> {
        match self {
            Self::Rules(_) => self.to_rules_policy::<R>().map(drop),
            Self::Learned(learned) => learned.check(R::INFO.id, seats),
        }
    }

    /// Resolves this policy to its implementation by the rules of ruleset `R`.
    ///
    /// # Errors
    /// If it is a strategy of another ruleset, or learned.
    pub(crate) fn to_rules_policy<R: Heuristics>(self) -> Result<bots::Policy, Failure> {
        let policy = bots::Policy::named::<R>(self.id());
        policy.map_err(|no| Failure::Usage(no.to_string()))
    }

    /// Returns whether the policy evaluates tables, not only the list of actions.
    pub(crate) fn needs_worlds(self) -> bool {
        !matches!(
            self,
            Self::Rules(bots::Policy::Random | bots::Policy::Kinds)
        )
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
        if self == Self::Rules(bots::Policy::Random) {
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

    const RANDOM: Policy = Policy::Rules(bots::Policy::Random);
    const KINDS: Policy = Policy::Rules(bots::Policy::Kinds);

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
        for (policy, ends) in [(RANDOM, 200..300), (KINDS, 450..550)] {
            let picks = (0..1_000).map(|_| policy.choose_by_kind(&actions, &mut rng).unwrap());
            let count = picks.filter(|index| *index == 3).count();
            assert!(ends.contains(&count), "{policy:?}: {count}");
            assert_eq!(policy.choose_by_kind(&[], &mut rng), None);
        }
    }

    #[test]
    fn strategies_belong_to_a_ruleset() {
        use gamekeeper_rules::{dominion::Dominion, kingsburg::Kingsburg};
        assert_eq!(Policy::all_of("dominion").len(), ALL.len());
        assert_eq!(Policy::all_of("kingsburg").len(), bots::Policy::ALL.len());
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
            "no policy \"bm-smithy1\" for kingsburg; there are random, kinds, greedy, search, easy, medium, strong"
        );
    }

    #[test]
    fn the_end_of_the_game_is_taken() {
        let actions = actions(&["pass_turn", "end_game"]);
        let mut rng = StdRng::seed_from_u64(1);
        for _ in 0..20 {
            assert_eq!(RANDOM.choose_by_kind(&actions, &mut rng), Some(1));
            assert_eq!(KINDS.choose_by_kind(&actions, &mut rng), Some(1));
        }
    }
}
