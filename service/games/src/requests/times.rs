//! Times and durations in requests.

use std::time::Duration;

use gamekeeper_wire::Malformed;
use prost_types::Timestamp;

/// Reads the seconds and nanoseconds of a duration or of a time since the Unix epoch. Returns `None` if it is negative.
///
/// # Errors
/// If the nanoseconds are no part of a second. `field` is the path of the message.
pub(crate) fn read(seconds: i64, nanos: i32, field: &str) -> Result<Option<Duration>, Malformed> {
    let nanos = u32::try_from(nanos)
        .ok()
        .filter(|nanos| *nanos < 1_000_000_000);
    let nanos = nanos.ok_or_else(|| Malformed::new(field, "has nanos outside 0 to 999,999,999"))?;
    let seconds = u64::try_from(seconds).ok();
    Ok(seconds.map(|seconds| Duration::new(seconds, nanos)))
}

/// Reads a time since the Unix epoch. A time before the epoch counts as the epoch.
///
/// # Errors
/// If the nanoseconds are no part of a second. `field` is the path of the message.
pub(crate) fn since_epoch(time: Timestamp, field: &str) -> Result<Duration, Malformed> {
    let Timestamp { seconds, nanos } = time;
    Ok(read(seconds, nanos, field)?.unwrap_or_default())
}

/// Checks a time that is only compared.
///
/// # Errors
/// If the nanoseconds are no part of a second. `field` is the path of the message.
pub(crate) fn check_time(time: Option<Timestamp>, field: &str) -> Result<(), Malformed> {
    time.map_or(Ok(()), |time| since_epoch(time, field).map(drop))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nanoseconds_are_part_of_a_second() {
        let time = Duration::new(1, 999_999_999);
        assert_eq!(read(1, 999_999_999, "time"), Ok(Some(time)));
        assert_eq!(read(-1, 0, "time"), Ok(None));
        for nanos in [i32::MIN, -1, 1_000_000_000, i32::MAX] {
            for seconds in [-1, 0, 1] {
                assert_eq!(read(seconds, nanos, "time").unwrap_err().field, "time");
            }
        }
    }
}
