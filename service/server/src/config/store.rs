//! The store of games.

use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use gamekeeper_store_embedded::EmbeddedConfig;
use gamekeeper_store_redis::RedisConfig;

use super::RedisArgs;
use crate::health::LivenessPolicy;
use crate::stores::StoreConfig;

/// Where games are kept.
#[derive(Clone, Debug, clap::Args)]
pub struct StoreArgs {
    /// Store of the games.
    #[arg(long = "store", env = "GAMEKEEPER_STORE", value_enum, default_value_t = StoreKind::Embedded, value_name = "STORE")]
    pub kind: StoreKind,

    /// Directory of the embedded store.
    #[arg(
        long,
        env = "GAMEKEEPER_DATA_DIR",
        default_value = "gamekeeper-data",
        value_name = "DIR"
    )]
    pub data_dir: PathBuf,

    /// Directory into which the server writes a backup of the embedded store when `gamekeeperd backup` asks for one on
    /// the admin port. Unset: none are written.
    #[arg(long, env = "GAMEKEEPER_BACKUP_DIR", value_name = "DIR")]
    pub backup_dir: Option<PathBuf>,

    /// Delete a finished game this long after its end, such as 30d. Unset: kept like any other game.
    #[arg(long, env = "GAMEKEEPER_KEEP_FINISHED", value_parser = humantime::parse_duration, value_name = "DURATION")]
    pub keep_finished: Option<Duration>,

    /// Time for which the feeds of tenants are kept, so that back ends can resume: 10m or more, or 0 for no feeds. Must
    /// be the same on all servers of a Redis; a change makes all cursors expire.
    #[arg(long, env = "GAMEKEEPER_FEED_RETENTION", value_parser = parse_retention, default_value = "7d", value_name = "DURATION")]
    pub feed_retention: Duration,
}

/// The shortest retention period of feeds: a back end that restarts must be able to resume.
const MIN_RETENTION: Duration = Duration::from_secs(600);

/// Parses the retention period of feeds.
fn parse_retention(text: &str) -> Result<Duration, String> {
    let retention = humantime::parse_duration(text).map_err(|error| error.to_string())?;
    if retention.is_zero() || retention >= MIN_RETENTION {
        return Ok(retention);
    }
    Err(String::from("must be 0, or at least 10m"))
}

/// A kind of store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StoreKind {
    /// In memory; gone when the process ends.
    Memory,
    /// On disk, in this process.
    Embedded,
    /// In Redis, shared by many processes.
    Redis,
}

impl StoreArgs {
    /// Returns the settings of the store, with those of Redis if it is used.
    pub(super) fn config(&self, redis: &RedisArgs) -> StoreConfig {
        match self.kind {
            StoreKind::Memory => StoreConfig::Memory(self.feed_retention),
            StoreKind::Embedded => StoreConfig::Embedded(EmbeddedConfig {
                keep_finished: self.keep_finished,
                keep_feed: self.feed_retention,
                ..EmbeddedConfig::new(&self.data_dir)
            }),
            StoreKind::Redis => StoreConfig::Redis(RedisConfig {
                expire_finished: self.keep_finished,
                keep_feed: self.feed_retention,
                ..redis.config()
            }),
        }
    }
}

impl StoreKind {
    /// Returns the kind of store, as named in telemetry.
    #[must_use]
    pub fn system(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Embedded => "embedded",
            Self::Redis => "redis",
        }
    }

    /// Returns the remedy when the store does not work.
    #[must_use]
    pub fn remedy(self) -> LivenessPolicy {
        match self {
            Self::Memory | Self::Embedded => LivenessPolicy::Restart,
            Self::Redis => LivenessPolicy::Wait,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn feeds_are_kept_for_a_while_or_not_at_all() {
        for (text, seconds) in [("0s", 0), ("0", 0), ("10m", 600), ("7d", 604_800)] {
            assert_eq!(
                parse_retention(text),
                Ok(Duration::from_secs(seconds)),
                "{text}"
            );
        }
        for wrong in ["", "1s", "9m 59s", "-7d", "seven days"] {
            assert!(parse_retention(wrong).is_err(), "{wrong}");
        }
    }
}
