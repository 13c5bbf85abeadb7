//! Opening the file of the store.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use gamekeeper_store::clock::millis;
use gamekeeper_store::lists::index_keys;
use gamekeeper_store::{StorageFormat, StoreError};
use redb::backends::FileBackend;
use redb::{
    Builder, Database, DatabaseError, ReadableDatabase, ReadableTable, ReadableTableMetadata,
    StorageBackend, TableError,
};

use super::disk::{Disk, text_of};
use super::fault::{Fault, Phase};
use super::tables::{
    FORMAT, GAMES, KEYS, KV, LIST_INDEX, META, Record, THIS_FORMAT, VALUES, game_in, seal_number,
    unseal_number,
};
use super::{EmbeddedConfig, feed, holdings};

/// The name of the file with all games.
pub(super) const FILE: &str = "games.redb";

/// The name of the file that tells a lost database from a new directory: it exists if there was one.
const PRESENCE_FILE: &str = "README.txt";

/// The content of that file, for operators.
const PRESENCE_TEXT: &str = "This directory holds the games of a Gamekeeper server, in the file games.redb.\n\
    If that file is missing, the server does not start: restore a backup, or delete this file to begin without games.\n";

/// The duration from which on a check of the file is logged.
const SLOW_CHECK: Duration = Duration::from_secs(1);

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

/// Checks that the directory is writable. The library would fail later, with a less helpful error.
fn check_writable(directory: &Path) -> Result<(), StoreError> {
    let probe = directory.join(".writable");
    let written = std::fs::write(&probe, b"").and_then(|()| std::fs::remove_file(&probe));
    match written {
        // A full disk is no reason to refuse: the games can still be read.
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::StorageFull | ErrorKind::QuotaExceeded
            ) =>
        {
            Ok(())
        }
        written => written.map_err(|error| of_io(&error)),
    }
}

fn open_file(directory: &Path) -> Result<File, StoreError> {
    let path = directory.join(FILE);
    let length = std::fs::metadata(&path).map_or(0, |metadata| metadata.len());
    if length == 0 && directory.join(PRESENCE_FILE).exists() {
        return Err(StoreError::Damaged(format!(
            "it is missing or empty ({PRESENCE_FILE} says that it exists)"
        )));
    }
    private_file(&path, true).map_err(|error| of_io(&error))
}

/// Opens a file that only its owner may read, creating it if necessary. Fails if it exists and must be new.
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

/// Opens the store on a storage backend, such as a file.
pub(super) fn open_on(
    backend: impl StorageBackend,
    config: &EmbeddedConfig,
) -> Result<Disk, StoreError> {
    let is_empty = backend.len().map_err(|error| of_io(&error))? == 0;
    let database = database_on(backend, config)?;
    let disk = Disk::new(database, config.directory.clone(), config.reserve_bytes);
    let has_presence_file = config.directory.join(PRESENCE_FILE).exists();
    let format = disk.call(Phase::Work, |database| {
        if is_empty
            || (!has_presence_file && database.begin_read()?.list_tables()?.next().is_none())
        {
            create_tables(database)?;
        }
        format_of(database)
    });
    let stored = format.map_err(|error| StoreError::Damaged(error.to_string()))?;
    storage_format_of(Some(stored)).check()?;
    let retention_ms = millis(config.keep_feed);
    match disk.call(Phase::Commit, |database| {
        feed::prepare(database, retention_ms)
    }) {
        Ok(Some(feeds)) => {
            let _first = disk.feed.set(feeds);
        }
        Ok(None) => {}
        Err(error) => tracing::error!(%error, "there are no feeds: they could not be prepared"),
    }
    let added = disk.call(Phase::Commit, add_kv_table);
    added.map_err(|error| StoreError::Setup(error.to_string()))?;
    if let Err(error) = disk.call(Phase::Commit, holdings::prepare) {
        tracing::error!(%error, "the bytes of tenants could not be counted");
    }
    if let Err(error) = disk.call(Phase::Commit, rebuild_indexes) {
        tracing::error!(%error, "the lists could not be checked");
    }
    if !has_presence_file {
        write_presence_file(&config.directory).map_err(|error| of_io(&error))?;
    }
    Ok(disk)
}

fn database_on(
    backend: impl StorageBackend,
    config: &EmbeddedConfig,
) -> Result<Database, StoreError> {
    let begun = Instant::now();
    // The library may panic on a damaged file, although it promises not to.
    let opened = catch_unwind(AssertUnwindSafe(|| {
        builder(config.cache_bytes).create_with_backend(backend)
    }));
    let database = opened
        .map_err(|panic| StoreError::Damaged(text_of(&*panic)))?
        .map_err(|error| of_open(&error))?;
    if begun.elapsed() >= SLOW_CHECK {
        tracing::info!(took = ?begun.elapsed(), "every page of the file was checked");
    }
    Ok(database)
}

/// Rebuilds the lists if they have fewer positions than the rows of the games require.
fn rebuild_indexes(database: &Database) -> Result<(), Fault> {
    let view = database.begin_read()?;
    let games = view.open_table(GAMES)?;
    let keys_of_games = || {
        let games = games.iter()?.map(|game| {
            let (key, sealed) = game?;
            let keys_of_game = game_in(key.value()).and_then(|id| {
                // Skip a damaged record: reads of its game report it.
                let record = Record::open(id, sealed.value()).ok()?;
                Some(index_keys(id, &record.index_row(id).ok()?))
            });
            Ok::<_, Fault>(keys_of_game.unwrap_or_default())
        });
        Ok::<_, Fault>(games)
    };
    let mut wanted = 0;
    for keys_of_game in keys_of_games()? {
        wanted += keys_of_game?.len() as u64;
    }
    let kept = match view.open_table(LIST_INDEX) {
        Err(TableError::TableDoesNotExist(_)) => 0,
        table => table?.len()?,
    };
    if kept >= wanted {
        return Ok(());
    }
    tracing::error!(kept, wanted, "the lists are not whole: they are made anew");
    let change = database.begin_write()?;
    {
        let mut table = change.open_table(LIST_INDEX)?;
        for keys_of_game in keys_of_games()? {
            for index_key in keys_of_game? {
                table.insert(index_key.as_slice(), ())?;
            }
        }
    }
    Ok(change.commit()?)
}

/// Returns the layout of the file in a directory, without creating it.
pub(super) fn storage_format(config: &EmbeddedConfig) -> Result<StorageFormat, StoreError> {
    let path = config.directory.join(FILE);
    if !path.exists() {
        return Ok(storage_format_of(None));
    }
    let file = private_file(&path, true).map_err(|error| of_io(&error))?;
    let backend = FileBackend::new(file).map_err(|error| of_open(&error))?;
    let database = database_on(backend, config)?;
    let disk = Disk::new(database, config.directory.clone(), config.reserve_bytes);
    let stored = disk.call(Phase::Work, format_of);
    disk.close();
    Ok(storage_format_of(Some(stored?)))
}

fn storage_format_of(stored: Option<u64>) -> StorageFormat {
    StorageFormat {
        stored,
        supported: THIS_FORMAT,
    }
}

/// Returns a builder that opens a file and checks every page of it.
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

/// Creates the table of key-value records in the file of an earlier build, so that reads find it.
fn add_kv_table(database: &Database) -> Result<(), Fault> {
    match database.begin_read()?.open_table(KV) {
        Err(TableError::TableDoesNotExist(_)) => {
            let change = database.begin_write()?;
            change.open_table(KV)?;
            Ok(change.commit()?)
        }
        table => Ok(table.map(drop)?),
    }
}

fn format_of(database: &Database) -> Result<u64, Fault> {
    let meta = database.begin_read()?.open_table(META)?;
    let sealed = meta.get(FORMAT)?;
    let format = sealed.and_then(|sealed| unseal_number(FORMAT, sealed.value()));
    format
        .ok_or_else(|| StoreError::Damaged("the number of its layout cannot be read".into()).into())
}

/// Writes the file that says that a database exists, so that its loss is noticed.
fn write_presence_file(directory: &Path) -> io::Result<()> {
    let path = directory.join(PRESENCE_FILE);
    if !directory.exists() {
        return Ok(());
    }
    std::fs::write(&path, PRESENCE_TEXT)?;
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

/// Whether an error means that the file has less or other content than it should.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Operators restore a backup of a truncated file, but fix the permissions or the disk of an intact one.
    #[test]
    fn a_file_that_holds_less_than_it_should_is_damaged() {
        for kind in [ErrorKind::UnexpectedEof, ErrorKind::InvalidData] {
            let cut = redb::StorageError::Io(kind.into());
            let error = of_open(&DatabaseError::Storage(cut));
            assert!(matches!(error, StoreError::Damaged(_)), "{error}");
        }
        for kind in [ErrorKind::PermissionDenied, ErrorKind::StorageFull] {
            let denied = redb::StorageError::Io(kind.into());
            let error = of_open(&DatabaseError::Storage(denied));
            assert!(matches!(error, StoreError::Setup(_)), "{error}");
        }
    }
}
