//! Games with the rules in this program.

use std::ops::ControlFlow;
use std::sync::mpsc;
use std::thread;

use gamekeeper_rules::ruleset::{Ruleset, play as play_in_place, visit_legal};
use gamekeeper_rules::starts::open;
use gamekeeper_rules::table::{Detail, Refusal, Refused, Seat, Seed};
use gamekeeper_wire::{Malformed, Wire, seat_number, standings};
use prost_reflect::{DynamicMessage, MessageDescriptor, ServiceDescriptor};
use rand::rngs::StdRng;
use rand::seq::IteratorRandom;

use super::tally::Tally;
use super::{MOST_ACTIONS, Plan, names};
use crate::contract::{dynamic, field_message, method};
use crate::failure::Failure;
use crate::progress::Progress;

macro_rules! by_ruleset {
    ($($module:ident: $Ruleset:ident),* $(,)?) => {
        /// Plays all games.
        pub(super) fn play(ruleset: &str, plan: &Plan) -> Result<Tally, Failure> {
            $(
                if ruleset == <gamekeeper_rules::$module::$Ruleset as Ruleset>::SHEET.id {
                    return play_all::<gamekeeper_rules::$module::$Ruleset>(plan);
                }
            )*
            Err(unknown(ruleset))
        }

        /// The components of a ruleset, as this program knows them.
        pub(super) fn catalogue(
            ruleset: &str,
            service: &ServiceDescriptor,
        ) -> Result<DynamicMessage, Failure> {
            let kind = field_message(&method(service, "GetCatalogue")?.output(), "catalogue")?;
            $(
                if ruleset == <gamekeeper_rules::$module::$Ruleset as Ruleset>::SHEET.id {
                    let catalogue = <gamekeeper_rules::$module::$Ruleset as Wire>::catalogue();
                    return dynamic(&kind, &catalogue);
                }
            )*
            Err(unknown(ruleset))
        }
    };
}

gamekeeper_wire::for_each_ruleset!(by_ruleset);

fn unknown(ruleset: &str) -> Failure {
    Failure::Usage(format!(
        "this program does not know the ruleset {ruleset:?}"
    ))
}

fn play_all<W: Wire>(plan: &Plan) -> Result<Tally, Failure> {
    let malformed = |error: Malformed| Failure::Invalid(error.to_string());
    let draft = match &plan.options {
        Some(options) => W::draft(options.typed()?).map_err(malformed)?,
        None => W::Draft::default(),
    };
    let options = W::options(&names(plan.args.seats), &draft).map_err(|no| refused(&no.refused))?;
    let action = field_message(&method(&plan.service, "ApplyAction")?.input(), "action")?;
    let table = Bench::<W> {
        plan,
        options,
        action,
    };
    let jobs = u64::try_from(plan.args.jobs).unwrap_or(1);
    let mut progress = Progress::new("games", plan.args.games);
    thread::scope(|scope| {
        let (done, finished) = mpsc::channel();
        for job in 1..=jobs {
            let (table, done) = (&table, done.clone());
            scope.spawn(move || {
                let mut game = job;
                while game <= plan.args.games && done.send(table.game(game)).is_ok() {
                    game += jobs;
                }
            });
        }
        drop(done);
        let mut tally = Tally::default();
        for one in finished {
            tally.merge(&one?);
            progress.advance(1);
        }
        Ok(tally)
    })
}

fn refused(refusal: &Refused<impl Refusal>) -> Failure {
    Failure::Refused {
        code: refusal.code(),
        rule: refusal.rule,
        text: refusal.to_string(),
    }
}

/// Where games are played one after the other.
struct Bench<'a, W: Wire> {
    plan: &'a Plan,
    options: W::Options,
    action: MessageDescriptor,
}

impl<W: Wire> Bench<'_, W> {
    /// Plays one game to its end, or to the most versions.
    fn game(&self, number: u64) -> Result<Tally, Failure> {
        let seed = Seed::new(self.plan.seed(number));
        let begun = open::<W>(&self.options, self.plan.args.start.into(), &seed);
        let (mut state, mut chance) = (begun.state, begun.chance);
        let mut choices = self.plan.choices(number);
        let mut version = 1;
        while let Some(pending) = W::pending(&state).first().copied() {
            if version == self.plan.args.until_version {
                break;
            }
            let action = self.choose(&state, pending.seat, &mut choices)?;
            play_in_place::<W>(&mut state, &mut chance, pending.seat, &action)
                .map_err(|refusal| Failure::Contract(format!("a listed action: {refusal}")))?;
            drop(chance.take_record());
            version += 1;
        }
        let result = W::ranking(&state).map_or_else(Vec::new, |ranking| standings(&ranking));
        let mut tally = Tally::default();
        tally.add(&result, version);
        Ok(tally)
    }

    fn choose(&self, state: &W::State, seat: Seat, rng: &mut StdRng) -> Result<W::Action, Failure> {
        let mut legal = Vec::new();
        let _enough = visit_legal::<W>(state, seat, Detail::Moves, &mut |action| {
            legal.push(action);
            if legal.len() == MOST_ACTIONS {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        let policy = self.plan.policy(seat_number(seat));
        let place = if policy.looks() {
            let message = |action: &W::Action| dynamic(&self.action, &W::action_message(action));
            let shown: Vec<_> = legal.iter().map(message).collect::<Result<_, _>>()?;
            policy.choose(&self.plan.worths, &shown, rng)
        } else {
            (0..legal.len()).choose(rng)
        };
        place.map(|place| legal.swap_remove(place)).ok_or_else(|| {
            Failure::Contract(format!("{seat} owes a decision but has no legal action"))
        })
    }
}
