//! Positions: every table of random games can be described, and made again from its description.

use super::audit::Audit;
use crate::ruleset::{apply_in_place, begin, legal_actions};
use crate::starts::{Start, warm_start};
use crate::table::{Chance, Detail, Fault, PositionError, Seed, Viewer};

/// The maximum number of actions of a game.
const MAX_ACTIONS: usize = 1_500;

/// Plays random games of all numbers of seats. After every action, the operator's view gives the table again, without
/// any luck, and nothing is left to be done before the decision; the table of a game that is over is refused.
///
/// # Errors
/// The first guarantee that did not hold.
pub fn positions_are_complete<R: Audit>(seeds: u64) -> Result<(), Fault> {
    if !R::HAS_POSITIONS {
        return Ok(());
    }
    for seats in R::INFO.seats() {
        (0..seeds).try_for_each(|number| game_is_described::<R>(seats, number))?;
    }
    Ok(())
}

fn game_is_described<R: Audit>(seats: usize, number: u64) -> Result<(), Fault> {
    let (options, seed) = (R::table(seats, number), Seed::from_number(number));
    let start = if number.is_multiple_of(2) {
        Start::SetUp
    } else {
        Start::Rich
    };
    let opened = warm_start::<R>(&options, start, &seed);
    let (mut state, mut luck) = (opened.state, opened.chance);
    let mut player = Chance::from_seed(&Seed::from_number(number));
    for _ in 0..MAX_ACTIONS {
        if R::pending(&state).is_empty() {
            let refused = made::<R>(&options, &state).is_err();
            return unless(refused, || {
                String::from("a table that is over was accepted")
            });
        }
        table_is_described::<R>(&options, &state)?;
        step_on::<R>(&mut state, &mut luck, &mut player)?;
    }
    Ok(())
}

/// Checks the same of a table of a game that began on a described table. It may have grown beyond a ceiling.
pub(super) fn table_is_described_up_to_ceilings<R: Audit>(
    options: &R::Options,
    state: &R::State,
) -> Result<(), Fault> {
    match made::<R>(options, state) {
        Err(error) if R::CEILINGS.contains(&error.rule) => Ok(()),
        Ok(_) | Err(_) => table_is_described::<R>(options, state),
    }
}

/// Checks that the operator's view of a table gives the table again, without any luck.
fn table_is_described<R: Audit>(options: &R::Options, state: &R::State) -> Result<(), Fault> {
    match made::<R>(options, state) {
        Ok((made, draws)) => {
            unless(made == *state && draws == 0, || {
                format!("{draws} draws, described as\n{made:?}\ninstead of\n{state:?}")
            })?;
            let begun = begin::<R>(made, Chance::from_seed(&Seed::from_number(7)));
            let is_settled = begun.state == *state && begun.events.is_empty();
            unless(is_settled, || format!("went on by itself at\n{state:?}"))
        }
        Err(error) => unless(false, || format!("{error}, at\n{state:?}")),
    }
}

/// Returns the table that the operator's view of a table gives, and the number of draws that it took.
fn made<R: Audit>(
    options: &R::Options,
    state: &R::State,
) -> Result<(R::State, usize), PositionError> {
    let mut chance = Chance::from_seed(&Seed::from_number(7));
    let view = R::view(state, Viewer::Operator);
    let made = R::position(options, &view, &mut chance)?;
    Ok((made, chance.take_record().len()))
}

/// Plays a random action. Returns whether there was a decision.
fn step_on<R: Audit>(
    state: &mut R::State,
    luck: &mut Chance,
    player: &mut Chance,
) -> Result<bool, Fault> {
    let Some(pending) = R::pending(state).first().copied() else {
        return Ok(false);
    };
    let legal = legal_actions::<R>(state, pending.seat, Detail::Moves);
    unless(!legal.is_empty(), || {
        format!("no answer to {pending:?} at {state:?}")
    })?;
    let choice = R::choose(state, pending.seat, &legal, player);
    let played = apply_in_place::<R>(state, luck, pending.seat, &legal[choice]);
    unless(played.is_ok(), || format!("{:?}", legal[choice]))?;
    drop(luck.take_record());
    Ok(true)
}

fn unless(holds: bool, text: impl FnOnce() -> String) -> Result<(), Fault> {
    Fault::unless(holds, "positions", text)
}
