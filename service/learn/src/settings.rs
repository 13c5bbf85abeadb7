//! What a game is asked for, and what can be wrong with it.

use gamekeeper_rules::bots::NoPolicy;
use gamekeeper_rules::starts::Start;
use gamekeeper_rules::table::Detail;

/// The maximum number of legal actions from which a seat chooses. Longer lists are cut off, as in the self-play stream.
pub(crate) const MAX_ACTIONS: usize = 10_000;

/// How games are played.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The number of seats.
    pub seats: usize,
    /// The message `Options` of the ruleset, encoded. Empty: the plain game.
    pub options: Vec<u8>,
    /// Where games begin.
    pub start: Start,
    /// How finely actions are listed.
    pub detail: Detail,
    /// A game that reaches this version ends without a result. 0: games are played to the end.
    pub max_versions: u64,
    /// Keep a digest of all that each seat has seen and said?
    pub recall: bool,
}

/// What cannot be done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// No such ruleset.
    #[error("no ruleset {0:?}; there are {1}")]
    Unknown(String, String),
    /// The ruleset is played by other numbers of players.
    #[error("{ruleset} takes {min} to {max} players, not {seats}")]
    Seats {
        /// The ruleset.
        ruleset: &'static str,
        /// The fewest seats.
        min: u8,
        /// The most seats.
        max: u8,
        /// Those asked for.
        seats: usize,
    },
    /// The options are no message of the ruleset, or its rules refuse them.
    #[error("options: {0}")]
    Options(String),
    /// The word is none of those that can be said now.
    #[error("action {word} is not legal{}; the mask says which are", place(*.game))]
    Illegal {
        /// The word.
        word: i64,
        /// In which of several games.
        game: Option<usize>,
    },
    /// The bytes are no snapshot that this build reads.
    #[error("these bytes are no snapshot of {0}, or one of another build")]
    Snapshot(&'static str),
    /// The arrays have other sizes than the games need.
    #[error("an array has the wrong size: {0}")]
    Size(&'static str),
    /// There is no such seat at the table.
    #[error("there is no player {0}")]
    NoSeat(usize),
    /// There is no such policy.
    #[error(transparent)]
    Policy(#[from] NoPolicy),
    /// No action waits for luck.
    #[error("no action waits for luck")]
    NothingWaits,
    /// Only a game that has begun has snapshots and moves.
    #[error("the game has not begun")]
    NotBegun,
    /// Every game ended before the caller had anything to decide.
    #[error(
        "all games end before the caller has anything to decide; max_versions is too small, or bots have all seats"
    )]
    NothingToDecide,
    /// The threads could not be started.
    #[error("threads: {0}")]
    Threads(String),
}

fn place(game: Option<usize>) -> String {
    game.map_or_else(|| String::from(" now"), |game| format!(" in game {game}"))
}
