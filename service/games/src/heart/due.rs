//! Where it is written what the service must do by itself, and when: in lists of all tenants, which are kept with the
//! game's own entries. There is a list for every minute, and one of all these games, so that a process finds what
//! is due now, and after an outage everything that was due.

/// Milliseconds of a minute.
const MINUTE: u64 = 60_000;

/// The list of all games for which something will be due.
pub(crate) const DUE: &str = "*due";

/// The lists that contain a game for which something is due at this time.
pub(crate) fn due_lists(due_ms: u64) -> Vec<String> {
    vec![DUE.to_owned(), due_in(minute_of(due_ms))]
}

/// The minute of a time.
pub(crate) const fn minute_of(ms: u64) -> u64 {
    ms / MINUTE
}

/// Is something due up to this minute in a game that is in these lists?
pub(crate) fn is_due(lists: &[String], minute: u64) -> bool {
    let minutes = lists.iter().filter_map(|name| name.strip_prefix(IN));
    minutes
        .filter_map(|due| due.parse::<u64>().ok())
        .any(|due| due <= minute)
}

/// The beginning of the names of lists of what is due in a minute.
const IN: &str = "*due in ";

/// The list of what is due in a minute.
pub(crate) fn due_in(minute: u64) -> String {
    format!("{IN}{minute}")
}
