//! What an operator sets: every setting by flag and by environment, secrets by file.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, ValueEnum};

use crate::auth::{AuthConfig, Rate};
use crate::games::Settings;
use crate::grpc::EdgeSettings;
use crate::health::Remedy;
use crate::store::{
    EmbeddedConfig, Eviction, RedisConfig, RedisPassword, RedisTls, RedisTopology, ReplicaWait,
    StoreConfig,
};

/// Keeps board games and enforces their rules.
#[derive(Clone, Debug, Parser)]
#[command(name = "gamekeeperd", version = crate::version::LONG, about, max_term_width = 100)]
pub struct Config {
    /// Where the service listens.
    #[arg(
        long,
        env = "GAMEKEEPER_LISTEN",
        default_value = "127.0.0.1:50051",
        value_name = "ADDRESS"
    )]
    pub listen: SocketAddr,

    /// Where operators are served in plain text: health for probes, /metrics, /log. Not given: nowhere,
    /// and health only beside the service.
    #[arg(long, env = "GAMEKEEPER_ADMIN_LISTEN", value_name = "ADDRESS")]
    pub admin_listen: Option<SocketAddr>,

    /// How many threads serve calls; 0: as many as there are cores.
    #[arg(
        long,
        env = "GAMEKEEPER_WORKERS",
        default_value_t = 0,
        value_name = "COUNT"
    )]
    pub workers: usize,

    /// Serve a page to try the service with, under /playground/ on the port of --admin-listen.
    #[arg(long, env = "GAMEKEEPER_PLAYGROUND")]
    pub playground: bool,

    /// Where games are kept.
    #[arg(long, env = "GAMEKEEPER_STORE", value_enum, default_value_t = StoreKind::Embedded)]
    pub store: StoreKind,

    /// The directory of the embedded store.
    #[arg(
        long,
        env = "GAMEKEEPER_DATA_DIR",
        default_value = "gamekeeper-data",
        value_name = "DIR"
    )]
    pub data_dir: PathBuf,

    #[command(flatten)]
    #[expect(missing_docs, reason = "the group is named by its fields")]
    pub redis: RedisArgs,

    #[command(flatten)]
    #[expect(missing_docs, reason = "the group is named by its fields")]
    pub auth: AuthArgs,

    #[command(flatten)]
    #[expect(missing_docs, reason = "the group is named by its fields")]
    pub tls: TlsArgs,

    #[command(flatten)]
    #[expect(missing_docs, reason = "the group is named by its fields")]
    pub limits: LimitArgs,

    /// Origins of web pages that may call the service, such as https://example.org; `*` for all.
    #[arg(
        long,
        env = "GAMEKEEPER_CORS_ORIGINS",
        value_delimiter = ',',
        value_name = "ORIGIN"
    )]
    pub cors_origins: Vec<String>,

    #[command(flatten)]
    #[expect(missing_docs, reason = "the group is named by its fields")]
    pub telemetry: TelemetryArgs,

    /// What is logged, as a filter of tracing: info, or gamekeeperd=debug.
    #[arg(
        long,
        env = "GAMEKEEPER_LOG",
        default_value = "info,fjall=warn,lsm_tree=warn",
        value_name = "FILTER"
    )]
    pub log: String,

    /// How log lines look.
    #[arg(long, env = "GAMEKEEPER_LOG_FORMAT", value_enum, default_value_t = LogFormat::Text)]
    pub log_format: LogFormat,

    /// Check the configuration, say what is wrong in one line, and stop.
    #[arg(long)]
    pub check: bool,

    /// Print the configuration without secrets, and stop.
    #[arg(long)]
    pub print_config: bool,
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

/// How log lines look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// Who is let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AuthMode {
    /// Everybody is trusted. Only on a loopback address, unless `--auth open` is given.
    Open,
    /// Every call carries a bearer token.
    Tokens,
}

/// Settings of the Redis store.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Redis")]
pub struct RedisArgs {
    /// Addresses host:port of Redis: one server, or some nodes of a cluster, or sentinels.
    #[arg(
        long,
        env = "GAMEKEEPER_REDIS",
        value_delimiter = ',',
        default_value = "127.0.0.1:6379",
        value_name = "ADDRESS"
    )]
    pub redis: Vec<String>,

    /// What the addresses are.
    #[arg(long, env = "GAMEKEEPER_REDIS_TOPOLOGY", value_enum, default_value_t = RedisTopologyArg::Single)]
    pub redis_topology: RedisTopologyArg,

    /// The name of the primary that sentinels watch.
    #[arg(
        long,
        env = "GAMEKEEPER_REDIS_PRIMARY",
        default_value = "mymaster",
        value_name = "NAME"
    )]
    pub redis_primary: String,

    /// The number of the database; a cluster has only 0.
    #[arg(
        long,
        env = "GAMEKEEPER_REDIS_DATABASE",
        default_value_t = 0,
        value_name = "NUMBER"
    )]
    pub redis_database: u32,

    /// The ACL user.
    #[arg(long, env = "GAMEKEEPER_REDIS_USER", value_name = "NAME")]
    pub redis_user: Option<String>,

    /// A file whose first line is the password.
    #[arg(long, env = "GAMEKEEPER_REDIS_PASSWORD_FILE", value_name = "FILE")]
    pub redis_password_file: Option<PathBuf>,

    /// Talk to Redis over TLS.
    #[arg(long, env = "GAMEKEEPER_REDIS_TLS")]
    pub redis_tls: bool,

    /// The only authorities to trust for Redis, in PEM. Not given: those of the system.
    #[arg(
        long,
        env = "GAMEKEEPER_REDIS_CA_FILE",
        value_name = "FILE",
        requires = "redis_tls"
    )]
    pub redis_ca_file: Option<PathBuf>,

    /// Our own certificate for Redis, in PEM.
    #[arg(
        long,
        env = "GAMEKEEPER_REDIS_CERT_FILE",
        value_name = "FILE",
        requires = "redis_key_file"
    )]
    pub redis_cert_file: Option<PathBuf>,

    /// The key of our own certificate for Redis, in PEM.
    #[arg(
        long,
        env = "GAMEKEEPER_REDIS_KEY_FILE",
        value_name = "FILE",
        requires = "redis_cert_file"
    )]
    pub redis_key_file: Option<PathBuf>,

    /// How many replicas must have an action before it counts as stored.
    #[arg(
        long,
        env = "GAMEKEEPER_REDIS_WAIT_REPLICAS",
        default_value_t = 0,
        value_name = "COUNT"
    )]
    pub redis_wait_replicas: u32,

    /// How long to wait for replicas; then the outcome counts as unknown.
    #[arg(long, env = "GAMEKEEPER_REDIS_WAIT_TIMEOUT", default_value = "1s", value_parser = humantime::parse_duration, value_name = "DURATION")]
    pub redis_wait_timeout: Duration,

    /// Forget a game when nothing was added to it for so long, such as 90d. Not given: never.
    #[arg(long, env = "GAMEKEEPER_REDIS_EXPIRY", value_parser = humantime::parse_duration, value_name = "DURATION")]
    pub redis_expiry: Option<Duration>,

    /// Start although Redis may evict games when its memory is full.
    #[arg(long, env = "GAMEKEEPER_REDIS_ALLOW_EVICTION")]
    pub redis_allow_eviction: bool,
}

/// What Redis addresses are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RedisTopologyArg {
    /// One server.
    Single,
    /// Nodes of a Redis Cluster.
    Cluster,
    /// Sentinels that know the primary.
    Sentinel,
}

/// Settings of authentication.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Authentication")]
pub struct AuthArgs {
    /// Who is let in. Not given: open on a loopback address, otherwise refuse to start.
    #[arg(long, env = "GAMEKEEPER_AUTH", value_enum)]
    pub auth: Option<AuthMode>,

    /// A file with lines tenant:sha256-of-the-key-in-hex.
    #[arg(long, env = "GAMEKEEPER_TENANT_KEYS_FILE", value_name = "FILE")]
    pub tenant_keys_file: Option<PathBuf>,

    /// A file with lines sha256-of-the-key-in-hex.
    #[arg(long, env = "GAMEKEEPER_OPERATOR_KEYS_FILE", value_name = "FILE")]
    pub operator_keys_file: Option<PathBuf>,

    /// A JSON Web Key Set whose keys sign tenants' tokens (claims `tenant` and `exp`).
    #[arg(long, env = "GAMEKEEPER_TENANT_JWKS_FILE", value_name = "FILE")]
    pub tenant_jwks_file: Option<PathBuf>,

    /// A file with the secrets of seat tokens, one a line; the first signs, all verify.
    #[arg(long, env = "GAMEKEEPER_TOKEN_KEYS_FILE", value_name = "FILE")]
    pub token_keys_file: Option<PathBuf>,

    /// Let creators give the seed of a game. Always allowed with --auth open.
    #[arg(long, env = "GAMEKEEPER_ALLOW_SEEDS")]
    pub allow_seeds: bool,
}

/// Settings of TLS.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "TLS")]
pub struct TlsArgs {
    /// The server's certificate chain in PEM. Not given: plain text.
    #[arg(
        long,
        env = "GAMEKEEPER_TLS_CERT_FILE",
        value_name = "FILE",
        requires = "tls_key_file"
    )]
    pub tls_cert_file: Option<PathBuf>,

    /// The server's private key in PEM.
    #[arg(
        long,
        env = "GAMEKEEPER_TLS_KEY_FILE",
        value_name = "FILE",
        requires = "tls_cert_file"
    )]
    pub tls_key_file: Option<PathBuf>,

    /// Certificates that sign clients': every client must have one.
    #[arg(
        long,
        env = "GAMEKEEPER_TLS_CLIENT_CA_FILE",
        value_name = "FILE",
        requires = "tls_cert_file"
    )]
    pub tls_client_ca_file: Option<PathBuf>,
}

/// Limits.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Limits")]
pub struct LimitArgs {
    /// How long a call may take.
    #[arg(long, env = "GAMEKEEPER_DEADLINE", default_value = "10s", value_parser = humantime::parse_duration, value_name = "DURATION")]
    pub deadline: Duration,

    /// How old a connection may become, about; then it is told to go, and what was begun is finished.
    /// Watches end at that age too, to be resumed. Not given: as old as clients like.
    #[arg(long, env = "GAMEKEEPER_MAX_CONNECTION_AGE", value_parser = humantime::parse_duration, value_name = "DURATION")]
    pub max_connection_age: Option<Duration>,

    /// How often a silent connection is asked whether it is alive; it has 20 s to answer.
    #[arg(long, env = "GAMEKEEPER_KEEPALIVE", default_value = "30s", value_parser = humantime::parse_duration, value_name = "DURATION")]
    pub keepalive: Duration,

    /// How long calls may take to finish when the server is told to stop.
    #[arg(long, env = "GAMEKEEPER_DRAIN", default_value = "20s", value_parser = humantime::parse_duration, value_name = "DURATION")]
    pub drain: Duration,

    /// The largest request, in bytes.
    #[arg(
        long,
        env = "GAMEKEEPER_MAX_REQUEST_BYTES",
        default_value_t = 65_536,
        value_name = "BYTES"
    )]
    pub max_request_bytes: usize,

    /// How many calls are answered at once.
    #[arg(
        long,
        env = "GAMEKEEPER_MAX_IN_FLIGHT",
        default_value_t = 4_096,
        value_name = "COUNT"
    )]
    pub max_in_flight: usize,

    /// How many calls a second one token may make, in the long run; 0: any number. Without tokens
    /// nobody is limited.
    #[arg(
        long,
        env = "GAMEKEEPER_MAX_RATE",
        default_value_t = 2_000,
        value_name = "COUNT"
    )]
    pub max_rate: u32,

    /// How many calls one token may make at once after a rest.
    #[arg(
        long,
        env = "GAMEKEEPER_MAX_BURST",
        default_value_t = 4_000,
        value_name = "COUNT"
    )]
    pub max_burst: u32,

    /// How many games one tenant may have, finished ones included; 0: any number. Without tokens
    /// there are no tenants.
    #[arg(
        long,
        env = "GAMEKEEPER_MAX_GAMES_PER_TENANT",
        default_value_t = 100_000,
        value_name = "COUNT"
    )]
    pub max_games_per_tenant: u64,

    /// How many watches this process serves.
    #[arg(
        long,
        env = "GAMEKEEPER_MAX_WATCHES",
        default_value_t = 10_000,
        value_name = "COUNT"
    )]
    pub max_watches: usize,

    /// How many watches of one game this process serves.
    #[arg(
        long,
        env = "GAMEKEEPER_MAX_WATCHES_PER_GAME",
        default_value_t = 1_000,
        value_name = "COUNT"
    )]
    pub max_watches_per_game: usize,

    /// How many self-plays this process serves.
    #[arg(
        long,
        env = "GAMEKEEPER_MAX_SELF_PLAYS",
        default_value_t = 16,
        value_name = "COUNT"
    )]
    pub max_self_plays: usize,

    /// How many games one self-play plays side by side.
    #[arg(
        long,
        env = "GAMEKEEPER_MAX_SELF_PLAY_GAMES",
        default_value_t = 1_024,
        value_name = "COUNT"
    )]
    pub max_self_play_games: usize,

    /// How often a watch says that it is alive.
    #[arg(long, env = "GAMEKEEPER_BOOKMARK_EVERY", default_value = "15s", value_parser = humantime::parse_duration, value_name = "DURATION")]
    pub bookmark_every: Duration,

    /// A watch whose reader takes nothing for so long ends, and can be resumed.
    #[arg(long, env = "GAMEKEEPER_WATCH_PATIENCE", default_value = "30s", value_parser = humantime::parse_duration, value_name = "DURATION")]
    pub watch_patience: Duration,

    /// How many games of each ruleset stay decoded in memory.
    #[arg(
        long,
        env = "GAMEKEEPER_CACHED_GAMES",
        default_value_t = 10_000,
        value_name = "COUNT"
    )]
    pub cached_games: usize,

    /// A snapshot is stored with every version that is a multiple of this.
    #[arg(
        long,
        env = "GAMEKEEPER_SNAPSHOT_EVERY",
        default_value_t = 16,
        value_name = "COUNT"
    )]
    pub snapshot_every: u64,
}

/// Settings of telemetry. `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES` and the timing of
/// exports (`OTEL_BSP_*`, `OTEL_METRIC_EXPORT_INTERVAL`) are read as the standard says.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Telemetry")]
pub struct TelemetryArgs {
    /// Where traces and metrics are sent over OTLP/gRPC, such as http://collector:4317. Not given: nowhere.
    #[arg(long, env = "OTEL_EXPORTER_OTLP_ENDPOINT", value_name = "URL")]
    pub otlp_endpoint: Option<String>,

    /// The only authorities to trust for an https:// collector, in PEM.
    #[arg(
        long,
        env = "OTEL_EXPORTER_OTLP_CERTIFICATE",
        value_name = "FILE",
        requires = "otlp_endpoint"
    )]
    pub otlp_ca_file: Option<PathBuf>,

    /// A file with lines name: value, sent to the collector as headers, such as its key.
    #[arg(
        long,
        env = "GAMEKEEPER_OTLP_HEADERS_FILE",
        value_name = "FILE",
        requires = "otlp_endpoint"
    )]
    pub otlp_headers_file: Option<PathBuf>,

    /// Which part of calls is traced when the caller does not decide it, from 0 to 1.
    #[arg(
        long,
        env = "OTEL_TRACES_SAMPLER_ARG",
        default_value_t = 1.0,
        value_name = "RATIO"
    )]
    pub trace_ratio: f64,
}

/// Settings that do not fit together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// Nobody said who is let in.
    #[error("{0} is not a loopback address: say who is let in, with --auth tokens or --auth open")]
    AuthUnsaid(SocketAddr),
    /// Tokens need a secret.
    #[error("--auth tokens needs --token-keys-file")]
    NoTokenKeys,
    /// The playground has no port.
    #[error("--playground needs --admin-listen")]
    PlaygroundNowhere,
    /// Nobody said who may use the playground.
    #[error(
        "--playground on {0}, which is not a loopback address: say who is let in, with --auth tokens or --auth open"
    )]
    PlaygroundUnsaid(SocketAddr),
    /// The playground asks for no certificate.
    #[error(
        "--playground would let in callers without a certificate, against --tls-client-ca-file"
    )]
    PlaygroundWithoutCertificates,
    /// A limit of nothing.
    #[error("--{0} must be more than 0")]
    Zero(&'static str),
    /// A part of more than all, or less than nothing.
    #[error("--trace-ratio must lie from 0 to 1")]
    Ratio,
}

impl Config {
    /// Checks what no single flag can check.
    ///
    /// # Errors
    /// The first settings that do not fit together.
    pub fn validate(&self) -> Result<(), ConfigError> {
        self.auth_config()?;
        self.validate_playground()?;
        if !(0.0..=1.0).contains(&self.telemetry.trace_ratio) {
            return Err(ConfigError::Ratio);
        }
        let limits = &self.limits;
        let zeros = [
            ("max-request-bytes", limits.max_request_bytes),
            ("max-in-flight", limits.max_in_flight),
            (
                "max-burst",
                usize::try_from(limits.max_burst).unwrap_or(usize::MAX),
            ),
            ("cached-games", limits.cached_games),
            (
                "snapshot-every",
                usize::try_from(limits.snapshot_every).unwrap_or(usize::MAX),
            ),
            ("deadline", usize::from(!limits.deadline.is_zero())),
            ("keepalive", usize::from(!limits.keepalive.is_zero())),
            (
                "max-connection-age",
                usize::from(limits.max_connection_age != Some(Duration::ZERO)),
            ),
            (
                "bookmark-every",
                usize::from(!limits.bookmark_every.is_zero()),
            ),
            (
                "watch-patience",
                usize::from(!limits.watch_patience.is_zero()),
            ),
        ];
        zeros
            .into_iter()
            .find(|(_, value)| *value == 0)
            .map_or(Ok(()), |(name, _)| Err(ConfigError::Zero(name)))
    }

    /// The playground calls in plain text past the port of the service, and must not be a way around
    /// what that port asks of callers.
    fn validate_playground(&self) -> Result<(), ConfigError> {
        if !self.playground {
            return Ok(());
        }
        let admin = self.admin_listen.ok_or(ConfigError::PlaygroundNowhere)?;
        if self.tls.tls_client_ca_file.is_some() {
            return Err(ConfigError::PlaygroundWithoutCertificates);
        }
        if self.auth.auth.is_none() && !admin.ip().is_loopback() {
            return Err(ConfigError::PlaygroundUnsaid(admin));
        }
        Ok(())
    }

    /// Who is let in.
    ///
    /// # Errors
    /// When nobody said it, and when a key file is missing.
    pub fn auth_config(&self) -> Result<AuthConfig, ConfigError> {
        let auth = &self.auth;
        match auth.auth {
            None if self.listen.ip().is_loopback() => Ok(AuthConfig::Open),
            None => Err(ConfigError::AuthUnsaid(self.listen)),
            Some(AuthMode::Open) => Ok(AuthConfig::Open),
            Some(AuthMode::Tokens) => Ok(AuthConfig::Tokens {
                tenant_keys: auth.tenant_keys_file.clone(),
                operator_keys: auth.operator_keys_file.clone(),
                tenant_jwks: auth.tenant_jwks_file.clone(),
                token_keys: auth
                    .token_keys_file
                    .clone()
                    .ok_or(ConfigError::NoTokenKeys)?,
            }),
        }
    }

    /// How many threads serve calls.
    #[must_use]
    pub fn workers(&self) -> usize {
        match self.workers {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            count => count,
        }
    }

    /// Where games are kept.
    #[must_use]
    pub fn store_config(&self) -> StoreConfig {
        match self.store {
            StoreKind::Memory => StoreConfig::Memory,
            StoreKind::Embedded => StoreConfig::Embedded(EmbeddedConfig::new(&self.data_dir)),
            StoreKind::Redis => StoreConfig::Redis(self.redis_config()),
        }
    }

    fn redis_config(&self) -> RedisConfig {
        let redis = &self.redis;
        let addresses = redis.redis.clone();
        let topology = match redis.redis_topology {
            RedisTopologyArg::Single => RedisTopology::Single {
                address: addresses.into_iter().next().unwrap_or_default(),
            },
            RedisTopologyArg::Cluster => RedisTopology::Cluster { nodes: addresses },
            RedisTopologyArg::Sentinel => RedisTopology::Sentinel {
                sentinels: addresses,
                primary: redis.redis_primary.clone(),
            },
        };
        let waits = redis.redis_wait_replicas > 0;
        RedisConfig {
            database: redis.redis_database,
            username: redis.redis_user.clone(),
            password: redis.redis_password_file.clone().map(RedisPassword::File),
            tls: redis.redis_tls.then(|| RedisTls {
                authorities: redis.redis_ca_file.clone(),
                identity: redis
                    .redis_cert_file
                    .clone()
                    .zip(redis.redis_key_file.clone()),
            }),
            wait: waits.then_some(ReplicaWait {
                replicas: redis.redis_wait_replicas,
                timeout: redis.redis_wait_timeout,
            }),
            expire_games: redis.redis_expiry,
            eviction: if redis.redis_allow_eviction {
                Eviction::Allow
            } else {
                Eviction::Refuse
            },
            ..RedisConfig::new(topology)
        }
    }

    /// The configuration for people to read. It names files; what is in them is not shown.
    #[must_use]
    pub fn redacted(&self) -> String {
        let mut shown = self.clone();
        for address in &mut shown.redis.redis {
            // An address has no place for a password; somebody may think so all the same.
            if let Some((_, host)) = address.rsplit_once('@') {
                *address = format!("...@{host}");
            }
        }
        format!("{shown:#?}")
    }

    /// What is set about the keeping of games.
    #[must_use]
    pub fn settings(&self) -> Settings {
        let open = matches!(self.auth_config(), Ok(AuthConfig::Open));
        Settings {
            snapshot_every: self.limits.snapshot_every,
            cached_games: self.limits.cached_games,
            allow_seeds: self.auth.allow_seeds || open,
            bookmark_every: self.limits.bookmark_every,
            watch_patience: self.limits.watch_patience,
            most_games_per_tenant: Some(self.limits.max_games_per_tenant).filter(|most| *most > 0),
            watch_age: self.limits.max_connection_age,
            most_watches: self.limits.max_watches,
            most_watches_per_game: self.limits.max_watches_per_game,
            most_self_plays: self.limits.max_self_plays,
            most_self_play_games: self.limits.max_self_play_games,
        }
    }

    /// The kind of store, as telemetry calls it.
    #[must_use]
    pub fn store_system(&self) -> &'static str {
        match self.store {
            StoreKind::Memory => "memory",
            StoreKind::Embedded => "embedded",
            StoreKind::Redis => "redis",
        }
    }

    /// What helps when the store does not work.
    #[must_use]
    pub fn remedy(&self) -> Remedy {
        match self.store {
            StoreKind::Memory | StoreKind::Embedded => Remedy::Restart,
            StoreKind::Redis => Remedy::Wait,
        }
    }

    /// How often a token may call.
    #[must_use]
    pub fn rate(&self) -> Option<Rate> {
        let LimitArgs {
            max_rate,
            max_burst,
            ..
        } = self.limits;
        Some(Rate {
            per_second: NonZeroU32::new(max_rate)?,
            burst: NonZeroU32::new(max_burst)?,
        })
    }

    /// What is set about calls.
    #[must_use]
    pub fn edge_settings(&self) -> EdgeSettings {
        EdgeSettings {
            deadline: self.limits.deadline,
            most_in_flight: self.limits.max_in_flight,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn validated(flags: &[&str]) -> Result<(), ConfigError> {
        let flags = ["gamekeeperd", "--playground"].iter().chain(flags);
        Config::parse_from(flags).validate()
    }

    #[test]
    fn the_playground_is_no_way_around_what_the_service_asks() {
        assert_eq!(validated(&[]), Err(ConfigError::PlaygroundNowhere));
        let here = "--admin-listen=127.0.0.1:0";
        assert_eq!(validated(&[here]), Ok(()));
        let everywhere = "--admin-listen=0.0.0.0:9090";
        assert!(matches!(
            validated(&[everywhere]),
            Err(ConfigError::PlaygroundUnsaid(_))
        ));
        assert_eq!(validated(&[everywhere, "--auth=open"]), Ok(()));
        let tls = [
            here,
            "--tls-cert-file=cert",
            "--tls-key-file=key",
            "--tls-client-ca-file=ca",
        ];
        assert_eq!(
            validated(&tls),
            Err(ConfigError::PlaygroundWithoutCertificates)
        );
    }
}
