//! Forced actions: the engine takes an action itself if it is the only legal one, and marks the event that reports it.

use super::audit::Audit;
use crate::ruleset::{Applied, apply, apply_permitted, legal_actions};
use crate::table::{Automatic, Chance, Detail, Fault, Journal, Seat, decode};

/// Checks that the set-up contains no automatic actions: the first entry of a log cannot store any.
pub(super) fn set_up_decides_nothing<R: Audit>(now: &Applied<R>) -> Result<(), Fault> {
    Fault::unless(now.automatic.is_empty(), "forced", || {
        format!("the set-up decides {:?}", now.automatic)
    })
}

/// Checks that every action that the engine took after an action was the only legal action of its seat at that table,
/// and that its mark is at the event that comes first when a player takes it. Each event is marked at most once.
pub(super) fn forced_is_forced<R: Audit>(
    before: &Applied<R>,
    after: &Applied<R>,
    (seat, action): (Seat, &R::Action),
) -> Result<(), Fault> {
    if after.automatic.is_empty() {
        return Ok(());
    }
    let moments = moments::<R>(before, seat, action)?;
    Fault::unless(moments.len() == after.automatic.len(), "forced", || {
        format!("{} moments of {:?}", moments.len(), after.automatic)
    })?;
    for (state, automatic) in moments.iter().zip(&after.automatic) {
        was_the_only_action::<R>(state, automatic)?;
        is_marked::<R>(state, &before.chance, after, automatic)?;
    }
    let forced_count = after
        .events_with_forced()
        .filter(|(_, is_forced)| *is_forced)
        .count();
    let with_event = after
        .automatic
        .iter()
        .filter(|one| one.first_event.is_some());
    Fault::unless(forced_count == with_event.count(), "forced", || {
        format!("{forced_count} marks of {:?}", after.automatic)
    })
}

/// Returns the tables before the forced actions that follow an action.
fn moments<R: Audit>(
    before: &Applied<R>,
    seat: Seat,
    action: &R::Action,
) -> Result<Vec<R::State>, Fault> {
    let fault = |text| Fault {
        rule: "forced",
        text,
    };
    let permit =
        R::check(&before.state, seat, action).map_err(|refusal| fault(refusal.to_string()))?;
    let (mut state, mut chance) = (before.state.clone(), before.chance.clone());
    let mut journal = Journal::new();
    journal.audit_states = Some(Vec::new());
    apply_permitted::<R>(&mut state, permit, &mut chance, &mut journal);
    let moments = journal.audit_states.iter().flatten();
    let moments = moments.map(|bytes| decode(bytes).map_err(|error| fault(error.to_string())));
    moments.collect()
}

fn was_the_only_action<R: Audit>(
    state: &R::State,
    Automatic { seat, action, .. }: &Automatic<R::Action>,
) -> Result<(), Fault> {
    let legal = legal_actions::<R>(state, *seat, Detail::Moves);
    let is_only = match &legal[..] {
        [only] => only == action,
        _ => R::waives(state) && legal.contains(action),
    };
    Fault::unless(is_only, "forced", || {
        format!("the engine takes {action:?} of {seat}, but legal are {legal:?}")
    })
}

/// Checks that the marked event is the first that a player would cause by the same action.
fn is_marked<R: Audit>(
    state: &R::State,
    chance: &Chance,
    after: &Applied<R>,
    Automatic {
        seat,
        action,
        first_event,
    }: &Automatic<R::Action>,
) -> Result<(), Fault> {
    let applied = apply::<R>(state, chance, *seat, action);
    let first = applied
        .ok()
        .and_then(|applied| applied.events.into_iter().next());
    let marked = first_event.map(|at| after.events.get(at));
    let fits = marked.is_none_or(|marked| marked.is_some() && marked == first.as_ref());
    Fault::unless(fits, "forced", || {
        format!("{action:?} of {seat} tells {first:?}, but {marked:?} is marked")
    })
}
