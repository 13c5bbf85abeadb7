//! Which Redis, and what it must promise.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use crate::store::{CALL_TIMEOUT, StoreError};

/// How to reach Redis and how to use it.
#[derive(Clone, Debug)]
pub struct RedisConfig {
    /// The servers.
    pub topology: RedisTopology,
    /// The number of the database. A cluster has only 0.
    pub database: u32,
    /// The ACL user.
    pub username: Option<String>,
    /// The password, also of the default user.
    pub password: Option<RedisPassword>,
    /// Talk over TLS.
    pub tls: Option<RedisTls>,
    /// An answer that takes longer counts as none.
    pub response_timeout: Duration,
    /// A connection that takes longer to make counts as refused.
    pub connection_timeout: Duration,
    /// An answer waits until this many replicas have the change.
    pub wait: Option<ReplicaWait>,
    /// A game is forgotten when nothing was added to it for this long.
    pub expire_games: Option<Duration>,
    /// The same of a finished game; nothing: as of others.
    pub expire_finished: Option<Duration>,
    /// A finished game is packed after this time: until then its players still look at its end.
    pub pack_after: Duration,
    /// New terms are given to all games when all processes had this long to hear of them.
    pub settle: Duration,
    /// What to do with a Redis that may throw games away when its memory is full.
    pub eviction: Eviction,
}

/// The servers; each address is `host:port`.
#[derive(Clone, Debug)]
pub enum RedisTopology {
    /// One server.
    Single {
        /// Its address.
        address: String,
    },
    /// A cluster.
    Cluster {
        /// Some of its nodes; the others are found.
        nodes: Vec<String>,
    },
    /// One primary at a time, which the sentinels know.
    Sentinel {
        /// The sentinels. They are asked without a password.
        sentinels: Vec<String>,
        /// The name under which they know the primary.
        primary: String,
    },
}

/// Where the password comes from.
#[derive(Clone)]
pub enum RedisPassword {
    /// The first line of a file.
    File(PathBuf),
    /// The password itself.
    Value(String),
}

impl fmt::Debug for RedisPassword {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RedisPassword::File(path) => f.debug_tuple("File").field(path).finish(),
            RedisPassword::Value(_) => f.write_str("Value(redacted)"),
        }
    }
}

/// TLS to Redis. The certificates of the system are trusted unless others are given.
#[derive(Clone, Debug, Default)]
pub struct RedisTls {
    /// The only authorities to trust, as PEM.
    pub authorities: Option<PathBuf>,
    /// Our own certificate and its key, as PEM.
    pub identity: Option<(PathBuf, PathBuf)>,
}

/// Waiting for replicas.
#[derive(Clone, Copy, Debug)]
pub struct ReplicaWait {
    /// How many must have the change.
    pub replicas: u32,
    /// How long to wait; then the outcome counts as unknown. Shorter than the response timeout.
    pub timeout: Duration,
}

/// What to do with a Redis that may throw games away when its memory is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eviction {
    /// Do not start.
    Refuse,
    /// Start, and live with it.
    Allow,
}

/// Which way a wake-up goes.
#[derive(Clone, Copy)]
pub(super) enum Publish {
    /// To all of the one server's subscribers.
    Plain,
    /// To the subscribers at the shard of the game.
    Sharded,
}

impl RedisConfig {
    /// The usual settings for some servers.
    #[must_use]
    pub fn new(topology: RedisTopology) -> RedisConfig {
        RedisConfig {
            topology,
            database: 0,
            username: None,
            password: None,
            tls: None,
            response_timeout: CALL_TIMEOUT,
            connection_timeout: Duration::from_secs(2),
            wait: None,
            expire_games: None,
            expire_finished: None,
            pack_after: Duration::from_secs(60),
            settle: Duration::from_secs(10),
            eviction: Eviction::Refuse,
        }
    }

    /// How wake-ups are published there.
    pub(super) fn publish(&self) -> Publish {
        match self.topology {
            RedisTopology::Cluster { .. } => Publish::Sharded,
            RedisTopology::Single { .. } | RedisTopology::Sentinel { .. } => Publish::Plain,
        }
    }

    /// The password in clear.
    pub(super) fn read_password(&self) -> Result<Option<String>, StoreError> {
        match &self.password {
            None => Ok(None),
            Some(RedisPassword::Value(password)) => Ok(Some(password.clone())),
            Some(RedisPassword::File(path)) => {
                let text = read_file(path)?;
                let text = String::from_utf8(text)
                    .map_err(|_| setup(format!("{} is not text", path.display())))?;
                Ok(text.lines().next().map(str::to_owned))
            }
        }
    }

    /// Refuses what cannot work.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        if matches!(self.topology, RedisTopology::Cluster { .. }) && self.database != 0 {
            return Err(setup("a Redis cluster has only database 0"));
        }
        if self
            .wait
            .is_some_and(|wait| wait.timeout >= self.response_timeout)
        {
            return Err(setup(
                "waiting for replicas must be shorter than waiting for an answer",
            ));
        }
        Ok(())
    }
}

/// A file of the configuration.
pub(super) fn read_file(path: &PathBuf) -> Result<Vec<u8>, StoreError> {
    std::fs::read(path).map_err(|error| setup(format!("{}: {error}", path.display())))
}

/// Host and port of an address. An IPv6 host stands in brackets.
pub(super) fn split_address(address: &str) -> Result<(String, u16), StoreError> {
    let wrong = || setup(format!("{address} is not host:port"));
    let (host, port) = address.rsplit_once(':').ok_or_else(wrong)?;
    let host = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'))
        .unwrap_or(host);
    if host.is_empty() {
        return Err(wrong());
    }
    Ok((host.to_owned(), port.parse().map_err(|_| wrong())?))
}

/// An error of the configuration.
pub(super) fn setup(why: impl Into<String>) -> StoreError {
    StoreError::Setup(why.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_host_and_port() {
        assert_eq!(split_address("redis:6379").unwrap(), ("redis".into(), 6379));
        assert_eq!(split_address("[::1]:7000").unwrap(), ("::1".into(), 7000));
        for wrong in ["", "redis", ":6379", "redis:", "redis:99999"] {
            assert!(
                matches!(split_address(wrong), Err(StoreError::Setup(_))),
                "{wrong}"
            );
        }
    }

    #[test]
    fn the_password_is_never_printed() {
        let topology = RedisTopology::Single {
            address: "redis:6379".into(),
        };
        let mut config = RedisConfig::new(topology);
        config.password = Some(RedisPassword::Value("correct horse".into()));
        assert!(!format!("{config:?}").contains("correct horse"));
    }
}
