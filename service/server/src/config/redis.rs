//! The Redis store: addresses, authentication, and what counts as stored.

use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use gamekeeper_store_redis::{
    Eviction, RedisConfig, RedisPassword, RedisTls, RedisTopology, ReplicaWait, SentinelAccess,
    SentinelTls,
};

/// Settings of the Redis store.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Redis")]
pub struct RedisArgs {
    /// Addresses host:port of Redis: one server, some nodes of a cluster, or sentinels.
    #[arg(
        long,
        env = "GAMEKEEPER_REDIS",
        value_delimiter = ',',
        default_value = "127.0.0.1:6379",
        value_name = "ADDRESS"
    )]
    pub redis: Vec<String>,

    /// Kind of the addresses in --redis: a single server, nodes of a cluster, or sentinels.
    #[arg(long, env = "GAMEKEEPER_REDIS_TOPOLOGY", value_enum, default_value_t = RedisTopologyArg::Single)]
    pub redis_topology: RedisTopologyArg,

    /// Name of the primary that the sentinels watch.
    #[arg(
        long,
        env = "GAMEKEEPER_REDIS_PRIMARY",
        default_value = "mymaster",
        value_name = "NAME"
    )]
    pub redis_primary: String,

    /// Number of the database; a cluster has only 0.
    #[arg(
        long,
        env = "GAMEKEEPER_REDIS_DATABASE",
        default_value_t = 0,
        value_name = "NUMBER"
    )]
    pub redis_database: u32,

    /// ACL user. Unset: the default user.
    #[arg(long, env = "GAMEKEEPER_REDIS_USER", value_name = "NAME")]
    pub redis_user: Option<String>,

    /// File whose first line is the password. Read at each new connection.
    #[arg(long, env = "GAMEKEEPER_REDIS_PASSWORD_FILE", value_name = "FILE")]
    pub redis_password_file: Option<PathBuf>,

    /// Use TLS for Redis.
    #[arg(long, env = "GAMEKEEPER_REDIS_TLS")]
    pub redis_tls: bool,

    /// Certificate authorities to trust for Redis, in PEM. Unset: those of the system.
    #[arg(
        long,
        env = "GAMEKEEPER_REDIS_CA_FILE",
        value_name = "FILE",
        requires = "redis_tls"
    )]
    pub redis_ca_file: Option<PathBuf>,

    /// Client certificate for Redis, in PEM.
    #[arg(
        long,
        env = "GAMEKEEPER_REDIS_CERT_FILE",
        value_name = "FILE",
        requires = "redis_key_file"
    )]
    pub redis_cert_file: Option<PathBuf>,

    /// Private key of the client certificate for Redis, in PEM.
    #[arg(
        long,
        env = "GAMEKEEPER_REDIS_KEY_FILE",
        value_name = "FILE",
        requires = "redis_cert_file"
    )]
    pub redis_key_file: Option<PathBuf>,

    /// ACL user of the sentinels. Unset: the default user.
    #[arg(long, env = "GAMEKEEPER_REDIS_SENTINEL_USER", value_name = "NAME")]
    pub redis_sentinel_user: Option<String>,

    /// File whose first line is the password of the sentinels. Unset: they ask for none.
    #[arg(
        long,
        env = "GAMEKEEPER_REDIS_SENTINEL_PASSWORD_FILE",
        value_name = "FILE"
    )]
    pub redis_sentinel_password_file: Option<PathBuf>,

    /// TLS for the sentinels: as for Redis, off, or with files of their own.
    #[arg(long, env = "GAMEKEEPER_REDIS_SENTINEL_TLS", value_enum, default_value_t = SentinelTlsArg::AsRedis)]
    pub redis_sentinel_tls: SentinelTlsArg,

    /// Certificate authorities to trust for sentinels with TLS of their own, in PEM. Unset: those of the system.
    #[arg(long, env = "GAMEKEEPER_REDIS_SENTINEL_CA_FILE", value_name = "FILE")]
    pub redis_sentinel_ca_file: Option<PathBuf>,

    /// Client certificate for sentinels with TLS of their own, in PEM.
    #[arg(
        long,
        env = "GAMEKEEPER_REDIS_SENTINEL_CERT_FILE",
        value_name = "FILE",
        requires = "redis_sentinel_key_file"
    )]
    pub redis_sentinel_cert_file: Option<PathBuf>,

    /// Private key of that client certificate, in PEM.
    #[arg(
        long,
        env = "GAMEKEEPER_REDIS_SENTINEL_KEY_FILE",
        value_name = "FILE",
        requires = "redis_sentinel_cert_file"
    )]
    pub redis_sentinel_key_file: Option<PathBuf>,

    /// Number of replicas that must have an action before it counts as stored. 0: the primary is enough.
    #[arg(
        long,
        env = "GAMEKEEPER_REDIS_WAIT_REPLICAS",
        default_value_t = 0,
        value_name = "COUNT"
    )]
    pub redis_wait_replicas: u32,

    /// Maximum time to wait for replicas; after that, the outcome is unknown.
    #[arg(long, env = "GAMEKEEPER_REDIS_WAIT_TIMEOUT", default_value = "1s", value_parser = humantime::parse_duration, value_name = "DURATION")]
    pub redis_wait_timeout: Duration,

    /// Delete a game this long, or up to 2 % longer, after its last action, such as 90d. If several processes
    /// share the Redis, the longest time applies. Unset: never.
    #[arg(long, env = "GAMEKEEPER_REDIS_EXPIRY", value_parser = humantime::parse_duration, value_name = "DURATION")]
    pub redis_expiry: Option<Duration>,

    /// Run even if Redis may evict games when its memory is full; stored actions can then be lost.
    #[arg(long, env = "GAMEKEEPER_REDIS_ALLOW_EVICTION")]
    pub redis_allow_eviction: bool,
}

/// The meaning of the addresses of Redis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RedisTopologyArg {
    /// One server.
    Single,
    /// Nodes of a Redis Cluster.
    Cluster,
    /// Sentinels that know the primary.
    Sentinel,
}

/// TLS for the sentinels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SentinelTlsArg {
    /// The settings of Redis.
    AsRedis,
    /// Plain text.
    Off,
    /// TLS with files of their own.
    Own,
}

/// Returns an address without a password: addresses have none, but a user may have written one.
pub(super) fn redacted(address: &str) -> String {
    match address.rsplit_once('@') {
        Some((_, host)) => format!("...@{host}"),
        None => address.to_owned(),
    }
}

impl RedisArgs {
    /// Returns the addresses, for messages.
    #[must_use]
    pub fn display_addresses(&self) -> String {
        let shown: Vec<String> = self.redis.iter().map(|address| redacted(address)).collect();
        shown.join(",")
    }

    pub(super) fn config(&self) -> RedisConfig {
        let addresses = self.redis.clone();
        let topology = match self.redis_topology {
            RedisTopologyArg::Single => RedisTopology::Single {
                address: addresses.into_iter().next().unwrap_or_default(),
            },
            RedisTopologyArg::Cluster => RedisTopology::Cluster { nodes: addresses },
            RedisTopologyArg::Sentinel => RedisTopology::Sentinel {
                sentinels: addresses,
                primary: self.redis_primary.clone(),
            },
        };
        let waits = self.redis_wait_replicas > 0;
        RedisConfig {
            database: self.redis_database,
            username: self.redis_user.clone(),
            password: self.redis_password_file.clone().map(RedisPassword::File),
            tls: self.redis_tls.then(|| RedisTls {
                authorities: self.redis_ca_file.clone(),
                identity: self
                    .redis_cert_file
                    .clone()
                    .zip(self.redis_key_file.clone()),
            }),
            sentinel: self.sentinel(),
            wait: waits.then_some(ReplicaWait {
                replicas: self.redis_wait_replicas,
                timeout: self.redis_wait_timeout,
            }),
            expire_games: self.redis_expiry,
            eviction: if self.redis_allow_eviction {
                Eviction::Allow
            } else {
                Eviction::Refuse
            },
            ..RedisConfig::new(topology)
        }
    }

    fn sentinel(&self) -> SentinelAccess {
        let password = self.redis_sentinel_password_file.clone();
        let (cert, key) = (
            &self.redis_sentinel_cert_file,
            &self.redis_sentinel_key_file,
        );
        SentinelAccess {
            username: self.redis_sentinel_user.clone(),
            password: password.map(RedisPassword::File),
            tls: match self.redis_sentinel_tls {
                SentinelTlsArg::AsRedis => SentinelTls::AsRedis,
                SentinelTlsArg::Off => SentinelTls::Off,
                SentinelTlsArg::Own => SentinelTls::Own(RedisTls {
                    authorities: self.redis_sentinel_ca_file.clone(),
                    identity: cert.clone().zip(key.clone()),
                }),
            },
        }
    }
}
