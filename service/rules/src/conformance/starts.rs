//! Starts other than the set-up: legal, reproducible tables from which games continue.

use super::audit::Audit;
use crate::ruleset::{apply_in_place, legal_actions};
use crate::starts::{Start, warm_start};
use crate::table::{Chance, Detail, Fault, Seed, Viewer, encode};

/// The number of actions played from each start.
const ACTIONS: usize = 60;

/// Opens games of all numbers of seats with every start, and plays on.
///
/// # Errors
/// The first guarantee that did not hold.
pub fn starts_are_legal<R: Audit>(seeds: u64) -> Result<(), Fault> {
    for seats in R::INFO.seats() {
        (0..seeds).try_for_each(|number| start_is_legal::<R>(seats, number))?;
    }
    Ok(())
}

fn start_is_legal<R: Audit>(seats: usize, number: u64) -> Result<(), Fault> {
    let (options, seed) = (R::table(seats, number), Seed::from_number(number));
    unless(R::seats(&options) == seats, || {
        format!("options of {seats} players are for {}", R::seats(&options))
    })?;
    let plain = warm_start::<R>(&options, Start::SetUp, &seed).state;
    asks_until_told::<R>(&plain)?;
    for start in [Start::Rich, Start::Late] {
        let opened = warm_start::<R>(&options, start, &seed);
        let again = warm_start::<R>(&options, start, &seed);
        let same = encode(&opened.state) == encode(&again.state)
            && opened.chance.position() == again.chance.position();
        unless(same, || format!("{start:?} differs"))?;
        let nothing_more = start == Start::Rich && !R::HAS_RICH_START;
        let is_plain = opened.state == plain;
        unless(is_plain == nothing_more, || {
            format!("{start:?} is the set-up: {is_plain}")
        })?;
        plays_on::<R>(opened.state, opened.chance)?;
    }
    Ok(())
}

/// Checks that a view changes when its open decisions are removed.
fn asks_until_told<R: Audit>(state: &R::State) -> Result<(), Fault> {
    let view = R::view(state, Viewer::Spectator);
    let mut silent = R::view(state, Viewer::Spectator);
    R::clear_pending(&mut silent);
    unless(view != silent, || {
        String::from("a view asks although nobody is asked any more")
    })
}

fn plays_on<R: Audit>(mut state: R::State, mut luck: Chance) -> Result<(), Fault> {
    let mut player = Chance::from_seed(&Seed::from_number(1));
    unless(!R::pending(&state).is_empty(), || {
        String::from("a game that begins is over")
    })?;
    for _ in 0..ACTIONS {
        R::invariants(&state)?;
        let Some(pending) = R::pending(&state).first().copied() else {
            return Ok(());
        };
        let legal = legal_actions::<R>(&state, pending.seat, Detail::Moves);
        unless(!legal.is_empty(), || {
            format!("{} cannot go on", pending.seat)
        })?;
        let choice = R::choose(&state, pending.seat, &legal, &mut player);
        let played = apply_in_place::<R>(&mut state, &mut luck, pending.seat, &legal[choice]);
        unless(played.is_ok(), || format!("{:?}", legal[choice]))?;
    }
    Ok(())
}

fn unless(holds: bool, text: impl FnOnce() -> String) -> Result<(), Fault> {
    Fault::unless(holds, "starts", text)
}
