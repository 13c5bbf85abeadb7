//! Evaluations of random games by bots, as text (**snapshot tests**): a changed weight shows as a changed number.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use super::audit::Audit;
use super::random_game::{GoldenCase, luck};
use crate::bots::Heuristics;
use crate::table::{Chance, Fault, Seat};

/// The number of actions of a list that are rated.
const RATED: usize = 8;

/// Sums of the evaluations of all tables at which one kind of decision is open.
#[derive(Default)]
struct Sum {
    tables: i64,
    worth: i64,
    promise: i64,
    actions: i64,
    glance: i64,
    appeal: i64,
}

impl Sum {
    fn add<R: Heuristics>(
        &mut self,
        state: &R::State,
        seat: Seat,
        luck: &Chance,
        legal: &[R::Action],
    ) {
        self.tables += 1;
        for (seat, weight) in Seat::all(R::players(state)).zip(1..) {
            self.worth += weight * i64::from(R::evaluate(state, seat));
            self.promise += weight * i64::from(R::expected_value(state, seat));
        }
        for (action, weight) in rated(legal).zip(1..) {
            self.actions += 1;
            self.glance += weight * i64::from(R::greedy_score(state, seat, action, luck));
            self.appeal += weight * i64::from(R::prior(state, seat, action, luck));
        }
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            tables,
            worth,
            promise,
            actions,
            glance,
            appeal,
        } = self;
        write!(
            f,
            "{tables} tables, worth {worth}, promise {promise}; {actions} actions, {glance} {appeal}"
        )
    }
}

/// Evaluations of several games.
#[derive(Default)]
struct Estimates {
    /// The sums by kind of decision.
    sums: BTreeMap<&'static str, Sum>,
    examples: String,
}

/// Plays the recorded games. For every kind of decision, writes down the sum of the values of all tables for their
/// seats and of the ratings of some legal actions, weighted so that seats and actions differ. Then writes down the
/// same sums for single tables of the first game: those whose number is a multiple of `every`.
///
/// # Errors
/// The refusal of a listed action.
pub fn estimates<R: Audit + Heuristics>(seed: u64, every: usize) -> Result<String, Fault> {
    let mut all = Estimates::default();
    for (number, deal) in GoldenCase::all::<R>(seed).enumerate() {
        all.play::<R>(deal, (number == 0).then_some(every))?;
    }
    let sums = all.sums.iter();
    let sums = sums.map(|(decision, sum)| format!("{decision}: {sum}\n"));
    Ok(sums.collect::<String>() + &all.examples)
}

impl Estimates {
    fn play<R: Audit + Heuristics>(
        &mut self,
        deal: GoldenCase,
        every: Option<usize>,
    ) -> Result<(), Fault> {
        let (mut walk, luck) = (deal.start_game::<R>(), luck(deal.seed));
        while let Some(decision) = walk.next_decision()? {
            let (state, pending) = (&walk.now.state, decision.pending);
            let sum = self.sums.entry(pending.decision).or_default();
            sum.add::<R>(state, pending.seat, &luck, &decision.legal);
            if every.is_some_and(|every| walk.is_due(every)) {
                let line = format!("{} {}, {}", walk.actions, pending.seat, pending.decision);
                let table = (state, pending.seat, &luck);
                let _a_string_takes_all =
                    write_example::<R>(&mut self.examples, &line, table, &decision.legal);
            }
            walk.take_action(&decision)?;
        }
        Ok(())
    }
}

fn rated<A>(legal: &[A]) -> impl Iterator<Item = &A> {
    legal.iter().step_by(legal.len().div_ceil(RATED).max(1))
}

fn write_example<R: Heuristics>(
    text: &mut String,
    line: &str,
    (state, seat, luck): (&R::State, Seat, &Chance),
    legal: &[R::Action],
) -> fmt::Result {
    let seats = R::players(state);
    let of_each = |value: fn(&R::State, Seat) -> i32| -> Vec<i32> {
        Seat::all(seats).map(|seat| value(state, seat)).collect()
    };
    let (worth, promise) = (of_each(R::evaluate), of_each(R::expected_value));
    writeln!(text, "{line}: worth {worth:?}, promise {promise:?}")?;
    rated(legal).try_for_each(|action| {
        let glance = R::greedy_score(state, seat, action, luck);
        let appeal = R::prior(state, seat, action, luck);
        let ends = match R::ends(action) {
            true => ", ends the game",
            false => "",
        };
        writeln!(text, "    {glance} {appeal}{ends}: {action:?}")
    })
}
