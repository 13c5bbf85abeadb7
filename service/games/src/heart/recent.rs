//! **Deduplication** of recent requests, which clients may still repeat. A request id is scoped to its sender: the same
//! id from another seat, or from the game's owner, is a different request.

use std::collections::VecDeque;

use gamekeeper_rules::table::Seat;
use gamekeeper_store::{LOOK_BACK, Version};

use crate::heart::record::RequestMark;

/// The minimum time for which a repeated request is recognized, in milliseconds.
const REMEMBERED_MS: u64 = 10 * 60 * 1000;

/// The maximum number of remembered requests, for games that are played very fast. Clients that play this fast should
/// name the version that they act on: their request is then found in the log, however old it is.
const MAX: u64 = 1_024;

/// The identity of a request that changes a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Request {
    /// The seat that sent the request. Is `None` for the owner of the game.
    pub(crate) by: Option<Seat>,
    /// The idempotency key of the request, unique to its sender.
    pub(crate) mark: RequestMark,
}

/// The latest requests of a game: at least the last [`LOOK_BACK`], and those of the last ten minutes up to [`MAX`].
#[derive(Clone, Debug, Default)]
pub(crate) struct Recent {
    requests: VecDeque<Known>,
    /// A part of the id of each request, as a filter. A search reads only these: nearly every request is new, and
    /// comparing a thousand full ids would cost more than the rules.
    tags: VecDeque<u16>,
}

#[derive(Clone, Copy, Debug)]
struct Known {
    version: Version,
    time_ms: u64,
    by: Option<Seat>,
    /// The hashes of the id and the body. Is `None` for a request without an id, which is never recognized.
    named: Option<([u8; 16], [u8; 8])>,
}

/// The result of looking for an earlier request with the same id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repeat {
    /// The request is not among the remembered ones.
    Unknown,
    /// The request was played as this version.
    Played(Version),
    /// Another request of the same sender, with another body, used the id.
    Reused,
}

impl Recent {
    /// Remembers the request of a version. Versions must come in ascending order.
    pub(crate) fn note(&mut self, version: Version, Request { by, mark }: Request, time_ms: u64) {
        let named = match mark {
            RequestMark::Named { id, body } => Some((id, body)),
            RequestMark::Unnamed(_) => None,
        };
        if self.requests.is_empty() {
            // Reserve room for one request only: many games are created and never played.
            self.requests.reserve_exact(1);
            self.tags.reserve_exact(1);
        }
        self.tags.push_back(named.map_or(0, |(id, _)| tag_of(&id)));
        self.requests.push_back(Known {
            version,
            time_ms,
            by,
            named,
        });
        let is_old = |first: &Known| first.time_ms + REMEMBERED_MS < time_ms;
        while self.requests.len() as u64 > MAX
            || self.requests.len() as u64 > LOOK_BACK && self.requests.front().is_some_and(is_old)
        {
            self.requests.pop_front();
            self.tags.pop_front();
        }
    }

    /// Remembers the request of a version that is older than all remembered ones.
    pub(crate) fn note_before(&mut self, version: Version, request: Request, time_ms: u64) {
        let mut younger = std::mem::take(self);
        self.note(version, request, time_ms);
        self.requests.append(&mut younger.requests);
        self.tags.append(&mut younger.tags);
    }

    /// Looks for an earlier request with the same sender and id.
    pub(crate) fn find(&self, Request { by, mark }: Request) -> Repeat {
        let RequestMark::Named { id, body } = mark else {
            return Repeat::Unknown;
        };
        let (older, newer) = self.tags.as_slices();
        let tag = tag_of(&id);
        if !has(older, tag) && !has(newer, tag) {
            return Repeat::Unknown;
        }
        let found = self.requests.iter().rev().find_map(|known| {
            let named = known.named.filter(|named| named.0 == id && known.by == by);
            named.map(|named| (known.version, named.1))
        });
        match found {
            None => Repeat::Unknown,
            Some((version, played)) if played == body => Repeat::Played(version),
            Some(_) => Repeat::Reused,
        }
    }

    /// Returns the oldest remembered version, if an older request may still be repeated at this time, so that the log
    /// must be read further back. Returns `None` if nothing older needs to be known.
    pub(crate) fn incomplete_before(&self, now_ms: u64) -> Option<Version> {
        let first = self.requests.front()?;
        let is_full = self.requests.len() as u64 >= MAX;
        (!is_full && first.version > 1 && first.time_ms + REMEMBERED_MS >= now_ms)
            .then_some(first.version)
    }
}

fn tag_of(id: &[u8; 16]) -> u16 {
    u16::from_ne_bytes([id[0], id[1]])
}

/// Returns whether this is one of the tags. Always reads all of them: without an early exit, the loop is vectorized.
fn has(tags: &[u16], tag: u16) -> bool {
    tags.iter().fold(false, |found, one| found | (*one == tag))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(id: &str, body: &[u8]) -> Request {
        let mark = RequestMark::new(id, body);
        Request { by: None, mark }
    }

    fn mark(id: &str) -> Request {
        request(id, b"body")
    }

    #[test]
    fn a_request_is_found_by_id_and_body() {
        let mut recent = Recent::default();
        recent.note(1, mark("create"), 0);
        recent.note(2, mark("a"), 10);
        recent.note(3, request("", b"body"), 20);
        assert_eq!(recent.find(mark("a")), Repeat::Played(2));
        assert_eq!(recent.find(request("a", b"other")), Repeat::Reused);
        assert_eq!(recent.find(mark("b")), Repeat::Unknown);
        assert_eq!(recent.find(request("", b"body")), Repeat::Unknown);
    }

    /// An id that another sender has used discloses neither the response nor the body.
    #[test]
    fn an_id_belongs_to_a_seat_or_to_the_owner() {
        let mut recent = Recent::default();
        let everybody = [None, Some(Seat::FIRST), Some(Seat::at(1))];
        for (by, version) in everybody.into_iter().zip(1..) {
            let body = [version];
            let request = |body: &[u8]| Request {
                by,
                ..request("turn-2", body)
            };
            assert_eq!(recent.find(request(&[1])), Repeat::Unknown, "{by:?}");
            recent.note(version.into(), request(&body), 10);
            assert_eq!(recent.find(request(&body)), Repeat::Played(version.into()));
            assert_eq!(recent.find(request(&[9])), Repeat::Reused);
        }
    }

    #[test]
    fn sixty_four_requests_and_ten_minutes_are_remembered() {
        let mut recent = Recent::default();
        for version in 1..=1_000 {
            recent.note(version, mark(&version.to_string()), version);
        }
        assert_eq!(recent.find(mark("1")), Repeat::Played(1));
        recent.note(1_001, mark("late"), 2 * REMEMBERED_MS);
        assert_eq!(recent.find(mark("937")), Repeat::Unknown);
        assert_eq!(recent.find(mark("938")), Repeat::Played(938));
    }

    #[test]
    fn a_game_that_is_played_very_fast_holds_a_limited_number_of_requests() {
        let mut recent = Recent::default();
        for version in 1..=3 * MAX {
            recent.note(version, mark(&version.to_string()), version);
        }
        assert_eq!(recent.requests.len() as u64, MAX);
        assert_eq!(recent.tags.len() as u64, MAX);
        let first = 2 * MAX + 1;
        assert_eq!(recent.find(mark(&first.to_string())), Repeat::Played(first));
        assert_eq!(recent.find(mark(&(first - 1).to_string())), Repeat::Unknown);
        assert_eq!(recent.incomplete_before(3 * MAX), None, "no reading back");
    }

    #[test]
    fn it_says_when_the_log_must_be_read_further_back() {
        let mut recent = Recent::default();
        recent.note(65, mark("a"), 1_000);
        assert_eq!(recent.incomplete_before(2_000), Some(65));
        assert_eq!(recent.incomplete_before(1_001 + REMEMBERED_MS), None);
        recent.note_before(64, mark("b"), 900);
        assert_eq!(recent.find(mark("b")), Repeat::Played(64));
        assert_eq!(recent.incomplete_before(2_000), Some(64));
    }
}
