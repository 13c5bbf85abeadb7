//! Further entries: what was done, and what came of it.

use gamekeeper_rules::life::Deed;
use gamekeeper_rules::table::{Automatic, Draw, Seat, decode};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::RequestMark;
use super::envelope::{Format, misplaced, open, read, seal};
use crate::problem::Problem;
use crate::store::Version;

/// An entry after the first: what was done, and its outcome. `A` and `E` are actions and events of the ruleset.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry<A, E> {
    pub(crate) done: Done<A>,
    pub(crate) story: Story<A, E>,
}

/// What was done.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Done<A> {
    /// A seat acted.
    Act(Act<A>),
    /// Something happened beside the rules.
    Beside(Beside),
}

/// An action of a seat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Act<A> {
    pub(crate) seat: Seat,
    pub(crate) action: A,
}

/// Something that happened beside the rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Beside {
    pub(crate) deed: Deed,
    /// The encoded state that a take-back restores; empty for other deeds.
    pub(crate) back: Vec<u8>,
}

/// The outcome of what was done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Story<A, E> {
    pub(crate) automatic: Vec<Automatic<A>>,
    pub(crate) draws: Vec<Draw>,
    pub(crate) events: Vec<E>,
    /// Milliseconds since the beginning of the log, which a fork has from its origin.
    pub(crate) after_ms: u64,
    pub(crate) request: RequestMark,
    pub(crate) fingerprint: [u8; 8],
}

impl<A: Serialize + DeserializeOwned, E: Serialize + DeserializeOwned> Entry<A, E> {
    /// Wraps the entry for the store.
    pub(crate) fn seal(&self, revision: u32, version: Version) -> Result<Vec<u8>, Problem> {
        match &self.done {
            Done::Act(act) => seal(Format::Plain, revision, version, &(act, &self.story)),
            Done::Beside(beside) => seal(Format::Beside, revision, version, &(beside, &self.story)),
        }
    }

    /// Unwraps what [`seal`](Self::seal) wrote.
    pub(crate) fn open(revision: u32, version: Version, bytes: &[u8]) -> Result<Self, Problem> {
        Ok(match open(revision, version, bytes)? {
            (Format::Plain, body) => {
                let (act, story) = read(version, body)?;
                let done = Done::Act(act);
                Self { done, story }
            }
            (Format::Beside, body) => {
                let (beside, story) = read(version, body)?;
                let done = Done::Beside(beside);
                Self { done, story }
            }
            (Format::Forked, _) => return Err(misplaced(version)),
        })
    }
}

impl<A, E> Entry<A, E> {
    /// The seat that did it; `None`: the owner of the game.
    pub(crate) fn actor(&self) -> Option<Seat> {
        match &self.done {
            Done::Act(act) => Some(act.seat),
            Done::Beside(beside) => beside.deed.actor(),
        }
    }

    /// The state that the entry restores, if it is a take-back.
    pub(crate) fn restored<S: DeserializeOwned>(
        &self,
        version: Version,
    ) -> Result<Option<S>, Problem> {
        match &self.done {
            Done::Act(_) => Ok(None),
            Done::Beside(Beside { back, .. }) if back.is_empty() => Ok(None),
            Done::Beside(Beside { back, .. }) => decode(back)
                .map(Some)
                .map_err(|error| Problem::Damaged(format!("version {version}: {error}"))),
        }
    }
}
