//! The answers of the scripts.

use bytes::Bytes;
use redis::Value;

use super::errors::damaged;
use super::keys::number_of;
use crate::store::{Head, StoreError, StoredEntry, StoredSnapshot, Version};

/// A string.
pub(super) fn bytes(value: Value) -> Result<Bytes, StoreError> {
    match value {
        Value::BulkString(bytes) => Ok(Bytes::from(bytes)),
        _ => Err(damaged("an answer that is not a string")),
    }
}

/// A list.
pub(super) fn list(value: Value) -> Result<Vec<Value>, StoreError> {
    match value {
        Value::Array(values) => Ok(values),
        _ => Err(damaged("an answer that is not a list")),
    }
}

/// The entries after a version; a gap is damage.
pub(super) fn entries(value: Value, after: Version) -> Result<Vec<StoredEntry>, StoreError> {
    let found = list(value)?.into_iter().zip(after.saturating_add(1)..);
    found
        .map(|(entry, version)| read_entry(entry, version))
        .collect()
}

fn read_entry(value: Value, version: Version) -> Result<StoredEntry, StoreError> {
    let wrong = || damaged(&format!("entry {version} of a game is missing or damaged"));
    let [id, fields] = <[Value; 2]>::try_from(list(value)?).map_err(|_| wrong())?;
    let [_, entry] = <[Value; 2]>::try_from(list(fields)?).map_err(|_| wrong())?;
    let entry = bytes(entry)?;
    if bytes(id)? != number_of(Head::of(version, &entry)) {
        return Err(wrong());
    }
    Ok(StoredEntry {
        version,
        bytes: entry,
    })
}

/// A snapshot as it is kept: the version in decimal, a colon, and the snapshot.
pub(super) fn encode_snapshot(version: Version, snapshot: &[u8]) -> Vec<u8> {
    [version.to_string().as_bytes(), b":", snapshot].concat()
}

/// The snapshot that was so kept.
pub(super) fn decode_snapshot(kept: &Bytes) -> Result<StoredSnapshot, StoreError> {
    let read = || {
        let colon = kept.iter().take(21).position(|byte| *byte == b':')?;
        let version = std::str::from_utf8(&kept[..colon]).ok()?.parse().ok()?;
        Some(StoredSnapshot {
            version,
            bytes: kept.slice(colon + 1..),
        })
    };
    read().ok_or_else(|| damaged("a snapshot is missing or damaged"))
}
