//! **Online backups**: copies of the file while the store is in use.

use std::fs::{DirBuilder, File, Metadata};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::Path;
use std::time::SystemTime;

use gamekeeper_store::{Backup, StoreError};
use redb::backends::FileBackend;
use redb::{Database, ReadTransaction, ReadableTable};

use super::disk::Disk;
use super::fault::{Fault, Phase};
use super::open::{FILE, builder, create_tables, private_file};
use super::tables::{KEYS, VALUES, game_in, unseal};

/// The number of values after which a copy checks whether the store is being closed.
const LOOK_EVERY: usize = 4_096;

/// The cache of the copy, in bytes. Small, because the copy is written once, in order.
const CACHE: u64 = 16 * 1024 * 1024;

/// Writes a consistent copy (one read transaction) into a directory. Changes go on meanwhile. The file grows, since
/// the pages that they replace are still read.
pub(super) fn backup(disk: &Disk, directory: &Path) -> Result<Backup, StoreError> {
    let metadata = std::fs::metadata(disk.directory.join(FILE)).map_err(|error| failed(&error))?;
    let with_directory = |error: StoreError| match error {
        StoreError::Unavailable(why) => {
            StoreError::Unavailable(format!("{}: {why}", directory.display()))
        }
        error @ (StoreError::Full(_)
        | StoreError::OutcomeUnknown(_)
        | StoreError::Damaged(_)
        | StoreError::Setup(_)) => error,
    };
    let mut made = DirBuilder::new();
    let made = made.recursive(true).mode(0o700).create(directory);
    made.map_err(|error| with_directory(failed(&error)))?;
    disk.check_room(directory, room_of(&metadata))
        .map_err(with_directory)?;
    let moment = humantime::format_rfc3339_millis(SystemTime::now()).to_string();
    let path = directory.join(format!("games-{}.redb", moment.replace(':', "-")));
    let unfinished = path.with_extension("unfinished");
    let written = write(disk, &unfinished)
        .and_then(|()| std::fs::rename(&unfinished, &path).map_err(|error| failed(&error)))
        .and_then(|()| sync(directory));
    if let Err(error) = written {
        // The unfinished copy may not exist.
        let _gone = std::fs::remove_file(&unfinished);
        return Err(with_directory(error));
    }
    let bytes = std::fs::metadata(&path)
        .map_err(|error| failed(&error))?
        .len();
    Ok(Backup { path, bytes })
}

/// Returns the bytes that a file occupies on its disk. Holes of a sparse file occupy none, and a copy does not contain
/// them.
fn room_of(metadata: &Metadata) -> u64 {
    metadata.blocks() * 512
}

fn failed(error: &dyn std::fmt::Display) -> StoreError {
    StoreError::Unavailable(format!("the backup cannot be written: {error}"))
}

fn sync(path: &Path) -> Result<(), StoreError> {
    let synced = File::open(path).and_then(|file| file.sync_all());
    synced.map_err(|error| failed(&error))
}

fn write(disk: &Disk, path: &Path) -> Result<(), StoreError> {
    let file = private_file(path, false).map_err(|error| failed(&error))?;
    let backend = FileBackend::new(file).map_err(|error| failed(&error))?;
    let copy = builder(CACHE).create_with_backend(backend);
    let copy = copy.map_err(|error| failed(&error))?;
    disk.read(|view| copied(disk, view, &copy))?;
    copy.close().map_err(|error| failed(&error))?;
    sync(path)
}

/// Turns faults of the copy into refusals: they say nothing about the store.
fn of_copy(fault: Fault) -> Fault {
    match fault {
        Fault::Library(error) => Fault::Refused(failed(&error)),
        fault @ (Fault::Refused(_) | Fault::Damaged(..)) => fault,
    }
}

fn copied(disk: &Disk, view: &ReadTransaction, copy: &Database) -> Result<(), Fault> {
    create_tables(copy).map_err(of_copy)?;
    let change = copy.begin_write().map_err(|error| of_copy(error.into()))?;
    for table in VALUES {
        let mut target = change
            .open_table(table)
            .map_err(|error| of_copy(error.into()))?;
        for (number, item) in view.open_table(table)?.iter()?.enumerate() {
            check_open(disk, number)?;
            let (key, value) = item?;
            let (key, value) = (key.value(), value.value());
            if unseal(key, value).is_none()
                && let Some(id) = game_in(key)
            {
                // Copy the value unchanged: one damaged game must not deprive the others of their backup.
                let damage = Fault::damaged(id, "a value of a game cannot be read");
                drop(disk.classify_error(damage, Phase::Work));
            }
            target
                .insert(key, value)
                .map_err(|error| of_copy(error.into()))?;
        }
    }
    for table in KEYS {
        let mut target = change
            .open_table(table)
            .map_err(|error| of_copy(error.into()))?;
        for (number, item) in view.open_table(table)?.iter()?.enumerate() {
            check_open(disk, number)?;
            target
                .insert(item?.0.value(), ())
                .map_err(|error| of_copy(error.into()))?;
        }
    }
    change.commit().map_err(|error| of_copy(error.into()))
}

/// Cancels the copy if the store is being closed: closing does not wait for it.
fn check_open(disk: &Disk, number: usize) -> Result<(), Fault> {
    if number.is_multiple_of(LOOK_EVERY) {
        disk.database().map(drop)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_takes_the_room_of_what_is_written_in_it() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert_eq!(room_of(&file.as_file().metadata().unwrap()), 0);
        std::fs::write(file.path(), vec![1; 100_000]).unwrap();
        file.as_file().sync_all().unwrap();
        let room = room_of(&file.as_file().metadata().unwrap());
        assert!((100_000..1_000_000).contains(&room), "{room}");
    }
}
