//! The configuration of the parts of the server, without flag names.

use std::time::Duration;

/// Settings of the games.
#[derive(Clone, Debug)]
pub struct Settings {
    /// A snapshot is stored with every version that is a multiple of this, and at the end.
    pub snapshot_every: u64,
    /// The number of games of each ruleset that stay decoded in memory.
    pub cached_games: usize,
    /// May creators choose the seed of a game?
    pub allow_seeds: bool,
    /// Are rulesets offered that are examples?
    pub serve_examples: bool,
    /// Lifetime of seat and spectator tokens. `None`: as long as their game exists.
    pub seat_token_lifetime: Option<Duration>,
    /// Interval of heartbeats on a watch.
    pub bookmark_every: Duration,
    /// A watch is closed when its client reads nothing for this long.
    pub watch_patience: Duration,
    /// Maximum number of games of a tenant. `None`: no limit.
    pub max_games_per_tenant: Option<u64>,
    /// Approximate maximum age of a watch, after which it must be resumed. `None`: no limit.
    pub watch_age: Option<Duration>,
    /// Maximum number of watches in this process.
    pub max_watches: usize,
    /// Maximum number of watches of one game in this process.
    pub max_watches_per_game: usize,
    /// Maximum number of watches of one caller. `None`: no limit.
    pub max_watches_per_token: Option<usize>,
    /// Maximum time until the plan of a self-play has arrived.
    pub plan_timeout: Duration,
    /// Maximum number of self-plays in this process.
    pub max_self_plays: usize,
    /// Maximum number of self-plays of one tenant in this process. `None`: no limit.
    pub max_self_plays_per_tenant: Option<usize>,
    /// Maximum number of parallel games of one self-play.
    pub max_self_play_games: usize,
}

/// Settings of calls.
#[derive(Clone, Debug)]
pub struct EdgeSettings {
    /// Default and maximum deadline of a call.
    pub deadline: Duration,
    /// Maximum time until the body of a call has arrived.
    pub arrival: Duration,
    /// Maximum time in which a client reads nothing of a response that keeps the place of its call.
    pub patience: Duration,
    /// Approximate maximum age of a connection. `None`: no limit.
    pub age: Option<Duration>,
    /// Maximum size of a message, in bytes.
    pub max_bytes: usize,
    /// Maximum number of concurrent calls; further calls are refused.
    pub max_in_flight: usize,
    /// Maximum number of concurrent calls that need no token (health, reflection, rulesets,
    /// rule documents, unknown methods). They do not count against the other limits.
    pub max_unauthenticated: usize,
}

/// Settings of connections.
#[derive(Clone, Debug)]
pub struct ConnectionSettings {
    /// Maximum time for the TLS handshake, and then for the first bytes of HTTP.
    pub handshake: Duration,
    /// Maximum number of concurrent calls on one connection.
    pub max_streams: u32,
    /// Interval of pings on a silent connection.
    pub keepalive: Duration,
    /// Maximum time for the answer to a ping.
    pub keepalive_answer: Duration,
    /// Approximate maximum age of a connection. `None`: no limit.
    pub age: Option<Duration>,
}
