//! **Snapshots**: the state of a game at one version, with its table life, so that a load need not replay the whole
//! log.

use gamekeeper_rules::life::Life;
use gamekeeper_rules::table::{decode, encode};
use gamekeeper_store::Version;
use gamekeeper_wire::Wire;
use serde::de::DeserializeOwned;

use super::envelope::{damaged, open, seal};
use super::messages;
use crate::heart::problem::Problem;

/// The state of a game at one version.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Snapshot<S> {
    /// The time of the version, in milliseconds since the Unix epoch.
    pub(crate) time_ms: u64,
    /// The number of words drawn from the random stream of the game.
    pub(crate) chance_position: u64,
    pub(crate) state: S,
    pub(crate) life: Option<Box<Life>>,
}

/// Encodes a snapshot for the store.
pub(crate) fn seal_snapshot<W: Wire>(
    version: Version,
    (time_ms, chance_position, state): (u64, u64, &W::State),
    life: Option<&Life>,
) -> Vec<u8> {
    let message = messages::Snapshot {
        time_ms,
        chance_position,
        layout: W::layout(),
        state: encode(state),
        life: life.map(encode).unwrap_or_default(),
    };
    seal(W::SHEET.revision, version, &message)
}

/// Decodes a snapshot that [`seal_snapshot`] encoded. Returns `None` if a build of another layout wrote it.
pub(crate) fn open_snapshot<W: Wire>(
    version: Version,
    bytes: &[u8],
) -> Result<Option<Snapshot<W::State>>, Problem> {
    let message: messages::Snapshot = open(W::SHEET.revision, version, bytes)?;
    if message.layout != W::layout() {
        return Ok(None);
    }
    let life = Some(&message.life).filter(|life| !life.is_empty());
    Ok(Some(Snapshot {
        time_ms: message.time_ms,
        chance_position: message.chance_position,
        state: positioned(version, &message.state)?,
        life: life.map(|life| positioned(version, life)).transpose()?,
    }))
}

fn positioned<T: DeserializeOwned>(version: Version, bytes: &[u8]) -> Result<T, Problem> {
    decode(bytes).map_err(|error| damaged(version, &error))
}
