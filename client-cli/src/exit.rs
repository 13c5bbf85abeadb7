//! The exit codes of the program.

use std::process::ExitCode;

/// The cause of the program's end. The numbers are stable, because scripts rely on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Any failure without a code of its own.
    Other = 1,
    /// The command line is wrong. (clap uses the same code.)
    Usage = 2,
    /// The rules of the game refuse the action or the options.
    Refused = 3,
    /// The request was based on an older version of the game.
    Stale = 4,
    /// The server cannot be reached, responds too slowly, or is overloaded.
    Unavailable = 5,
    /// The token is missing, invalid, or lacks the permission.
    Auth = 6,
    /// The game does not exist.
    NotFound = 7,
    /// The request is malformed.
    Invalid = 8,
}

/// The table of exit codes for `--help`.
pub(crate) const HELP: &str = "\
Exit codes:
  0  done
  1  another failure (a record that does not verify, an internal fault)
  2  the command line is wrong
  3  the rules refuse the action or the options
  4  the game has moved on since the version that was named
  5  the server is unavailable, too slow, or a limit was reached
  6  no token, a bad token, or a token that does not allow this
  7  there is no such game
  8  the request is malformed";

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        // The discriminants fit into a byte.
        Self::from(exit as u8)
    }
}
