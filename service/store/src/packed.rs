//! The whole log of a finished game as one compressed value.

use bytes::Bytes;
use xxhash_rust::xxh3::xxh3_64;

use super::{Head, StoreError, StoredEntry, Version};

/// The first byte. A new layout gets a new number.
const FORMAT: u8 = 1;

/// The minimum number of entries that makes packing worthwhile.
pub const MIN_ENTRIES: usize = 4;

/// The zstd level. Higher levels hardly save more, since half of a log is marks and checksums, and would
/// delay other calls.
const LEVEL: i32 = 3;

/// The length of format, checksum of the rest, and uncompressed length.
const HEADER: usize = 1 + 8 + 4;

/// Packs a whole log, which begins with version 1.
pub fn pack(log: &[StoredEntry]) -> Result<Vec<u8>, StoreError> {
    let failed = |why: &dyn std::fmt::Display| StoreError::Unavailable(format!("packing: {why}"));
    let entries: Vec<&[u8]> = log.iter().map(|entry| &*entry.bytes).collect();
    let body = postcard::to_stdvec(&entries).map_err(|error| failed(&error))?;
    let len = u32::try_from(body.len()).map_err(|error| failed(&error))?;
    let compressed = zstd::bulk::compress(&body, LEVEL).map_err(|error| failed(&error))?;
    let mut packed = Vec::with_capacity(HEADER + compressed.len());
    packed.push(FORMAT);
    packed.extend([0; 8]);
    packed.extend(len.to_le_bytes());
    packed.extend(compressed);
    let sum = xxh3_64(&packed[9..]).to_le_bytes();
    packed[1..9].copy_from_slice(&sum);
    // The caller deletes the log afterward, so make sure that unpacking restores it.
    if unpack(&packed)? == log {
        Ok(packed)
    } else {
        Err(failed(&"a log has gaps"))
    }
}

/// Unpacks a log.
pub fn unpack(packed: &[u8]) -> Result<Vec<StoredEntry>, StoreError> {
    read(packed).ok_or_else(|| StoreError::Damaged("a packed log cannot be read".into()))
}

fn read(packed: &[u8]) -> Option<Vec<StoredEntry>> {
    let ([FORMAT], rest) = packed.split_first_chunk()? else {
        return None;
    };
    let (sum, rest) = rest.split_first_chunk::<8>()?;
    if *sum != xxh3_64(rest).to_le_bytes() {
        return None;
    }
    let (len, compressed) = rest.split_first_chunk::<4>()?;
    let len = usize::try_from(u32::from_le_bytes(*len)).ok()?;
    let body = Bytes::from(zstd::bulk::decompress(compressed, len).ok()?);
    let entries: Vec<&[u8]> = postcard::from_bytes(&body).ok()?;
    let entry = |(bytes, version): (&[u8], Version)| StoredEntry {
        version,
        bytes: body.slice_ref(bytes),
    };
    Some(entries.into_iter().zip(1..).map(entry).collect())
}

/// Whether a whole log contains this entry.
pub fn has(log: &[StoredEntry], head: Head) -> bool {
    let index = usize::try_from(head.version.wrapping_sub(1)).unwrap_or(usize::MAX);
    let entry = log.get(index);
    entry.is_some_and(|entry| Head::of(head.version, &entry.bytes) == head)
}

/// The entries of a whole log after a version.
pub fn after(mut log: Vec<StoredEntry>, version: Version) -> Vec<StoredEntry> {
    let skipped = usize::try_from(version).unwrap_or(usize::MAX);
    log.drain(..skipped.min(log.len()));
    log
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log() -> Vec<StoredEntry> {
        let entry = |version: Version| StoredEntry {
            version,
            bytes: Bytes::from(
                format!("entry {version}").repeat(usize::try_from(version % 5).unwrap()),
            ),
        };
        (1..=200).map(entry).collect()
    }

    #[test]
    fn what_is_packed_is_shorter_and_comes_out_again() {
        let packed = pack(&log()).unwrap();
        let len: usize = log().iter().map(|entry| entry.bytes.len()).sum();
        assert!(packed.len() * 3 < len, "{} of {len}", packed.len());
        assert_eq!(unpack(&packed).unwrap(), log());
        assert_eq!(unpack(&pack(&[]).unwrap()).unwrap(), []);
    }

    #[test]
    fn a_log_with_a_gap_is_not_packed() {
        let mut log = log();
        log.remove(7);
        assert!(pack(&log).is_err());
    }

    #[test]
    fn every_flipped_bit_and_every_cut_is_noticed() {
        let packed = pack(&log()).unwrap();
        for at in 0..packed.len() * 8 {
            let mut packed = packed.clone();
            packed[at / 8] ^= 1 << (at % 8);
            assert!(
                matches!(unpack(&packed), Err(StoreError::Damaged(_))),
                "bit {at}"
            );
        }
        for len in 0..packed.len() {
            assert!(unpack(&packed[..len]).is_err(), "{len} bytes");
        }
    }
}
