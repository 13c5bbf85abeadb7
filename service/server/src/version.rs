//! The version of this build.

/// The version of the project.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The commit from which this version was built.
pub const COMMIT: &str = env!("GAMEKEEPER_COMMIT");

/// Version and commit, as `--version` shows them.
pub const LONG: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    " (",
    env!("GAMEKEEPER_COMMIT"),
    ")"
);
