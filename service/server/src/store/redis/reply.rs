//! The answers of the scripts.

use bytes::Bytes;
use redis::Value;

use super::errors::damaged;
use super::keys::number_of;
use crate::store::packed::{self, unpack};
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

/// The texts in an answer, which a cluster gives for each node.
pub(super) fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::BulkString(text) => vec![String::from_utf8_lossy(text).into_owned()],
        Value::SimpleString(text) | Value::VerbatimString { text, .. } => vec![text.clone()],
        Value::Array(values) => values.iter().flat_map(texts).collect(),
        Value::Map(pairs) => pairs.iter().flat_map(|(_, value)| texts(value)).collect(),
        _ => Vec::new(),
    }
}

/// What a stream holds.
pub(super) enum Entries {
    /// The requested entries.
    Plain(Vec<StoredEntry>),
    /// The whole log of a finished game.
    Packed(Vec<StoredEntry>),
}

impl Entries {
    /// Those after a version.
    pub(super) fn after(self, version: Version) -> Vec<StoredEntry> {
        match self {
            Entries::Plain(entries) => entries,
            Entries::Packed(log) => packed::after(log, version),
        }
    }
}

/// The entries after a version; a gap is damage.
pub(super) fn entries(value: Value, after: Version) -> Result<Entries, StoreError> {
    let found = list(value)?;
    if let [entry] = found.as_slice()
        && let Some(log) = packed_log(entry)?
    {
        return Ok(Entries::Packed(log));
    }
    let found = found.into_iter().zip(after.saturating_add(1)..);
    let read: Result<Vec<_>, _> = found
        .map(|(entry, version)| read_entry(entry, version))
        .collect();
    read.map(Entries::Plain)
}

/// The log that is packed into this entry, if one is. The number is that of its last entry.
fn packed_log(entry: &Value) -> Result<Option<Vec<StoredEntry>>, StoreError> {
    let Value::Array(parts) = entry else {
        return Ok(None);
    };
    let [Value::BulkString(number), Value::Array(fields)] = parts.as_slice() else {
        return Ok(None);
    };
    let [Value::BulkString(name), Value::BulkString(packed)] = fields.as_slice() else {
        return Ok(None);
    };
    if name != b"p" {
        return Ok(None);
    }
    let log = unpack(packed)?;
    match log.last() {
        Some(last) if number_of(Head::of(last.version, &last.bytes)).as_bytes() == number => {
            Ok(Some(log))
        }
        Some(_) | None => Err(damaged("a packed log is not that of its game")),
    }
}

fn read_entry(value: Value, version: Version) -> Result<StoredEntry, StoreError> {
    let wrong = || damaged(&format!("entry {version} of a game is missing or damaged"));
    let [id, fields] = <[Value; 2]>::try_from(list(value)?).map_err(|_| wrong())?;
    let [_, entry] = <[Value; 2]>::try_from(list(fields)?).map_err(|_| wrong())?;
    let entry = bytes(entry)?;
    if bytes(id)? != number_of(Head::of(version, &entry)).as_bytes() {
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
