//! Filters of lists of games, by their public facts.

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_wire::Malformed;
use prost_types::Timestamp;

use crate::requests::times::since_epoch;

/// Converts a time of a request to milliseconds since the Unix epoch, rounded up. A time before the epoch counts as 0.
pub(crate) fn timestamp_ms_or(
    time: Option<Timestamp>,
    default_ms: u64,
    field: &str,
) -> Result<u64, Malformed> {
    let Some(time) = time else {
        return Ok(default_ms);
    };
    let ms = since_epoch(time, field)?.as_nanos().div_ceil(1_000_000);
    Ok(u64::try_from(ms).unwrap_or(u64::MAX))
}

/// Returns whether a game matches the filter, as far as its public facts tell.
pub(crate) fn matches_filter(filter: &pb::GameFilter, info: &pb::GameInfo) -> bool {
    // A game whose record cannot be read shows no players, and counts as a match so that lists do not hide it.
    if info.players.is_empty() {
        return true;
    }
    let has_seat = |user: &str, seat: u32| {
        let mut players = info.players.iter();
        players.any(|player| player.user == user && (seat == 0 || player.seat == seat))
    };
    let is_awaited = |user: &str| {
        info.pending
            .iter()
            .any(|decision| has_seat(user, decision.seat))
    };
    (filter.status == 0 || filter.status == info.status)
        && (filter.user.is_empty() || has_seat(&filter.user, 0))
        && (filter.awaiting_user.is_empty() || is_awaited(&filter.awaiting_user))
        && (filter.labels.iter()).all(|(key, value)| info.labels.get(key) == Some(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_the_first_millisecond_that_is_not_before_it() {
        let at = |seconds, nanos| timestamp_ms_or(Some(Timestamp { seconds, nanos }), 7, "field");
        assert_eq!(timestamp_ms_or(None, 7, "field"), Ok(7));
        assert_eq!(at(-1, 0), Ok(0));
        assert_eq!(at(1, 0), Ok(1_000));
        assert_eq!(at(1, 1), Ok(1_001));
        assert_eq!(at(1, 1_000_000), Ok(1_001));
        assert_eq!(at(1, 999_999_999), Ok(2_000));
        assert_eq!(at(i64::MAX, 1), Ok(u64::MAX));
        assert!(at(1, -1).is_err());
        assert!(at(1, 1_000_000_000).is_err());
    }
}
