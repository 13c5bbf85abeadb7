//! **Snapshots**: the state of a game at one version, with its table life, so that a load need not replay the whole
//! log.

use gamekeeper_rules::table::{decode, encode};
use gamekeeper_rules::table_life::TableLife;
use gamekeeper_store::Version;
use gamekeeper_wire::Wire;
use serde::de::DeserializeOwned;

use super::envelope::{damaged, decode_envelope, encode_envelope};
use super::messages;
use crate::errors::ServiceError;

/// The state of a game at one version.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Snapshot<S> {
    /// The time of the version, in milliseconds since the Unix epoch.
    pub(crate) time_ms: u64,
    /// The number of words drawn from the random stream of the game.
    pub(crate) chance_position: u64,
    /// The size of the log up to this version, in bytes.
    pub(crate) log_bytes: u64,
    pub(crate) state: S,
    pub(crate) table_life: Option<Box<TableLife>>,
}

/// Encodes a snapshot for the store, with the size of the log up to its version, in bytes.
pub(crate) fn encode_snapshot<W: Wire>(
    (version, log_bytes): (Version, u64),
    (time_ms, chance_position, state): (u64, u64, &W::State),
    table_life: Option<&TableLife>,
) -> Vec<u8> {
    let message = messages::Snapshot {
        time_ms,
        chance_position,
        layout: W::layout_hash(),
        state: encode(state),
        table_life: table_life.map(encode).unwrap_or_default(),
        log_bytes,
    };
    encode_envelope(W::INFO.revision, version, &message)
}

/// Decodes a snapshot that [`encode_snapshot`] encoded. Returns `None` if a build of another layout wrote it, or
/// one that did not count the log.
pub(crate) fn decode_snapshot<W: Wire>(
    version: Version,
    bytes: &[u8],
) -> Result<Option<Snapshot<W::State>>, ServiceError> {
    let message: messages::Snapshot = decode_envelope(W::INFO.revision, version, bytes)?;
    if message.layout != W::layout_hash() || message.log_bytes == 0 {
        return Ok(None);
    }
    let table_life = Some(&message.table_life).filter(|life| !life.is_empty());
    Ok(Some(Snapshot {
        time_ms: message.time_ms,
        chance_position: message.chance_position,
        log_bytes: message.log_bytes,
        state: decode_positional(version, &message.state)?,
        table_life: table_life
            .map(|encoded| decode_positional(version, encoded))
            .transpose()?,
    }))
}

fn decode_positional<T: DeserializeOwned>(
    version: Version,
    bytes: &[u8],
) -> Result<T, ServiceError> {
    decode(bytes).map_err(|error| damaged(version, &error))
}
