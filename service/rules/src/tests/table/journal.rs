//! The event log of an action.

use gamekeeper_rules::table::{Chance, ExecContext, Journal, Seat, Seed, events_with_forced};

/// The mark is at the first event of the forced action itself, even if other events and actions follow.
#[test]
fn forced_actions_are_marked_where_they_are_told() {
    let (mut chance, mut journal) = (Chance::from_seed(&Seed::from_number(1)), Journal::new());
    let mut ctx = ExecContext {
        state: &mut 0_u8,
        chance: &mut chance,
        journal: &mut journal,
    };
    ctx.emit("asked");
    ctx.execute_forced(Seat::FIRST, "silent", |ctx| *ctx.state += 1);
    ctx.emit("next");
    ctx.execute_forced(Seat::FIRST, "loud", |ctx| {
        ctx.emit("done");
        ctx.emit("gained");
    });
    let marked: Vec<_> = events_with_forced(&journal.events, &journal.automatic).collect();
    let expected = [
        (&"asked", false),
        (&"next", false),
        (&"done", true),
        (&"gained", false),
    ];
    assert_eq!(marked, expected);
    // Tables are kept for audits alone.
    let mut plain = Journal::new();
    plain.events.clone_from(&journal.events);
    plain.automatic.clone_from(&journal.automatic);
    assert_eq!(journal, plain);
    let later = journal
        .automatic
        .into_iter()
        .map(|one| one.shifted_by(3).first_event);
    assert_eq!(later.collect::<Vec<_>>(), [None, Some(5)]);
}
