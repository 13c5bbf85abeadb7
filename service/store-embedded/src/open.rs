//! Opening the file of the store.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use gamekeeper_store::StoreError;
use redb::backends::FileBackend;
use redb::{Builder, Database, DatabaseError, ReadableDatabase, StorageBackend};

use super::EmbeddedConfig;
use super::disk::{Disk, text_of};
use super::fault::{During, Fault};
use super::tables::{FORMAT, KEYS, META, THIS_FORMAT, VALUES, number_in, seal_number};

/// The name of the file with all games.
pub(super) const FILE: &str = "games.redb";

/// The name of the file that says that there is one with games.
const NOTE: &str = "README.txt";

/// What it says.
const NOTE_TEXT: &str = "This directory holds the games of a Gamekeeper server, in the file games.redb.\n\
    If that file is missing, the server does not start: restore a backup, or delete this file to begin without games.\n";

/// A directory or file of the layout before this one.
const EARLIER: [&str; 3] = ["keyspaces", "register", "journals"];

/// A check that takes longer than this is logged.
const LONG: Duration = Duration::from_secs(1);

/// Opens the file, creating it if it does not exist, and checks every page of it.
pub(super) fn open(config: &EmbeddedConfig) -> Result<Disk, StoreError> {
    let directory = &config.directory;
    let opened = || {
        // Anyone who can read the directory can read every hand.
        let mut made = DirBuilder::new();
        let made = made.recursive(true).mode(0o700).create(directory);
        made.map_err(|error| of_io(&error))?;
        check_writable(directory)?;
        let file = open_file(directory)?;
        let backend = FileBackend::new(file).map_err(|error| of_open(&error))?;
        open_on(backend, config)
    };
    opened().map_err(|error| match error {
        StoreError::Setup(why) => StoreError::Setup(format!("{}: {why}", directory.display())),
        StoreError::Damaged(why) => StoreError::Damaged(format!(
            "{}: {why}; restore the last backup, as deploy/BACKUP.md says",
            directory.join(FILE).display()
        )),
        error @ (StoreError::Unavailable(_)
        | StoreError::OutcomeUnknown(_)
        | StoreError::Full(_)) => StoreError::Setup(error.to_string()),
    })
}

/// The library would fail later, with a less helpful error.
fn check_writable(directory: &Path) -> Result<(), StoreError> {
    let probe = directory.join(".writable");
    std::fs::write(&probe, b"")
        .and_then(|()| std::fs::remove_file(&probe))
        .map_err(|error| of_io(&error))
}

fn open_file(directory: &Path) -> Result<File, StoreError> {
    let path = directory.join(FILE);
    let length = std::fs::metadata(&path).map_or(0, |about| about.len());
    if length == 0 && directory.join(NOTE).exists() {
        return Err(StoreError::Damaged(format!(
            "it is missing or empty ({NOTE} says that it exists)"
        )));
    }
    if let Some(name) = EARLIER.iter().find(|name| directory.join(name).exists())
        && length == 0
    {
        return Err(StoreError::Setup(format!(
            "{name} belongs to a build before the first release, whose games this build cannot read: move the directory \
             away, or choose another with --data-dir"
        )));
    }
    private_file(&path, true).map_err(|error| of_io(&error))
}

/// Opens a file that only its owner may read, creating it if it may exist already or is new.
pub(super) fn private_file(path: &Path, may_exist: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).mode(0o600);
    let options = if may_exist {
        options.create(true).truncate(false)
    } else {
        options.create_new(true)
    };
    options.open(path)
}

/// Opens the store on what behaves like a file.
pub(super) fn open_on(
    backend: impl StorageBackend,
    config: &EmbeddedConfig,
) -> Result<Disk, StoreError> {
    let is_empty = backend.len().map_err(|error| of_io(&error))? == 0;
    let begun = Instant::now();
    // The library may panic on a damaged file, although it promises not to.
    let opened = catch_unwind(AssertUnwindSafe(|| {
        builder(config.cache_bytes).create_with_backend(backend)
    }));
    let database = opened
        .map_err(|panic| StoreError::Damaged(text_of(&*panic)))?
        .map_err(|error| of_open(&error))?;
    if begun.elapsed() >= LONG {
        tracing::info!(took = ?begun.elapsed(), "every page of the file was checked");
    }
    let disk = Disk::new(database, config.directory.clone(), config.reserve_bytes);
    let is_noted = config.directory.join(NOTE).exists();
    let known = disk.call(During::Work, |database| {
        if is_empty || (!is_noted && database.begin_read()?.list_tables()?.next().is_none()) {
            create_tables(database)?;
        }
        format_of(database)
    });
    match known {
        Ok(THIS_FORMAT) => {}
        Ok(other) => {
            return Err(StoreError::Setup(format!(
                "games.redb has the layout {other}, and this build reads the layout {THIS_FORMAT}"
            )));
        }
        Err(error) => return Err(StoreError::Damaged(error.to_string())),
    }
    if !is_noted {
        note(&config.directory).map_err(|error| of_io(&error))?;
    }
    Ok(disk)
}

/// What opens a file and checks every page of it.
pub(super) fn builder(cache_bytes: u64) -> Builder {
    let mut builder = Database::builder();
    builder.set_cache_size(usize::try_from(cache_bytes).unwrap_or(usize::MAX));
    builder.set_check_integrity_on_open(true);
    builder
}

/// Creates all tables, so that reads find them.
pub(super) fn create_tables(database: &Database) -> Result<(), Fault> {
    let change = database.begin_write()?;
    for table in VALUES {
        change.open_table(table)?;
    }
    for table in KEYS {
        change.open_table(table)?;
    }
    change
        .open_table(META)?
        .insert(FORMAT, seal_number(FORMAT, THIS_FORMAT).as_slice())?;
    change.commit()?;
    Ok(())
}

fn format_of(database: &Database) -> Result<u64, Fault> {
    let meta = database.begin_read()?.open_table(META)?;
    let sealed = meta.get(FORMAT)?;
    let format = sealed.and_then(|sealed| number_in(FORMAT, sealed.value()));
    format
        .ok_or_else(|| StoreError::Damaged("the number of its layout cannot be read".into()).into())
}

/// Notes that there is a file with games.
fn note(directory: &Path) -> io::Result<()> {
    let path = directory.join(NOTE);
    if !directory.exists() {
        return Ok(());
    }
    std::fs::write(&path, NOTE_TEXT)?;
    File::open(&path)?.sync_all()?;
    File::open(directory)?.sync_all()
}

fn of_io(error: &io::Error) -> StoreError {
    if is_damage(error) {
        StoreError::Damaged(error.to_string())
    } else {
        StoreError::Setup(error.to_string())
    }
}

/// Does the file hold less than it should, or something else?
fn is_damage(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::UnexpectedEof | ErrorKind::InvalidData
    )
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the errors of the library are not ours, and it may add to them"
)]
fn of_open(error: &DatabaseError) -> StoreError {
    match error {
        DatabaseError::DatabaseAlreadyOpen => {
            StoreError::Setup("another process uses this directory".into())
        }
        DatabaseError::Storage(redb::StorageError::Io(error)) => of_io(error),
        other => StoreError::Damaged(other.to_string()),
    }
}
