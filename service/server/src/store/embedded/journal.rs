//! Repair of damaged journals.
//!
//! The library treats the first record that it cannot read as the torn end of the last write and drops it
//! with everything that follows; if the checksum of a batch does not match, the library does not open
//! at all. So the journals are scanned here before the library opens them. A torn end is left
//! to the library. Damage is cut out batch by batch: everything before and after it stays, and the
//! register then shows which games are affected. A copy of the damaged file is kept.
//!
//! The layout is format 3 of the library, as in the version that the workspace pins.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;

use xxhash_rust::xxh3::Xxh3;

use super::errors::{During, of_io};
use crate::store::StoreError;

/// The last bytes of a completed batch.
const END_MARK: [u8; 4] = [b'F', b'J', b'L', 3];

/// A torn write may leave whole pages of zeros that never reached the disk.
const PAGE: u64 = 4_096;

/// The directory that keeps damaged journals.
const ASIDE: &str = "damaged";

/// Cuts damage out of the journals. True: there was some.
pub(super) fn mend_journals(directory: &Path) -> Result<bool, StoreError> {
    let in_words = |error: io::Error| of_io(&error, During::Open);
    let mut is_mended = false;
    for found in std::fs::read_dir(directory).map_err(in_words)? {
        let path = found.map_err(in_words)?.path();
        if path.extension().is_some_and(|extension| extension == "jnl") {
            is_mended |= mend(directory, &path).map_err(in_words)?;
        }
    }
    Ok(is_mended)
}

fn mend(directory: &Path, path: &Path) -> io::Result<bool> {
    let mut file = File::open(path)?;
    let bytes = data(&mut file)?;
    let walked = walk(&mut file, &bytes)?;
    if walked.damage.is_empty() {
        return Ok(false);
    }
    let lost: usize = walked.damage.iter().map(Range::len).sum();
    let name = path.file_name().unwrap_or_default();
    let aside = directory.join(ASIDE);
    std::fs::create_dir_all(&aside)?;
    let kept = (0..)
        .map(|number| aside.join(format!("{}.{number}", name.to_string_lossy())))
        .find(|kept| !kept.exists());
    let kept = kept.unwrap_or_else(|| aside.join(name));
    std::fs::write(&kept, &bytes)?;
    // Written under a name that the library does not read, then renamed: whole or not at all.
    let mended = aside.join("mended");
    let mut target = File::create(&mended)?;
    for range in &walked.whole {
        target.write_all(&bytes[range.clone()])?;
    }
    target.sync_all()?;
    std::fs::rename(&mended, path)?;
    File::open(directory)?.sync_all()?;
    tracing::error!(
        journal = %path.display(),
        bytes = lost,
        places = walked.damage.len(),
        kept = %kept.display(),
        "a journal is damaged: its readable part is used, and the damaged file is kept"
    );
    Ok(true)
}

/// The data of a journal, without the zeros behind it: journals are preallocated.
fn data(file: &mut File) -> io::Result<Vec<u8>> {
    let end = end_of_data(file, 0)?;
    let mut bytes = Vec::new();
    file.rewind()?;
    Read::by_ref(file).take(end).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The parts of a journal. A torn end is in none of them.
#[derive(Debug, Default)]
struct Walked {
    whole: Vec<Range<usize>>,
    damage: Vec<Range<usize>>,
}

/// Reads batch after batch. After damage, searches for the next readable one.
fn walk(file: &mut File, bytes: &[u8]) -> io::Result<Walked> {
    let mut walked = Walked::default();
    let mut last = None;
    let mut at = 0;
    while at < bytes.len() {
        if let Some(batch) = batch(bytes, at, last) {
            last = Some(batch.seqno);
            match walked.whole.last_mut() {
                Some(range) if range.end == at => range.end = batch.end,
                Some(_) | None => walked.whole.push(at..batch.end),
            }
            at = batch.end;
            continue;
        }
        let next = (at + 1..bytes.len()).find(|from| batch(bytes, *from, last).is_some());
        match next {
            Some(next) => walked.damage.push(at..next),
            None if is_torn(file, at as u64)? => {}
            None => walked.damage.push(at..bytes.len()),
        }
        at = next.unwrap_or(bytes.len());
    }
    Ok(walked)
}

/// A readable batch whose checksum matches.
struct Batch {
    seqno: u64,
    end: usize,
}

/// The batch that begins here, if any. Sequence numbers must rise.
fn batch(bytes: &[u8], from: usize, last: Option<u64>) -> Option<Batch> {
    let mut rest = bytes.get(from..)?;
    let [1] = take(&mut rest)? else {
        return None;
    };
    let count = u32::from_le_bytes(take(&mut rest)?);
    let seqno = u64::from_le_bytes(take(&mut rest)?);
    if last.is_some_and(|last| seqno <= last) {
        return None;
    }
    let mut sum = Xxh3::new();
    for _ in 0..count {
        let len = item_len(rest)?;
        sum.update(rest.get(..len)?);
        rest = &rest[len..];
    }
    let [3] = take(&mut rest)? else {
        return None;
    };
    let kept = u64::from_le_bytes(take(&mut rest)?);
    let is_whole = take(&mut rest)? == END_MARK && kept == sum.digest();
    is_whole.then_some(Batch {
        seqno,
        end: bytes.len() - rest.len(),
    })
}

/// The length of an item: a key with its value, or the mark that a table was cleared.
fn item_len(mut rest: &[u8]) -> Option<usize> {
    match take(&mut rest)? {
        [2] => {
            let [kind, compression] = take(&mut rest)?;
            let _table: [u8; 8] = take(&mut rest)?;
            let key_len = usize::from(u16::from_le_bytes(take(&mut rest)?));
            let value_len = u32::from_le_bytes(take(&mut rest)?);
            let kept_len = u32::from_le_bytes(take(&mut rest)?);
            let is_plausible =
                kind <= 4 && compression <= 1 && (compression == 1 || value_len == kept_len);
            is_plausible.then_some(21 + key_len + usize::try_from(kept_len).ok()?)
        }
        [4] => Some(9),
        [_] => None,
    }
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, left) = rest.split_first_chunk::<N>()?;
    *rest = left;
    Some(*taken)
}

/// Whether the unreadable rest of the journal is the torn end of a write. Otherwise it is damage.
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
    // The end of the last write is there, so it is torn only if a page in its middle never reached the disk.
    let next_page = (from / PAGE + 1) * PAGE;
    Ok(is_zero(file, from..next_page)? || is_zero(file, next_page..next_page + PAGE)?)
}

fn is_zero(file: &mut File, range: Range<u64>) -> io::Result<bool> {
    file.seek(SeekFrom::Start(range.start))?;
    let mut bytes = Vec::new();
    let read = file.take(range.end - range.start).read_to_end(&mut bytes)?;
    Ok(read > 0 && bytes.iter().all(|byte| *byte == 0))
}

/// The position after the last byte that is not zero.
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

/// Where the next data begins. Skips holes, which may be many megabytes long.
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

    /// A journal as the library writes it, without the zeros at its end.
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
        data(&mut File::open(directory.path().join("0.jnl")).unwrap()).unwrap()
    }

    fn walked(bytes: &[u8], zeros: u64) -> Walked {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        file.as_file().set_len(bytes.len() as u64 + zeros).unwrap();
        let mut file = File::open(file.path()).unwrap();
        let bytes = data(&mut file).unwrap();
        walk(&mut file, &bytes).unwrap()
    }

    fn starts(bytes: &[u8]) -> Vec<usize> {
        let mut starts = vec![0];
        while let Some(batch) = batch(bytes, starts[starts.len() - 1], None) {
            starts.push(batch.end);
        }
        starts
    }

    #[test]
    fn a_whole_journal_is_whole_with_and_without_room_behind() {
        let bytes = journal();
        assert!(bytes.len() > 20_000);
        assert_eq!(starts(&bytes).len(), 21);
        for zeros in [0, 1 << 26] {
            let walked = walked(&bytes, zeros);
            assert_eq!(walked.whole, vec![0..bytes.len()]);
            assert!(walked.damage.is_empty());
        }
        assert!(walked(&[], 1 << 26).damage.is_empty());
    }

    #[test]
    fn a_journal_torn_anywhere_has_no_damage() {
        let bytes = journal();
        for cut in (1..bytes.len()).step_by(37) {
            assert!(
                walked(&bytes[..cut], 1 << 16).damage.is_empty(),
                "cut at {cut}"
            );
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

    /// Whichever byte of a batch changes, that batch is cut out and no other.
    #[test]
    fn a_changed_batch_is_cut_out_alone() {
        let whole = journal();
        let starts = starts(&whole);
        for number in [0, 1, 7, 19] {
            let range = starts[number]..starts[number + 1];
            for at in range
                .clone()
                .step_by(61)
                .chain([range.end - 1, range.end - 9])
            {
                let mut bytes = whole.clone();
                bytes[at] ^= 0x40;
                let walked = walked(&bytes, 1 << 16);
                let kept: usize = walked.whole.iter().map(Range::len).sum();
                if number == 19 && at > range.end - 5 {
                    // The last batch without its end mark is a torn end.
                    assert!(walked.damage.is_empty(), "changed at {at}");
                } else {
                    assert_eq!(
                        walked.damage,
                        std::slice::from_ref(&range),
                        "changed at {at}"
                    );
                }
                assert_eq!(kept, whole.len() - range.len(), "changed at {at}");
            }
        }
    }

    #[test]
    fn a_mended_journal_opens_and_the_damaged_one_is_kept() {
        let directory = tempfile::tempdir().unwrap();
        let open = || Database::builder(directory.path()).open().unwrap();
        let table = |database: &Database| {
            database
                .keyspace("t", KeyspaceCreateOptions::default)
                .unwrap()
        };
        let database = open();
        for number in 0..9u8 {
            let mut batch = database.batch().durability(Some(PersistMode::SyncData));
            batch.insert(&table(&database), [number; 4], vec![number; 400]);
            batch.commit().unwrap();
        }
        drop(database);
        let path = directory.path().join("0.jnl");
        let mut bytes = data(&mut File::open(&path).unwrap()).unwrap();
        let at = starts(&bytes)[3] + 100;
        bytes[at] ^= 1;
        std::fs::write(&path, &bytes).unwrap();
        assert!(mend_journals(directory.path()).unwrap());
        assert!(!mend_journals(directory.path()).unwrap());
        let kept = std::fs::read(directory.path().join("damaged/0.jnl.0")).unwrap();
        assert_eq!(kept, bytes);
        let database = open();
        let found = table(&database).iter().map(|item| item.key().unwrap()[0]);
        assert_eq!(found.collect::<Vec<_>>(), [0, 1, 2, 4, 5, 6, 7, 8]);
    }
}
