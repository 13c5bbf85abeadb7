//! Is the list of a table's files whole?
//!
//! The library writes a checksum beside each such list and does not compare it. With a changed byte
//! in the list it would forget files, or take them for newer than they are. So the checksum is
//! compared here before the library opens them. One flipped bit is put right: with a checksum of 128
//! bits, what fits it is what was written. The layout is that of format 3 of the library.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_128;

use super::errors::{During, of_io};
use crate::store::StoreError;

/// Refuses tables whose list of files has changed, and cannot be put right.
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
    let file = table.join("current");
    let mut current = match std::fs::read(&file) {
        // The process ended while it made the table: the library begins anew. But it would throw away
        // what is there.
        Err(error) if error.kind() == ErrorKind::NotFound => return is_empty(table),
        current => current?,
    };
    let fits = |current: &[u8]| -> io::Result<bool> {
        let Some((path, sum)) = named_by(table, current) else {
            return Ok(false);
        };
        match std::fs::read(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            list => Ok(xxh3_128(&list?) == sum),
        }
    };
    if fits(&current)? {
        return Ok(true);
    }
    for bit in 0..current.len() * 8 {
        current[bit / 8] ^= 1 << (bit % 8);
        if fits(&current)? {
            return put_right(&file, &current);
        }
        current[bit / 8] ^= 1 << (bit % 8);
    }
    let Some((path, sum)) = named_by(table, &current) else {
        return Ok(false);
    };
    let Ok(mut list) = std::fs::read(&path) else {
        return Ok(false);
    };
    for bit in 0..list.len() * 8 {
        list[bit / 8] ^= 1 << (bit % 8);
        if xxh3_128(&list) == sum {
            return put_right(&path, &list);
        }
        list[bit / 8] ^= 1 << (bit % 8);
    }
    Ok(false)
}

/// The list that is named, and its checksum.
fn named_by(table: &Path, current: &[u8]) -> Option<(PathBuf, u128)> {
    let (number, rest) = current.split_first_chunk::<8>()?;
    let (sum, rest) = rest.split_first_chunk::<16>()?;
    let number = u64::from_le_bytes(*number);
    let is_known = rest == [0];
    is_known.then(|| (table.join(format!("v{number}")), u128::from_le_bytes(*sum)))
}

fn put_right(file: &Path, bytes: &[u8]) -> io::Result<bool> {
    let anew = file.with_extension("mended");
    std::fs::write(&anew, bytes)?;
    std::fs::File::open(&anew)?.sync_all()?;
    std::fs::rename(&anew, file)?;
    tracing::error!(file = %file.display(), "a flipped bit was put right");
    Ok(true)
}

/// Has nothing been written to the table yet?
fn is_empty(table: &Path) -> io::Result<bool> {
    match std::fs::read_dir(table.join("tables")) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(true),
        tables => Ok(tables?.next().is_none()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_flipped_bit_is_put_right_and_two_are_not() {
        let directory = tempfile::tempdir().unwrap();
        let table = directory.path().join("keyspaces/1");
        std::fs::create_dir_all(&table).unwrap();
        let list: Vec<u8> = (0..200_u8).map(|number| number.wrapping_mul(7)).collect();
        let mut current = 5_u64.to_le_bytes().to_vec();
        current.extend(xxh3_128(&list).to_le_bytes());
        current.push(0);
        for (name, bytes) in [("current", &current), ("v5", &list)] {
            std::fs::write(table.join("current"), &current).unwrap();
            std::fs::write(table.join("v5"), &list).unwrap();
            let path = table.join(name);
            for bit in (0..bytes.len() * 8).step_by(11) {
                let mut changed = bytes.clone();
                changed[bit / 8] ^= 1 << (bit % 8);
                std::fs::write(&path, &changed).unwrap();
                check_manifests(directory.path()).unwrap();
                assert_eq!(std::fs::read(&path).unwrap(), *bytes, "{name}, bit {bit}");
            }
            let mut changed = bytes.clone();
            changed[0] ^= 1;
            changed[9] ^= 1;
            std::fs::write(&path, &changed).unwrap();
            assert!(check_manifests(directory.path()).is_err());
        }
    }
}
