//! What bots think of random games, as text: a changed weight shows as a changed figure.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use super::audit::Audit;
use crate::bots::Mind;
use crate::ruleset::{apply, create, legal_actions};
use crate::table::{Chance, Detail, Seat, Seed};

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

/// Plays a game of every number of seats with the ruleset's own random policy. Writes down, for every decision, the sum
/// of what all tables are worth to their seats and of how some of the legal actions rate, weighted so that seats and
/// actions differ. Then the same for each table of the smallest game whose number is a multiple of `every`.
///
/// # Errors
/// The refusal of a listed action, as text.
pub(crate) fn estimates<R: Audit + Mind>(seed: u64, every: usize) -> Result<String, String> {
    let (mut sums, mut examples) = (BTreeMap::<&'static str, Sum>::new(), String::new());
    for seats in R::SHEET.min_seats..=R::SHEET.max_seats {
        let luck = Chance::from_seed(&Seed::from_number(seed));
        let mut now = create::<R>(&R::table(seats.into(), seed), luck.clone());
        let mut player = Chance::from_seed(&Seed::from_number(seed ^ (1 << 63)));
        let mut actions = 0_usize;
        while let Some(pending) = R::pending(&now.state).first().copied() {
            let seat = pending.seat;
            let legal = legal_actions::<R>(&now.state, seat, Detail::Moves);
            let sum = sums.entry(pending.decision).or_default();
            sum.add::<R>(&now.state, seat, &luck, &legal);
            if seats == R::SHEET.min_seats && actions.is_multiple_of(every) {
                let line = format!("{actions} {seat}, {}", pending.decision);
                write_example::<R>(&mut examples, &line, (&now.state, seat, &luck), &legal)
                    .map_err(|error| error.to_string())?;
            }
            let choice = R::choose(&now.state, seat, &legal, &mut player);
            let action = legal.get(choice).ok_or("no legal action")?;
            now = apply::<R>(&now.state, &now.chance, seat, action)
                .map_err(|refusal| refusal.to_string())?;
            actions += 1;
        }
    }
    let lines = sums
        .iter()
        .map(|(decision, sum)| format!("{decision}: {sum}\n"));
    Ok(lines.collect::<String>() + &examples)
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
