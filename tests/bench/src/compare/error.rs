//! The reasons why commits cannot be compared.

use std::path::PathBuf;
use std::process::ExitStatus;

use super::report::ReportError;

/// The manifest of the measurements, in every commit that has them.
pub(super) const MANIFEST: &str = "tests/bench/Cargo.toml";

/// The reason why commits cannot be compared.
#[derive(Debug, thiserror::Error)]
pub(super) enum CompareError {
    /// No commit has this name.
    #[error("there is no commit {name:?} in this repository, or several begin like it")]
    NoCommit {
        /// The name.
        name: String,
    },
    /// The commit is from before the measurements.
    #[error("commit {label} has no {MANIFEST}, so it cannot measure itself")]
    NoBench {
        /// The commit.
        label: String,
    },
    /// Somebody worked in the folder of the commit.
    #[error("{} is not as commit {label} was; remove it with `git worktree remove --force`", folder.display())]
    Changed {
        /// The commit.
        label: String,
        /// The folder of the commit.
        folder: PathBuf,
    },
    /// The commit does not build.
    #[error(
        "commit {label} does not build in profile {profile}: {status}; see the messages of cargo above"
    )]
    NotBuilt {
        /// The commit.
        label: String,
        /// The profile of its images.
        profile: &'static str,
        /// The exit status of cargo.
        status: ExitStatus,
    },
    /// The commit has none of the stores.
    #[error("commit {label} has none of these stores, only {stores}")]
    NoStore {
        /// The commit.
        label: String,
        /// The stores that it has.
        stores: String,
    },
    /// The program of the commit failed.
    #[error("`gamekeeper-bench {arguments}` of commit {label} failed, {status}: {messages}")]
    Failed {
        /// The commit.
        label: String,
        /// The arguments of the program.
        arguments: String,
        /// The exit status of the program.
        status: ExitStatus,
        /// The messages that were printed.
        messages: String,
    },
    /// The report of the commit cannot be read.
    #[error("the report of commit {label} cannot be read: {error}")]
    Unread {
        /// The commit.
        label: String,
        /// The cause.
        error: ReportError,
    },
    /// Git failed.
    #[error("`git {arguments}` failed: {messages}")]
    Git {
        /// The arguments of git.
        arguments: String,
        /// The messages that were printed.
        messages: String,
    },
    /// A file cannot be read, or a program cannot be started.
    #[error("{what}: {error}")]
    Io {
        /// The file or program.
        what: String,
        /// The cause.
        error: std::io::Error,
    },
}

/// Returns what a program printed, without its last line break.
pub(super) fn printed(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim_end().to_owned()
}

/// Returns the error of a file or program with this name.
pub(super) fn io(what: &str) -> impl FnOnce(std::io::Error) -> CompareError {
    let what = what.to_owned();
    |error| CompareError::Io { what, error }
}
