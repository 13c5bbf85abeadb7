//! A local copy of a game in which the bots think. Their choices are sent to the server that plays the same game.

use gamekeeper_learn::{EventCounts, has_choice};
use gamekeeper_rules::bots::{Heuristics, choice_luck, legal};
use gamekeeper_rules::ruleset::apply_in_place;
use gamekeeper_rules::starts::warm_start;
use gamekeeper_rules::table::{Chance, Ranking, Refusal, Refused, Seat, Seed};
use gamekeeper_wire::{Malformed, Wire};

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

/// Creates the local copy of a game of the plan.
pub(super) fn replica<'a>(plan: &'a Plan, number: u64) -> Result<Box<dyn Replica + 'a>, Failure> {
    let ruleset = &*plan.args.ruleset;
    gamekeeper_rules::with_ruleset!(ruleset,
        R => Ok(Box::new(LocalReplica::<R>::new(plan, &options::<R>(plan)?, number))),
        _ => Err(Failure::unknown_ruleset(ruleset)))
}

/// Parses the options of all games of a plan, after checking that every policy exists for the ruleset.
pub(super) fn options<W: Wire + Heuristics>(plan: &Plan) -> Result<W::Options, Failure> {
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
    pub(super) fn new(plan: &'a Plan, options: &W::Options, number: u64) -> Self {
        let seed = Seed::new(plan.seed(number));
        let opening = warm_start::<W>(options, plan.args.start.into(), &seed);
        let is_learned = |policy: &Policy| matches!(policy, Policy::Learned(_));
        let seats = match plan.policies.iter().any(is_learned) {
            true => W::players(&opening.state),
            false => 0,
        };
        let mut game = Self {
            plan,
            number,
            state: opening.state,
            chance: opening.chance,
            seed,
            version: 1,
            events: vec![EventCounts::default(); seats],
        };
        // As in training, a game that begins in the middle has no past.
        if plan.args.start == Start::SetUp {
            game.count(&opening.events);
        }
        game
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
