//! The **change feeds** of tenants: one stream each, trimmed by time.
//!
//! A key beside the feed exists while somebody follows it, and says when it began. On one server, the script that makes
//! a change reads this key and, if it exists, adds the record, atomically. In a cluster the feed may lie on another
//! node: there the record is written first, whether or not somebody follows the feed, and the change is made only
//! within a deadline, while readers of the record still wait for it. A process that dies or stalls between the two
//! leaves a record without a change, but never a change without a record.

use std::sync::Arc;

use arrayvec::{ArrayString, ArrayVec};
use bytes::Bytes;
use gamekeeper_store::clock::now_ms;
use gamekeeper_store::feed::{
    COMMIT_DELAY_BOUND_MS, ChangeKind, FeedFrom, FeedOffset, FeedPage, FeedRead, FeedRecord,
    feed_epoch, feed_lifetime_ms, feed_topic, retention_cutoff_ms,
};
use gamekeeper_store::{Commit, GameId, Head, StoreError};
use quick_cache::sync::Cache;
use redis::Value;
use uuid::Uuid;

use super::config::ReplicaWait;
use super::errors::{damaged, of_read};
use super::keys::{Key, decimal, feed_key, feed_start_key};
use super::link::Link;
use super::scripts::Scripts;
use super::{RedisStore, reply};

/// How long after its record a change may be made, in milliseconds. Readers wait longer than this, because the clocks
/// of nodes differ.
const COMMIT_WITHIN_MS: u64 = COMMIT_DELAY_BOUND_MS / 2;

/// The maximum number of feeds of which a process remembers that somebody follows them.
const REMEMBERED_FEEDS: usize = 4_096;

/// The feeds that somebody follows, as far as this process knows. An error costs a round trip or a few bytes, since the
/// scripts read what Redis knows.
pub(super) struct FollowedFeeds(Cache<GameId, ()>);

impl FollowedFeeds {
    pub(super) fn new() -> FollowedFeeds {
        FollowedFeeds(Cache::new(REMEMBERED_FEEDS))
    }

    fn contains(&self, topic: GameId) -> bool {
        !self.0.is_empty() && self.0.get(&topic).is_some()
    }

    fn insert(&self, topic: GameId) {
        self.0.insert(topic, ());
    }

    fn remove(&self, topic: GameId) {
        self.0.remove(&topic);
    }
}

/// The record of a change, as keys and arguments of the script that makes the change.
#[derive(Default)]
pub(super) struct FeedAppend {
    /// The topic of the feed, if the script adds the record.
    topic: Option<GameId>,
    /// The record without the number of its entry. Empty if the script has no record to add.
    record: ArrayVec<u8, 17>,
    /// The oldest number to keep in the feed or, if the record was written before, the deadline of the change in
    /// milliseconds.
    limit: ArrayString<20>,
}

impl FeedAppend {
    /// Returns the keys of the change, followed by the beginning of the feed and the feed.
    pub(super) fn keys<const N: usize>(&self, keys: [Key; N]) -> ArrayVec<Key, 6> {
        let topic = self.topic;
        let of_feed = topic.map(|topic| [feed_start_key(topic), feed_key(topic)]);
        keys.into_iter()
            .chain(of_feed.into_iter().flatten())
            .collect()
    }

    /// Returns the key of the beginning of the feed, if the script has to read it.
    pub(super) fn start_key(&self) -> Option<Key> {
        self.topic.map(feed_start_key)
    }

    /// Returns the key of the feed, if the script adds a record.
    pub(super) fn feed_key(&self) -> Option<Key> {
        let topic = self.topic.filter(|_| !self.record.is_empty());
        topic.map(feed_key)
    }

    /// Returns the last arguments of the change.
    pub(super) fn args(&self) -> [&[u8]; 2] {
        [&self.record, self.limit.as_bytes()]
    }

    /// Whether the script needs these arguments.
    pub(super) fn has_args(&self) -> bool {
        !self.record.is_empty() || !self.limit.is_empty()
    }
}

impl RedisStore {
    /// Prepares the record of a change. In a cluster, writes it. `number` is that of the entry, or `0-0` if it is not
    /// known beforehand.
    pub(super) async fn prepare_feed_append(
        &self,
        link: &Link,
        tenant: &str,
        (id, kind, number): (GameId, ChangeKind, &str),
    ) -> Result<FeedAppend, StoreError> {
        if self.scripts.feed_retention_ms == 0 {
            return Ok(FeedAppend::default());
        }
        let mut record = ArrayVec::from(<[u8; 17]>::default());
        record[..16].copy_from_slice(id.as_bytes());
        record[16] = kind.code();
        if matches!(link, Link::Cluster(_)) {
            let record = [&record[..], number.as_bytes()].concat();
            // Boxed, so that it does not enlarge the future of every change on one server.
            let offset = Box::pin(append_record(
                link,
                &self.scripts,
                self.wait,
                (tenant, &record),
            ))
            .await?;
            return Ok(FeedAppend {
                limit: decimal(offset.ms.saturating_add(COMMIT_WITHIN_MS)),
                ..FeedAppend::default()
            });
        }
        Ok(FeedAppend {
            topic: Some(feed_topic(tenant)),
            record,
            limit: decimal(retention_cutoff_ms(
                now_ms(),
                self.scripts.feed_retention_ms,
            )),
        })
    }

    /// Prepares the record of a new version. Has no record if this process does not know of followers: the script then
    /// refuses the commit if there are any.
    pub(super) async fn prepare_commit_append(
        &self,
        link: &Link,
        commit: &Commit,
        number: &str,
    ) -> Result<FeedAppend, StoreError> {
        let is_on_one_server = !matches!(link, Link::Cluster(_));
        if is_on_one_server && self.scripts.feed_retention_ms > 0 && commit.row.is_none() {
            let topic = feed_topic(&commit.tenant);
            if !self.followed.contains(topic) {
                return Ok(FeedAppend {
                    topic: Some(topic),
                    ..FeedAppend::default()
                });
            }
        }
        let change = (commit.id, ChangeKind::Version, number);
        self.prepare_feed_append(link, &commit.tenant, change).await
    }

    /// Remembers whether somebody follows a tenant's feed, as a commit found out.
    pub(super) fn remember_feed(&self, tenant: &str, is_followed: bool) {
        let topic = feed_topic(tenant);
        if is_followed {
            self.followed.insert(topic);
        } else {
            self.followed.remove(topic);
        }
    }

    /// Reports changed lists once more, in the background, if their record was written before the change (in a
    /// cluster): a reader of that record may have read the lists too early, and no version shows it. If this fails,
    /// readers see the new lists with the next version of the game.
    pub(super) fn reappend_to_feed(&self, link: &Link, tenant: &str, (id, number): (GameId, &str)) {
        if self.scripts.feed_retention_ms == 0 || !matches!(link, Link::Cluster(_)) {
            return;
        }
        let record = [
            id.as_bytes().as_slice(),
            &[ChangeKind::Lists.code()][..],
            number.as_bytes(),
        ]
        .concat();
        let (link, scripts, wait) = (link.clone(), Arc::clone(&self.scripts), self.wait);
        let tenant = tenant.to_owned();
        tokio::spawn(async move {
            if let Err(error) = append_record(&link, &scripts, wait, (&tenant, &record)).await {
                tracing::debug!(%id, %error, "a feed was not told again of changed lists");
            }
        });
    }

    /// Whether this process knows that somebody follows a tenant's feed.
    pub(super) fn is_followed(&self, tenant: &str) -> bool {
        !self.followed.0.is_empty() && self.followed.contains(feed_topic(tenant))
    }

    /// Wakes the followers of a tenant's feed in this process.
    pub(super) fn notify_feed(&self, tenant: &str) {
        // Without a follower in this process there is nobody to wake, and mostly no need for the topic.
        if !self.followed.0.is_empty() {
            self.notifier.notify(feed_topic(tenant));
        }
    }

    pub(super) async fn read_feed(
        &self,
        tenant: &str,
        from: FeedFrom,
        limit: usize,
    ) -> Result<FeedRead, StoreError> {
        if self.scripts.feed_retention_ms == 0 {
            return Ok(FeedRead::Disabled);
        }
        let topic = feed_topic(tenant);
        let keys = [feed_key(topic), feed_start_key(topic)];
        let first = match from {
            FeedFrom::End => FeedOffset::at(u64::MAX),
            FeedFrom::Time(ms) => FeedOffset::at(ms),
            FeedFrom::After(offset) => offset,
        };
        let slice = self
            .read_slice(&keys, (first, from.begins()), limit)
            .await?;
        let (now_ms, last) = (slice.now_ms, slice.last.map(|last| last.offset));
        let Some(beginning) = slice.beginning else {
            return Ok(FeedRead::Expired);
        };
        self.followed.insert(topic);
        let bounds = (beginning.ms, last);
        let Some(after) = from.resolve(bounds, now_ms, self.scripts.feed_retention_ms) else {
            return Ok(FeedRead::Expired);
        };
        let mut records = slice.records;
        let after = match from {
            // `slice` was read from the end, so it has no records.
            FeedFrom::End => after,
            FeedFrom::Time(_) | FeedFrom::After(_) if after.verify(&mut records) => after,
            FeedFrom::Time(_) | FeedFrom::After(_) => {
                let rewound = after.rewind();
                let slice = self.read_slice(&keys, (rewound, false), limit).await?;
                records = slice.records;
                rewound
            }
        };
        let (_, epoch) = self.scripts.epoch.key_in_slot_of(&keys[0])?;
        let retention_ms = self.scripts.feed_retention_ms;
        let feed_epoch = feed_epoch(epoch.as_bytes(), retention_ms, &beginning.bytes);
        let mut page = FeedPage::of(feed_epoch, now_ms, after, (records, limit));
        if matches!(self.connections.for_this_thread().await?, Link::Cluster(_)) {
            page.commit_delay_bound_ms = COMMIT_DELAY_BOUND_MS;
        }
        Ok(FeedRead::Page(page))
    }

    /// Reads a feed from an offset on. Requests two records more than the limit: that of the cursor itself, and one
    /// that shows whether more follow. With `begins`, begins the feed if it does not exist.
    async fn read_slice(
        &self,
        keys: &[Key; 2],
        (from, begins): (FeedOffset, bool),
        limit: usize,
    ) -> Result<FeedSlice, StoreError> {
        let link = self.connections.for_this_thread().await?;
        let first = format!("{}-{}", from.ms, from.number);
        let count = limit.saturating_add(2).to_string();
        let lifetime_ms = decimal(feed_lifetime_ms(self.scripts.feed_retention_ms));
        let name = begins.then(|| Uuid::now_v7().to_string());
        let args = [
            first.as_bytes(),
            count.as_bytes(),
            lifetime_ms.as_bytes(),
            name.as_deref().unwrap_or_default().as_bytes(),
        ];
        let call = self.scripts.feed.call(keys, &args);
        let slice = reply::list(call.ask(link, self.wait).await?)?;
        let [seconds, micros, beginning, last, records] =
            <[Value; 5]>::try_from(slice).map_err(|_| unreadable())?;
        let (seconds, micros) = (
            parse_u64(&reply::bytes(seconds)?),
            parse_u64(&reply::bytes(micros)?),
        );
        let (seconds, micros) = seconds.zip(micros).ok_or_else(unreadable)?;
        Ok(FeedSlice {
            now_ms: seconds.saturating_mul(1_000).saturating_add(micros / 1_000),
            beginning: parse_beginning(beginning)?,
            last: parse_records(last)?.pop(),
            records: parse_records(records)?,
        })
    }
}

/// Writes a record without a change, and returns its offset.
async fn append_record(
    link: &Link,
    scripts: &Scripts,
    wait: Option<ReplicaWait>,
    (tenant, record): (&str, &[u8]),
) -> Result<FeedOffset, StoreError> {
    let keys = [feed_key(feed_topic(tenant))];
    let cutoff_ms = decimal(retention_cutoff_ms(now_ms(), scripts.feed_retention_ms));
    let args = [record, cutoff_ms.as_bytes()];
    let number = scripts
        .append_feed
        .call(&keys, &args)
        .ask(link, wait)
        .await?;
    parse_offset(&reply::bytes(number)?).ok_or_else(unreadable)
}

/// Removes expired records from a feed. Every new record does so too; this serves feeds without new records.
pub(super) async fn trim(
    link: &Link,
    tenant: &str,
    (now_ms, retention_ms): (u64, u64),
) -> Result<(), StoreError> {
    let mut command = redis::cmd("XTRIM");
    command.arg(&*feed_key(feed_topic(tenant)));
    command
        .arg("MINID")
        .arg("~")
        .arg(retention_cutoff_ms(now_ms, retention_ms));
    let reply = link.ask(&command).await;
    reply.map(drop).map_err(|error| of_read(&error))
}

/// One part of a feed, as a script returned it.
struct FeedSlice {
    now_ms: u64,
    /// The beginning of the feed. Is `None` if nobody follows it.
    beginning: Option<FeedStart>,
    last: Option<FeedRecord>,
    records: Vec<FeedRecord>,
}

/// The beginning of a feed.
struct FeedStart {
    /// The time at which it began, in milliseconds since the Unix epoch, by the clock of Redis.
    ms: u64,
    /// The stored bytes: the time, and a name that no other beginning has.
    bytes: Bytes,
}

fn parse_beginning(reply: Value) -> Result<Option<FeedStart>, StoreError> {
    if reply == Value::Nil {
        return Ok(None);
    }
    let bytes = reply::bytes(reply)?;
    let ms = bytes.split(|byte| *byte == b' ').next();
    let ms = ms.and_then(parse_u64).ok_or_else(unreadable)?;
    Ok(Some(FeedStart { ms, bytes }))
}

fn parse_records(reply: Value) -> Result<Vec<FeedRecord>, StoreError> {
    let entries = reply::list(reply)?.into_iter();
    entries
        .map(|entry| {
            let [number, fields] =
                <[Value; 2]>::try_from(reply::list(entry)?).map_err(|_| unreadable())?;
            let [_, record] =
                <[Value; 2]>::try_from(reply::list(fields)?).map_err(|_| unreadable())?;
            parse_record(&reply::bytes(number)?, &reply::bytes(record)?).ok_or_else(unreadable)
        })
        .collect()
}

fn parse_record(number: &[u8], record: &[u8]) -> Option<FeedRecord> {
    let (id, rest) = record.split_first_chunk::<16>()?;
    let (kind, entry) = rest.split_first()?;
    // The number of a game's entry has the same form: version and hash.
    let entry = parse_offset(entry)?;
    let head = Head {
        version: entry.ms,
        entry_hash: u32::try_from(entry.number).ok()?,
    };
    let (id, kind) = (Uuid::from_bytes(*id), ChangeKind::of(*kind)?);
    Some(FeedRecord::new(parse_offset(number)?, id, kind, head))
}

/// Decodes the number of a stream entry.
fn parse_offset(number: &[u8]) -> Option<FeedOffset> {
    let dash = number.iter().position(|byte| *byte == b'-')?;
    Some(FeedOffset {
        ms: parse_u64(&number[..dash])?,
        number: parse_u64(&number[dash + 1..])?,
        record_hash: 0,
    })
}

fn parse_u64(text: &[u8]) -> Option<u64> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

fn unreadable() -> StoreError {
    damaged("a feed cannot be read")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marker_is_read_as_a_script_writes_it() {
        let id = Uuid::from_u128(0x2d_30_2d);
        let record = [id.as_bytes().as_slice(), b"v", b"7-4294967295"].concat();
        let read = parse_record(b"1790000000000-3", &record).unwrap();
        assert_eq!((read.id, read.kind), (id, ChangeKind::Version));
        assert_eq!((read.head.version, read.head.entry_hash), (7, u32::MAX));
        assert_eq!((read.offset.ms, read.offset.number), (1_790_000_000_000, 3));
        for wrong in [&record[..17], &record[..18], b"", b"short"] {
            assert_eq!(parse_record(b"1-0", wrong), None);
        }
        assert_eq!(parse_record(b"1", &record), None);
    }
}
