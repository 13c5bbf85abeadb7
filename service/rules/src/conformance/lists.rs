//! Pagination: however a list is cut, and for any kinds, its pages join to the whole.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::Audit;
use crate::ruleset::{count_legal_from, find_omitted_from, visit_legal, visit_legal_from};
use crate::table::{
    ActionCursor, Chance, Counted, Detail, Fault, Names, Seat, Seed, Viewer, Wanted, fingerprint,
};

/// The maximum length up to which lists are compared.
const MAX: usize = 600;

/// Checks that the list of this seat in random pages equals the list as a whole.
pub(crate) fn lists_join<R: Audit>(state: &R::State, seat: Seat) -> Result<(), Fault> {
    let chance = &mut Chance::from_seed(&Seed::from_number(fingerprint(state)));
    let [moves, all] = [Detail::Moves, Detail::AllPayments].map(|detail| {
        let mut listed = Vec::new();
        let _end = visit_legal::<R>(state, seat, detail, &mut |action| {
            listed.push(action);
            carry_on(listed.len() < MAX)
        });
        (detail, listed)
    });
    let kinds = some_kinds::<R>(&moves.1, chance);
    for kinds in [&[], &kinds[..]] {
        let count = |listed: &[R::Action]| of_kinds::<R>(listed, kinds).count();
        for (detail, listed) in [&moves, &all] {
            let wanted = Wanted {
                detail: *detail,
                kinds,
            };
            let joined = pages::<R>(state, seat, wanted, chance);
            let mut shown = of_kinds::<R>(listed, kinds);
            let cut = listed.len() == MAX;
            let same = |action| shown.next().map_or(cut, |listed| listed == action);
            let same = joined.iter().all(same);
            let complete = cut || shown.next().is_none();
            Fault::unless(same && complete, "pages_join", || {
                format!("{seat}: pages of {wanted:?} have {} actions", joined.len())
            })?;
            counts_agree::<R>(state, seat, wanted, &joined, chance)?;
        }
        let detail = Detail::Moves;
        let says = is_exhaustive::<R>(state, seat, Wanted { detail, kinds }, chance);
        let is = count(&moves.1) == count(&all.1);
        let is_conclusive = all.1.len() < MAX || count(&all.1) > count(&moves.1);
        Fault::unless(says == is || !is_conclusive, "exhaustive", || {
            format!("{seat}: a list of {kinds:?} is exhaustive: {is}, says {says}")
        })?;
    }
    Ok(())
}

/// Checks that no two actions of the full list, up to the length compared, have the same text.
pub(crate) fn words_tell_apart<R: Audit>(state: &R::State, seat: Seat) -> Result<(), Fault> {
    let view = R::view(state, Viewer::Seat(seat));
    let mut texts = BTreeMap::new();
    let mut twins = None;
    let _end = visit_legal::<R>(state, seat, Detail::AllPayments, &mut |action| {
        let text = R::action_text(&view, &action, Names::NONE);
        twins = texts
            .insert(text.clone(), action.clone())
            .map(|other| (text, other, action));
        carry_on(twins.is_none() && texts.len() < MAX)
    });
    Fault::unless(twins.is_none(), "said_alike", || {
        format!("{seat}: {twins:?}")
    })
}

/// Picks a few of the listed kinds, and adds one that is not listed.
fn some_kinds<R: Audit>(listed: &[R::Action], chance: &mut Chance) -> Vec<&'static str> {
    let mut kinds: Vec<&str> = listed.iter().map(R::kind).collect();
    kinds.dedup();
    kinds.retain(|_| number(chance, 2) == 0);
    kinds.push("no_kind");
    kinds
}

fn of_kinds<'a, R: Audit>(
    listed: &'a [R::Action],
    kinds: &'a [&str],
) -> impl Iterator<Item = &'a R::Action> {
    let wanted = |action: &&R::Action| kinds.is_empty() || kinds.contains(&R::kind(action));
    listed.iter().filter(wanted)
}

/// Joins pages of random sizes, made of slices of random lengths, up to the length compared.
fn pages<R: Audit>(
    state: &R::State,
    seat: Seat,
    wanted: Wanted<'_>,
    chance: &mut Chance,
) -> Vec<R::Action> {
    let mut joined = Vec::new();
    let mut next = Some(ActionCursor::default());
    while let Some(cursor) = next.take()
        && joined.len() < MAX
    {
        let from = ActionCursor::from_numbers(cursor.numbers().to_vec());
        let full = joined.len() + 1 + usize::from(number(chance, 40));
        let steps = 1 + u32::from(number(chance, 60));
        next = visit_legal_from::<R>(state, seat, wanted, (from, steps), &mut |action| {
            if joined.len() == full {
                return ControlFlow::Break(());
            }
            joined.push(action);
            ControlFlow::Continue(())
        });
    }
    joined.truncate(MAX);
    joined
}

/// Checks that a list has as many actions as counted, and the same action at every index, whichever groups are
/// skipped.
fn counts_agree<R: Audit>(
    state: &R::State,
    seat: Seat,
    wanted: Wanted<'_>,
    listed: &[R::Action],
    chance: &mut Chance,
) -> Result<(), Fault> {
    let steps = 1 + u32::from(number(chance, 60));
    if listed.len() < MAX {
        let counted = nth::<R>(state, seat, wanted, (u64::MAX, steps));
        let agree = counted.as_ref() == Err(&(listed.len() as u64));
        Fault::unless(agree, "counts_agree", || {
            format!("{seat}: {wanted:?} has {} and {counted:?}", listed.len())
        })?;
    }
    let places = u16::try_from(listed.len()).unwrap_or(u16::MAX);
    let index = usize::from(number(chance, places));
    let nth_action = nth::<R>(state, seat, wanted, (index as u64, steps));
    let agree = nth_action.as_ref().ok() == listed.get(index);
    Fault::unless(agree, "counts_agree", || {
        format!("{seat}: {wanted:?} has {nth_action:?} at {index}")
    })
}

/// Returns the action at an index of a list, walked in slices of this many steps; or the number of actions if there is
/// none.
fn nth<R: Audit>(
    state: &R::State,
    seat: Seat,
    wanted: Wanted<'_>,
    (index, steps): (u64, u32),
) -> Result<R::Action, u64> {
    let (mut before, mut action_found) = (0_u64, None);
    let mut next = Some(ActionCursor::default());
    while let Some(from) = next.take() {
        let from = ActionCursor::from_numbers(from.numbers().to_vec());
        next = count_legal_from::<R>(state, seat, wanted, (from, steps), &mut |counted| {
            let after = match &counted {
                Counted::One(_) => before + 1,
                Counted::Many(count) => before.saturating_add(*count),
            };
            if after <= index {
                before = after;
                return ControlFlow::Continue(());
            }
            if let Counted::One(action) = counted {
                action_found = Some(action);
            }
            ControlFlow::Break(())
        });
        if let Some(action_found) = action_found {
            return Ok(action_found);
        }
    }
    Err(before)
}

fn is_exhaustive<R: Audit>(
    state: &R::State,
    seat: Seat,
    wanted: Wanted<'_>,
    chance: &mut Chance,
) -> bool {
    let mut from = ActionCursor::default();
    loop {
        let steps = 1 + u32::from(number(chance, 60));
        match find_omitted_from::<R>(state, seat, wanted, (from, steps)) {
            ControlFlow::Break(exhaustive) => return exhaustive,
            ControlFlow::Continue(cursor) => from = cursor,
        }
    }
}

/// Returns a random number below this one.
fn number(chance: &mut Chance, below: u16) -> u16 {
    let numbers: Vec<u16> = (0..below).collect();
    chance.pick("number", None, &numbers).unwrap_or_default()
}

fn carry_on(on: bool) -> ControlFlow<()> {
    if on {
        ControlFlow::Continue(())
    } else {
        ControlFlow::Break(())
    }
}
