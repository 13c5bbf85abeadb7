//! The noted **progress** of a game: what of it was delivered although the cursor is still before it.

use serde::{Deserialize, Serialize};

use super::super::webhook::Webhook;

/// The progress of one game. Webhooks of a game are delivered in order, so the last version says all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Progress {
    /// The last version of which something was settled.
    pub(super) version: u64,
    /// When it was played. A store that lost its newest entries has other, later versions with the same numbers.
    pub(super) time_ms: u64,
    /// The ids of the settled webhooks of this version.
    pub(super) settled: Vec<String>,
    /// Whether the game is still at its first version.
    pub(super) is_start: bool,
    /// The failures of the next webhook. Is `None` if it has not failed.
    pub(super) failing: Option<Failing>,
}

/// The failures of a webhook.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Failing {
    /// The id of the webhook.
    pub(super) id: String,
    /// When it failed first.
    pub(crate) since_ms: u64,
    /// How often it has failed.
    pub(crate) attempts: u32,
    /// When it is sent again.
    pub(super) next_ms: u64,
}

impl Failing {
    /// Creates the failures of a webhook that is about to fail for the first time.
    pub(super) fn new(id: String, now_ms: u64) -> Self {
        Self {
            id,
            since_ms: now_ms,
            attempts: 0,
            next_ms: now_ms,
        }
    }
}

impl Progress {
    /// Returns whether a webhook was settled before.
    pub(super) fn has(&self, webhook: &Webhook) -> bool {
        let is_before = webhook.version < self.version
            || (webhook.version == self.version && self.settled.contains(&webhook.id()));
        is_before && webhook.time_ms <= self.time_ms
    }

    /// Notes a webhook as settled.
    pub(super) fn note(&mut self, webhook: &Webhook) {
        if (self.version, self.time_ms) != (webhook.version, webhook.time_ms) {
            (self.version, self.time_ms) = (webhook.version, webhook.time_ms);
            self.settled.clear();
        }
        self.settled.push(webhook.id());
    }
}
