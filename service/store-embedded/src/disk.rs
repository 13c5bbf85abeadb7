//! The file on the disk, and the single place where the library is called.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use gamekeeper_store::{Capacity, GameId, StoreError};
use parking_lot::{Mutex, RwLock};
use redb::Database;

use super::fault::{Fault, Phase};

/// The settings of the feeds in a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct FeedSettings {
    /// The retention period, in milliseconds.
    pub(super) retention_ms: u64,
    /// Distinguishes these feeds from earlier ones of the same file, which miss changes.
    pub(super) feed_epoch: u64,
}

/// The open file.
pub(super) struct Disk {
    /// The database. Is `None` once the store is closed.
    database: RwLock<Option<Arc<Database>>>,
    /// The reason why all calls are refused. Set at most once.
    stopped: OnceLock<String>,
    /// The games that were found to be damaged.
    damaged: Mutex<HashSet<GameId>>,
    pub(super) directory: PathBuf,
    /// The reserve of free disk space, in bytes. Changes are refused while less is free.
    reserve_bytes: u64,
    /// The feeds, if the store keeps any. Set when the file is opened.
    pub(super) feed: OnceLock<FeedSettings>,
}

impl Disk {
    pub(super) fn new(database: Database, directory: PathBuf, reserve_bytes: u64) -> Disk {
        Disk {
            feed: OnceLock::new(),
            database: RwLock::new(Some(Arc::new(database))),
            stopped: OnceLock::new(),
            damaged: Mutex::default(),
            directory,
            reserve_bytes,
        }
    }

    /// Calls the library. It panics on pages that it cannot have written. After a panic, and after an error that
    /// reports such pages, the whole store stops, because none of its data can be trusted.
    pub(super) fn call<A>(
        &self,
        during: Phase,
        work: impl FnOnce(&Database) -> Result<A, Fault>,
    ) -> Result<A, StoreError> {
        let database = self.database()?;
        // Unwind safe: after a panic, the library is never called again.
        let done = catch_unwind(AssertUnwindSafe(move || work(&database)));
        match done {
            Ok(done) => done.map_err(|fault| self.classify_error(fault, during)),
            Err(panic) => Err(self.stop(&text_of(&*panic))),
        }
    }

    /// Returns the database. Fails if the store is closed or has stopped.
    pub(super) fn database(&self) -> Result<Arc<Database>, StoreError> {
        if let Some(why) = self.stopped.get() {
            return Err(StoreError::Unavailable(why.clone()));
        }
        let database = self.database.read();
        let closed = || StoreError::Unavailable("the store is closed".into());
        database.clone().ok_or_else(closed)
    }

    /// Converts a fault into the error of a call, and records its consequences: a damaged game, or a stopped store.
    pub(super) fn classify_error(&self, fault: Fault, during: Phase) -> StoreError {
        match fault {
            Fault::Refused(error) => error,
            Fault::Damaged(id, why) => {
                let mut damaged = self.damaged.lock();
                if damaged.insert(id) {
                    tracing::error!(%id, why, "a game is damaged");
                }
                StoreError::Damaged(why)
            }
            Fault::Library(error) => self.classify_library_error(&error, during),
        }
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the errors of the library are not ours, and it may add to them"
    )]
    fn classify_library_error(&self, error: &redb::Error, during: Phase) -> StoreError {
        match error {
            redb::Error::Io(_) | redb::Error::Backend(_) => match during {
                Phase::Work => StoreError::Unavailable(error.to_string()),
                Phase::Commit => StoreError::OutcomeUnknown(error.to_string()),
            },
            redb::Error::PreviousIo => StoreError::Unavailable(
                "an earlier access to the disk failed: repair the disk, then restart".into(),
            ),
            redb::Error::DatabaseClosed => StoreError::Unavailable("the store is closed".into()),
            redb::Error::ValueTooLarge(_) => StoreError::Unavailable(error.to_string()),
            _ => self.stop(&error.to_string()),
        }
    }

    /// Stops the store: all later calls are refused with this reason.
    fn stop(&self, why: &str) -> StoreError {
        let text = || {
            tracing::error!(why, "the store has stopped: its file is damaged");
            format!("its file is damaged ({why}): restart, which checks it")
        };
        StoreError::Unavailable(self.stopped.get_or_init(text).clone())
    }

    /// Closes the file. The database itself is closed once no call uses it.
    pub(super) fn close(&self) {
        let mut database = self.database.write();
        let last = database.take();
        drop(database);
        if catch_unwind(AssertUnwindSafe(move || drop(last))).is_err() {
            tracing::error!("the file was not closed; the next start repairs it");
        }
    }

    /// Removes a deleted game from the set of damaged games.
    pub(super) fn forget_damage(&self, id: GameId) {
        let mut damaged = self.damaged.lock();
        damaged.remove(&id);
    }

    /// Returns the bytes that all processes use on the disk, the limit up to which this store accepts changes, and the
    /// number of damaged games.
    pub(super) fn capacity(&self) -> Capacity {
        let damaged = self.damaged.lock();
        let damaged_games = u64::try_from(damaged.len()).unwrap_or(u64::MAX);
        let Ok(disk) = rustix::fs::statvfs(&self.directory) else {
            return Capacity {
                damaged_games,
                ..Capacity::default()
            };
        };
        let bytes = |blocks: u64| blocks.saturating_mul(disk.f_frsize);
        let used_bytes = bytes(disk.f_blocks.saturating_sub(disk.f_bfree));
        let limit_bytes = (used_bytes + bytes(disk.f_bavail)).saturating_sub(self.reserve_bytes);
        Capacity {
            used_bytes,
            limit_bytes,
            damaged_games,
            ..Capacity::default()
        }
    }

    /// Fails if the disk of this directory has no room for this many bytes beside the reserve.
    pub(super) fn check_room(
        &self,
        directory: &std::path::Path,
        needed: u64,
    ) -> Result<(), StoreError> {
        let disk = rustix::fs::statvfs(directory)
            .map_err(|error| StoreError::Unavailable(std::io::Error::from(error).to_string()))?;
        let free = disk.f_bavail.saturating_mul(disk.f_frsize);
        if free < self.reserve_bytes.saturating_add(needed) {
            return Err(StoreError::Full(format!(
                "{free} bytes are left on the disk, less than the reserve of {} and the {needed} that are needed",
                self.reserve_bytes
            )));
        }
        Ok(())
    }
}

/// Returns the message of a panic.
pub(super) fn text_of(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("reading it panicked: {}", text.unwrap_or("without words"))
}
