//! The **change feeds** of tenants: what happened in all games of a tenant, in the order in which it was stored.
//!
//! A feed has a marker for each version of each game, each deletion, and each change of the lists that contain a game.
//! A marker names the game and the version; the entry itself is read from the game's log. A store writes a marker in
//! the same step as the change that it announces. A store that cannot write both atomically writes the marker first;
//! the change then follows within [`UNSURE_MS`], or never. So no stored change is missing from its feed, and the
//! markers of one game come in the order of its log.

use uuid::Uuid;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use super::{GameId, Head};

/// How long a feed is kept by default.
pub const USUAL_FEED: std::time::Duration = std::time::Duration::from_secs(7 * 24 * 60 * 60);

/// Upper bound of the time between a marker and the change that it announces, in milliseconds.
pub const UNSURE_MS: u64 = 60_000;

/// How far a reader goes back if it cannot be sure of its **cursor**, in milliseconds. Exceeds the clock skew between
/// two servers of a store.
const BACK_MS: u64 = 60_000;

/// How much longer markers are kept than readers may rely on, in milliseconds.
const SPARE_MS: u64 = 60 * 60 * 1_000;

/// A **cursor** into a feed: after a certain marker, or before all markers that were stored from some moment on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct FeedPlace {
    /// When the marker was stored, in milliseconds since the Unix epoch, by the clock of the store.
    pub ms: u64,
    /// The number of the marker among those of this millisecond.
    pub number: u64,
    /// Identifies the marker: after a store has lost its last changes, it may give the same time and number to another
    /// marker. 0 if the cursor is before all markers of this time and number.
    pub mark: u32,
}

/// The kind of change that a marker announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// The game was created, with all versions up to this one.
    Created,
    /// The game has this version.
    Version,
    /// The lists that contain the game have changed at this version.
    Lists,
    /// The game was deleted.
    Deleted,
}

/// One item of a feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marker {
    /// The position of the marker in the feed.
    pub place: FeedPlace,
    /// The game.
    pub id: GameId,
    /// The kind of change.
    pub told: Told,
    /// The entry at which the change happened. `head.mark` is 0 if the store does not know it; the version of a
    /// deletion is 0.
    pub head: Head,
}

/// The position from which to read a feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeedFrom {
    /// The end of the feed, to get only later markers.
    End,
    /// The first marker that was stored at this time or later, in milliseconds since the Unix epoch.
    Time(u64),
    /// The first marker after this cursor.
    After(FeedPlace),
}

/// A part of a feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedPage {
    /// Identifies the store and its retention period. Cursors are valid only for a feed with the same `life`.
    pub life: u64,
    /// The time, by the clock of the store.
    pub now_ms: u64,
    /// The next markers, in order. A marker may repeat one of an earlier page if the store has since lost the last
    /// marker of that page.
    pub markers: Vec<Marker>,
    /// The cursor after the markers. It advances with the clock even if nothing happens.
    pub end: FeedPlace,
    /// Whether there are no further markers.
    pub is_last: bool,
    /// How long after a marker the change that it announces may still be missing, in milliseconds. 0 if the change is
    /// always readable before its marker.
    pub unsure_ms: u64,
}

/// The result of reading a feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FeedRead {
    /// A page.
    Page(FeedPage),
    /// The cursor is older than the retention period, so markers after it may have been removed.
    Expired,
    /// The store keeps no feeds.
    Off,
}

/// The topic that wakes the watchers of a tenant's feed: an id that no game has.
#[must_use]
pub fn feed_topic(tenant: &str) -> GameId {
    let hash = xxh3_128(&[b"feed ", tenant.as_bytes()].concat());
    Uuid::new_v8(hash.to_be_bytes())
}

/// Returns [`FeedPage::life`] of a store with this identity and this retention period.
#[must_use]
pub fn life_of(identity: &[u8], kept_ms: u64) -> u64 {
    xxh3_64(&[identity, &kept_ms.to_be_bytes()].concat())
}

/// Returns the time before which markers are removed, in milliseconds since the Unix epoch.
#[must_use]
pub fn oldest(now_ms: u64, kept_ms: u64) -> u64 {
    now_ms.saturating_sub(kept_ms.saturating_add(SPARE_MS))
}

impl FeedPlace {
    /// The cursor before all markers of this millisecond.
    #[must_use]
    pub fn at(ms: u64) -> FeedPlace {
        FeedPlace {
            ms,
            number: 0,
            mark: 0,
        }
    }

    /// Returns the place of a marker that is stored now, given the place of the last marker. Places grow even if the
    /// clock goes back.
    #[must_use]
    pub fn next(self, now_ms: u64) -> FeedPlace {
        if now_ms > self.ms {
            return FeedPlace::at(now_ms);
        }
        FeedPlace {
            ms: self.ms,
            number: self.number.saturating_add(1),
            mark: 0,
        }
    }

    /// Returns the **low watermark**: a cursor before every marker that is stored from now on, with a margin for clock
    /// skew between servers.
    fn quiet(now_ms: u64) -> FeedPlace {
        FeedPlace::at(now_ms.saturating_sub(BACK_MS))
    }

    /// Returns the cursor from which to read again if the marker of this cursor is gone.
    #[must_use]
    pub fn back(self) -> FeedPlace {
        FeedPlace::at(self.ms.saturating_sub(BACK_MS))
    }

    /// Checks that the first of these markers, which were read from this cursor on, is its own marker, and removes it.
    /// Returns false if the store no longer has that marker.
    #[must_use]
    pub fn confirm(self, markers: &mut Vec<Marker>) -> bool {
        if self.mark == 0 {
            return true;
        }
        let is_there = markers.first().is_some_and(|first| first.place == self);
        if is_there {
            markers.remove(0);
        }
        is_there
    }
}

impl Marker {
    /// Creates the marker of a change, at this place.
    #[must_use]
    pub fn new(place: FeedPlace, id: GameId, told: Told, head: Head) -> Marker {
        let mut bytes = [0; 16 + 1 + 8 + 4];
        bytes[..16].copy_from_slice(id.as_bytes());
        bytes[16] = told.code();
        bytes[17..25].copy_from_slice(&head.version.to_be_bytes());
        bytes[25..].copy_from_slice(&head.mark.to_be_bytes());
        let [a, b, c, d, ..] = xxh3_64(&bytes).to_be_bytes();
        // A mark of 0 means that a place has no marker.
        let mark = u32::from_be_bytes([a, b, c, d]) | 1;
        Marker {
            place: FeedPlace { mark, ..place },
            id,
            told,
            head,
        }
    }
}

impl Told {
    /// Returns the byte that encodes this kind in stored markers.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Told::Created => b'c',
            Told::Version => b'v',
            Told::Lists => b'l',
            Told::Deleted => b'd',
        }
    }

    /// Decodes the byte of [`Told::code`]. Returns `None` if no kind has this code.
    #[must_use]
    pub fn of(code: u8) -> Option<Told> {
        let all = [Told::Created, Told::Version, Told::Lists, Told::Deleted];
        all.into_iter().find(|told| told.code() == code)
    }
}

impl FeedFrom {
    /// Returns the cursor to read after, given the place of the `last` marker. Returns `None` if markers after that
    /// cursor may already have been removed.
    #[must_use]
    pub fn place(self, last: Option<FeedPlace>, now_ms: u64, kept_ms: u64) -> Option<FeedPlace> {
        let place = match self {
            FeedFrom::End => {
                let quiet = FeedPlace::quiet(now_ms);
                return Some(last.map_or(quiet, |last| last.max(quiet)));
            }
            FeedFrom::Time(ms) => FeedPlace::at(ms.min(now_ms)),
            FeedFrom::After(place) => place,
        };
        (place.ms >= now_ms.saturating_sub(kept_ms)).then_some(place)
    }
}

impl FeedPage {
    /// Creates the page that follows a cursor. `markers` has at most one marker more than the limit, which shows that
    /// another page follows.
    #[must_use]
    pub fn of(
        life: u64,
        now_ms: u64,
        after: FeedPlace,
        (mut markers, limit): (Vec<Marker>, usize),
    ) -> FeedPage {
        let is_last = markers.len() <= limit;
        markers.truncate(limit);
        let mut end = markers.last().map_or(after, |last| last.place);
        if is_last {
            end = end.max(FeedPlace::quiet(now_ms));
        }
        FeedPage {
            life,
            now_ms,
            markers,
            end,
            is_last,
            unsure_ms: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Version;

    const MINUTE: u64 = 60_000;

    fn marker(ms: u64, version: Version) -> Marker {
        let head = Head::of(version, b"entry");
        Marker::new(FeedPlace::at(ms), Uuid::from_u128(7), Told::Version, head)
    }

    #[test]
    fn a_place_holds_for_its_own_marker_alone() {
        let (mine, other) = (marker(5, 1), marker(5, 2));
        let mut read = vec![mine, marker(6, 3)];
        assert!(mine.place.confirm(&mut read));
        assert_eq!(read, [marker(6, 3)]);
        let mut read = vec![other];
        assert!(!mine.place.confirm(&mut read));
        assert!(FeedPlace::at(5).confirm(&mut read));
        assert_eq!(read, [other]);
    }

    #[test]
    fn places_grow_even_if_the_clock_goes_back() {
        let mut places = vec![FeedPlace::at(9)];
        for now_ms in [9, 7, 8, 10, 10] {
            places.push(places[places.len() - 1].next(now_ms));
        }
        assert!(places.is_sorted_by(|one, next| one < next), "{places:?}");
        assert_eq!(
            places[5],
            FeedPlace {
                ms: 10,
                number: 1,
                mark: 0
            }
        );
    }

    /// Readers restart when the store or its retention period changes; a kept life would make them miss changes.
    #[test]
    fn a_life_is_that_of_one_store_with_one_setting() {
        let lives = [(b"one", 5), (b"one", 6), (b"two", 5)].map(|(who, kept)| life_of(who, kept));
        assert_eq!(lives[0], life_of(b"one", 5));
        assert!(lives[0] != lives[1] && lives[0] != lives[2] && lives[1] != lives[2]);
    }

    #[test]
    fn markers_are_kept_an_hour_longer_than_readers_may_rely_on() {
        let now = 100 * 60 * MINUTE;
        assert_eq!(oldest(now, 0), now - 60 * MINUTE);
        assert_eq!(oldest(now, 10 * MINUTE), now - 70 * MINUTE);
        assert_eq!(oldest(now, now), 0);
        assert_eq!(oldest(now, u64::MAX), 0);
    }

    #[test]
    fn a_reader_without_news_moves_on_with_the_time() {
        let (day, now) = (24 * 60 * MINUTE, 100 * 24 * 60 * MINUTE);
        let old = FeedPlace::at(now - day);
        let page = FeedPage::of(1, now, old, (vec![], 10));
        assert_eq!(page.end, FeedPlace::at(now - MINUTE));
        let young = marker(now - 5, 1);
        let page = FeedPage::of(1, now, young.place, (vec![], 10));
        assert_eq!(page.end, young.place);
        let page = FeedPage::of(1, now, old, (vec![young, marker(now, 2)], 1));
        assert_eq!((page.end, page.is_last), (young.place, false));
        assert_eq!(page.markers, [young]);
    }

    #[test]
    fn a_place_expires_with_what_follows_it() {
        let (now, kept) = (100 * MINUTE, 10 * MINUTE);
        let place = |from: FeedFrom, last| from.place(last, now, kept);
        let at = |minute| FeedPlace::at(minute * MINUTE);
        assert_eq!(place(FeedFrom::After(at(90)), None), Some(at(90)));
        assert_eq!(place(FeedFrom::After(at(89)), None), None);
        assert_eq!(place(FeedFrom::Time(91 * MINUTE), None), Some(at(91)));
        assert_eq!(place(FeedFrom::Time(u64::MAX), None), Some(at(100)));
        assert_eq!(place(FeedFrom::Time(0), None), None);
        assert_eq!(place(FeedFrom::End, None), Some(at(99)));
        assert_eq!(place(FeedFrom::End, Some(at(5))), Some(at(99)));
        let last = marker(100 * MINUTE, 1).place;
        assert_eq!(place(FeedFrom::End, Some(last)), Some(last));
    }
}
