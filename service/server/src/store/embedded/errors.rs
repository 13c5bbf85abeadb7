//! Errors of the disk and the library as errors of a store.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "the errors of the library are not ours, and it may add to them"
)]

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use tokio::task::JoinError;

use crate::store::StoreError;

/// What was being done when the error occurred, and so whether a change may have been made.
#[derive(Clone, Copy)]
pub(super) enum During {
    Open,
    Read,
    Write,
}

/// Converts an error of the library.
pub(super) fn of_fjall(error: &fjall::Error, during: During) -> StoreError {
    match error {
        fjall::Error::Io(error) => of_io(error, during),
        fjall::Error::Storage(error) => of_tree(error, during),
        fjall::Error::Locked => StoreError::Setup("another process uses this directory".into()),
        fjall::Error::InvalidVersion(_) => StoreError::Setup(format!(
            "the directory has another format, or its format mark is damaged ({error:?})"
        )),
        fjall::Error::Poisoned => StoreError::Unavailable(
            "an earlier write to the disk failed: repair the disk, then restart".into(),
        ),
        // The enum is non-exhaustive. Its other variants all mean that files cannot be read.
        other => StoreError::Damaged(format!("{other:?}")),
    }
}

fn of_tree(error: &fjall::LsmError, during: During) -> StoreError {
    match error {
        fjall::LsmError::Io(error) => of_io(error, during),
        other => StoreError::Damaged(format!("{other:?}")),
    }
}

/// Converts an error of the file system.
pub(super) fn of_io(error: &io::Error, during: During) -> StoreError {
    let is_full = matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
    );
    let is_cut_short = matches!(
        error.kind(),
        io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData
    );
    match during {
        During::Open if is_cut_short => StoreError::Damaged(error.to_string()),
        During::Open => StoreError::Setup(error.to_string()),
        During::Read if is_cut_short => StoreError::Damaged(error.to_string()),
        During::Read => StoreError::Unavailable(error.to_string()),
        // Part of the batch may already be in the file, and the rest may follow when the file is
        // closed. Only reopening the store shows whether the batch counts.
        During::Write if is_full => {
            StoreError::OutcomeUnknown(format!("the disk is full: {error}"))
        }
        During::Write => StoreError::OutcomeUnknown(error.to_string()),
    }
}

/// Converts a panic on a blocking thread: the library panics on data that it cannot have written.
pub(super) fn of_panic(panic: &JoinError) -> StoreError {
    StoreError::Damaged(format!("reading panicked: {panic}"))
}

/// Runs a function that reads files, and converts a panic of the library into an error.
pub(super) fn guarded<A>(read: impl FnOnce() -> Result<A, StoreError>) -> Result<A, StoreError> {
    // Unwind safe: the library guards its own state, and ours is only read.
    catch_unwind(AssertUnwindSafe(read))
        .unwrap_or_else(|_| Err(StoreError::Damaged("reading panicked".into())))
}
