//! Evaluations of random games by bots, as text (**snapshot tests**): a changed weight shows as a changed number.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use super::audit::Audit;
use super::walk::{Deal, luck};
use crate::bots::Mind;
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
    fn add<R: Mind>(&mut self, state: &R::State, seat: Seat, luck: &Chance, legal: &[R::Action]) {
        self.tables += 1;
        for (seat, weight) in Seat::all(R::players(state)).zip(1..) {
            self.worth += weight * i64::from(R::worth(state, seat));
            self.promise += weight * i64::from(R::promise(state, seat));
        }
        for (action, weight) in rated(legal).zip(1..) {
            self.actions += 1;
            self.glance += weight * i64::from(R::glance(state, seat, action, luck));
            self.appeal += weight * i64::from(R::appeal(state, seat, action, luck));
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
pub(crate) fn estimates<R: Audit + Mind>(seed: u64, every: usize) -> Result<String, Fault> {
    let mut all = Estimates::default();
    for (number, deal) in Deal::all::<R>(seed).enumerate() {
        all.play::<R>(deal, (number == 0).then_some(every))?;
    }
    let sums = all.sums.iter();
    let sums = sums.map(|(decision, sum)| format!("{decision}: {sum}\n"));
    Ok(sums.collect::<String>() + &all.examples)
}

impl Estimates {
    fn play<R: Audit + Mind>(&mut self, deal: Deal, every: Option<usize>) -> Result<(), Fault> {
        let (mut walk, luck) = (deal.walk::<R>(), luck(deal.seed));
        while let Some(asked) = walk.asked()? {
            let (state, owed) = (&walk.now.state, asked.owed);
            let sum = self.sums.entry(owed.decision).or_default();
            sum.add::<R>(state, owed.seat, &luck, &asked.legal);
            if every.is_some_and(|every| walk.is_due(every)) {
                let line = format!("{} {}, {}", walk.actions, owed.seat, owed.decision);
                let table = (state, owed.seat, &luck);
                let _a_string_takes_all =
                    write_example::<R>(&mut self.examples, &line, table, &asked.legal);
            }
            walk.go_on(&asked)?;
        }
        Ok(())
    }
}

fn rated<A>(legal: &[A]) -> impl Iterator<Item = &A> {
    legal.iter().step_by(legal.len().div_ceil(RATED).max(1))
}

fn write_example<R: Mind>(
    text: &mut String,
    line: &str,
    (state, seat, luck): (&R::State, Seat, &Chance),
    legal: &[R::Action],
) -> fmt::Result {
    let seats = R::players(state);
    let of_each = |value: fn(&R::State, Seat) -> i32| -> Vec<i32> {
        Seat::all(seats).map(|seat| value(state, seat)).collect()
    };
    let (worth, promise) = (of_each(R::worth), of_each(R::promise));
    writeln!(text, "{line}: worth {worth:?}, promise {promise:?}")?;
    rated(legal).try_for_each(|action| {
        let glance = R::glance(state, seat, action, luck);
        let appeal = R::appeal(state, seat, action, luck);
        let ends = match R::ends(action) {
            true => ", ends the game",
            false => "",
        };
        writeln!(text, "    {glance} {appeal}{ends}: {action:?}")
    })
}
