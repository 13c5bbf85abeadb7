//! A record of what was acknowledged, separate from the data itself.
//!
//! A file beside the tables has one record for each change: a game with its version and a mark of the
//! entry, with a mark of its access record, or as deleted. A record is written after its change is on disk, so it
//! never promises too much. What a deletion or a new access record makes untrue is withdrawn before the change.
//! When the store is opened, each game must have
//! the entry that the register names. If it does not, a journal was cut, damaged or lost. That game is then
//! reported as damaged, and all others remain usable.
//!
//! Only withdrawals are synced at once. A power cut may lose other records, and the register then knows
//! less. Damage to the register stops nothing either: a record whose checksum does not match is ignored.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use uuid::Uuid;
use xxhash_rust::xxh3::xxh3_64;

use crate::store::{GameId, Head, Version};

/// The name of the file.
const NAME: &str = "register";

/// The beginning of the file. A new layout gets a new number.
const MAGIC: [u8; 16] = *b"gamekeeper reg 1";

/// The length of a record and of the header.
const RECORD: usize = 32;

/// The file is not rewritten while it has fewer records than this.
const FEW: u64 = 65_536;

/// What one record says about a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Note {
    /// Its log reaches this entry.
    Reached(Head),
    /// Its access record has this mark.
    Access(u32),
    /// Its access record is being replaced.
    AccessChanging,
    /// It was deleted.
    Deleted,
}

impl Note {
    /// Whether it withdraws what earlier records say. It must then be on disk before the change.
    pub(super) fn withdraws(self) -> bool {
        match self {
            Note::Reached(_) | Note::Access(_) => false,
            Note::AccessChanging | Note::Deleted => true,
        }
    }
}

/// What all records say about a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) head: Option<Head>,
    pub(super) access: Option<u32>,
}

/// What the file says.
#[derive(Debug, Default)]
pub(super) struct Contents {
    pub(super) games: HashMap<GameId, Known>,
    /// The number of records that are unreadable or missing.
    pub(super) damaged: u64,
    /// Whether the file exists.
    pub(super) exists: bool,
}

/// The file, open for further records.
pub(super) struct Register {
    path: PathBuf,
    file: File,
    records: u64,
    /// The number of records when the file was last rewritten.
    settled: u64,
}

/// The mark of an access record.
pub(super) fn mark_of(access: &Bytes) -> u32 {
    Head::of(0, access).mark
}

/// Reads the register of a directory.
pub(super) fn read(directory: &Path) -> io::Result<Contents> {
    let mut contents = Contents::default();
    let bytes = match std::fs::read(directory.join(NAME)) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(contents),
        bytes => bytes?,
    };
    contents.exists = true;
    let (records, torn) = bytes.as_chunks::<RECORD>();
    let Some((header, records)) = records.split_first() else {
        contents.damaged = 1;
        return Ok(contents);
    };
    let least = header_count(header);
    let have = records.len() as u64;
    contents.damaged = least.map_or(1, |least| least.saturating_sub(have));
    for record in records {
        match decode(record) {
            Some((id, note)) => contents.note(id, note),
            None => contents.damaged += 1,
        }
    }
    if !torn.is_empty() {
        tracing::debug!(
            bytes = torn.len(),
            "the last record of the register is torn"
        );
    }
    Ok(contents)
}

impl Contents {
    /// Logs that the file was damaged, if it was.
    pub(super) fn report_damage(&self) {
        if self.damaged > 0 {
            tracing::error!(
                records = self.damaged,
                "the register is damaged: further losses of some games would go unnoticed"
            );
        }
    }

    pub(super) fn note(&mut self, id: GameId, note: Note) {
        match note {
            Note::Reached(head) => self.games.entry(id).or_default().head = Some(head),
            Note::Access(mark) => self.games.entry(id).or_default().access = Some(mark),
            Note::AccessChanging => self.games.entry(id).or_default().access = None,
            Note::Deleted => drop(self.games.remove(&id)),
        }
    }
}

impl Register {
    /// Rewrites the register with the current contents.
    pub(super) fn begin(directory: &Path, contents: &Contents) -> io::Result<Register> {
        let path = directory.join(NAME);
        let (file, records) = write_anew(&path, contents)?;
        Ok(Register {
            path,
            file,
            records,
            settled: records,
        })
    }

    /// Adds records. Rewrites the file when it has more than three times as many as after the last rewrite.
    pub(super) fn add(&mut self, notes: &[(GameId, Note)]) -> io::Result<()> {
        let bytes: Vec<u8> = notes
            .iter()
            .flat_map(|(id, note)| encode(*id, *note))
            .collect();
        // Computed, since an earlier write that failed may have left part of a record.
        let at = (self.records + 1) * RECORD as u64;
        write_at(&mut self.file, at, &bytes)?;
        self.records += notes.len() as u64;
        if self.records > FEW.max(3 * self.settled) {
            let contents = read(self.path.parent().unwrap_or(Path::new(".")))?;
            contents.report_damage();
            (self.file, self.records) = write_anew(&self.path, &contents)?;
            self.settled = self.records;
        }
        Ok(())
    }

    /// Syncs the records to the disk.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }
}

fn write_at(file: &mut File, at: u64, bytes: &[u8]) -> io::Result<()> {
    use std::io::Seek;
    file.seek(io::SeekFrom::Start(at))?;
    file.write_all(bytes)
}

/// Writes a new file and renames it, so that it replaces the old one whole or not at all.
fn write_anew(path: &Path, contents: &Contents) -> io::Result<(File, u64)> {
    let mut bytes = vec![0; RECORD];
    for (id, known) in &contents.games {
        let notes = [
            known.head.map(Note::Reached),
            known.access.map(Note::Access),
        ];
        for note in notes.into_iter().flatten() {
            bytes.extend(encode(*id, note));
        }
    }
    let count = (bytes.len() / RECORD - 1) as u64;
    bytes[..16].copy_from_slice(&MAGIC);
    bytes[16..24].copy_from_slice(&count.to_le_bytes());
    let sum = xxh3_64(&bytes[..24]);
    bytes[24..32].copy_from_slice(&sum.to_le_bytes());
    let anew = path.with_extension("new");
    let mut file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .open(&anew)?;
    file.write_all(&bytes)?;
    file.sync_all()?;
    std::fs::rename(&anew, path)?;
    if let Some(directory) = path.parent() {
        File::open(directory)?.sync_all()?;
    }
    Ok((file, count))
}

/// The number of records when the file was last rewritten. `None`: the header is damaged.
fn header_count(header: &[u8; RECORD]) -> Option<u64> {
    let (text, sum) = header.split_last_chunk::<8>()?;
    let (magic, count) = text.split_first_chunk::<16>()?;
    let is_whole = *magic == MAGIC && xxh3_64(text).to_le_bytes() == *sum;
    is_whole.then_some(u64::from_le_bytes(count.try_into().ok()?))
}

/// Encodes a record: the id, the kind of note in one byte, the version in seven, a mark, and a checksum.
fn encode(id: GameId, note: Note) -> [u8; RECORD] {
    let (kind, version, mark) = match note {
        Note::Reached(head) => (0, head.version, head.mark),
        Note::Access(mark) => (1, 0, mark),
        Note::Deleted => (2, 0, 0),
        // Earlier builds read a deletion, and then know less of the game.
        Note::AccessChanging => (2, 1, 0),
    };
    let mut record = [0; RECORD];
    record[..16].copy_from_slice(id.as_bytes());
    record[16..24].copy_from_slice(&version.to_be_bytes());
    record[16] = kind;
    record[24..28].copy_from_slice(&mark.to_be_bytes());
    let sum = sum(&record);
    record[28..].copy_from_slice(&sum);
    record
}

fn decode(record: &[u8; RECORD]) -> Option<(GameId, Note)> {
    if sum(record) != record[28..] {
        return None;
    }
    let id = Uuid::from_slice(&record[..16]).ok()?;
    let mut version: [u8; 8] = record[16..24].try_into().ok()?;
    let kind = std::mem::take(&mut version[0]);
    let mark = u32::from_be_bytes(record[24..28].try_into().ok()?);
    let note = match kind {
        0 => Note::Reached(Head {
            version: Version::from_be_bytes(version),
            mark,
        }),
        1 => Note::Access(mark),
        2 if Version::from_be_bytes(version) == 1 => Note::AccessChanging,
        2 => Note::Deleted,
        _ => return None,
    };
    Some((id, note))
}

fn sum(record: &[u8; RECORD]) -> [u8; 4] {
    let [a, b, c, d, ..] = xxh3_64(&record[..28]).to_le_bytes();
    [a, b, c, d]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reached(version: Version) -> Note {
        Note::Reached(Head { version, mark: 7 })
    }

    #[test]
    fn the_last_note_of_each_kind_holds() {
        let directory = tempfile::tempdir().unwrap();
        assert!(!read(directory.path()).unwrap().exists);
        let mut register = Register::begin(directory.path(), &Contents::default()).unwrap();
        let [one, two] = [Uuid::from_u128(1), Uuid::from_u128(2)];
        register
            .add(&[(one, reached(1)), (two, reached(1))])
            .unwrap();
        register
            .add(&[
                (one, reached(2)),
                (two, Note::Deleted),
                (one, Note::Access(9)),
            ])
            .unwrap();
        let contents = read(directory.path()).unwrap();
        let known = Known {
            head: Some(Head {
                version: 2,
                mark: 7,
            }),
            access: Some(9),
        };
        assert_eq!(contents.games, HashMap::from([(one, known)]));
        assert_eq!((contents.damaged, contents.exists), (0, true));
        drop(Register::begin(directory.path(), &contents).unwrap());
        assert_eq!(read(directory.path()).unwrap().games, contents.games);
    }

    #[test]
    fn a_damaged_record_is_left_out_and_counted() {
        let directory = tempfile::tempdir().unwrap();
        let mut register = Register::begin(directory.path(), &Contents::default()).unwrap();
        for number in 0..10 {
            register
                .add(&[(Uuid::from_u128(number), reached(3))])
                .unwrap();
        }
        let path = directory.path().join(NAME);
        let whole = std::fs::read(&path).unwrap();
        for at in RECORD * 8..whole.len() * 8 {
            let mut bytes = whole.clone();
            bytes[at / 8] ^= 1 << (at % 8);
            std::fs::write(&path, bytes).unwrap();
            let contents = read(directory.path()).unwrap();
            assert_eq!((contents.games.len(), contents.damaged), (9, 1), "bit {at}");
        }
        for len in 0..whole.len() {
            std::fs::write(&path, &whole[..len]).unwrap();
            let contents = read(directory.path()).unwrap();
            assert_eq!(contents.games.len(), (len / RECORD).saturating_sub(1));
        }
    }

    #[test]
    fn a_register_that_was_cut_says_so() {
        let directory = tempfile::tempdir().unwrap();
        let mut contents = Contents::default();
        for number in 0..10 {
            contents.note(Uuid::from_u128(number), reached(3));
        }
        drop(Register::begin(directory.path(), &contents).unwrap());
        let path = directory.path().join(NAME);
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..RECORD * 8]).unwrap();
        assert_eq!(read(directory.path()).unwrap().damaged, 3);
    }

    #[test]
    fn a_long_register_is_written_anew() {
        let directory = tempfile::tempdir().unwrap();
        let mut register = Register::begin(directory.path(), &Contents::default()).unwrap();
        let notes: Vec<_> = (0..1_000)
            .map(|number| (Uuid::from_u128((number % 10).into()), reached(number + 1)))
            .collect();
        for _ in 0..70 {
            register.add(&notes).unwrap();
        }
        assert!(register.records < 10_000, "{}", register.records);
        register
            .add(&[(Uuid::from_u128(3), reached(5_000))])
            .unwrap();
        let contents = read(directory.path()).unwrap();
        assert_eq!(contents.games.len(), 10);
        let head = contents.games[&Uuid::from_u128(3)].head.unwrap();
        assert_eq!(head.version, 5_000);
    }
}
