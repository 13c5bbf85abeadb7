//! The first entry of a log: how the game began, and where the past of a fork comes from.

use gamekeeper_rules::life::{Branching, TableOptions};
use gamekeeper_rules::table::{Draw, SeedCommitment};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::RequestMark;
use super::envelope::{Envelope, Format, checked, damaged, envelope, open, read, seal};
use crate::problem::Problem;
use crate::store::{GameId, Version};

/// The first entry of a log: how the game began. `O` and `E` are options and events of the ruleset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Birth<O, E> {
    pub(crate) ruleset: String,
    pub(crate) tenant: String,
    pub(crate) players: Vec<String>,
    pub(crate) options: O,
    pub(crate) seed: [u8; 32],
    pub(crate) salt: [u8; 32],
    /// The time at which the log begins, in milliseconds since the Unix epoch. A fork has it from its origin.
    pub(crate) time_ms: u64,
    pub(crate) request: RequestMark,
    pub(crate) draws: Vec<Draw>,
    pub(crate) events: Vec<E>,
    pub(crate) fingerprint: [u8; 8],
    /// The options of table life; stored after this struct, in formats 2 and 3.
    #[serde(skip)]
    pub(crate) table: TableOptions,
    /// Where the past of a fork comes from; stored after this struct, in format 3.
    #[serde(skip)]
    pub(crate) fork: Option<Box<Fork>>,
}

/// Where the past of a fork comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Fork {
    /// The oldest first; the last one is the game that was forked.
    pub(crate) ancestors: Vec<Ancestor>,
    /// Was one of them still being played when the fork was made?
    pub(crate) is_secret: bool,
}

/// A game that a fork comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Ancestor {
    pub(crate) game: GameId,
    /// Distinguishes it from other games with the same id.
    pub(crate) commitment: SeedCommitment,
    /// Where the next game in the line branched off.
    pub(crate) branching: Branching,
}

impl Fork {
    /// The game that was forked, and where.
    pub(crate) fn origin(&self) -> Option<&Ancestor> {
        self.ancestors.last()
    }

    /// Where each ancestor was forked.
    pub(crate) fn line(&self) -> Vec<Branching> {
        let branchings = self.ancestors.iter().map(|ancestor| ancestor.branching);
        branchings.collect()
    }
}

impl<O: Serialize + DeserializeOwned, E: Serialize + DeserializeOwned> Birth<O, E> {
    /// Wraps the entry for the store.
    pub(crate) fn seal(&self, revision: u32) -> Result<Vec<u8>, Problem> {
        match &self.fork {
            None if self.table == TableOptions::default() => seal(Format::Plain, revision, 1, self),
            None => seal(Format::Beside, revision, 1, &(self, self.table)),
            Some(fork) => seal(Format::Forked, revision, 1, &(self, self.table, fork)),
        }
    }

    /// Unwraps what [`seal`](Self::seal) wrote.
    pub(crate) fn open(revision: u32, bytes: &[u8]) -> Result<Self, Problem> {
        match open(revision, 1, bytes)? {
            (Format::Plain, body) => read(1, body),
            (Format::Beside, body) => {
                let (birth, table): (Self, _) = read(1, body)?;
                Ok(Self { table, ..birth })
            }
            (Format::Forked, body) => {
                let (birth, table, fork): (Self, _, Box<Fork>) = read(1, body)?;
                if fork.ancestors.is_empty() {
                    return Err(damaged(1, &"a fork without an origin"));
                }
                let fork = Some(fork);
                Ok(Self {
                    table,
                    fork,
                    ..birth
                })
            }
        }
    }
}

impl<O, E> Birth<O, E> {
    /// When the game was created, in milliseconds since the Unix epoch.
    pub(crate) fn created_ms(&self) -> u64 {
        let origin = self.fork.as_ref().and_then(|fork| fork.origin());
        self.time_ms + origin.map_or(0, |origin| origin.branching.at_ms)
    }

    /// The last version that the game has from its origin; 0 if it is not a fork.
    pub(crate) fn past(&self) -> Version {
        let origin = self.fork.as_ref().and_then(|fork| fork.origin());
        origin.map_or(0, |origin| origin.branching.version)
    }

    /// Drops the draws and events of the set-up, which a game in memory does not need.
    pub(crate) fn forget_story(&mut self) {
        self.draws = Vec::new();
        self.events = Vec::new();
    }
}

/// The beginning of [`Birth`], for readers that do not know the ruleset yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BirthHead {
    pub(crate) ruleset: String,
    pub(crate) tenant: String,
}

/// Reads the beginning of a first entry, whatever its ruleset.
pub(crate) fn open_birth_head(bytes: &[u8]) -> Result<BirthHead, Problem> {
    let Envelope { body, .. } = envelope(1, checked(1, bytes)?)?;
    postcard::take_from_bytes(body)
        .map(|(head, _)| head)
        .map_err(|error| damaged(1, &error))
}
