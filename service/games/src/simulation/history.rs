//! What clients were answered.

use std::collections::{BTreeMap, BTreeSet};

use gamekeeper_store::{GameId, Version};

/// Watches of each game. The library wakes several that share a feed in an order by chance.
pub(super) const WATCHES: usize = 1;

/// A request to act.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Request {
    pub(super) game: GameId,
    pub(super) seat: u32,
    pub(super) id: String,
}

/// What clients know.
#[derive(Default)]
pub(super) struct History {
    /// Requests, and their answers: the version, or `None` for a refusal.
    pub(super) requests: BTreeMap<Request, Option<Option<Version>>>,
    /// The ends of watches.
    pub(super) watched: Vec<(GameId, Version)>,
    pub(super) games: BTreeSet<GameId>,
    pub(super) flaws: Vec<String>,
}

impl History {
    pub(super) fn sent(&mut self, request: &Request) {
        self.games.insert(request.game);
        self.requests.insert(request.clone(), None);
    }

    pub(super) fn answered(&mut self, request: &Request, version: Option<Version>) {
        self.requests.insert(request.clone(), Some(version));
    }

    pub(super) fn watched(&mut self, game: GameId, version: Version) {
        self.watched.push((game, version));
    }

    /// Is anything wrong? Then nobody needs to go on.
    pub(super) fn is_flawed(&self) -> bool {
        !self.flaws.is_empty()
    }

    pub(super) fn flaw(&mut self, what: String) {
        self.flaws.push(what);
    }
}
