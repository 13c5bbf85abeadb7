//! Settings of the Redis store.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use gamekeeper_store::feed::DEFAULT_FEED_RETENTION;
use gamekeeper_store::{CALL_TIMEOUT, StoreError};

/// The settings of the Redis store: servers, credentials, durability and retention.
#[derive(Clone, Debug)]
pub struct RedisConfig {
    /// The servers.
    pub topology: RedisTopology,
    /// The number of the database. A cluster has only database 0.
    pub database: u32,
    /// The ACL user. Is `None` for the default user.
    pub username: Option<String>,
    /// The password of that user.
    pub password: Option<RedisPassword>,
    /// TLS settings. Is `None` for plain TCP.
    pub tls: Option<RedisTls>,
    /// The credentials for sentinels.
    pub sentinel: SentinelAccess,
    /// The timeout of a reply.
    pub response_timeout: Duration,
    /// The timeout of an attempt to connect.
    pub connection_timeout: Duration,
    /// Whether and how to wait for replicas before a call is answered. Is `None` if calls do not wait.
    pub wait: Option<ReplicaWait>,
    /// The **time to live** of a game after its last entry. Is `None` if games are kept without limit.
    pub expire_games: Option<Duration>,
    /// The time to live of a finished game after its last entry. Is `None` if `expire_games` applies to finished games
    /// too.
    pub expire_finished: Option<Duration>,
    /// The retention period of feeds. Zero: no feeds are kept. All processes must use the same period.
    pub keep_feed: Duration,
    /// How long after its end a finished game is packed. Until then, players still look at the last moves.
    pub pack_after: Duration,
    /// How long a changed retention time must be stable before it is applied to all games, so that every process has
    /// learned it. A process that is alone does not wait.
    pub settle: Duration,
    /// Whether to start although Redis may evict games when its memory is full.
    pub eviction: Eviction,
}

/// The servers. Each address is `host:port`.
#[derive(Clone, Debug)]
pub enum RedisTopology {
    /// One server.
    Single {
        /// The address of the server.
        address: String,
    },
    /// A cluster.
    Cluster {
        /// Some of its nodes. The client discovers the others.
        nodes: Vec<String>,
    },
    /// The primary that sentinels name.
    Sentinel {
        /// The sentinels.
        sentinels: Vec<String>,
        /// The name of the primary at the sentinels.
        primary: String,
    },
}

/// The source of the password.
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

/// TLS to Redis.
#[derive(Clone, Debug, Default)]
pub struct RedisTls {
    /// A PEM file with the only authorities to trust. Is `None` if the authorities of the system are trusted.
    pub authorities: Option<PathBuf>,
    /// PEM files with the client certificate and its key. Is `None` if there is no client certificate.
    pub identity: Option<(PathBuf, PathBuf)>,
}

/// Access to the sentinels, which have users and passwords of their own.
#[derive(Clone, Debug, Default)]
pub struct SentinelAccess {
    /// The ACL user. Is `None` for the default user.
    pub username: Option<String>,
    /// The password of that user. Is `None` if sentinels ask for none.
    pub password: Option<RedisPassword>,
    /// TLS settings.
    pub tls: SentinelTls,
}

/// TLS to the sentinels.
#[derive(Clone, Debug, Default)]
pub enum SentinelTls {
    /// The settings for Redis.
    #[default]
    AsRedis,
    /// Plain TCP.
    Off,
    /// Settings of their own.
    Own(RedisTls),
}

/// Waiting for replicas.
#[derive(Clone, Copy, Debug)]
pub struct ReplicaWait {
    /// The number of replicas that must have a change.
    pub replicas: u32,
    /// The timeout of the wait, shorter than the response timeout. After it, the outcome of a change is
    /// unknown, and a read fails.
    pub timeout: Duration,
}

/// The reaction to a Redis that may evict games when its memory is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eviction {
    /// Refuse to start, and refuse changes if the policy changes later.
    Refuse,
    /// Start with a warning.
    Allow,
}

/// The command that publishes wake-ups.
#[derive(Clone, Copy)]
pub(super) enum Publish {
    /// `PUBLISH`, to all subscribers of the server.
    Plain,
    /// `SPUBLISH`, to the subscribers on the shard of the game.
    Sharded,
}

impl RedisConfig {
    /// Returns the default settings for these servers.
    #[must_use]
    pub fn new(topology: RedisTopology) -> RedisConfig {
        RedisConfig {
            topology,
            database: 0,
            username: None,
            password: None,
            tls: None,
            sentinel: SentinelAccess::default(),
            response_timeout: CALL_TIMEOUT,
            connection_timeout: Duration::from_secs(2),
            wait: None,
            expire_games: None,
            expire_finished: None,
            keep_feed: DEFAULT_FEED_RETENTION,
            pack_after: Duration::from_secs(60),
            settle: Duration::from_secs(10),
            eviction: Eviction::Refuse,
        }
    }

    /// Returns how wake-ups are published to these servers.
    pub(super) fn publish(&self) -> Publish {
        match self.topology {
            RedisTopology::Cluster { .. } => Publish::Sharded,
            RedisTopology::Single { .. } | RedisTopology::Sentinel { .. } => Publish::Plain,
        }
    }

    /// Returns a password in plain text. Refuses a file without one instead of logging in without a password. `flag`
    /// is the setting that names the file.
    pub(super) fn read_password(
        flag: &str,
        password: &RedisPassword,
    ) -> Result<String, StoreError> {
        match password {
            RedisPassword::Value(password) => Ok(password.clone()),
            RedisPassword::File(path) => {
                let wrong = |what| setup(format!("{flag}: {}: {what}", path.display()));
                let text =
                    std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
                let password = text.lines().next().unwrap_or_default();
                if password.trim().is_empty() {
                    return Err(wrong("the first line contains no password".into()));
                }
                Ok(password.to_owned())
            }
        }
    }

    /// Refuses combinations of settings that cannot work.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        if matches!(self.topology, RedisTopology::Cluster { .. }) && self.database != 0 {
            return Err(setup("a Redis cluster has only database 0"));
        }
        if self
            .wait
            .is_some_and(|wait| wait.timeout >= self.response_timeout)
        {
            return Err(setup(
                "the timeout for replicas must be shorter than the response timeout",
            ));
        }
        Ok(())
    }
}

/// Reads a file that the configuration names.
pub(super) fn read_file(path: &PathBuf) -> Result<Vec<u8>, StoreError> {
    let wrong = |what: &dyn fmt::Display| setup(format!("{}: {what}", path.display()));
    let bytes = std::fs::read(path).map_err(|error| wrong(&error))?;
    if bytes.trim_ascii().is_empty() {
        return Err(wrong(&"the file is empty"));
    }
    Ok(bytes)
}

/// Splits an address into host and port. An IPv6 host is in brackets. Refuses URLs and credentials: they would be
/// looked up as names. The error shows no password.
pub(super) fn split_address(address: &str) -> Result<(String, u16), StoreError> {
    let (credentials, shown) = match address.rsplit_once('@') {
        Some((_, host)) => ("...@", host),
        None => ("", address),
    };
    let wrong = |hint| {
        setup(format!(
            "--redis: {credentials}{shown} is not host:port{hint}"
        ))
    };
    if address.contains("://") || !credentials.is_empty() {
        return Err(wrong(
            "; settings of their own have user, password (in a file), database and TLS",
        ));
    }
    let (host, port) = address.rsplit_once(':').ok_or_else(|| wrong(""))?;
    let host = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'))
        .unwrap_or(host);
    if host.is_empty() || host.contains(|letter: char| letter == '/' || letter.is_whitespace()) {
        return Err(wrong(""));
    }
    Ok((host.to_owned(), port.parse().map_err(|_| wrong(""))?))
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
        for wrong in [
            "",
            "redis",
            ":6379",
            "redis:",
            "redis:99999",
            "redis://h:6379",
            "rediss://ann:horse@h:6379/0",
            "ann:horse@h:6379",
            "//h:6379",
            "a b:6379",
        ] {
            let Err(StoreError::Setup(why)) = split_address(wrong) else {
                panic!("{wrong}");
            };
            assert!(why.contains("host:port") && !why.contains("horse"), "{why}");
        }
    }

    #[test]
    fn the_password_is_never_printed() {
        let topology = RedisTopology::Single {
            address: "redis:6379".into(),
        };
        let mut config = RedisConfig::new(topology);
        config.password = Some(RedisPassword::Value("correct horse".into()));
        let printed = format!("{config:?}");
        assert!(!printed.contains("correct horse"), "{printed}");
        assert!(
            printed.contains("password: Some(Value(redacted))"),
            "{printed}"
        );
        config.password = Some(RedisPassword::File("/run/secrets/redis".into()));
        let printed = format!("{config:?}");
        assert!(printed.contains("/run/secrets/redis"), "{printed}");
    }

    #[test]
    fn a_file_without_a_password_is_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let password_file = RedisPassword::File(file.path().to_owned());
        for (text, password) in [
            ("", None),
            ("\n", None),
            ("\r\n", None),
            (" \t\n", None),
            ("\ncorrect horse\n", None),
            ("correct horse\r\n", Some("correct horse")),
            ("correct horse \nstaple", Some("correct horse ")),
        ] {
            std::fs::write(file.path(), text).unwrap();
            let read = RedisConfig::read_password("--redis-password-file", &password_file);
            match password {
                Some(password) => assert_eq!(read.unwrap(), password),
                None => {
                    let why = read.unwrap_err().to_string();
                    let path = file.path().display().to_string();
                    assert!(why.contains("--redis-password-file"), "{text:?}: {why}");
                    assert!(why.contains(&path) && !why.contains("horse"), "{why}");
                }
            }
        }
    }
}
