//! The times of a record.

use prost_types::Timestamp;

use super::RecordFault;
use super::differ::{difference, same};
use super::luck::milliseconds;
use super::parts::Record;

/// Checks that the times are plausible for a log: whole milliseconds that never decrease, from the creation to the last
/// change, and no time of an origin after the fork.
///
/// # Errors
/// The first difference.
pub(super) fn times(record: &Record) -> Result<(), RecordFault> {
    let mut before = 0;
    for version in &record.versions {
        let number = version.entry.version;
        let now = milliseconds_of(version.entry.play_time, &format!("version {number}"))?;
        if now < before {
            return difference(&format!(
                "version {number}: it is older than the one before"
            ));
        }
        before = now;
    }
    let played = |at: Option<&super::parts::Version>| at.and_then(|at| at.entry.play_time);
    let last = played(record.versions.last());
    same(
        "the time of the last change",
        &last,
        &record.game.update_time,
    )?;
    let created = milliseconds_of(record.game.create_time, "the creation")?;
    if record.origins.is_empty() {
        let first = played(record.versions.first());
        return same("the time of the creation", &first, &record.game.create_time);
    }
    for origin in &record.origins {
        let forked = milliseconds_of(origin.fork_time, "a fork")?;
        let left = origin.forked_from.as_ref().map_or(0, |left| left.version);
        let index = usize::try_from(left)
            .unwrap_or(usize::MAX)
            .saturating_sub(1);
        let shared = milliseconds(played(record.versions.get(index)).as_ref());
        if forked < shared || created < forked {
            return difference("the past of a fork is younger than the fork");
        }
    }
    Ok(())
}

/// Converts a time to milliseconds since the Unix epoch, if it is set and in whole milliseconds.
fn milliseconds_of(time: Option<Timestamp>, what: &str) -> Result<u64, RecordFault> {
    match time {
        Some(time) if time.seconds > 0 && time.nanos % 1_000_000 == 0 => {
            Ok(milliseconds(Some(&time)))
        }
        Some(_) => difference(&format!("{what}: no log has this time")),
        None => difference(&format!("{what}: the time is missing")),
    }
}
