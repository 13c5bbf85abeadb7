//! Positions: tables of random games whose descriptions are changed at random. Each is refused, or a game like any other
//! goes on from it.

use super::audit::Audit;
use super::positions::table_is_described_up_to_ceilings;
use crate::ruleset::{JournalOf, apply_permitted, begin, legal_actions};
use crate::starts::{Start, warm_start};
use crate::table::{Chance, Detail, Fault, Seed, Viewer};

/// The number of actions played from each accepted table, unless the game ends before.
const ACTIONS: usize = 200;

/// The interval of the tables that are described again on the way, in actions.
const DESCRIBED_EVERY: usize = 10;

/// The number of actions that a game of random play may take before its table is described.
const DEEPEST: usize = 250;

/// The numbers of changed tables, and of those among them that were accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Judged {
    pub(super) changed: u64,
    pub(super) accepted: u64,
}

/// Describes this many tables of random games of every number of seats, changes each description by `change`, and judges
/// those that are different. From every accepted table a game goes on: every
/// table on the way keeps the invariants, has a legal action, and can be described in turn, unless the game has grown
/// beyond a ceiling. The variable
/// `GAMEKEEPER_TABLES` is a factor for the number of tables; the numbers are printed.
///
/// # Errors
/// The first guarantee that did not hold.
#[expect(clippy::print_stdout, reason = "a long test says how much it tried")]
pub(super) fn changed_tables_are_judged<R: Audit>(
    tables: u64,
    change: impl Fn(&mut R::View, &mut Chance),
) -> Result<Judged, Fault> {
    let mut judged = Judged::default();
    for seats in R::INFO.seats() {
        for number in 0..tables * factor() {
            let options = R::table(seats, number);
            let mut player = Chance::from_seed(&Seed::from_number(number));
            let state = some_table::<R>(&options, number, &mut player);
            let described = R::view(&state, Viewer::Operator);
            let mut view = described.clone();
            change(&mut view, &mut player);
            if view == described {
                continue;
            }
            judged.changed += 1;
            let mut luck = Chance::from_seed(&Seed::from_number(number));
            if let Ok(state) = R::position(&options, &view, &mut luck) {
                judged.accepted += 1;
                unless(!R::pending(&state).is_empty(), || {
                    String::from("a table that is over was accepted")
                })?;
                let begun = begin::<R>(state, luck);
                let (state, luck) = (begun.state, begun.chance);
                goes_on::<R>(&options, state, luck, &mut player).map_err(|fault| Fault {
                    text: format!("{}\nfrom table {number} of {seats}: {view:?}", fault.text),
                    ..fault
                })?;
            }
        }
    }
    println!("{}: {judged:?}", R::INFO.id);
    Ok(judged)
}

/// Returns how many times as many tables as usual are changed.
fn factor() -> u64 {
    #[expect(
        clippy::disallowed_methods,
        reason = "a test may be told to try more tables"
    )]
    let given = std::env::var("GAMEKEEPER_TABLES").ok();
    given.and_then(|factor| factor.parse().ok()).unwrap_or(1)
}

/// Returns a random number below `count`, each equally likely; 0 if there is none. For changes of tables in tests.
pub fn below(chance: &mut Chance, count: usize) -> usize {
    let all: Vec<u16> = (0..u16::try_from(count).unwrap_or(u16::MAX)).collect();
    let picked = chance.pick("change", None, &all).map_or(0, usize::from);
    drop(chance.take_record());
    picked
}

/// Returns one of some values, each equally likely. For changes of tables in tests.
pub fn pick<T: Copy>(chance: &mut Chance, from: &[T]) -> T {
    from[below(chance, from.len())]
}

/// Returns an entry of a list, each equally likely; `None` if it is empty. For changes of tables in tests.
pub fn one_of<'a, T>(chance: &mut Chance, list: &'a mut [T]) -> Option<&'a mut T> {
    let index = below(chance, list.len());
    list.get_mut(index)
}

/// Returns a table of a random game at which somebody decides.
fn some_table<R: Audit>(options: &R::Options, number: u64, player: &mut Chance) -> R::State {
    let start = match number % 3 {
        0 => Start::Rich,
        1 => Start::Late,
        _ => Start::SetUp,
    };
    let opened = warm_start::<R>(options, start, &Seed::from_number(number));
    let (mut state, mut luck) = (opened.state, opened.chance);
    let depth = below(player, DEEPEST);
    for _ in 0..depth {
        let before = state.clone();
        let played = play::<R>(&mut state, &mut luck, player);
        if played.is_err() || R::pending(&state).is_empty() {
            return before;
        }
    }
    state
}

/// Plays a legal action of a seat that owes a decision.
fn play<R: Audit>(
    state: &mut R::State,
    luck: &mut Chance,
    player: &mut Chance,
) -> Result<JournalOf<R>, Fault> {
    let mut journal = JournalOf::<R>::new();
    let Some(pending) = R::pending(state).first().copied() else {
        return Ok(journal);
    };
    let legal = legal_actions::<R>(state, pending.seat, Detail::Moves);
    unless(!legal.is_empty(), || {
        format!("{} cannot go on from {state:?}", pending.seat)
    })?;
    let action = &legal[R::choose(state, pending.seat, &legal, player)];
    let permit = R::check(state, pending.seat, action);
    let permit = permit.map_err(|refused| Fault {
        rule: refused.rule,
        text: format!("{action:?} was listed"),
    })?;
    apply_permitted::<R>(state, permit, luck, &mut journal);
    Ok(journal)
}

fn goes_on<R: Audit>(
    options: &R::Options,
    mut state: R::State,
    mut luck: Chance,
    player: &mut Chance,
) -> Result<(), Fault> {
    for step in 0..ACTIONS {
        if R::pending(&state).is_empty() {
            return Ok(());
        }
        if step % DESCRIBED_EVERY == 0 {
            table_is_described_up_to_ceilings::<R>(options, &state)?;
        }
        let before = state.clone();
        let journal = play::<R>(&mut state, &mut luck, player)?;
        R::invariants(&state)?;
        R::step_invariants(&before, &state, &journal.events)?;
    }
    Ok(())
}

fn unless(holds: bool, text: impl FnOnce() -> String) -> Result<(), Fault> {
    Fault::unless(holds, "positions", text)
}
