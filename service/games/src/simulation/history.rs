//! The history of a run: what clients sent, and the responses they got.

use std::collections::{BTreeMap, BTreeSet};

use gamekeeper_store::{GameId, Version};

/// The number of watches of each game. With more, the runtime would wake watches that share a broadcast in a random
/// order.
pub(super) const WATCHES: usize = 1;

/// A request to act.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SentRequest {
    pub(super) game: GameId,
    pub(super) seat: u32,
    pub(super) id: String,
}

/// The knowledge of all clients.
#[derive(Default)]
pub(super) struct History {
    /// The requests, with their responses: the version, or `None` for a refusal. The outer `None` means no response
    /// yet.
    pub(super) requests: BTreeMap<SentRequest, Option<Option<Version>>>,
    /// The last versions of the watches that reached the end of their game.
    pub(super) watched: Vec<(GameId, Version)>,
    pub(super) games: BTreeSet<GameId>,
    pub(super) violations: Vec<String>,
}

impl History {
    pub(super) fn sent(&mut self, request: &SentRequest) {
        self.games.insert(request.game);
        self.requests.insert(request.clone(), None);
    }

    pub(super) fn answered(&mut self, request: &SentRequest, version: Option<Version>) {
        self.requests.insert(request.clone(), Some(version));
    }

    pub(super) fn watched(&mut self, game: GameId, version: Version) {
        self.watched.push((game, version));
    }

    /// Returns whether a flaw was found, so that the run can stop.
    pub(super) fn has_violations(&self) -> bool {
        !self.violations.is_empty()
    }

    pub(super) fn report_violation(&mut self, what: String) {
        self.violations.push(what);
    }
}
