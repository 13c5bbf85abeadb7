//! Where it is written what the service must do by itself, and when: in lists of all tenants, which are kept with the
//! game's own entries. There is a list for every minute and one for every day, so that a process finds what is due
//! now, and after an outage everything that was due.

/// Milliseconds of a minute.
const MINUTE: u64 = 60_000;

/// Minutes of a day.
const DAY: u64 = 24 * 60;

/// The lists that contain a game for which something is due at this time.
pub(crate) fn due_lists(due_ms: u64) -> Vec<String> {
    let minute = minute_of(due_ms);
    vec![due_in(minute), due_on(minute / DAY)]
}

/// The minute of a time.
pub(crate) const fn minute_of(ms: u64) -> u64 {
    ms / MINUTE
}

/// The day of a time.
pub(crate) const fn day_of(ms: u64) -> u64 {
    minute_of(ms) / DAY
}

/// The list of what is due in a minute.
pub(crate) fn due_in(minute: u64) -> String {
    format!("*due in {minute}")
}

/// The list of what is due on a day.
pub(crate) fn due_on(day: u64) -> String {
    format!("*due on {day}")
}
