//! Snapshots: the state at one version, and the table life beside it.

use gamekeeper_rules::life::Life;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::envelope::{Format, misplaced, open, read, seal};
use crate::problem::Problem;
use crate::store::Version;

/// The state at one version.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Snapshot<S> {
    /// Milliseconds since the Unix epoch.
    pub(crate) time_ms: u64,
    /// The number of words taken from the game's stream of luck.
    pub(crate) chance_position: u64,
    pub(crate) state: S,
}

/// Wraps a snapshot for the store.
pub(crate) fn seal_snapshot<S: Serialize>(
    revision: u32,
    version: Version,
    snapshot: (u64, u64, &S),
    life: Option<&Life>,
) -> Result<Vec<u8>, Problem> {
    match life {
        None => seal(Format::Plain, revision, version, &snapshot),
        Some(life) => seal(Format::Beside, revision, version, &(snapshot, life)),
    }
}

/// Unwraps what [`seal_snapshot`] wrote.
pub(crate) fn open_snapshot<S: DeserializeOwned>(
    revision: u32,
    version: Version,
    bytes: &[u8],
) -> Result<(Snapshot<S>, Option<Box<Life>>), Problem> {
    match open(revision, version, bytes)? {
        (Format::Plain, body) => Ok((read(version, body)?, None)),
        (Format::Beside, body) => {
            let (snapshot, life) = read(version, body)?;
            Ok((snapshot, Some(life)))
        }
        (Format::Forked, _) => Err(misplaced(version)),
    }
}
