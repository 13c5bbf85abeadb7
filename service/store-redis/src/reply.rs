//! Decoding of replies.

use bytes::Bytes;
use gamekeeper_store::packed::unpack;
use gamekeeper_store::{Head, StoreError, StoredEntry, StoredSnapshot, Version, metering, packed};
use redis::Value;

use super::errors::damaged;
use super::keys::stream_id;

/// Extracts a string.
pub(super) fn bytes(value: Value) -> Result<Bytes, StoreError> {
    match value {
        Value::BulkString(bytes) => Ok(Bytes::from(bytes)),
        _ => Err(damaged("an answer that is not a string")),
    }
}

/// Extracts a list.
pub(super) fn list(value: Value) -> Result<Vec<Value>, StoreError> {
    match value {
        Value::Array(values) => Ok(values),
        _ => Err(damaged("an answer that is not a list")),
    }
}

/// Returns all texts in a reply, at any depth: a cluster returns one for each node.
pub(super) fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::BulkString(text) => vec![String::from_utf8_lossy(text).into_owned()],
        Value::SimpleString(text) | Value::VerbatimString { text, .. } => vec![text.clone()],
        Value::Array(values) => values.iter().flat_map(texts).collect(),
        Value::Map(pairs) => pairs.iter().flat_map(|(_, value)| texts(value)).collect(),
        _ => Vec::new(),
    }
}

/// The entries of a stream.
pub(super) enum Entries {
    /// The requested entries.
    Plain(Vec<StoredEntry>),
    /// The whole log of a finished game.
    Packed(Vec<StoredEntry>),
}

impl Entries {
    /// Returns the entries after a version. Plain entries already begin there.
    pub(super) fn after(self, version: Version) -> Vec<StoredEntry> {
        match self {
            Entries::Plain(entries) => entries,
            Entries::Packed(log) => packed::after(log, version),
        }
    }
}

/// The size above which packed logs are packed and unpacked on a blocking thread, in bytes.
pub(super) const BLOCKING_THRESHOLD: usize = 64 * 1024;

/// Decodes the entries after a version, or the packed log. A gap counts as damage.
pub(super) async fn entries(value: Value, after: Version) -> Result<Entries, StoreError> {
    if packed_in(&value).is_some_and(|(_, packed)| packed.len() > BLOCKING_THRESHOLD) {
        // Boxed: this is rare, and must not enlarge the future of every call.
        return Box::pin(blocking(move || read_entries(value, after))).await;
    }
    read_entries(value, after)
}

/// Runs work on a thread of the blocking pool.
pub(super) async fn blocking<A: Send + 'static>(
    work: impl FnOnce() -> Result<A, StoreError> + Send + 'static,
) -> Result<A, StoreError> {
    let done = metering::blocking(work).await;
    let (result, time) = done.map_err(|panic| StoreError::Unavailable(panic.to_string()))?;
    metering::record_time(time.take());
    result
}

fn read_entries(value: Value, after: Version) -> Result<Entries, StoreError> {
    if let Some((number, packed)) = packed_in(&value) {
        return packed_log(number, packed).map(Entries::Packed);
    }
    let values = list(value)?;
    let values = values.into_iter().zip(after.saturating_add(1)..);
    let read: Result<Vec<_>, _> = values
        .map(|(entry, version)| read_entry(entry, version))
        .collect();
    read.map(Entries::Plain)
}

/// Returns the number and the bytes of the only entry, if it is a packed log.
fn packed_in(reply: &Value) -> Option<(&[u8], &[u8])> {
    let Value::Array(entries) = reply else {
        return None;
    };
    let [Value::Array(parts)] = entries.as_slice() else {
        return None;
    };
    let [Value::BulkString(number), Value::Array(fields)] = parts.as_slice() else {
        return None;
    };
    let [Value::BulkString(name), Value::BulkString(packed)] = fields.as_slice() else {
        return None;
    };
    (name == b"p").then_some((number, packed))
}

/// Unpacks a log, and checks that its entry has the number of the last entry of the log.
fn packed_log(number: &[u8], packed: &[u8]) -> Result<Vec<StoredEntry>, StoreError> {
    let log = unpack(packed)?;
    match log.last() {
        Some(last) if stream_id(Head::of(last.version, &last.bytes)).as_bytes() == number => {
            Ok(log)
        }
        Some(_) | None => Err(damaged("a packed log does not belong to its game")),
    }
}

fn read_entry(value: Value, version: Version) -> Result<StoredEntry, StoreError> {
    let wrong = || damaged(&format!("entry {version} of a game is missing or damaged"));
    let [id, fields] = <[Value; 2]>::try_from(list(value)?).map_err(|_| wrong())?;
    let [name, entry] = <[Value; 2]>::try_from(list(fields)?).map_err(|_| wrong())?;
    let entry = bytes(entry)?;
    if bytes(name)? != b"e".as_slice()
        || bytes(id)? != stream_id(Head::of(version, &entry)).as_bytes()
    {
        return Err(wrong());
    }
    Ok(StoredEntry {
        version,
        bytes: entry,
    })
}

/// Encodes a snapshot: the version and the size of the entries up to it in decimal, between them a space; a colon, and
/// the state.
pub(super) fn encode_snapshot(version: Version, log_len: u64, snapshot: &[u8]) -> Vec<u8> {
    [format!("{version} {log_len}:").as_bytes(), snapshot].concat()
}

/// Decodes a snapshot.
pub(super) fn decode_snapshot(stored: &Bytes) -> Result<StoredSnapshot, StoreError> {
    let read = || {
        let colon = stored.iter().take(41).position(|byte| *byte == b':')?;
        let head = std::str::from_utf8(&stored[..colon]).ok()?;
        // Snapshots of earlier builds have no size.
        let (version, size) = head.split_once(' ').unwrap_or((head, "0"));
        let _: u64 = size.parse().ok()?;
        let version = version.parse().ok()?;
        Some(StoredSnapshot {
            version,
            bytes: stored.slice(colon + 1..),
        })
    };
    read().ok_or_else(|| damaged("a snapshot is missing or damaged"))
}

#[cfg(test)]
mod tests {
    use redis::VerbatimFormat;

    use super::*;

    #[test]
    fn a_text_is_found_in_every_form_and_at_any_depth() {
        let bulk = |text: &str| Value::BulkString(text.as_bytes().to_vec());
        let verbatim = Value::VerbatimString {
            format: VerbatimFormat::Text,
            text: String::from("four"),
        };
        let node = Value::Array(vec![bulk("two"), Value::SimpleString("three".into())]);
        let nodes = Value::Map(vec![
            (bulk("a node"), verbatim),
            (Value::Nil, Value::Int(5)),
        ]);
        let all = Value::Array(vec![bulk("one"), node, nodes]);
        assert_eq!(texts(&all), ["one", "two", "three", "four"]);
        assert_eq!(texts(&Value::Int(1)), [""; 0]);
    }
}
