//! Checks and repairs the list of each table's files.
//!
//! The library writes a checksum for each list but does not verify it. If a byte of the list changed, the
//! library would forget files or treat them as newer than they are. So the checksum is verified here before
//! the library opens the tables. A single flipped bit is repaired: with a checksum of 128 bits, a list
//! that matches is the one that was written. For worse damage, a copy of each list is kept elsewhere. The
//! layout is format 3 of the library.

use std::collections::HashMap;
use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use xxhash_rust::xxh3::xxh3_128;

use super::errors::{During, of_io};
use crate::store::StoreError;

/// The directory of the copies.
const COPIES: &str = "lists";

/// The minimum time between two searches for changed lists.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// The length of the file `current`, which names a list.
const CURRENT_LEN: usize = 25;

/// Repairs damaged lists of files, and fails if one cannot be repaired.
pub(super) fn check_manifests(directory: &Path) -> Result<(), StoreError> {
    let in_words = |error: io::Error| of_io(&error, During::Open);
    for table in tables_in(directory).map_err(in_words)? {
        if !is_whole(directory, &table).map_err(in_words)? {
            return Err(StoreError::Damaged(format!(
                "the list of files in {} is damaged beyond repair, and no copy matches it; nothing was \
                 changed: restore the last backup of the directory, whole",
                table.display()
            )));
        }
    }
    Ok(())
}

/// The directories of the tables.
fn tables_in(directory: &Path) -> io::Result<Vec<PathBuf>> {
    match std::fs::read_dir(directory.join("keyspaces")) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        tables => tables?.map(|table| Ok(table?.path())).collect(),
    }
}

/// Whether the list of a table is intact or could be repaired. The file `current` names the list and holds
/// its checksum.
fn is_whole(directory: &Path, table: &Path) -> io::Result<bool> {
    let file = table.join("current");
    let current = match std::fs::read(&file) {
        // The process ended while it created the table. The library then creates it again, which is only safe
        // for an empty table: it would discard existing files.
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Ok(is_empty(table)? || put_back(directory, table)?);
        }
        current => current?,
    };
    Ok(list_of(table, &current)?.is_some()
        || is_mended(table, &file, current)?
        || put_back(directory, table)?)
}

/// The list that `current` names, if its checksum matches.
fn list_of(table: &Path, current: &[u8]) -> io::Result<Option<Vec<u8>>> {
    let Some((number, sum)) = named_by(current) else {
        return Ok(None);
    };
    match std::fs::read(list_file(table, number)) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        list => Ok(Some(list?).filter(|list| xxh3_128(list) == sum)),
    }
}

/// Repairs a flipped bit in `current` or in the list. False: there is no single such bit.
fn is_mended(table: &Path, file: &Path, mut current: Vec<u8>) -> io::Result<bool> {
    for bit in 0..current.len() * 8 {
        current[bit / 8] ^= 1 << (bit % 8);
        if list_of(table, &current)?.is_some() {
            put_right(file, &current)?;
            return Ok(true);
        }
        current[bit / 8] ^= 1 << (bit % 8);
    }
    let Some((number, sum)) = named_by(&current) else {
        return Ok(false);
    };
    let path = list_file(table, number);
    let Ok(mut list) = std::fs::read(&path) else {
        return Ok(false);
    };
    for bit in 0..list.len() * 8 {
        list[bit / 8] ^= 1 << (bit % 8);
        if xxh3_128(&list) == sum {
            put_right(&path, &list)?;
            return Ok(true);
        }
        list[bit / 8] ^= 1 << (bit % 8);
    }
    Ok(false)
}

/// Restores the copy of a list, unless it is damaged or the table has a newer list.
fn put_back(directory: &Path, table: &Path) -> io::Result<bool> {
    let Some(name) = table.file_name() else {
        return Ok(false);
    };
    let Ok(copy) = std::fs::read(directory.join(COPIES).join(name)) else {
        return Ok(false);
    };
    let Some((current, list)) = copy.split_at_checked(CURRENT_LEN) else {
        return Ok(false);
    };
    match named_by(current) {
        Some((number, sum)) if xxh3_128(list) == sum && newest_list(table)? <= Some(number) => {
            put_right(&list_file(table, number), list)?;
            put_right(&table.join("current"), current)?;
            Ok(true)
        }
        Some(_) | None => Ok(false),
    }
}

/// The highest number of a list in a table. `None`: it has none.
fn newest_list(table: &Path) -> io::Result<Option<u64>> {
    let mut newest = None;
    for found in std::fs::read_dir(table)? {
        let name = found?.file_name();
        let number = name.to_str().and_then(|name| name.strip_prefix('v'));
        newest = newest.max(number.and_then(|number| number.parse().ok()));
    }
    Ok(newest)
}

/// The number and the checksum of the list that `current` names.
fn named_by(current: &[u8]) -> Option<(u64, u128)> {
    let (number, rest) = current.split_first_chunk::<8>()?;
    let (sum, rest) = rest.split_first_chunk::<16>()?;
    let is_known = rest == [0];
    is_known.then(|| (u64::from_le_bytes(*number), u128::from_le_bytes(*sum)))
}

fn list_file(table: &Path, number: u64) -> PathBuf {
    table.join(format!("v{number}"))
}

fn put_right(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let anew = file.with_extension("mended");
    std::fs::write(&anew, bytes)?;
    std::fs::File::open(&anew)?.sync_all()?;
    std::fs::rename(&anew, file)?;
    tracing::error!(file = %file.display(), "a damaged list of files was repaired");
    Ok(())
}

/// Whether nothing was written to the table yet.
fn is_empty(table: &Path) -> io::Result<bool> {
    match std::fs::read_dir(table.join("tables")) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(true),
        tables => Ok(tables?.next().is_none()),
    }
}

/// Keeps a copy of each list outside its table.
#[derive(Default)]
pub(super) struct Copies {
    looked: Option<Instant>,
    /// The `current` file that was copied last, by table.
    kept: HashMap<OsString, Vec<u8>>,
}

impl Copies {
    /// Copies changed lists if it is time to search for them: the library may write lists at any time.
    pub(super) fn look(&mut self, directory: &Path) {
        if self.looked.is_some_and(|at| at.elapsed() < LOOK_EVERY) {
            return;
        }
        self.looked = Some(Instant::now());
        if let Err(error) = self.keep(directory) {
            tracing::debug!(%error, "a list of files was not copied");
        }
    }

    /// Copies changed lists.
    pub(super) fn keep(&mut self, directory: &Path) -> io::Result<()> {
        let copies = directory.join(COPIES);
        std::fs::create_dir_all(&copies)?;
        for table in tables_in(directory)? {
            let Some(name) = table.file_name() else {
                continue;
            };
            let Ok(current) = std::fs::read(table.join("current")) else {
                continue;
            };
            if self.kept.get(name) == Some(&current) {
                continue;
            }
            // The library may replace the list while it is read; then it is copied next time.
            if let Some(list) = list_of(&table, &current)? {
                let anew = copies.join("new");
                std::fs::write(&anew, [current.as_slice(), &list].concat())?;
                std::fs::rename(&anew, copies.join(name))?;
                self.kept.insert(name.to_owned(), current);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A directory with one table whose list has this number.
    fn with_list(number: u64) -> (tempfile::TempDir, PathBuf, Vec<u8>, Vec<u8>) {
        let directory = tempfile::tempdir().unwrap();
        let table = directory.path().join("keyspaces/1");
        std::fs::create_dir_all(&table).unwrap();
        let list: Vec<u8> = (0..200_u8).map(|byte| byte.wrapping_mul(7)).collect();
        let mut current = number.to_le_bytes().to_vec();
        current.extend(xxh3_128(&list).to_le_bytes());
        current.push(0);
        assert_eq!(current.len(), CURRENT_LEN);
        std::fs::write(table.join("current"), &current).unwrap();
        std::fs::write(list_file(&table, number), &list).unwrap();
        (directory, table, current, list)
    }

    fn flip(bytes: &[u8], bits: &[usize]) -> Vec<u8> {
        let mut changed = bytes.to_vec();
        for bit in bits {
            changed[bit / 8] ^= 1 << (bit % 8);
        }
        changed
    }

    #[test]
    fn one_flipped_bit_is_put_right_and_two_are_not() {
        let (directory, table, current, list) = with_list(5);
        for (name, bytes) in [("current", &current), ("v5", &list)] {
            std::fs::write(table.join("current"), &current).unwrap();
            std::fs::write(table.join("v5"), &list).unwrap();
            let path = table.join(name);
            for bit in (0..bytes.len() * 8).step_by(11) {
                std::fs::write(&path, flip(bytes, &[bit])).unwrap();
                check_manifests(directory.path()).unwrap();
                assert_eq!(std::fs::read(&path).unwrap(), *bytes, "{name}, bit {bit}");
            }
            std::fs::write(&path, flip(bytes, &[0, 72])).unwrap();
            let refused = check_manifests(directory.path()).unwrap_err().to_string();
            assert!(refused.contains("restore the last backup"), "{refused}");
        }
    }

    #[test]
    fn a_copy_makes_any_damage_good() {
        let (directory, table, current, list) = with_list(5);
        Copies::default().keep(directory.path()).unwrap();
        for (name, bytes) in [("current", &current), ("v5", &list)] {
            let path = table.join(name);
            for changed in [flip(bytes, &[0, 72]), vec![], vec![7; 300]] {
                std::fs::write(&path, changed).unwrap();
                check_manifests(directory.path()).unwrap();
                assert_eq!(std::fs::read(&path).unwrap(), *bytes, "{name}");
            }
            std::fs::remove_file(&path).unwrap();
            std::fs::create_dir_all(table.join("tables/1")).unwrap();
            check_manifests(directory.path()).unwrap();
            assert_eq!(std::fs::read(&path).unwrap(), *bytes, "{name}");
        }
    }

    #[test]
    fn a_copy_that_is_older_or_damaged_is_of_no_use() {
        let (directory, table, current, list) = with_list(5);
        let mut copies = Copies::default();
        copies.keep(directory.path()).unwrap();
        let newer = [&6_u64.to_le_bytes(), &current[8..]].concat();
        std::fs::write(table.join("current"), flip(&newer, &[0, 72])).unwrap();
        std::fs::rename(table.join("v5"), table.join("v6")).unwrap();
        assert!(check_manifests(directory.path()).is_err());

        std::fs::write(table.join("current"), &newer).unwrap();
        copies.keep(directory.path()).unwrap();
        std::fs::write(table.join("v6"), flip(&list, &[0, 72])).unwrap();
        let copy = directory.path().join(COPIES).join("1");
        let whole = std::fs::read(&copy).unwrap();
        std::fs::write(&copy, flip(&whole, &[900])).unwrap();
        assert!(check_manifests(directory.path()).is_err());
        std::fs::write(&copy, whole).unwrap();
        check_manifests(directory.path()).unwrap();
    }
}
