//! Previews: what a seat foresees of its action happens, and whether and why nothing is foreseen tells the seat nothing.

use super::audit::Audit;
use crate::table::{Chance, Fault, Seat, Viewer};
use crate::table_life::{AppliedAtTable, EntryStamp, Outcome, Table, apply_action, preview};

/// An action, its seat, and the place of its entry in the log.
pub(super) type Played<'a, A> = (Seat, &'a A, EntryStamp);

/// Checks that the events and the table that a seat foresees for its action are those that follow, as far as the seat
/// may know them, and those that would follow on a twin table. Also checks that the preview, or the reason for its
/// absence, is the same on the twin table.
pub(super) fn foresight_holds<R: Audit>(
    before: Table<'_, R>,
    after: &Outcome<R>,
    (seat, action, stamp): Played<'_, R::Action>,
    chance: &mut Chance,
) -> Result<(), Fault> {
    let twin = R::scramble(before.state, Viewer::Seat(seat), chance);
    drop(chance.take_record());
    let twin = Table {
        state: &twin,
        ..before
    };
    let outcome = |(applied, life): AppliedAtTable<R>| Outcome::of(&applied, life.as_deref(), seat);
    let outcome_at = |table| preview::<R>(table, seat, action, stamp).map(outcome);
    let foreseen = outcome_at(before);
    unless(foreseen == outcome_at(twin), || {
        format!("{seat} learns from the preview of {action:?}")
    })?;
    let Ok(foreseen) = foreseen else {
        return Ok(());
    };
    unless(foreseen == *after, || {
        format!("{seat} foresees something else than what {action:?} does")
    })?;
    let there = apply_action::<R>(twin, seat, action, stamp).ok();
    let same = there.is_some_and(|there| outcome(there) == foreseen);
    unless(same, || {
        format!("{seat} foresees what {action:?} does not do on every table")
    })
}

fn unless(holds: bool, text: impl FnOnce() -> String) -> Result<(), Fault> {
    Fault::unless(holds, "foresight", text)
}
