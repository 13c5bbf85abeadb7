//! The **limits of one game**. Some games never end by their rules, and their log would fill the store.

use gamekeeper_store::Version;

use crate::errors::ServiceError;

/// Callers learn of a limit when one part in this many is left.
const REPORTED_PART: u64 = 10;

/// The limits of one game. 0 means no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameLimits {
    /// The maximum number of versions. The owner may add one more, which ends the game.
    pub versions: Version,
    /// The maximum size of the log, in bytes. The last entry may exceed it.
    pub log_bytes: u64,
}

impl GameLimits {
    /// Checks that a log of this size may have another entry.
    ///
    /// # Errors
    /// If the log has reached a limit.
    pub(crate) fn check(self, version: Version, log_bytes: u64) -> Result<(), ServiceError> {
        let limits = [
            ("max_versions", "versions", version, self.versions),
            ("max_log_bytes", "bytes", log_bytes, self.log_bytes),
        ];
        let reached = limits
            .into_iter()
            .find(|(_, _, used, max)| *max > 0 && used >= max);
        match reached {
            Some((limit, unit, _, max)) => Err(ServiceError::GameFull { limit, unit, max }),
            None => Ok(()),
        }
    }

    /// Returns about how many entries a log of this size may still have, if it has used up nine tenths of a limit.
    /// Returns `None` before.
    pub(crate) fn entries_left(self, version: Version, log_bytes: u64) -> Option<u64> {
        if self.check(version, log_bytes).is_err() {
            return Some(0);
        }
        let mean_bytes = (log_bytes / version.max(1)).max(1);
        let of_versions = left(self.versions, version);
        let of_bytes = left(self.log_bytes, log_bytes).map(|bytes| (bytes / mean_bytes).max(1));
        of_versions.into_iter().chain(of_bytes).min()
    }
}

/// The maximum number of versions that a game takes from another one, since they are read, replayed and stored in one
/// call.
const MAX_INHERITED_VERSIONS: Version = 10_000;

/// The maximum number of ancestors of a fork.
pub(crate) const MAX_ANCESTORS: usize = 64;

/// Checks the limit of versions that a game takes from another one. `field` names the last of them.
pub(crate) fn check_inherited_length(
    version: Version,
    field: &'static str,
) -> Result<(), ServiceError> {
    if version <= MAX_INHERITED_VERSIONS {
        return Ok(());
    }
    Err(ServiceError::OutOfBounds {
        field,
        limit: "forked_versions",
        max: usize::try_from(MAX_INHERITED_VERSIONS).unwrap_or(usize::MAX),
    })
}

/// Checks that a game with this many ancestors may be forked.
pub(crate) fn check_ancestors(ancestors: usize) -> Result<(), ServiceError> {
    if ancestors < MAX_ANCESTORS {
        return Ok(());
    }
    let max = MAX_ANCESTORS;
    Err(ServiceError::TooManyForks { max })
}

/// Returns the size of a piece of a log.
pub(crate) fn byte_len(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}

/// Returns what is left of a limit, if little enough is left to report it.
fn left(max: u64, used: u64) -> Option<u64> {
    let left = max.saturating_sub(used);
    (max > 0 && left <= max / REPORTED_PART).then_some(left)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: GameLimits = GameLimits {
        versions: 100,
        log_bytes: 50_000,
    };

    #[test]
    fn a_limit_is_reported_before_it_is_reached() {
        let left = |version, bytes| LIMITS.entries_left(version, bytes);
        assert_eq!(left(89, 8_900), None);
        assert_eq!(left(90, 9_000), Some(10));
        assert_eq!(left(99, 9_900), Some(1));
        assert_eq!(left(100, 10_000), Some(0));
        assert_eq!(left(10, 45_000), Some(1), "of 4,500 bytes each");
        assert_eq!(left(50, 45_000), Some(5));
        assert_eq!(left(97, 48_500), Some(3), "both are near");
        assert_eq!(left(10, 50_001), Some(0));
    }

    #[test]
    fn what_is_reported_is_what_is_checked() {
        for version in 1..=101 {
            for bytes in [0, 45_000, 49_999, 50_000, 60_000] {
                let is_full = LIMITS.check(version, bytes).is_err();
                assert_eq!(is_full, LIMITS.entries_left(version, bytes) == Some(0));
            }
        }
        let none = GameLimits::default();
        assert!(none.check(u64::MAX, u64::MAX).is_ok());
        assert_eq!(none.entries_left(u64::MAX, u64::MAX), None);
    }
}
