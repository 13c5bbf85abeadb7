//! The **fallback policy** of a seat whose player has left.

use std::ops::ControlFlow;

use super::{Ruleset, visit_legal_from};
use crate::table::{ActionCursor, Detail, Seat, Try, Wanted};

/// Returns the fallback action for a seat whose player has left: legal, and chosen by what the seat knows. Returns
/// `None` if the seat owes no decision.
#[must_use]
pub fn fallback<R: Ruleset>(state: &R::State, seat: Seat) -> Option<R::Action> {
    let pending = R::pending(state);
    let pending_decision = pending.iter().find(|pending| pending.seat == seat)?;
    let row = R::FALLBACKS
        .iter()
        .find(|row| row.decision == pending_decision.decision);
    let attempts = row.into_iter().flat_map(|row| row.tries);
    let legal = |tried: &Try<R::Action>| match tried {
        Try::This(action) => Some(action()).filter(|action| R::check(state, seat, action).is_ok()),
        Try::Least(kind, value) => least::<R>(state, seat, kind, *value),
    };
    let mut tried = attempts.filter_map(legal);
    tried.next().or_else(|| first_legal::<R>(state, seat))
}

/// Returns the legal action of this kind with the lowest value.
fn least<R: Ruleset>(
    state: &R::State,
    seat: Seat,
    kind: &str,
    value: fn(&R::Action) -> u16,
) -> Option<R::Action> {
    let kinds = &[kind];
    let wanted = Wanted {
        detail: Detail::Moves,
        kinds,
    };
    let mut legal = Vec::new();
    visit_legal_from::<R>(
        state,
        seat,
        wanted,
        (ActionCursor::default(), u32::MAX),
        &mut |action| {
            legal.push(action);
            ControlFlow::Continue(())
        },
    );
    legal.into_iter().min_by_key(value)
}

/// Returns the first legal action.
fn first_legal<R: Ruleset>(state: &R::State, seat: Seat) -> Option<R::Action> {
    let (detail, kinds) = (Detail::Moves, &[][..]);
    let (wanted, begin) = (Wanted { detail, kinds }, ActionCursor::default());
    let mut first = None;
    visit_legal_from::<R>(state, seat, wanted, (begin, u32::MAX), &mut |action| {
        first = Some(action);
        ControlFlow::Break(())
    });
    first
}
