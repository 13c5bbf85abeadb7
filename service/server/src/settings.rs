//! The configuration that parts of the server get, without the names of its flags.

use std::time::Duration;

/// What an operator may set about the keeping of games.
#[derive(Clone, Debug)]
pub struct Settings {
    /// A snapshot is stored with every version that is a multiple of this, and at the end.
    pub snapshot_every: u64,
    /// How many games of each ruleset stay decoded in memory.
    pub cached_games: usize,
    /// May creators give the seed of a game?
    pub allow_seeds: bool,
    /// How long seat and spectator tokens hold; nothing: as long as their game exists.
    pub seat_token_lifetime: Option<Duration>,
    /// A watch says at least this often that it is alive.
    pub bookmark_every: Duration,
    /// A watch whose reader takes nothing for this long ends.
    pub watch_patience: Duration,
    /// How many games a tenant may have; nothing: any number.
    pub most_games_per_tenant: Option<u64>,
    /// How long a watch lasts before it must be resumed, about. Nothing: as long as it is read.
    pub watch_age: Option<Duration>,
    /// How many watches this process serves.
    pub most_watches: usize,
    /// How many watches of one game this process serves.
    pub most_watches_per_game: usize,
    /// How many watches each caller may have open; nothing: any number.
    pub most_watches_per_token: Option<usize>,
    /// How many self-plays this process serves.
    pub most_self_plays: usize,
    /// How many self-plays of one tenant this process serves; nothing: any number.
    pub most_self_plays_per_tenant: Option<usize>,
    /// How many games one self-play plays side by side.
    pub most_self_play_games: usize,
}

/// What an operator may set about calls.
#[derive(Clone, Debug)]
pub struct EdgeSettings {
    /// How long a call may take when its caller sets no deadline, and at most.
    pub deadline: Duration,
    /// How long the body of a call may take to arrive.
    pub arrival: Duration,
    /// The largest message, in bytes.
    pub most_bytes: usize,
    /// How many calls are answered at once; more are turned away.
    pub most_in_flight: usize,
    /// How many calls that need no token (health, reflection, unknown methods) are read and answered
    /// at once. They take nothing from the others.
    pub most_unauthenticated: usize,
}

/// What an operator may set about connections.
#[derive(Clone, Debug)]
pub struct ConnectionSettings {
    /// How long TLS may take, and then the first bytes of HTTP.
    pub handshake: Duration,
    /// How many calls one connection carries at once.
    pub most_streams: u32,
    /// How often a silent connection is asked whether it is alive.
    pub keepalive: Duration,
    /// How long it has to answer.
    pub keepalive_answer: Duration,
    /// About how old a connection becomes; nothing: as old as its client likes.
    pub age: Option<Duration>,
}
