//! The **change feeds** of tenants: what happened in all games of a tenant, in the order in which it was stored.
//!
//! A feed has a record for each version of each game, each deletion, and each change of the lists that contain a game.
//! A record names the game and the version; the entry itself is read from the game's log. A store writes a record in
//! the same step as the change that it announces. A store that cannot write both atomically writes the record first;
//! the change then follows within [`COMMIT_DELAY_BOUND_MS`], or never. So no stored change is missing from its feed,
//! and the records of one game come in the order of its log.
//!
//! A feed costs something with every change, so it exists only while somebody follows it. The first read of its end, or
//! from a time, begins it, and every read keeps it for [`feed_lifetime_ms`]. A store may also begin a feed earlier.

use uuid::Uuid;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use super::{GameId, Head};

/// How long a feed is kept by default.
pub const DEFAULT_FEED_RETENTION: std::time::Duration =
    std::time::Duration::from_secs(7 * 24 * 60 * 60);

/// Upper bound of the time between a record and the change that it announces, in milliseconds.
pub const COMMIT_DELAY_BOUND_MS: u64 = 60_000;

/// How far a reader goes back if it cannot be sure of its **cursor**, in milliseconds. Exceeds the clock skew between
/// two servers of a store.
const CLOCK_SKEW_MS: u64 = 60_000;

/// How much longer records are kept than readers may rely on, in milliseconds.
const RETENTION_SLACK_MS: u64 = 60 * 60 * 1_000;

/// A **cursor** into a feed: after a certain record, or before all records that were stored from some moment on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct FeedOffset {
    /// When the record was stored, in milliseconds since the Unix epoch, by the clock of the store.
    pub ms: u64,
    /// The number of the record among those of this millisecond.
    pub number: u64,
    /// Identifies the record: after a store has lost its last changes, it may give the same time and number to another
    /// record. 0 if the cursor is before all records of this time and number.
    pub record_hash: u32,
}

/// The kind of change that a record announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
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
pub struct FeedRecord {
    /// The offset of the record in the feed.
    pub offset: FeedOffset,
    /// The game.
    pub id: GameId,
    /// The kind of change.
    pub kind: ChangeKind,
    /// The entry at which the change happened. `head.entry_hash` is 0 if the store does not know it; the version of a
    /// deletion is 0.
    pub head: Head,
}

/// The position from which to read a feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeedFrom {
    /// The end of the feed, to get only later records.
    End,
    /// The first record that was stored at this time or later, in milliseconds since the Unix epoch.
    Time(u64),
    /// The first record after this cursor.
    After(FeedOffset),
}

/// A part of a feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedPage {
    /// Identifies the store, its retention period and the beginning of the feed. Cursors are valid only for a feed with
    /// the same `feed_epoch`.
    pub feed_epoch: u64,
    /// The time, by the clock of the store.
    pub now_ms: u64,
    /// The next records, in order. A record may repeat one of an earlier page if the store has since lost the last
    /// record of that page.
    pub records: Vec<FeedRecord>,
    /// The cursor after the records. It advances with the clock even if nothing happens.
    pub end_offset: FeedOffset,
    /// Whether there are no further records.
    pub is_last: bool,
    /// How long after a record the change that it announces may still be missing, in milliseconds. 0 if the change is
    /// always readable before its record.
    pub commit_delay_bound_ms: u64,
}

/// The result of reading a feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FeedRead {
    /// A page.
    Page(FeedPage),
    /// Records after the cursor may be missing: it is older than the retention period, or the feed began after it.
    Expired,
    /// The store keeps no feeds.
    Disabled,
}

/// The topic that wakes the watchers of a tenant's feed: an id that no game has.
#[must_use]
pub fn feed_topic(tenant: &str) -> GameId {
    const PREFIX: &[u8] = b"feed ";
    const ROOM: usize = 128;
    // Every commit needs it, so usual tenants do not allocate.
    let mut short = [0; ROOM];
    let hash = match short.get_mut(..PREFIX.len() + tenant.len()) {
        Some(name) => {
            name[..PREFIX.len()].copy_from_slice(PREFIX);
            name[PREFIX.len()..].copy_from_slice(tenant.as_bytes());
            xxh3_128(name)
        }
        None => xxh3_128(&[PREFIX, tenant.as_bytes()].concat()),
    };
    Uuid::new_v8(hash.to_be_bytes())
}

/// Returns [`FeedPage::feed_epoch`] of a store with this identity, this retention period, and a name that no other
/// beginning of the feed has.
#[must_use]
pub fn feed_epoch(identity: &[u8], retention_ms: u64, beginning: &[u8]) -> u64 {
    xxh3_64(&[identity, &retention_ms.to_be_bytes(), beginning].concat())
}

/// Returns how long a feed goes on after its last read, in milliseconds: longer than any cursor of that read is valid.
#[must_use]
pub fn feed_lifetime_ms(retention_ms: u64) -> u64 {
    retention_ms.saturating_add(RETENTION_SLACK_MS)
}

/// Returns the time before which records are removed, in milliseconds since the Unix epoch.
#[must_use]
pub fn retention_cutoff_ms(now_ms: u64, retention_ms: u64) -> u64 {
    now_ms.saturating_sub(feed_lifetime_ms(retention_ms))
}

impl FeedOffset {
    /// The cursor before all records of this millisecond.
    #[must_use]
    pub fn at(ms: u64) -> FeedOffset {
        FeedOffset {
            ms,
            number: 0,
            record_hash: 0,
        }
    }

    /// Returns the offset of a record that is stored now, given the offset of the last record. Offsets grow even if the
    /// clock goes back.
    #[must_use]
    pub fn next(self, now_ms: u64) -> FeedOffset {
        if now_ms > self.ms {
            return FeedOffset::at(now_ms);
        }
        FeedOffset {
            ms: self.ms,
            number: self.number.saturating_add(1),
            record_hash: 0,
        }
    }

    /// Returns the **low watermark**: a cursor before every record that is stored from now on, with a margin for clock
    /// skew between servers.
    fn low_watermark(now_ms: u64) -> FeedOffset {
        FeedOffset::at(now_ms.saturating_sub(CLOCK_SKEW_MS))
    }

    /// Returns the cursor from which to read again if the record of this cursor is gone.
    #[must_use]
    pub fn rewind(self) -> FeedOffset {
        FeedOffset::at(self.ms.saturating_sub(CLOCK_SKEW_MS))
    }

    /// Checks that the first of these records, which were read from this cursor on, is its own record, and removes it.
    /// Returns false if the store no longer has that record.
    #[must_use]
    pub fn verify(self, records: &mut Vec<FeedRecord>) -> bool {
        if self.record_hash == 0 {
            return true;
        }
        let is_there = records.first().is_some_and(|first| first.offset == self);
        if is_there {
            records.remove(0);
        }
        is_there
    }
}

impl FeedRecord {
    /// Creates the record of a change, at this offset.
    #[must_use]
    pub fn new(offset: FeedOffset, id: GameId, kind: ChangeKind, head: Head) -> FeedRecord {
        let mut bytes = [0; 16 + 1 + 8 + 4];
        bytes[..16].copy_from_slice(id.as_bytes());
        bytes[16] = kind.code();
        bytes[17..25].copy_from_slice(&head.version.to_be_bytes());
        bytes[25..].copy_from_slice(&head.entry_hash.to_be_bytes());
        let [a, b, c, d, ..] = xxh3_64(&bytes).to_be_bytes();
        // A hash of 0 means that an offset names no record.
        let record_hash = u32::from_be_bytes([a, b, c, d]) | 1;
        FeedRecord {
            offset: FeedOffset {
                record_hash,
                ..offset
            },
            id,
            kind,
            head,
        }
    }
}

impl ChangeKind {
    /// Returns the byte that encodes this kind in stored records.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            ChangeKind::Created => b'c',
            ChangeKind::Version => b'v',
            ChangeKind::Lists => b'l',
            ChangeKind::Deleted => b'd',
        }
    }

    /// Decodes the byte of [`ChangeKind::code`]. Returns `None` if no kind has this code.
    #[must_use]
    pub fn of(code: u8) -> Option<ChangeKind> {
        let all = [
            ChangeKind::Created,
            ChangeKind::Version,
            ChangeKind::Lists,
            ChangeKind::Deleted,
        ];
        all.into_iter().find(|kind| kind.code() == code)
    }
}

impl FeedFrom {
    /// Whether this read begins the feed if it does not exist. One that continues at a cursor must not: what happened
    /// since is missing.
    #[must_use]
    pub const fn begins(self) -> bool {
        match self {
            FeedFrom::End | FeedFrom::Time(_) => true,
            FeedFrom::After(_) => false,
        }
    }

    /// Returns the cursor to read after, given when the feed began and the offset of the `last` record. Returns `None`
    /// if records after that cursor may be missing. A cursor that was issued before the feed began belongs to another
    /// [`FeedPage::feed_epoch`], so its time is not compared.
    #[must_use]
    pub fn resolve(
        self,
        (begun_ms, last): (u64, Option<FeedOffset>),
        now_ms: u64,
        retention_ms: u64,
    ) -> Option<FeedOffset> {
        let offset = match self {
            FeedFrom::End => {
                let low_watermark = FeedOffset::low_watermark(now_ms);
                return Some(last.map_or(low_watermark, |last| last.max(low_watermark)));
            }
            FeedFrom::Time(ms) if ms.min(now_ms) < begun_ms => return None,
            FeedFrom::Time(ms) => FeedOffset::at(ms.min(now_ms)),
            FeedFrom::After(offset) => offset,
        };
        (offset.ms >= now_ms.saturating_sub(retention_ms)).then_some(offset)
    }
}

impl FeedPage {
    /// Creates the page that follows a cursor. `records` has at most one record more than the limit, which shows that
    /// another page follows.
    #[must_use]
    pub fn of(
        feed_epoch: u64,
        now_ms: u64,
        after: FeedOffset,
        (mut records, limit): (Vec<FeedRecord>, usize),
    ) -> FeedPage {
        let is_last = records.len() <= limit;
        records.truncate(limit);
        let mut end_offset = records.last().map_or(after, |last| last.offset);
        if is_last {
            end_offset = end_offset.max(FeedOffset::low_watermark(now_ms));
        }
        FeedPage {
            feed_epoch,
            now_ms,
            records,
            end_offset,
            is_last,
            commit_delay_bound_ms: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Version;

    const MINUTE: u64 = 60_000;

    fn marker(ms: u64, version: Version) -> FeedRecord {
        let head = Head::of(version, b"entry");
        FeedRecord::new(
            FeedOffset::at(ms),
            Uuid::from_u128(7),
            ChangeKind::Version,
            head,
        )
    }

    #[test]
    fn a_place_holds_for_its_own_marker_alone() {
        let (mine, other) = (marker(5, 1), marker(5, 2));
        let mut read = vec![mine, marker(6, 3)];
        assert!(mine.offset.verify(&mut read));
        assert_eq!(read, [marker(6, 3)]);
        let mut read = vec![other];
        assert!(!mine.offset.verify(&mut read));
        assert!(FeedOffset::at(5).verify(&mut read));
        assert_eq!(read, [other]);
    }

    #[test]
    fn offsets_grow_even_if_the_clock_goes_back() {
        let mut offsets = vec![FeedOffset::at(9)];
        for now_ms in [9, 7, 8, 10, 10] {
            offsets.push(offsets[offsets.len() - 1].next(now_ms));
        }
        assert!(offsets.is_sorted_by(|one, next| one < next), "{offsets:?}");
        assert_eq!(
            offsets[5],
            FeedOffset {
                ms: 10,
                number: 1,
                record_hash: 0
            }
        );
    }

    /// Readers restart when the store or its retention period changes; a kept epoch would make them miss changes.
    #[test]
    fn a_feed_epoch_belongs_to_one_store_one_retention_and_one_beginning() {
        let epoch = |(who, retention, beginning): (&[u8; 3], _, &[u8; 1])| {
            feed_epoch(who, retention, beginning)
        };
        let all = [
            (b"one", 5, b"a"),
            (b"one", 6, b"a"),
            (b"two", 5, b"a"),
            (b"one", 5, b"b"),
        ];
        for (at, one) in all.into_iter().enumerate() {
            for (other_at, other) in all.into_iter().enumerate() {
                assert_eq!(epoch(one) == epoch(other), at == other_at);
            }
        }
    }

    #[test]
    fn a_topic_belongs_to_one_tenant_however_long_its_name_is() {
        let tenants = [0, 1, 122, 123, 124, 5_000].map(|length| "a".repeat(length));
        let topics: std::collections::HashSet<GameId> =
            tenants.iter().map(|tenant| feed_topic(tenant)).collect();
        assert_eq!(topics.len(), tenants.len());
        let of = |tenant: &str| xxh3_128(format!("feed {tenant}").as_bytes()).to_be_bytes();
        for tenant in &tenants {
            assert_eq!(feed_topic(tenant), Uuid::new_v8(of(tenant)));
        }
    }

    #[test]
    fn markers_are_kept_an_hour_longer_than_readers_may_rely_on() {
        let now = 100 * 60 * MINUTE;
        assert_eq!(retention_cutoff_ms(now, 0), now - 60 * MINUTE);
        assert_eq!(retention_cutoff_ms(now, 10 * MINUTE), now - 70 * MINUTE);
        assert_eq!(retention_cutoff_ms(now, now), 0);
        assert_eq!(retention_cutoff_ms(now, u64::MAX), 0);
    }

    #[test]
    fn a_reader_without_news_moves_on_with_the_time() {
        let (day, now) = (24 * 60 * MINUTE, 100 * 24 * 60 * MINUTE);
        let old = FeedOffset::at(now - day);
        let page = FeedPage::of(1, now, old, (vec![], 10));
        assert_eq!(page.end_offset, FeedOffset::at(now - MINUTE));
        let young = marker(now - 5, 1);
        let page = FeedPage::of(1, now, young.offset, (vec![], 10));
        assert_eq!(page.end_offset, young.offset);
        let page = FeedPage::of(1, now, old, (vec![young, marker(now, 2)], 1));
        assert_eq!((page.end_offset, page.is_last), (young.offset, false));
        assert_eq!(page.records, [young]);
    }

    #[test]
    fn an_offset_expires_with_the_records_after_it() {
        let (now, retention_ms) = (100 * MINUTE, 10 * MINUTE);
        let resolve = |from: FeedFrom, last| from.resolve((0, last), now, retention_ms);
        let at = |minute| FeedOffset::at(minute * MINUTE);
        assert_eq!(resolve(FeedFrom::After(at(90)), None), Some(at(90)));
        assert_eq!(resolve(FeedFrom::After(at(89)), None), None);
        assert_eq!(resolve(FeedFrom::Time(91 * MINUTE), None), Some(at(91)));
        assert_eq!(resolve(FeedFrom::Time(u64::MAX), None), Some(at(100)));
        assert_eq!(resolve(FeedFrom::Time(0), None), None);
        assert_eq!(resolve(FeedFrom::End, None), Some(at(99)));
        assert_eq!(resolve(FeedFrom::End, Some(at(5))), Some(at(99)));
        let last = marker(100 * MINUTE, 1).offset;
        assert_eq!(resolve(FeedFrom::End, Some(last)), Some(last));
    }

    #[test]
    fn a_feed_has_nothing_from_before_it_began() {
        let (now, begun) = (100 * MINUTE, 95 * MINUTE);
        let resolve = |from: FeedFrom| from.resolve((begun, None), now, 10 * MINUTE);
        assert_eq!(resolve(FeedFrom::Time(begun)), Some(FeedOffset::at(begun)));
        assert_eq!(resolve(FeedFrom::Time(begun - 1)), None);
        let low_watermark = FeedOffset::at(now - MINUTE);
        assert_eq!(resolve(FeedFrom::End), Some(low_watermark));
        // Its first page may end a little before it began.
        let first = FeedFrom::End.resolve((now, None), now, 10 * MINUTE);
        assert_eq!(resolve(FeedFrom::After(low_watermark)), first);
        assert_eq!(
            [
                FeedFrom::End,
                FeedFrom::Time(5),
                FeedFrom::After(low_watermark)
            ]
            .map(FeedFrom::begins),
            [true, true, false]
        );
    }
}
