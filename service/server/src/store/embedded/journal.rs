//! Is a journal whole?
//!
//! The library takes the first record of a journal that it cannot read for the torn end of the last
//! write, and drops it with all that follows. That is right after a crash and wrong when a byte in
//! the middle has changed: then answered changes would vanish without a word. So before the library
//! opens them, the journals are walked here. A torn end is cut off anywhere; damage leaves behind it
//! a file that ends, as every completed write does, with an end mark.
//!
//! The layout is that of format 3 of the library. What the records hold is checked by the library,
//! which keeps a checksum with each batch.

use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;

use super::super::StoreError;
use super::errors::{During, of_io};

/// The last bytes of a completed batch.
const END_MARK: [u8; 4] = [b'F', b'J', b'L', 3];

/// A torn write may leave whole pages of zeros where it did not get to.
const PAGE: u64 = 4_096;

/// Refuses journals with damage before their end.
pub(super) fn check_journals(directory: &Path) -> Result<(), StoreError> {
    let in_words = |error: io::Error| of_io(&error, During::Open);
    for found in std::fs::read_dir(directory).map_err(in_words)? {
        let path = found.map_err(in_words)?.path();
        if path.extension().is_some_and(|extension| extension == "jnl")
            && !is_whole(&path).map_err(in_words)?
        {
            return Err(StoreError::Damaged(format!(
                "the journal {}",
                path.display()
            )));
        }
    }
    Ok(())
}

fn is_whole(path: &Path) -> io::Result<bool> {
    let mut walk = Walk {
        reader: BufReader::new(File::open(path)?),
        at: 0,
        seqno: None,
    };
    let len = walk.reader.get_ref().metadata()?.len();
    while walk.at < len {
        match walk.record(len) {
            Ok(()) => {}
            Err(error)
                if matches!(
                    error.kind(),
                    ErrorKind::UnexpectedEof | ErrorKind::InvalidData
                ) =>
            {
                return is_torn(walk.reader.get_mut(), walk.at);
            }
            Err(error) => return Err(error),
        }
    }
    Ok(true)
}

/// Reads the records of a journal, without their contents.
struct Walk {
    reader: BufReader<File>,
    /// Where the next record begins.
    at: u64,
    /// The number of the last batch.
    seqno: Option<u64>,
}

impl Walk {
    fn record(&mut self, len: u64) -> io::Result<()> {
        let size = match self.bytes::<1>()? {
            [1] => {
                let [_count, seqno] = [u64::from(u32::from_le_bytes(self.bytes()?)), self.u64()?];
                if self.seqno.is_some_and(|last| seqno <= last) {
                    return Err(ErrorKind::InvalidData.into());
                }
                self.seqno = Some(seqno);
                13
            }
            [2] => self.item(len)?,
            [3] => {
                self.u64()?;
                if self.bytes()? != END_MARK {
                    return Err(ErrorKind::InvalidData.into());
                }
                13
            }
            [4] => {
                self.u64()?;
                9
            }
            _ => return Err(ErrorKind::InvalidData.into()),
        };
        self.at += size;
        Ok(())
    }

    /// A key and its value.
    fn item(&mut self, len: u64) -> io::Result<u64> {
        let [kind, compression] = self.bytes()?;
        self.u64()?;
        let key_len = u64::from(u16::from_le_bytes(self.bytes()?));
        let [value_len, kept_len] = [(); 2].map(|()| self.bytes().map(u32::from_le_bytes));
        let (value_len, kept_len) = (value_len?, u64::from(kept_len?));
        let size = 21 + key_len + kept_len;
        let is_plausible = kind <= 4
            && compression <= 1
            && (compression == 1 || u64::from(value_len) == kept_len)
            && self.at + size <= len;
        if !is_plausible {
            return Err(ErrorKind::InvalidData.into());
        }
        let skipped = i64::try_from(key_len + kept_len).map_err(io::Error::other)?;
        self.reader.seek_relative(skipped)?;
        Ok(size)
    }

    fn u64(&mut self) -> io::Result<u64> {
        self.bytes().map(u64::from_le_bytes)
    }

    fn bytes<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.reader.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}

/// Is what cannot be read from here on the torn end of a write? Otherwise it is damage.
fn is_torn(file: &mut File, from: u64) -> io::Result<bool> {
    let end = end_of_data(file, from)?;
    if end < from + 13 {
        return Ok(true);
    }
    file.seek(SeekFrom::Start(end - 4))?;
    let mut last = [0; 4];
    file.read_exact(&mut last)?;
    if last != END_MARK {
        return Ok(true);
    }
    // The last write is complete, unless a page in its middle never reached the disk.
    let next_page = (from / PAGE + 1) * PAGE;
    Ok(is_zero(file, from..next_page)? || is_zero(file, next_page..next_page + PAGE)?)
}

fn is_zero(file: &mut File, range: Range<u64>) -> io::Result<bool> {
    file.seek(SeekFrom::Start(range.start))?;
    let mut bytes = Vec::new();
    let read = file.take(range.end - range.start).read_to_end(&mut bytes)?;
    Ok(read > 0 && bytes.iter().all(|byte| *byte == 0))
}

/// Behind the last byte that is not zero. Journals are made longer than what is in them.
fn end_of_data(file: &mut File, from: u64) -> io::Result<u64> {
    let mut end = from;
    let mut at = from;
    let mut chunk = vec![0; 256 * 1_024];
    loop {
        let Some(data) = next_data(file, at)? else {
            return Ok(end);
        };
        file.seek(SeekFrom::Start(data))?;
        let read = file.read(&mut chunk)?;
        if read == 0 {
            return Ok(end);
        }
        if let Some(last) = chunk[..read].iter().rposition(|byte| *byte != 0) {
            end = data + last as u64 + 1;
        }
        at = data + read as u64;
    }
}

/// Where the next data begin: a hole of many megabytes need not be read.
#[cfg(target_os = "linux")]
fn next_data(file: &File, from: u64) -> io::Result<Option<u64>> {
    match rustix::fs::seek(file, rustix::fs::SeekFrom::Data(from)) {
        Ok(data) => Ok(Some(data)),
        Err(rustix::io::Errno::NXIO) => Ok(None),
        Err(rustix::io::Errno::INVAL) => Ok(Some(from)),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(target_os = "linux"))]
#[expect(
    clippy::unnecessary_wraps,
    reason = "the same shape as where holes can be found"
)]
fn next_data(_: &File, from: u64) -> io::Result<Option<u64>> {
    Ok(Some(from))
}

#[cfg(test)]
mod tests {
    use fjall::{Database, KeyspaceCreateOptions, PersistMode};

    use super::*;

    /// A journal as the library writes it, without the zeros behind.
    fn journal() -> Vec<u8> {
        let directory = tempfile::tempdir().unwrap();
        let database = Database::builder(directory.path()).open().unwrap();
        let table = database
            .keyspace("t", KeyspaceCreateOptions::default)
            .unwrap();
        for number in 0..20u8 {
            let mut batch = database.batch().durability(Some(PersistMode::SyncData));
            batch.insert(
                &table,
                [number; 24],
                vec![number; 100 * usize::from(number)],
            );
            batch.insert(&table, [number; 16], vec![1; 6_000]);
            batch.remove(&table, [number; 3]);
            batch.commit().unwrap();
        }
        let path = directory.path().join("0.jnl");
        let mut file = File::open(path).unwrap();
        let end = end_of_data(&mut file, 0).unwrap();
        let mut bytes = Vec::new();
        file.rewind().unwrap();
        file.take(end).read_to_end(&mut bytes).unwrap();
        bytes
    }

    fn is_whole_as(bytes: &[u8], zeros: u64) -> bool {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        file.as_file().set_len(bytes.len() as u64 + zeros).unwrap();
        is_whole(file.path()).unwrap()
    }

    #[test]
    fn a_whole_journal_is_whole_with_and_without_room_behind() {
        let bytes = journal();
        assert!(bytes.len() > 20_000);
        assert!(is_whole_as(&bytes, 0));
        assert!(is_whole_as(&bytes, 1 << 26));
        assert!(is_whole_as(&[], 1 << 26));
    }

    #[test]
    fn a_journal_torn_anywhere_is_whole() {
        let bytes = journal();
        for cut in (1..bytes.len()).step_by(37) {
            assert!(is_whole_as(&bytes[..cut], 1 << 16), "cut at {cut}");
        }
    }

    #[test]
    fn a_page_that_never_reached_the_disk_is_a_torn_end() {
        let mut bytes = journal();
        let file = tempfile::NamedTempFile::new().unwrap();
        let is_torn_at = |bytes: &[u8], from| {
            std::fs::write(file.path(), bytes).unwrap();
            is_torn(&mut File::open(file.path()).unwrap(), from).unwrap()
        };
        let page = bytes.len() / 4_096 * 4_096 - 8_192;
        let places = [page as u64 - 5, page as u64, page as u64 + 2_000];
        for from in places {
            assert!(!is_torn_at(&bytes, from));
        }
        bytes[page..page + 4_096].fill(0);
        for from in places {
            assert!(
                is_torn_at(&bytes, from),
                "found out at {from}, the page is at {page}"
            );
        }
    }

    #[test]
    fn a_changed_frame_is_damage() {
        let bytes = journal();
        // The first batch: its start, then a key of 24 bytes without a value.
        let changed_at = [0, 13, 14, 15, 24, 26];
        for at in changed_at {
            let mut bytes = bytes.clone();
            bytes[at] ^= 0x40;
            assert!(!is_whole_as(&bytes, 1 << 16), "changed at {at}");
        }
    }
}
