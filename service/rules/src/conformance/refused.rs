//! The refusals of random games, with examples.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use xxhash_rust::xxh3::Xxh3Default;

use super::audit::Audit;
use super::random_game::RandomGame;
use super::universe::universe;
use crate::table::{Fault, Refusal, Seat};

/// The maximum number of sentences shown for each rule and code.
const SENTENCES: usize = 4;

/// The refusals by one rule with one code.
#[derive(Default)]
struct Met {
    /// The sentences, each once, with the first action that caused it.
    sentences: BTreeMap<String, String>,
    times: usize,
    /// A hash of all sentences and actions.
    all: Xxh3Default,
}

/// The refusals by rule and code.
#[derive(Default)]
struct Examples(BTreeMap<(&'static str, &'static str), Met>);

impl Examples {
    fn look_for<R: Audit>(&mut self, state: &R::State, seat: Seat) {
        for action in universe::<R>(state, seat) {
            let Err(refused) = R::check(state, seat, &action) else {
                continue;
            };
            let key = (refused.rule, refused.reason.code());
            let met = self.0.entry(key).or_default();
            let (sentence, action) = (refused.to_string(), format!("{seat}: {action:?}"));
            met.times += 1;
            met.all.update(sentence.as_bytes());
            met.all.update(action.as_bytes());
            if met.sentences.len() < SENTENCES {
                met.sentences.entry(sentence).or_insert(action);
            }
        }
    }
}

/// Plays a random game of every number of seats. Writes down the refusals of actions, after every action whose number
/// is a multiple of `every`.
///
/// # Errors
/// The refusal of a listed action.
pub fn refusals<R: Audit>(seed: u64, every: usize) -> Result<String, Fault> {
    let mut examples = Examples::default();
    for seats in R::INFO.seats() {
        play::<R>(seats, seed, every, &mut examples)?;
    }
    let mut text = String::new();
    for ((rule, code), met) in examples.0 {
        let (times, digest) = (met.times, met.all.digest());
        let _a_string_takes_all =
            writeln!(text, "{rule} {code}: {times} times, mark {digest:016x}");
        for (sentence, action) in met.sentences {
            let _a_string_takes_all = writeln!(text, "    {sentence}\n        {action}");
        }
    }
    Ok(text)
}

fn play<R: Audit>(
    seats: usize,
    seed: u64,
    every: usize,
    examples: &mut Examples,
) -> Result<(), Fault> {
    let mut walk = RandomGame::<R>::start(&R::table(seats, seed), seed);
    let mut seen = BTreeSet::new();
    while let Some(decision) = walk.next_decision()? {
        // Each kind of decision is looked at once, even if it is rare.
        if walk.is_due(every) || seen.insert(decision.pending.decision) {
            for seat in Seat::all(seats) {
                examples.look_for::<R>(&walk.now.state, seat);
            }
        }
        walk.take_action(&decision)?;
    }
    Ok(())
}
