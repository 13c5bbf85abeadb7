//! The **change feeds** of tenants: a key for each record, written in the transaction of the change that it announces.

use gamekeeper_store::clock::now_ms;
use gamekeeper_store::feed::{
    ChangeKind, FeedFrom, FeedOffset, FeedPage, FeedRead, FeedRecord, feed_epoch, feed_topic,
    retention_cutoff_ms,
};
use gamekeeper_store::sizes::{FEED_RECORD_LEN, growth};
use gamekeeper_store::{GameId, Head, StoreError, Version};
use redb::{Database, ReadTransaction, ReadableDatabase, ReadableTable};
use uuid::Uuid;

use super::disk::FeedSettings;
use super::fault::Fault;
use super::tables::{FEED, FEED_EPOCH, HAS_BYTES, META, seal_number, unseal_number};
use super::writer::{PostCommit, Writer};

/// The length of a key: topic, time, number, game, kind of change, version and hash.
const KEY_LEN: usize = FEED_RECORD_LEN;

type Key = [u8; KEY_LEN];

/// The maximum number of expired records that each new record removes, so that a feed shrinks while it is used.
const TRIM_BATCH: usize = 2;

/// Prepares the feeds of a file. With a retention period of zero, removes them; a later start with another period
/// begins new ones.
pub(super) fn prepare(
    database: &Database,
    retention_ms: u64,
) -> Result<Option<FeedSettings>, Fault> {
    let stored = stored_feed_epoch(database)?;
    if let (Some(feed_epoch), true) = (stored, retention_ms > 0) {
        return Ok(Some(FeedSettings {
            retention_ms,
            feed_epoch,
        }));
    }
    let change = database.begin_write()?;
    if retention_ms == 0 {
        change.delete_table(FEED)?;
    }
    change.open_table(FEED)?;
    let feed_epoch = rand::random();
    {
        let mut meta = change.open_table(META)?;
        if retention_ms == 0 {
            meta.remove(FEED_EPOCH)?;
            // All sums have lost the records of their tenants.
            meta.remove(HAS_BYTES)?;
        } else {
            meta.insert(FEED_EPOCH, seal_number(FEED_EPOCH, feed_epoch).as_slice())?;
        }
    }
    change.commit()?;
    Ok((retention_ms > 0).then_some(FeedSettings {
        retention_ms,
        feed_epoch,
    }))
}

fn stored_feed_epoch(database: &Database) -> Result<Option<u64>, Fault> {
    let meta = database.begin_read()?.open_table(META)?;
    let sealed = meta.get(FEED_EPOCH)?;
    Ok(sealed.and_then(|sealed| unseal_number(FEED_EPOCH, sealed.value())))
}

/// Returns a page of a feed.
pub(super) fn read(
    view: &ReadTransaction,
    FeedSettings {
        retention_ms,
        feed_epoch: epoch,
    }: FeedSettings,
    (topic, from, limit): (GameId, FeedFrom, usize),
) -> Result<FeedRead, Fault> {
    let (table, now_ms) = (view.open_table(FEED)?, now_ms());
    let last = last_offset(&table, topic)?;
    let Some(after) = from.resolve((0, last), now_ms, retention_ms) else {
        return Ok(FeedRead::Expired);
    };
    let read = |from: FeedOffset| -> Result<Vec<FeedRecord>, Fault> {
        let (first, end) = (start_key(topic, from), end_key(topic));
        let mut records = Vec::new();
        let keys = table.range(first.as_slice()..=end.as_slice())?;
        for key in keys.take(limit.saturating_add(2)) {
            records.push(parse_record(key?.0.value())?);
        }
        Ok(records)
    };
    let mut records = read(after)?;
    let after = if after.verify(&mut records) {
        after
    } else {
        records = read(after.rewind())?;
        after.rewind()
    };
    let epoch = feed_epoch(&epoch.to_be_bytes(), retention_ms, b"");
    let page = FeedPage::of(epoch, now_ms, after, (records, limit));
    Ok(FeedRead::Page(page))
}

impl Writer<'_> {
    /// Adds a record to the feed of a tenant.
    pub(super) fn append_to_feed(
        &mut self,
        tenant: &str,
        (id, kind, head): (GameId, ChangeKind, Head),
    ) -> Result<(), Fault> {
        let Some(FeedSettings { retention_ms, .. }) = self.disk.feed.get().copied() else {
            return Ok(());
        };
        let (topic, now_ms) = (feed_topic(tenant), now_ms());
        let last = last_offset(&self.feed, topic)?.unwrap_or_default();
        let record = FeedRecord::new(last.next(now_ms), id, kind, head);
        let expired = self.expired_records(topic, retention_cutoff_ms(now_ms, retention_ms))?;
        self.count_bytes(tenant, growth(expired.len() * KEY_LEN, KEY_LEN));
        for expired in expired {
            self.feed.remove(expired.as_slice())?;
        }
        self.feed.insert(key_of(topic, &record).as_slice(), ())?;
        self.record_change(topic, PostCommit::Woken);
        Ok(())
    }

    /// Returns at most [`TRIM_BATCH`] records of a feed that were stored before this time.
    fn expired_records(&self, topic: GameId, oldest_ms: u64) -> Result<Vec<Vec<u8>>, Fault> {
        let until = start_key(topic, FeedOffset::at(oldest_ms));
        let range = topic.as_bytes().as_slice()..until.as_slice();
        let mut expired = Vec::new();
        for key in self.feed.range(range)?.take(TRIM_BATCH) {
            expired.push(key?.0.value().to_vec());
        }
        Ok(expired)
    }
}

/// Returns the number of records of a feed.
pub(super) fn count_records(
    table: &impl ReadableTable<&'static [u8], ()>,
    topic: GameId,
) -> Result<usize, Fault> {
    let (first, end) = (topic.as_bytes().as_slice(), end_key(topic));
    Ok(table.range(first..=end.as_slice())?.count())
}

/// Returns the offset of the last record of a feed.
fn last_offset(
    table: &impl ReadableTable<&'static [u8], ()>,
    topic: GameId,
) -> Result<Option<FeedOffset>, Fault> {
    let (first, end) = (topic.as_bytes().as_slice(), end_key(topic));
    let last = table.range(first..=end.as_slice())?.next_back();
    let last = last.transpose()?;
    last.map(|(key, _)| Ok(parse_record(key.value())?.offset))
        .transpose()
}

fn key_of(topic: GameId, record: &FeedRecord) -> Key {
    let mut key = start_key(topic, record.offset);
    key[32..48].copy_from_slice(record.id.as_bytes());
    key[48] = record.kind.code();
    key[49..57].copy_from_slice(&record.head.version.to_be_bytes());
    key[57..].copy_from_slice(&record.head.entry_hash.to_be_bytes());
    key
}

/// Returns a key before all records at this offset and later ones.
fn start_key(topic: GameId, offset: FeedOffset) -> Key {
    let mut key = [0; KEY_LEN];
    key[..16].copy_from_slice(topic.as_bytes());
    key[16..24].copy_from_slice(&offset.ms.to_be_bytes());
    key[24..32].copy_from_slice(&offset.number.to_be_bytes());
    key
}

/// Returns a key after all records of a feed.
fn end_key(topic: GameId) -> Key {
    let mut key = [u8::MAX; KEY_LEN];
    key[..16].copy_from_slice(topic.as_bytes());
    key
}

fn parse_record(key: &[u8]) -> Result<FeedRecord, Fault> {
    let read = || {
        let (_, rest) = key.split_first_chunk::<16>()?;
        let (ms, rest) = rest.split_first_chunk::<8>()?;
        let (number, rest) = rest.split_first_chunk::<8>()?;
        let (id, rest) = rest.split_first_chunk::<16>()?;
        let ([kind], rest) = rest.split_first_chunk::<1>()?;
        let (version, entry_hash) = rest.split_first_chunk::<8>()?;
        let offset = FeedOffset {
            ms: u64::from_be_bytes(*ms),
            number: u64::from_be_bytes(*number),
            record_hash: 0,
        };
        let head = Head {
            version: Version::from_be_bytes(*version),
            entry_hash: u32::from_be_bytes(entry_hash.try_into().ok()?),
        };
        let kind = ChangeKind::of(*kind)?;
        Some(FeedRecord::new(offset, Uuid::from_bytes(*id), kind, head))
    };
    read().ok_or_else(|| StoreError::Damaged("a record of a feed cannot be read".into()).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_as_they_were_written_and_sort_like_places() {
        let topic = feed_topic("red");
        let records = [
            (5, ChangeKind::Created),
            (5, ChangeKind::Version),
            (256, ChangeKind::Deleted),
        ];
        let mut last = FeedOffset::default();
        let records = records.map(|(ms, kind)| {
            let head = Head::of(ms, b"entry");
            let record = FeedRecord::new(last.next(ms), Uuid::from_u128(9), kind, head);
            last = record.offset;
            record
        });
        let keys = records.map(|record| key_of(topic, &record));
        assert_eq!(keys.map(|key| parse_record(&key).unwrap()), records);
        assert!(keys.is_sorted());
        assert!(start_key(topic, records[0].offset) < keys[0] && keys[2] < end_key(topic));
        assert!(parse_record(&keys[0][..KEY_LEN - 1]).is_err());
    }
}
