//! Exit codes.

use std::process::ExitCode;

/// Why the program ended. The numbers are stable: scripts rely on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Anything that has no code of its own.
    Other = 1,
    /// The command line is wrong. (clap uses the same code.)
    Usage = 2,
    /// The rules of the game refuse.
    Refused = 3,
    /// Somebody else was faster.
    Stale = 4,
    /// The server cannot be reached, is too slow, or has too much to do.
    Unavailable = 5,
    /// No token, a bad token, or somebody else's.
    Auth = 6,
    /// There is no such game.
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
        // The discriminants are small.
        Self::from(exit as u8)
    }
}
