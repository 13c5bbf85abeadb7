//! Actions that can be taken back: no seat knows more after them than before.

use super::audit::Audit;
use super::secrecy::viewers;
use crate::ruleset::{Applied, apply, legal_actions};
use crate::table::{Chance, Detail, Fault, GameEvent, Seat};

/// Checks that an action reveals nothing hidden if nothing was drawn and no event says that it reveals something: at a
/// table that differs only in hidden things, every viewer sees the same.
pub(super) fn reveals_are_marked<R: Audit>(
    before: &Applied<R>,
    after: &Applied<R>,
    (seat, action): (Seat, &R::Action),
    seats: usize,
    chance: &mut Chance,
) -> Result<(), Fault> {
    if !after.draws.is_empty() || after.events.iter().any(GameEvent::reveals) {
        return Ok(());
    }
    for viewer in viewers(seats) {
        let other = R::scramble(&before.state, viewer, chance);
        let leak = |what: &str| Fault {
            rule: "reveals",
            text: format!(
                "{viewer:?} learns from {what} of {seat}, {action:?}, but no event says so"
            ),
        };
        let seen = |applied: &Applied<R>| -> Vec<(R::Event, bool)> {
            let events = applied.events_with_forced();
            events
                .filter_map(|(event, is_forced)| Some((R::event_view(event, viewer)?, is_forced)))
                .collect()
        };
        let looks_the_same = |there: &Applied<R>| {
            R::view(&after.state, viewer) == R::view(&there.state, viewer)
                && R::pending(&after.state) == R::pending(&there.state)
        };
        let Ok(there) = apply::<R>(&other, &before.chance, seat, action) else {
            // A viewer who does not see the action cannot tell it from another one that is legal there.
            let legal = legal_actions::<R>(&other, seat, Detail::Moves);
            let played = legal
                .iter()
                .filter_map(|legal| apply::<R>(&other, &before.chance, seat, legal).ok());
            let same = played
                .into_iter()
                .any(|there| seen(after) == seen(&there) && looks_the_same(&there));
            Fault::unless(same, "reveals", || leak("the legality").text)?;
            continue;
        };
        Fault::unless(seen(after) == seen(&there), "reveals", || {
            leak("an event").text
        })?;
        Fault::unless(looks_the_same(&there), "reveals", || {
            leak("the table after the action").text
        })?;
    }
    drop(chance.take_record());
    Ok(())
}
