//! What goes wrong on a disk, in the words of a store.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "the errors of the library are not ours, and it may add to them"
)]

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use tokio::task::JoinError;

use crate::store::StoreError;

/// When the error came up, hence whether a change may have been made.
#[derive(Clone, Copy)]
pub(super) enum During {
    Open,
    Read,
    Write,
}

/// The error of the library in our words.
pub(super) fn of_fjall(error: &fjall::Error, during: During) -> StoreError {
    match error {
        fjall::Error::Io(error) => of_io(error, during),
        fjall::Error::Storage(error) => of_tree(error, during),
        fjall::Error::Locked => StoreError::Setup("another process uses this directory".into()),
        fjall::Error::InvalidVersion(_) => StoreError::Setup(format!(
            "the directory was written in another format, or its mark is damaged ({error:?})"
        )),
        fjall::Error::Poisoned => StoreError::Unavailable(
            "an earlier write to the disk failed: mend the disk, then start again".into(),
        ),
        // Marked non-exhaustive. What is left are the ways in which files can be unreadable.
        other => StoreError::Damaged(format!("{other:?}")),
    }
}

fn of_tree(error: &fjall::LsmError, during: During) -> StoreError {
    match error {
        fjall::LsmError::Io(error) => of_io(error, during),
        other => StoreError::Damaged(format!("{other:?}")),
    }
}

/// An error of the file system in our words.
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
        // Part of the batch may be in the file already, and the rest may follow when the file is
        // closed: whether it counts is known when the store is opened again.
        During::Write if is_full => {
            StoreError::OutcomeUnknown(format!("the disk is full: {error}"))
        }
        During::Write => StoreError::OutcomeUnknown(error.to_string()),
    }
}

/// A panic in the library means that it read something which cannot be.
pub(super) fn of_panic(panic: &JoinError) -> StoreError {
    StoreError::Damaged(format!("reading stopped: {panic}"))
}

/// Runs something that reads files; a panic in the library is an error.
pub(super) fn guarded<A>(read: impl FnOnce() -> Result<A, StoreError>) -> Result<A, StoreError> {
    // The library guards its own state; ours is only read.
    catch_unwind(AssertUnwindSafe(read))
        .unwrap_or_else(|_| Err(StoreError::Damaged("reading stopped with a panic".into())))
}
