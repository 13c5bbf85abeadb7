//! A local copy of a game in which the bots think. Their choices are sent to the server that plays the same game.

use gamekeeper_learn::{EventCounts, has_choice};
use gamekeeper_rules::bots::{Heuristics, choice_luck, legal};
use gamekeeper_rules::ruleset::{Ruleset, apply_in_place};
use gamekeeper_rules::starts::warm_start;
use gamekeeper_rules::table::{Chance, Ranking, Refusal, Refused, Seat, Seed};
use gamekeeper_wire::{Malformed, PositionFault, StartPositions, Wire};

use super::{Plan, names};
use crate::args::Start;
use crate::failure::Failure;
use crate::learned::Learned;
use crate::policy::Policy;

/// A local copy of a game, of any ruleset.
pub(super) trait Replica {
    /// Chooses an action for a seat with a pending decision and plays it. Returns its index in the legal list.
    fn decide(&mut self, seat: u32) -> Result<usize, Failure>;
}

/// Makes local copies of the games of a plan, of any ruleset.
pub(super) trait Replicas: Sync {
    /// Creates the local copy of the game with this number, from 1.
    fn replica(&self, number: u64) -> Result<Box<dyn Replica + '_>, Failure>;
}

/// Returns what makes the local copies of the games of a plan.
pub(super) fn replicas<'a>(plan: &'a Plan) -> Result<Box<dyn Replicas + 'a>, Failure> {
    let ruleset = &*plan.args.ruleset;
    gamekeeper_rules::with_ruleset!(ruleset,
        R => Ok(Box::new(Beginnings::<R>::of(plan)?)),
        _ => Err(Failure::unknown_ruleset(ruleset)))
}

/// Where the games of a plan begin: its options, and the described tables that the rules accept.
pub(super) struct Beginnings<'a, W: Wire> {
    plan: &'a Plan,
    options: W::Options,
    positions: StartPositions<W>,
}

impl<'a, W: Wire + Heuristics> Beginnings<'a, W> {
    /// Judges the options and the described tables of a plan, after checking that every policy exists for the ruleset.
    pub(super) fn of(plan: &'a Plan) -> Result<Self, Failure> {
        let options = options::<W>(plan)?;
        let mut positions = StartPositions::default();
        for (index, view) in plan.from.iter().enumerate() {
            let encoded = view.ruleset.clone().and_then(W::unwrap_view);
            let foreign = || Failure::Invalid("a table of another ruleset".to_owned());
            let judged = positions.push(encoded.ok_or_else(foreign)?, &options);
            judged.map_err(|fault| refused_table::<W>(fault, index))?;
        }
        Ok(Self {
            plan,
            options,
            positions,
        })
    }

    /// Makes the first table of a game, with the events that led to it. As in training, a game that does not begin at the
    /// set-up has no past.
    fn first_table(&self, number: u64, seed: &Seed) -> Result<FirstTable<W>, Failure> {
        if self.plan.from.is_empty() {
            let start = self.plan.args.start;
            let opening = warm_start::<W>(&self.options, start.into(), seed);
            let events = match start {
                Start::SetUp => opening.events,
                Start::Rich | Start::Late => Vec::new(),
            };
            return Ok((opening.state, opening.chance, events));
        }
        let first = self.positions.first_version(number, &self.options, seed);
        let index = self.positions.index_of(number);
        let first = first.map_err(|fault| refused_table::<W>(fault, index))?;
        Ok((first.state, first.chance, Vec::new()))
    }
}

/// The first table of a game, its luck, and the events that led to it.
type FirstTable<W> = (<W as Ruleset>::State, Chance, Vec<<W as Ruleset>::Event>);

impl<W: Wire + Heuristics> Replicas for Beginnings<'_, W> {
    fn replica(&self, number: u64) -> Result<Box<dyn Replica + '_>, Failure> {
        Ok(Box::new(LocalReplica::new(self, number)?))
    }
}

fn refused_table<W: Wire>(fault: PositionFault, index: usize) -> Failure {
    let fault = fault.within::<W>(&format!("from[{index}]"));
    Failure::Invalid(fault.to_string())
}

/// Parses the options of all games of a plan, after checking that every policy exists for the ruleset.
fn options<W: Wire + Heuristics>(plan: &Plan) -> Result<W::Options, Failure> {
    let seats = usize::try_from(plan.args.seats).unwrap_or(usize::MAX);
    for policy in &plan.policies {
        policy.check::<W>(seats)?;
    }
    let malformed = |error: Malformed| Failure::Invalid(error.to_string());
    let draft = match &plan.options {
        Some(options) => {
            let encoded_options = options.ruleset.clone().and_then(W::unwrap_options);
            let foreign = || Failure::Invalid("options of another ruleset".to_owned());
            W::draft(encoded_options.ok_or_else(foreign)?.decode_as()?).map_err(malformed)?
        }
        None => W::Draft::default(),
    };
    W::options(&names(plan.args.seats), &draft).map_err(|no| refused(&no.refused))
}

fn refused(refusal: &Refused<impl Refusal>) -> Failure {
    Failure::Refused {
        code: refusal.code(),
        rule: refusal.rule,
        text: refusal.to_string(),
    }
}

/// A local game of one ruleset.
pub(super) struct LocalReplica<'a, W: Wire + Heuristics> {
    plan: &'a Plan,
    number: u64,
    state: W::State,
    chance: Chance,
    /// The seed of the game and of the bots' choices.
    seed: Seed,
    /// The version, from 1: each action adds one.
    version: u64,
    /// The events that each seat has seen since its last decision. Empty if no policy looks at them.
    events: Vec<EventCounts>,
}

impl<'a, W: Wire + Heuristics> LocalReplica<'a, W> {
    /// Creates the game of a plan with this number, at its first decision.
    pub(super) fn new(beginnings: &Beginnings<'a, W>, number: u64) -> Result<Self, Failure> {
        let plan = beginnings.plan;
        let seed = Seed::new(plan.seed(number));
        let (state, chance, events) = beginnings.first_table(number, &seed)?;
        let is_learned = |policy: &Policy| matches!(policy, Policy::Learned(_));
        let seats = match plan.policies.iter().any(is_learned) {
            true => W::players(&state),
            false => 0,
        };
        let mut game = Self {
            plan,
            number,
            state,
            chance,
            seed,
            version: 1,
            events: vec![EventCounts::default(); seats],
        };
        game.count(&events);
        Ok(game)
    }

    /// Counts events for the seats that may know of them.
    fn count(&mut self, events: &[W::Event]) {
        for (seat, counts) in Seat::all(self.events.len()).zip(&mut self.events) {
            for event in events {
                counts.add::<W>(event, seat);
            }
        }
    }

    /// Returns the seat that decides next, or `None` when the game is over.
    pub(super) fn next(&self) -> Option<Seat> {
        W::pending(&self.state).first().map(|pending| pending.seat)
    }

    /// Returns the result, or `None` until the game is over.
    pub(super) fn ranking(&self) -> Option<Ranking> {
        W::ranking(&self.state)
    }

    /// Chooses an action for a seat and plays it.
    pub(super) fn decide(&mut self, seat: Seat) -> Result<W::Action, Failure> {
        let action = self.choose(seat)?.ok_or_else(|| {
            Failure::Contract(format!("{seat} owes a decision but has no legal action"))
        })?;
        if let Some(counts) = self.events.get_mut(seat.index())
            && has_choice::<W>(&self.state, seat)
        {
            counts.clear();
        }
        self.version += 1;
        let journal = apply_in_place::<W>(&mut self.state, &mut self.chance, seat, &action)
            .map_err(|refusal| Failure::Contract(format!("a listed action: {refusal}")))?;
        self.count(&journal.events);
        drop(self.chance.take_record());
        Ok(action)
    }

    /// Chooses an action for a seat.
    fn choose(&self, seat: Seat) -> Result<Option<W::Action>, Failure> {
        let (budget, turn) = (self.plan.args.budget, (seat, self.version));
        match self.plan.policy(self.number, seat.index()) {
            Policy::Learned(Learned(learned)) => {
                let luck = &mut choice_luck(&self.seed, seat, self.version);
                let events = self.events.get(seat.index()).cloned().unwrap_or_default();
                learned
                    .choose_action::<W>((&self.state, seat), &events, luck)
                    .map_err(|error| Failure::Invalid(format!("{}: {error}", learned.id())))
            }
            policy @ Policy::Rules(_) => {
                let policy = policy.to_rules_policy::<W>()?;
                Ok(budget.decide::<W>(policy, &self.state, turn, &self.seed))
            }
        }
    }
}

impl<W: Wire + Heuristics> Replica for LocalReplica<'_, W> {
    fn decide(&mut self, seat: u32) -> Result<usize, Failure> {
        let out_of_sync = || {
            Failure::Contract(format!(
                "the game with the rules in this program is not the server's: seat {seat} owes no decision"
            ))
        };
        let seat = u8::try_from(seat)
            .ok()
            .and_then(Seat::new)
            .ok_or_else(out_of_sync)?;
        let listed = legal::<W>(&self.state, seat);
        let action = LocalReplica::decide(self, seat)?;
        listed
            .iter()
            .position(|one| *one == action)
            .ok_or_else(out_of_sync)
    }
}
