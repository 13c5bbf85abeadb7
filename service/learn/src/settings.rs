//! The settings of a game, and the errors of this crate.

use gamekeeper_rules::bots::NoPolicy;
use gamekeeper_rules::starts::Start;
use gamekeeper_rules::table::Detail;
use gamekeeper_wire::{MAX_POSITIONS, PositionFault};

/// The maximum number of legal actions that a seat can choose from. Longer lists are cut off, as in the self-play
/// stream.
pub const MAX_ACTIONS: usize = 10_000;

/// The settings of games.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The number of seats.
    pub seats: usize,
    /// The message `Options` of the ruleset, encoded. Empty for the plain game.
    pub options: Vec<u8>,
    /// The point at which games begin.
    pub start: Start,
    /// The tables on which games begin instead, each as the message `View` of the ruleset, encoded: at most
    /// [`MAX_POSITIONS`](gamekeeper_wire::MAX_POSITIONS). Game number n begins on table (n - 1) mod their number.
    pub positions: Vec<Vec<u8>>,
    /// The level of detail of the legal actions.
    pub detail: Detail,
    /// The version at which a game is cut off without a result. 0: games are played to the end.
    pub max_versions: u64,
    /// Keep a digest of everything that each seat has seen and said?
    pub recall: bool,
}

/// An error of this crate.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Fault {
    /// The ruleset does not exist.
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
        /// The requested number of seats.
        seats: usize,
    },
    /// The options are not a message of the ruleset, or its rules refuse them.
    #[error("options: {0}")]
    Options(String),
    /// There are too many described tables.
    #[error("positions: {0} tables are too many; the limit is {MAX_POSITIONS}")]
    Positions(usize),
    /// No game can begin on a described table.
    #[error(transparent)]
    Position(#[from] PositionFault),
    /// The word is none of those that can be said now.
    #[error("action {word} is not legal{}; the mask says which are", game_suffix(*.game))]
    Illegal {
        /// The word.
        word: i64,
        /// The game in which it was said, of several.
        game: Option<usize>,
    },
    /// The bytes are no snapshot that this build can read.
    #[error("these bytes are no snapshot of {0}, or one of another build")]
    Snapshot(&'static str),
    /// An array has another size than the games need.
    #[error("an array has the wrong size: {array} has {size} numbers, not {expected}")]
    Size {
        /// The name of the array.
        array: &'static str,
        /// The number of its entries.
        size: usize,
        /// The number of entries that the games need.
        expected: usize,
    },
    /// There are more opponents than seats.
    #[error("there are {opponents} opponents for {seats} seats")]
    Opponents {
        /// The number of opponents.
        opponents: usize,
        /// The number of seats.
        seats: usize,
    },
    /// The table does not have this seat.
    #[error("there is no player {0}")]
    NoSeat(usize),
    /// The policy does not exist.
    #[error(transparent)]
    Policy(#[from] NoPolicy),
    /// A learned policy cannot choose.
    #[error("{policy}: {reason}")]
    Learned {
        /// The name of the policy.
        policy: String,
        /// The reason.
        reason: String,
    },
    /// No action waits for luck.
    #[error("no action waits for luck")]
    NothingWaits,
    /// The game has not begun, so it has no snapshots and moves.
    #[error("the game has not begun")]
    NotBegun,
    /// The games end before the caller has any decision to make.
    #[error(
        "all games end before the caller has anything to decide; max_versions is too small, or bots have all seats"
    )]
    NothingToDecide,
    /// A game has nobody who must decide: it is over, has not begun, or waits for luck.
    #[error("in game {0} nobody has anything to decide")]
    NobodyMoves(usize),
    /// A game has other observations and words.
    #[error("a game of {found} is not one of {expected}")]
    OtherSpace {
        /// The ruleset and the number of players of the game.
        found: String,
        /// The ruleset and the number of players of the space.
        expected: String,
    },
    /// A vector does not have this game.
    #[error("there is no game {0}")]
    NoGame(usize),
    /// The prior of a legal word is no number from 0 on.
    #[error("the evaluator gives word {word} the prior {prior}; priors are numbers from 0 on")]
    Prior {
        /// The word.
        word: u16,
        /// The prior.
        prior: f32,
    },
    /// A value is no number.
    #[error("the evaluator gives the value {0}; values are numbers from -1 to 1")]
    Value(f32),
    /// The threads could not be started.
    #[error("threads: {0}")]
    Threads(String),
}

fn game_suffix(game: Option<usize>) -> String {
    game.map_or_else(|| String::from(" now"), |game| format!(" in game {game}"))
}
