//! What bots think of random games, as text: a changed weight shows as a changed figure.

use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::ops::Range;

use super::audit::Audit;
use super::walk::{Walk, luck};
use crate::bots::Mind;
use crate::table::{Chance, Seat};

/// How many actions of a list are rated.
const RATED: usize = 8;

/// What bots think of all tables at which one decision is open.
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

/// What bots think of some games.
#[derive(Default)]
struct Estimates {
    /// By decision.
    sums: BTreeMap<&'static str, Sum>,
    examples: String,
}

/// Plays games of every number of seats and these seeds with the ruleset's own random policy. Writes down, for every
/// decision, the sum of what all tables are worth to their seats and of how some of the legal actions rate, weighted so
/// that seats and actions differ. Then the same for each table of the first game whose number is a multiple of `every`.
///
/// # Errors
/// The refusal of a listed action, as text.
pub(crate) fn estimates<R: Audit + Mind>(
    seeds: Range<u64>,
    every: usize,
) -> Result<String, String> {
    let mut all = Estimates::default();
    for seats in R::SHEET.min_seats..=R::SHEET.max_seats {
        for seed in seeds.clone() {
            let is_first = seats == R::SHEET.min_seats && seed == seeds.start;
            play::<R>(seats.into(), seed, is_first.then_some(every), &mut all)?;
        }
    }
    let sums = all.sums.iter();
    let sums = sums.map(|(decision, sum)| format!("{decision}: {sum}\n"));
    Ok(sums.collect::<String>() + &all.examples)
}

fn play<R: Audit + Mind>(
    seats: usize,
    seed: u64,
    every: Option<usize>,
    all: &mut Estimates,
) -> Result<(), String> {
    let luck = luck(seed);
    let mut walk = Walk::<R>::start(&R::table(seats, seed), seed);
    while let Some(asked) = walk.asked().map_err(|fault| fault.to_string())? {
        let (state, owed) = (&walk.now.state, asked.owed);
        let sum = all.sums.entry(owed.decision).or_default();
        sum.add::<R>(state, owed.seat, &luck, &asked.legal);
        if every.is_some_and(|every| walk.is_due(every)) {
            let line = format!("{} {}, {}", walk.actions, owed.seat, owed.decision);
            write_example::<R>(
                &mut all.examples,
                &line,
                (state, owed.seat, &luck),
                &asked.legal,
            )
            .map_err(|error| error.to_string())?;
        }
        walk.go_on(&asked).map_err(|fault| fault.to_string())?;
    }
    Ok(())
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
