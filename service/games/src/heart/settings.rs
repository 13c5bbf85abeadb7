//! The settings of the games, without flag names.

use std::time::Duration;

use crate::heart::fair::Rate;

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
    /// When no process served for longer than this, clocks of games move forward by it. `None`: never.
    pub outage_after: Option<Duration>,
    /// Interval of heartbeats on a watch.
    pub bookmark_every: Duration,
    /// A watch is closed when its client reads nothing for this long.
    pub watch_patience: Duration,
    /// Maximum number of games of a tenant. `None`: no limit.
    pub max_games_per_tenant: Option<u64>,
    /// Approximate maximum age of a watch, after which it must be resumed. `None`: no limit.
    pub watch_age: Option<Duration>,
    /// What each account may use. `None`: no limit.
    pub rate: Option<Rate>,
    /// Maximum number of watches and exports in this process.
    pub max_watches: usize,
    /// Maximum time until the plan of a self-play has arrived.
    pub plan_timeout: Duration,
    /// Maximum number of self-plays in this process.
    pub max_self_plays: usize,
    /// Maximum number of parallel games of one self-play.
    pub max_self_play_games: usize,
    /// Maximum number of bots at tables that think at the same time in this process; at least one does.
    pub max_thinking_bots: usize,
}
