//! The **change feeds** of tenants: a key for each marker, written in the transaction of the change that it announces.

use gamekeeper_store::clock::now_ms;
use gamekeeper_store::feed::{
    FeedFrom, FeedPage, FeedPlace, FeedRead, Marker, Told, feed_topic, life_of, oldest,
};
use gamekeeper_store::{GameId, Head, StoreError, Version};
use redb::{Database, ReadTransaction, ReadableDatabase, ReadableTable};
use uuid::Uuid;

use super::disk::Feeds;
use super::fault::Fault;
use super::tables::{FEED, FEED_LIFE, META, number_in, seal_number};
use super::writer::{Effect, Writer};

/// The length of a key: topic, time, number, game, kind of change, version and mark.
const KEY_LEN: usize = 16 + 8 + 8 + 16 + 1 + 8 + 4;

type Key = [u8; KEY_LEN];

/// The maximum number of expired markers that each new marker removes, so that a feed shrinks while it is used.
const REMOVED: usize = 2;

/// Prepares the feeds of a file. With a retention period of zero, removes them; a later start with another period
/// begins new ones.
pub(super) fn prepare(database: &Database, kept_ms: u64) -> Result<Option<Feeds>, Fault> {
    let found = life_in(database)?;
    if let (Some(life), true) = (found, kept_ms > 0) {
        return Ok(Some(Feeds { kept_ms, life }));
    }
    let change = database.begin_write()?;
    if kept_ms == 0 {
        change.delete_table(FEED)?;
    }
    change.open_table(FEED)?;
    let life = rand::random();
    {
        let mut meta = change.open_table(META)?;
        if kept_ms == 0 {
            meta.remove(FEED_LIFE)?;
        } else {
            meta.insert(FEED_LIFE, seal_number(FEED_LIFE, life).as_slice())?;
        }
    }
    change.commit()?;
    Ok((kept_ms > 0).then_some(Feeds { kept_ms, life }))
}

fn life_in(database: &Database) -> Result<Option<u64>, Fault> {
    let meta = database.begin_read()?.open_table(META)?;
    let sealed = meta.get(FEED_LIFE)?;
    Ok(sealed.and_then(|sealed| number_in(FEED_LIFE, sealed.value())))
}

/// Returns a page of a feed.
pub(super) fn read(
    view: &ReadTransaction,
    Feeds { kept_ms, life }: Feeds,
    (topic, from, limit): (GameId, FeedFrom, usize),
) -> Result<FeedRead, Fault> {
    let (table, now_ms) = (view.open_table(FEED)?, now_ms());
    let last = last_of(&table, topic)?;
    let Some(after) = from.place(last, now_ms, kept_ms) else {
        return Ok(FeedRead::Expired);
    };
    let read = |from: FeedPlace| -> Result<Vec<Marker>, Fault> {
        let (first, end) = (start_key(topic, from), end_key(topic));
        let mut markers = Vec::new();
        let found = table.range(first.as_slice()..=end.as_slice())?;
        for key in found.take(limit.saturating_add(2)) {
            markers.push(marker_in(key?.0.value())?);
        }
        Ok(markers)
    };
    let mut markers = read(after)?;
    let after = if after.confirm(&mut markers) {
        after
    } else {
        markers = read(after.back())?;
        after.back()
    };
    let life = life_of(&life.to_be_bytes(), kept_ms);
    let page = FeedPage::of(life, now_ms, after, (markers, limit));
    Ok(FeedRead::Page(page))
}

impl Writer<'_> {
    /// Adds a marker to the feed of a tenant.
    pub(super) fn tell(
        &mut self,
        tenant: &str,
        (id, told, head): (GameId, Told, Head),
    ) -> Result<(), Fault> {
        let Some(Feeds { kept_ms, .. }) = self.disk.feed.get().copied() else {
            return Ok(());
        };
        let (topic, now_ms) = (feed_topic(tenant), now_ms());
        let last = last_of(&self.feed, topic)?.unwrap_or_default();
        let marker = Marker::new(last.next(now_ms), id, told, head);
        for old in self.old_markers(topic, oldest(now_ms, kept_ms))? {
            self.feed.remove(old.as_slice())?;
        }
        self.feed.insert(key_of(topic, &marker).as_slice(), ())?;
        self.changed(topic, Effect::Woken);
        Ok(())
    }

    /// Returns at most [`REMOVED`] markers of a feed that were stored before this time.
    fn old_markers(&self, topic: GameId, oldest_ms: u64) -> Result<Vec<Vec<u8>>, Fault> {
        let until = start_key(topic, FeedPlace::at(oldest_ms));
        let range = topic.as_bytes().as_slice()..until.as_slice();
        let mut old = Vec::new();
        for key in self.feed.range(range)?.take(REMOVED) {
            old.push(key?.0.value().to_vec());
        }
        Ok(old)
    }
}

/// Returns the place of the last marker of a feed.
fn last_of(
    table: &impl ReadableTable<&'static [u8], ()>,
    topic: GameId,
) -> Result<Option<FeedPlace>, Fault> {
    let (first, end) = (topic.as_bytes().as_slice(), end_key(topic));
    let last = table.range(first..=end.as_slice())?.next_back();
    let last = last.transpose()?;
    last.map(|(key, _)| Ok(marker_in(key.value())?.place))
        .transpose()
}

fn key_of(topic: GameId, marker: &Marker) -> Key {
    let mut key = start_key(topic, marker.place);
    key[32..48].copy_from_slice(marker.id.as_bytes());
    key[48] = marker.told.code();
    key[49..57].copy_from_slice(&marker.head.version.to_be_bytes());
    key[57..].copy_from_slice(&marker.head.mark.to_be_bytes());
    key
}

/// Returns a key before all markers at this place and later ones.
fn start_key(topic: GameId, place: FeedPlace) -> Key {
    let mut key = [0; KEY_LEN];
    key[..16].copy_from_slice(topic.as_bytes());
    key[16..24].copy_from_slice(&place.ms.to_be_bytes());
    key[24..32].copy_from_slice(&place.number.to_be_bytes());
    key
}

/// Returns a key after all markers of a feed.
fn end_key(topic: GameId) -> Key {
    let mut key = [u8::MAX; KEY_LEN];
    key[..16].copy_from_slice(topic.as_bytes());
    key
}

fn marker_in(key: &[u8]) -> Result<Marker, Fault> {
    let read = || {
        let (_, rest) = key.split_first_chunk::<16>()?;
        let (ms, rest) = rest.split_first_chunk::<8>()?;
        let (number, rest) = rest.split_first_chunk::<8>()?;
        let (id, rest) = rest.split_first_chunk::<16>()?;
        let ([told], rest) = rest.split_first_chunk::<1>()?;
        let (version, mark) = rest.split_first_chunk::<8>()?;
        let place = FeedPlace {
            ms: u64::from_be_bytes(*ms),
            number: u64::from_be_bytes(*number),
            mark: 0,
        };
        let head = Head {
            version: Version::from_be_bytes(*version),
            mark: u32::from_be_bytes(mark.try_into().ok()?),
        };
        let told = Told::of(*told)?;
        Some(Marker::new(place, Uuid::from_bytes(*id), told, head))
    };
    read().ok_or_else(|| StoreError::Damaged("a marker of a feed cannot be read".into()).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_as_they_were_written_and_sort_like_places() {
        let topic = feed_topic("red");
        let markers = [(5, Told::Created), (5, Told::Version), (256, Told::Deleted)];
        let mut last = FeedPlace::default();
        let markers = markers.map(|(ms, told)| {
            let head = Head::of(ms, b"entry");
            let marker = Marker::new(last.next(ms), Uuid::from_u128(9), told, head);
            last = marker.place;
            marker
        });
        let keys = markers.map(|marker| key_of(topic, &marker));
        assert_eq!(keys.map(|key| marker_in(&key).unwrap()), markers);
        assert!(keys.is_sorted());
        assert!(start_key(topic, markers[0].place) < keys[0] && keys[2] < end_key(topic));
        assert!(marker_in(&keys[0][..KEY_LEN - 1]).is_err());
    }
}
