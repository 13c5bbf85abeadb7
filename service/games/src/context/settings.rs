//! The settings of the games, independent of the flags that set them.

use std::time::Duration;

use gamekeeper_policies::PolicyLibrary;

use crate::aggregate::game_limits::GameLimits;
use crate::scheduling::Rate;

/// The settings of the games.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The interval of snapshots, in versions. A snapshot is also stored at the end of a game.
    pub snapshot_every: u64,
    /// The capacity of each ruleset's cache of decoded games.
    pub cached_games: usize,
    /// Whether creators may choose the seed of a game.
    pub allow_seeds: bool,
    /// Whether rulesets that are examples are offered.
    pub serve_examples: bool,
    /// The lifetime of seat and spectator tokens. Is `None` if they are valid until their game is deleted.
    pub seat_token_lifetime: Option<Duration>,
    /// The minimum length of an outage, for which clocks of games move forward. Is `None` if outages are not credited.
    pub outage_after: Option<Duration>,
    /// The interval of heartbeats on a watch.
    pub bookmark_every: Duration,
    /// The time after which a watch is closed because its client reads nothing.
    pub slow_consumer_timeout: Duration,
    /// The maximum number of games of a tenant. Is `None` for no limit.
    pub max_games_per_tenant: Option<u64>,
    /// The maximum number of bytes that a tenant stores. Is `None` for no limit.
    pub max_bytes_per_tenant: Option<u64>,
    /// The limits of one game.
    pub game_limits: GameLimits,
    /// The approximate maximum age of a watch, after which it must be resumed. Is `None` for no limit.
    pub max_watch_age: Option<Duration>,
    /// The rate limit of each account. Is `None` for no limit.
    pub rate: Option<Rate>,
    /// The maximum number of concurrent watches and exports in this process.
    pub max_watches: usize,
    /// The maximum time until the plan of a self-play has arrived.
    pub plan_timeout: Duration,
    /// The maximum number of concurrent self-plays and imports in this process.
    pub max_self_plays: usize,
    /// The maximum number of parallel games of one self-play.
    pub max_self_play_games: usize,
    /// The maximum number of bots at tables that think at the same time in this process. It is at least 1.
    pub max_thinking_bots: usize,
    /// The learned policies that bots can have.
    pub policies: PolicyLibrary,
    /// The maximum number of drawings that are painted as PNG at the same time in this process. At 0, none are.
    pub max_painting: usize,
}
