//! **Compaction**: packing the log of a finished game into one value.
//!
//! The stream then has a single entry, with the number of the last one and the field `p`. Readers that request entries
//! get it in the same round trip.

use gamekeeper_store::{GameId, Head, StoreError, packed};
use redis::Value;

use super::config::ReplicaWait;
use super::errors::{damaged, of_read};
use super::keys::{keys_of, log_key, staged_log_key, stream_id};
use super::link::Link;
use super::reply;
use super::scripts::Scripts;

/// Packs the log of a finished game, and returns by how many bytes it shrinks. Does nothing if the log is already
/// packed, too short, or gone.
pub(super) async fn pack(
    link: &Link,
    scripts: &Scripts,
    id: GameId,
    wait: Option<ReplicaWait>,
) -> Result<i64, StoreError> {
    let log = log_key(id);
    let mut range = redis::cmd("XRANGE");
    range.arg(&*log).arg("-").arg("+");
    let reply = link.ask(&range).await.map_err(|error| of_read(&error))?;
    let reply::Entries::Plain(entries) = reply::entries(reply, 0).await? else {
        return Ok(0);
    };
    let Some(last) = entries
        .last()
        .filter(|_| entries.len() >= packed::MIN_ENTRIES)
    else {
        return Ok(0);
    };
    let stream_id = stream_id(Head::of(last.version, &last.bytes));
    let count = entries.len().to_string();
    let size: usize = entries.iter().map(|entry| entry.bytes.len()).sum();
    let packed = if size > reply::BLOCKING_THRESHOLD {
        reply::blocking(move || packed::pack(&entries)).await?
    } else {
        packed::pack(&entries)?
    };
    let args: [&[u8]; 3] = [stream_id.as_bytes(), count.as_bytes(), &packed];
    let [_, snapshot, ..] = keys_of(id);
    let keys = [log.to_string(), staged_log_key(id), snapshot.to_string()];
    match scripts.pack.call(&keys, &args).change(link, wait).await? {
        Value::Int(saved) => Ok(saved.max(0)),
        _ => Err(damaged("an unexpected reply to packing")),
    }
}
