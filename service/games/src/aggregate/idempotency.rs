//! **Deduplication** of recent requests, which clients may still repeat. A request id is scoped to its sender: the same
//! id from another seat, or from the game's owner, is a different request.

use std::collections::VecDeque;

use gamekeeper_rules::table::Seat;
use gamekeeper_store::{IDEMPOTENCY_LOOKBACK, Version};

use crate::log::RequestFingerprint;

/// The minimum time for which a repeated request is recognized, in milliseconds.
const WINDOW_MS: u64 = 10 * 60 * 1000;

/// The maximum number of remembered requests, for games that are played very fast. Clients that play this fast should
/// name the version that they act on: their request is then found in the log, however old it is.
const MAX_REMEMBERED: u64 = 1_024;

/// The identity of a request that changes a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IdempotencyKey {
    /// The seat that sent the request. Is `None` for the owner of the game.
    pub(crate) actor: Option<Seat>,
    /// The idempotency key of the request, unique to its sender.
    pub(crate) fingerprint: RequestFingerprint,
}

/// The latest requests of a game: at least the last [`IDEMPOTENCY_LOOKBACK`], and those of the last ten minutes up to
/// [`MAX_REMEMBERED`].
#[derive(Clone, Debug, Default)]
pub(crate) struct IdempotencyWindow {
    requests: VecDeque<RememberedRequest>,
    /// A part of the id of each request, as a filter. A search reads only these: nearly every request is new, and
    /// comparing a thousand full ids would cost more than the rules.
    key_prefixes: VecDeque<u16>,
}

#[derive(Clone, Copy, Debug)]
struct RememberedRequest {
    version: Version,
    time_ms: u64,
    actor: Option<Seat>,
    /// The hashes of the id and the body. Is `None` for a request without an id, which is never recognized.
    id_and_body: Option<([u8; 16], [u8; 8])>,
}

/// The result of looking for an earlier request with the same id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DedupResult {
    /// The request is not among the remembered ones.
    Unknown,
    /// The request was played as this version.
    Duplicate(Version),
    /// Another request of the same sender, with another body, used the id.
    IdReused,
}

impl IdempotencyWindow {
    /// Remembers the request of a version. Versions must come in ascending order.
    pub(crate) fn record(
        &mut self,
        version: Version,
        IdempotencyKey { actor, fingerprint }: IdempotencyKey,
        time_ms: u64,
    ) {
        let id_and_body = match fingerprint {
            RequestFingerprint::Named { id, body } => Some((id, body)),
            RequestFingerprint::Unnamed(_) => None,
        };
        if self.requests.is_empty() {
            // Reserve room for one request only: many games are created and never played.
            self.requests.reserve_exact(1);
            self.key_prefixes.reserve_exact(1);
        }
        self.key_prefixes
            .push_back(id_and_body.map_or(0, |(id, _)| key_prefix(&id)));
        self.requests.push_back(RememberedRequest {
            version,
            time_ms,
            actor,
            id_and_body,
        });
        let is_expired = |oldest: &RememberedRequest| oldest.time_ms + WINDOW_MS < time_ms;
        while self.requests.len() as u64 > MAX_REMEMBERED
            || self.requests.len() as u64 > IDEMPOTENCY_LOOKBACK
                && self.requests.front().is_some_and(is_expired)
        {
            self.requests.pop_front();
            self.key_prefixes.pop_front();
        }
    }

    /// Remembers the request of a version that is older than all remembered ones.
    pub(crate) fn record_older(&mut self, version: Version, request: IdempotencyKey, time_ms: u64) {
        let mut newer_requests = std::mem::take(self);
        self.record(version, request, time_ms);
        self.requests.append(&mut newer_requests.requests);
        self.key_prefixes.append(&mut newer_requests.key_prefixes);
    }

    /// Looks for an earlier request with the same sender and id.
    pub(crate) fn lookup(
        &self,
        IdempotencyKey { actor, fingerprint }: IdempotencyKey,
    ) -> DedupResult {
        let RequestFingerprint::Named { id, body } = fingerprint else {
            return DedupResult::Unknown;
        };
        let (older_prefixes, newer_prefixes) = self.key_prefixes.as_slices();
        let prefix = key_prefix(&id);
        if !contains_prefix(older_prefixes, prefix) && !contains_prefix(newer_prefixes, prefix) {
            return DedupResult::Unknown;
        }
        let latest = self.requests.iter().rev().find_map(|remembered| {
            let id_and_body = remembered
                .id_and_body
                .filter(|id_and_body| id_and_body.0 == id && remembered.actor == actor);
            id_and_body.map(|id_and_body| (remembered.version, id_and_body.1))
        });
        match latest {
            None => DedupResult::Unknown,
            Some((version, remembered_body)) if remembered_body == body => {
                DedupResult::Duplicate(version)
            }
            Some(_) => DedupResult::IdReused,
        }
    }

    /// Returns the oldest remembered version, if an older request may still be repeated at this time, so that the log
    /// must be read further back. Returns `None` if nothing older needs to be known.
    pub(crate) fn oldest_if_incomplete(&self, now_ms: u64) -> Option<Version> {
        let oldest = self.requests.front()?;
        let is_full = self.requests.len() as u64 >= MAX_REMEMBERED;
        (!is_full && oldest.version > 1 && oldest.time_ms + WINDOW_MS >= now_ms)
            .then_some(oldest.version)
    }
}

fn key_prefix(id: &[u8; 16]) -> u16 {
    u16::from_ne_bytes([id[0], id[1]])
}

/// Returns whether this is one of the tags. Always reads all of them: without an early exit, the loop is vectorized.
fn contains_prefix(prefixes: &[u16], prefix: u16) -> bool {
    prefixes.iter().fold(false, |is_found, candidate| {
        is_found | (*candidate == prefix)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(id: &str, body: &[u8]) -> IdempotencyKey {
        let fingerprint = RequestFingerprint::new(id, body);
        IdempotencyKey {
            actor: None,
            fingerprint,
        }
    }

    fn key(id: &str) -> IdempotencyKey {
        request(id, b"body")
    }

    #[test]
    fn a_request_is_found_by_id_and_body() {
        let mut recent = IdempotencyWindow::default();
        recent.record(1, key("create"), 0);
        recent.record(2, key("a"), 10);
        recent.record(3, request("", b"body"), 20);
        assert_eq!(recent.lookup(key("a")), DedupResult::Duplicate(2));
        assert_eq!(recent.lookup(request("a", b"other")), DedupResult::IdReused);
        assert_eq!(recent.lookup(key("b")), DedupResult::Unknown);
        assert_eq!(recent.lookup(request("", b"body")), DedupResult::Unknown);
    }

    /// An id that another sender has used discloses neither the response nor the body.
    #[test]
    fn an_id_belongs_to_a_seat_or_to_the_owner() {
        let mut recent = IdempotencyWindow::default();
        let everybody = [None, Some(Seat::FIRST), Some(Seat::at(1))];
        for (by, version) in everybody.into_iter().zip(1..) {
            let body = [version];
            let request = |body: &[u8]| IdempotencyKey {
                actor: by,
                ..request("turn-2", body)
            };
            assert_eq!(recent.lookup(request(&[1])), DedupResult::Unknown, "{by:?}");
            recent.record(version.into(), request(&body), 10);
            assert_eq!(
                recent.lookup(request(&body)),
                DedupResult::Duplicate(version.into())
            );
            assert_eq!(recent.lookup(request(&[9])), DedupResult::IdReused);
        }
    }

    #[test]
    fn sixty_four_requests_and_ten_minutes_are_remembered() {
        let mut recent = IdempotencyWindow::default();
        for version in 1..=1_000 {
            recent.record(version, key(&version.to_string()), version);
        }
        assert_eq!(recent.lookup(key("1")), DedupResult::Duplicate(1));
        recent.record(1_001, key("late"), 2 * WINDOW_MS);
        assert_eq!(recent.lookup(key("937")), DedupResult::Unknown);
        assert_eq!(recent.lookup(key("938")), DedupResult::Duplicate(938));
    }

    #[test]
    fn a_game_that_is_played_very_fast_holds_a_limited_number_of_requests() {
        let mut recent = IdempotencyWindow::default();
        for version in 1..=3 * MAX_REMEMBERED {
            recent.record(version, key(&version.to_string()), version);
        }
        assert_eq!(recent.requests.len() as u64, MAX_REMEMBERED);
        assert_eq!(recent.key_prefixes.len() as u64, MAX_REMEMBERED);
        let first = 2 * MAX_REMEMBERED + 1;
        assert_eq!(
            recent.lookup(key(&first.to_string())),
            DedupResult::Duplicate(first)
        );
        assert_eq!(
            recent.lookup(key(&(first - 1).to_string())),
            DedupResult::Unknown
        );
        assert_eq!(
            recent.oldest_if_incomplete(3 * MAX_REMEMBERED),
            None,
            "no reading back"
        );
    }

    #[test]
    fn it_says_when_the_log_must_be_read_further_back() {
        let mut recent = IdempotencyWindow::default();
        recent.record(65, key("a"), 1_000);
        assert_eq!(recent.oldest_if_incomplete(2_000), Some(65));
        assert_eq!(recent.oldest_if_incomplete(1_001 + WINDOW_MS), None);
        recent.record_older(64, key("b"), 900);
        assert_eq!(recent.lookup(key("b")), DedupResult::Duplicate(64));
        assert_eq!(recent.oldest_if_incomplete(2_000), Some(64));
    }
}
