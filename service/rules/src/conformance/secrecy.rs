//! Secrecy (**noninterference**): a change of only what a viewer cannot know must change nothing that reaches them.

use super::audit::Audit;
use crate::ruleset::legal_actions;
use crate::table::{Chance, Detail, Fault, GameEvent, Names, PerSeat, Seat, Viewer};

/// Lists all viewers of a table who must not see everything.
pub(super) fn viewers(seats: usize) -> impl Iterator<Item = Viewer> {
    Seat::all(seats)
        .map(Viewer::Seat)
        .chain([Viewer::Spectator])
}

/// Checks that views, legal actions and refusals of every viewer do not depend on what they cannot know.
pub(super) fn state_keeps_secrets<R: Audit>(
    state: &R::State,
    tried: &PerSeat<Vec<R::Action>>,
    chance: &mut Chance,
) -> Result<(), Fault> {
    for viewer in viewers(tried.count()) {
        let other = R::scramble(state, viewer, chance);
        Fault::unless(
            R::view(state, viewer) == R::view(&other, viewer),
            "secrecy",
            || format!("the view of {viewer:?} shows what they cannot know"),
        )?;
        Fault::unless(R::pending(state) == R::pending(&other), "secrecy", || {
            format!("the pending decisions depend on what {viewer:?} cannot know")
        })?;
        if let Viewer::Seat(seat) = viewer {
            answers_keep_secrets::<R>((state, &other), seat, &tried[seat])?;
        }
    }
    Ok(())
}

fn answers_keep_secrets<R: Audit>(
    (state, other): (&R::State, &R::State),
    seat: Seat,
    tried: &[R::Action],
) -> Result<(), Fault> {
    let list = |state| legal_actions::<R>(state, seat, Detail::Moves);
    Fault::unless(list(state) == list(other), "secrecy", || {
        format!("the legal actions of {seat} depend on what they cannot know")
    })?;
    for action in tried {
        let refusal = |state| {
            R::check(state, seat, action)
                .err()
                .map(|refusal| (refusal.code(), refusal.rule, refusal.to_string()))
        };
        let (here, there) = (refusal(state), refusal(other));
        Fault::unless(here == there, "secrecy", || {
            format!("{seat}, {action:?}: {here:?}, but {there:?} if what they cannot know differs")
        })?;
    }
    Ok(())
}

/// Checks that each viewer's part of the events does not depend on what they cannot know.
pub(super) fn events_keep_secrets<R: Audit>(
    events: &[R::Event],
    seats: usize,
    chance: &mut Chance,
) -> Result<(), Fault> {
    for viewer in viewers(seats) {
        for event in events {
            let other = R::scramble_event(event, viewer, chance);
            let (here, there) = (R::event_view(event, viewer), R::event_view(&other, viewer));
            let same = here == there
                && here.as_ref().map(|event| event.sentence(Names::NONE))
                    == there.as_ref().map(|event| event.sentence(Names::NONE));
            Fault::unless(same, "secrecy", || {
                format!("{viewer:?} sees {here:?}, but {there:?} if what they cannot know differs")
            })?;
        }
    }
    Ok(())
}
