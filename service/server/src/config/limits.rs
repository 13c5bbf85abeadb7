//! Limits, timeouts and intervals.

use std::num::{NonZeroU16, NonZeroU32};
use std::path::PathBuf;
use std::time::Duration;

use gamekeeper_games::scheduling::Rate;

use super::ConfigError;
use crate::settings::{ConnectionSettings, EdgeSettings};

/// Time in which a silent connection must answer a ping.
const KEEPALIVE_ANSWER: Duration = Duration::from_secs(20);

/// Limits.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Limits")]
pub struct LimitArgs {
    /// Maximum duration of a call.
    #[arg(long, env = "GAMEKEEPER_DEADLINE", default_value = "10s", value_parser = humantime::parse_duration, value_name = "DURATION")]
    pub deadline: Duration,

    /// Approximate maximum age of a connection; it is then closed gracefully. Watches end at that age
    /// too, and can be resumed. Unset: no limit.
    #[arg(long, env = "GAMEKEEPER_MAX_CONNECTION_AGE", value_parser = humantime::parse_duration, value_name = "DURATION")]
    pub max_connection_age: Option<Duration>,

    /// Maximum number of open connections, at least 1. When all are open, the account with the most loses one that has
    /// not carried an authenticated call, or an idle one.
    #[arg(
        long,
        env = "GAMEKEEPER_MAX_CONNECTIONS",
        default_value_t = 10_000,
        value_name = "COUNT"
    )]
    pub max_connections: usize,

    /// Maximum number of concurrent calls and watches on one connection, at least 1.
    #[arg(
        long,
        env = "GAMEKEEPER_MAX_STREAMS",
        default_value_t = 1_000,
        value_name = "COUNT"
    )]
    pub max_streams: u32,

    /// Maximum time for the TLS handshake of a connection, and then for its first bytes and for the
    /// headers of a request over HTTP/1.
    #[arg(long, env = "GAMEKEEPER_HANDSHAKE_TIMEOUT", default_value = "10s", value_parser = humantime::parse_duration, value_name = "DURATION")]
    pub handshake_timeout: Duration,

    /// Maximum time for which a connection with HTTP/1.1 stays open between two calls, announced as Keep-Alive. Set it to
    /// more than a load balancer keeps idle connections, 60 seconds by default for most of them.
    #[arg(long, env = "GAMEKEEPER_HTTP1_IDLE_TIMEOUT", default_value = "75s", value_parser = humantime::parse_duration, value_name = "DURATION")]
    pub http1_idle_timeout: Duration,

    /// Maximum time from the headers of a call to the end of its request, or to the plan of a self-play.
    #[arg(long, env = "GAMEKEEPER_REQUEST_TIMEOUT", default_value = "5s", value_parser = humantime::parse_duration, value_name = "DURATION")]
    pub request_timeout: Duration,

    /// Interval of HTTP/2 pings on a silent connection; it is closed if no answer arrives within 20 s.
    #[arg(long, env = "GAMEKEEPER_KEEPALIVE", default_value = "30s", value_parser = humantime::parse_duration, value_name = "DURATION")]
    pub keepalive: Duration,

    /// Maximum time to wait at start for a store that cannot be reached. 0s: fail at once.
    #[arg(long, env = "GAMEKEEPER_START_TIMEOUT", default_value = "60s", value_parser = humantime::parse_duration, value_name = "DURATION")]
    pub start_timeout: Duration,

    /// Maximum time for calls to finish during graceful shutdown.
    #[arg(long, env = "GAMEKEEPER_DRAIN", default_value = "20s", value_parser = humantime::parse_duration, value_name = "DURATION")]
    pub drain: Duration,

    /// Maximum size of a request, in bytes, at least 1.
    #[arg(
        long,
        env = "GAMEKEEPER_MAX_REQUEST_BYTES",
        default_value_t = 65_536,
        value_name = "BYTES"
    )]
    pub max_request_bytes: usize,

    /// Maximum number of concurrent calls in this process, at least 1. A caller can hold at most as many as remain
    /// free: half of all if it is alone, a third each if there are two. Further calls are refused with LIMIT_EXCEEDED.
    #[arg(
        long,
        env = "GAMEKEEPER_MAX_IN_FLIGHT",
        default_value_t = 4_096,
        value_name = "COUNT"
    )]
    pub max_in_flight: usize,

    /// Maximum number of concurrent calls that need no token (health, reflection, `ListRulesets`, rule documents,
    /// unknown methods), and of streams that need none, at least 1. They do not count against --max-in-flight.
    #[arg(
        long,
        env = "GAMEKEEPER_MAX_UNAUTHENTICATED",
        default_value_t = 256,
        value_name = "COUNT"
    )]
    pub max_unauthenticated: usize,

    /// Rate limit of a tenant, of all tokens of one of its games and forks, and of its bots, in small calls a second. A
    /// larger call counts as several: 250 us of processor time, 16 KiB of responses and 1 KiB stored each cost as much as
    /// a small call. The limit of an address without a token is a tenth. 0: no limit. Applies only with tokens.
    #[arg(
        long,
        env = "GAMEKEEPER_MAX_RATE",
        default_value_t = 2_000,
        value_name = "COUNT"
    )]
    pub max_rate: u32,

    /// Burst that --max-rate allows after a pause, in small calls, at least 1.
    #[arg(
        long,
        env = "GAMEKEEPER_MAX_BURST",
        default_value_t = 4_000,
        value_name = "COUNT"
    )]
    pub max_burst: u32,

    /// Maximum number of games of one tenant, finished ones included. 0: no limit. Applies only with
    /// tokens.
    #[arg(
        long,
        env = "GAMEKEEPER_MAX_GAMES_PER_TENANT",
        default_value_t = 100_000,
        value_name = "COUNT"
    )]
    pub max_games_per_tenant: u64,

    /// Maximum number of bytes that one tenant stores: logs, snapshots, rows and places in lists of its games, its feed,
    /// and records of its users' tokens. At it, no game is created, and no user gets a first token; games that exist go
    /// on. 0: no limit. Applies only with tokens.
    #[arg(
        long,
        env = "GAMEKEEPER_MAX_BYTES_PER_TENANT",
        default_value_t = 10 << 30,
        value_name = "BYTES"
    )]
    pub max_bytes_per_tenant: u64,

    /// Maximum number of versions of one game: some games never end by their rules. Its owner may still end it then; bots
    /// and clocks rest. Clients learn when a tenth is left. 0: no limit.
    #[arg(
        long,
        env = "GAMEKEEPER_MAX_VERSIONS",
        default_value_t = 10_000,
        value_name = "COUNT"
    )]
    pub max_versions: u64,

    /// Maximum size of the log of one game, in bytes, as --max-versions limits its length. 0: no limit.
    #[arg(
        long,
        env = "GAMEKEEPER_MAX_LOG_BYTES",
        default_value_t = 16 << 20,
        value_name = "BYTES"
    )]
    pub max_log_bytes: u64,

    /// File with limits of single tenants, which replace the general ones: lines such as red: rate=500 burst=1000
    /// games=2000 bytes=1000000000 watches=100 self-plays=2. Read again when it changes. Applies only with tokens.
    #[arg(long, env = "GAMEKEEPER_TENANT_LIMITS_FILE", value_name = "FILE")]
    pub tenant_limits_file: Option<PathBuf>,

    /// Maximum number of concurrent watches and exports in this process. A caller can hold at most as many as remain
    /// free: half of all if it is alone, a third each if there are two. 0: none are served.
    #[arg(
        long,
        env = "GAMEKEEPER_MAX_WATCHES",
        default_value_t = 10_000,
        value_name = "COUNT"
    )]
    pub max_watches: usize,

    /// Maximum number of concurrent self-plays and imports in this process. A caller can hold at most as many as remain
    /// free: half of all if it is alone, a third each if there are two. 0: none are served.
    #[arg(
        long,
        env = "GAMEKEEPER_MAX_SELF_PLAYS",
        default_value_t = 16,
        value_name = "COUNT"
    )]
    pub max_self_plays: usize,

    /// Maximum number of games that one self-play plays side by side.
    #[arg(
        long,
        env = "GAMEKEEPER_MAX_SELF_PLAY_GAMES",
        default_value_t = 1_024,
        value_name = "COUNT"
    )]
    pub max_self_play_games: usize,

    /// Maximum number of bots at tables that think at the same time, at least 1. Each uses a thread of its own; tenants
    /// share their time.
    #[arg(
        long,
        env = "GAMEKEEPER_MAX_THINKING_BOTS",
        default_value = "2",
        value_name = "COUNT"
    )]
    pub max_thinking_bots: NonZeroU16,

    /// Maximum number of drawings that are painted as PNG at the same time. Each uses a thread of its own; accounts share
    /// the time and pay for it. 0: drawings are sent as SVG only.
    #[arg(
        long,
        env = "GAMEKEEPER_MAX_PAINTING",
        default_value_t = 1,
        value_name = "COUNT"
    )]
    pub max_painting: u16,

    /// Minimum length of an outage for which the clocks of games are credited, at least 1s: if no server of the store
    /// could be reached for longer, players get the lost time back. 0s: outages are never credited.
    #[arg(long, env = "GAMEKEEPER_OUTAGE_AFTER", default_value = "1m", value_parser = parse_outage, value_name = "DURATION")]
    pub outage_after: Duration,

    /// Interval at which a watch without news sends a bookmark, so that clients notice a lost connection.
    #[arg(long, env = "GAMEKEEPER_BOOKMARK_EVERY", default_value = "15s", value_parser = humantime::parse_duration, value_name = "DURATION")]
    pub bookmark_every: Duration,

    /// Time after which a watch or an export is closed when its client reads nothing; it can be resumed.
    #[arg(long, env = "GAMEKEEPER_WATCH_PATIENCE", default_value = "30s", value_parser = humantime::parse_duration, value_name = "DURATION")]
    pub watch_patience: Duration,

    /// Maximum number of decoded games of each ruleset in the cache of this process, at least 1. Other games are read
    /// from the store at the next call.
    #[arg(
        long,
        env = "GAMEKEEPER_CACHED_GAMES",
        default_value_t = 10_000,
        value_name = "COUNT"
    )]
    pub cached_games: usize,

    /// Number of versions after which a snapshot of a game is stored, at least 1. Fewer make loading a game faster and
    /// the store larger.
    #[arg(
        long,
        env = "GAMEKEEPER_SNAPSHOT_EVERY",
        default_value_t = 16,
        value_name = "COUNT"
    )]
    pub snapshot_every: u64,
}

impl LimitArgs {
    /// Refuses limits of zero where zero is not allowed.
    pub(super) fn validate(&self) -> Result<(), ConfigError> {
        let nothing = [
            ("max-request-bytes", self.max_request_bytes == 0),
            ("max-in-flight", self.max_in_flight == 0),
            ("max-unauthenticated", self.max_unauthenticated == 0),
            ("max-connections", self.max_connections == 0),
            ("max-streams", self.max_streams == 0),
            ("handshake-timeout", self.handshake_timeout.is_zero()),
            ("http1-idle-timeout", self.http1_idle_timeout.is_zero()),
            ("request-timeout", self.request_timeout.is_zero()),
            ("max-burst", self.max_burst == 0),
            ("cached-games", self.cached_games == 0),
            ("snapshot-every", self.snapshot_every == 0),
            ("deadline", self.deadline.is_zero()),
            ("keepalive", self.keepalive.is_zero()),
            (
                "max-connection-age",
                self.max_connection_age == Some(Duration::ZERO),
            ),
            ("bookmark-every", self.bookmark_every.is_zero()),
            ("watch-patience", self.watch_patience.is_zero()),
        ];
        match nothing.into_iter().find(|(_, zero)| *zero) {
            Some((name, _)) => Err(ConfigError::Zero(name)),
            None => Ok(()),
        }
    }

    /// Returns the rate limit of an account.
    #[must_use]
    pub fn rate(&self) -> Option<Rate> {
        Some(Rate {
            per_second: NonZeroU32::new(self.max_rate)?,
            burst: NonZeroU32::new(self.max_burst)?,
        })
    }

    /// Returns the settings of calls of a server that requires tokens.
    #[must_use]
    pub fn edge(&self) -> EdgeSettings {
        EdgeSettings {
            deadline: self.deadline,
            request_timeout: self.request_timeout,
            slow_consumer_timeout: self.watch_patience,
            max_connection_age: self.max_connection_age,
            max_bytes: self.max_request_bytes,
            max_in_flight: self.max_in_flight,
            anonymous_rate: self.rate().map(anonymous_rate),
            max_unauthenticated: self.max_unauthenticated,
        }
    }

    /// Returns the settings of connections.
    #[must_use]
    pub fn connections(&self) -> ConnectionSettings {
        ConnectionSettings {
            handshake: self.handshake_timeout,
            http1_idle: self.http1_idle_timeout,
            max_streams: self.max_streams,
            keepalive: self.keepalive,
            keepalive_timeout: KEEPALIVE_ANSWER,
            max_age: self.max_connection_age,
        }
    }
}

/// Parses the shortest outage that counts. It must be long enough for servers to report several times within it that
/// they serve.
fn parse_outage(text: &str) -> Result<Duration, String> {
    let after = humantime::parse_duration(text).map_err(|error| error.to_string())?;
    if !after.is_zero() && after < Duration::from_secs(1) {
        return Err(String::from("is shorter than a second"));
    }
    Ok(after)
}

/// Returns the rate limit of an address without a token: a fraction, since everything that it may call has the same
/// answer for everybody.
fn anonymous_rate(rate: Rate) -> Rate {
    let part = |all: NonZeroU32, part| NonZeroU32::new(all.get() / part).unwrap_or(NonZeroU32::MIN);
    Rate {
        per_second: part(rate.per_second, 10),
        burst: part(rate.burst, 5),
    }
}
