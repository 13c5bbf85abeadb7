//! Is the list of a table's files whole?
//!
//! The library writes a checksum beside each such list and does not compare it. With a changed byte
//! in the list it would forget files, or take them for newer than they are. So the checksum is
//! compared here before the library opens them. The layout is that of format 3 of the library.

use std::io::{self, ErrorKind};
use std::path::Path;

use xxhash_rust::xxh3::xxh3_128;

use super::super::StoreError;
use super::errors::{During, of_io};

/// Refuses tables whose list of files has changed.
pub(super) fn check_manifests(directory: &Path) -> Result<(), StoreError> {
    let in_words = |error: io::Error| of_io(&error, During::Open);
    let tables = match std::fs::read_dir(directory.join("keyspaces")) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        tables => tables.map_err(in_words)?,
    };
    for table in tables {
        let path = table.map_err(in_words)?.path();
        if !is_whole(&path).map_err(in_words)? {
            return Err(StoreError::Damaged(format!(
                "the files of {}",
                path.display()
            )));
        }
    }
    Ok(())
}

/// The file `current` names the list, and holds its checksum.
fn is_whole(table: &Path) -> io::Result<bool> {
    let current = match std::fs::read(table.join("current")) {
        // The process ended while it made the table: the library begins anew.
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(true),
        current => current?,
    };
    let Some((number, rest)) = current
        .split_first_chunk()
        .map(|(n, r)| (u64::from_le_bytes(*n), r))
    else {
        return Ok(false);
    };
    let Some((sum, [0])) = rest.split_first_chunk() else {
        return Ok(false);
    };
    match std::fs::read(table.join(format!("v{number}"))) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        list => Ok(xxh3_128(&list?) == u128::from_le_bytes(*sum)),
    }
}
