//! The **change feeds** of tenants: one stream each, trimmed by time.
//!
//! On one server, the script that makes a change adds its marker, atomically. In a cluster the feed may lie on another
//! node: there the marker is written first, and the change is made only within a deadline, while readers of the marker
//! still wait for it. A process that dies or stalls between the two leaves a marker without a change, but never a
//! change without a marker.

use std::sync::Arc;

use arrayvec::{ArrayString, ArrayVec};
use gamekeeper_store::clock::now_ms;
use gamekeeper_store::feed::{
    FeedFrom, FeedPage, FeedPlace, FeedRead, Marker, Told, UNSURE_MS, feed_topic, life_of, oldest,
};
use gamekeeper_store::{GameId, Head, StoreError};
use redis::Value;
use uuid::Uuid;

use super::config::ReplicaWait;
use super::errors::{damaged, of_read};
use super::keys::{Key, decimal, feed_key};
use super::link::Link;
use super::scripts::Scripts;
use super::{RedisStore, reply};

/// How long after its marker a change may be made, in milliseconds. Readers wait longer than this, because the clocks
/// of nodes differ.
const MADE_WITHIN_MS: u64 = UNSURE_MS / 2;

/// The marker of a change, as keys and arguments of the script that makes the change.
#[derive(Default)]
pub(super) struct Telling {
    /// The key of the feed, if the script adds the marker.
    feed: Option<Key>,
    /// The marker without the number of its entry.
    marker: ArrayVec<u8, 17>,
    /// The oldest number to keep in the feed or, if the marker was written before, the deadline of the change in
    /// milliseconds.
    limit: ArrayString<20>,
}

impl Telling {
    /// Returns the keys of the change, followed by the feed.
    pub(super) fn keys<const N: usize>(&self, keys: [Key; N]) -> ArrayVec<Key, 5> {
        keys.into_iter().chain(self.feed).collect()
    }

    /// Returns the last arguments of the change.
    pub(super) fn args(&self) -> [&[u8]; 2] {
        [&self.marker, self.limit.as_bytes()]
    }
}

impl RedisStore {
    /// Prepares the marker of a change. In a cluster, writes it. `number` is that of the entry, or `0-0` if it is not
    /// known beforehand.
    pub(super) async fn telling(
        &self,
        link: &Link,
        tenant: &str,
        (id, told, number): (GameId, Told, &str),
    ) -> Result<Telling, StoreError> {
        if self.scripts.keep_feed_ms == 0 {
            return Ok(Telling::default());
        }
        let mut marker = ArrayVec::from(<[u8; 17]>::default());
        marker[..16].copy_from_slice(id.as_bytes());
        marker[16] = told.code();
        if matches!(link, Link::Cluster(_)) {
            let marker = [&marker[..], number.as_bytes()].concat();
            // Boxed, so that it does not enlarge the future of every change on one server.
            let place = Box::pin(add(link, &self.scripts, self.wait, (tenant, &marker))).await?;
            return Ok(Telling {
                limit: decimal(place.ms.saturating_add(MADE_WITHIN_MS)),
                ..Telling::default()
            });
        }
        Ok(Telling {
            feed: Some(feed_key(feed_topic(tenant))),
            marker,
            limit: decimal(oldest(now_ms(), self.scripts.keep_feed_ms)),
        })
    }

    /// Reports changed lists once more, in the background, if their marker was written before the change (in a
    /// cluster): a reader of that marker may have read the lists too early, and no version shows it. If this fails,
    /// readers see the new lists with the next version of the game.
    pub(super) fn tell_again(&self, link: &Link, tenant: &str, (id, number): (GameId, &str)) {
        if self.scripts.keep_feed_ms == 0 || !matches!(link, Link::Cluster(_)) {
            return;
        }
        let marker = [
            id.as_bytes().as_slice(),
            &[Told::Lists.code()][..],
            number.as_bytes(),
        ]
        .concat();
        let (link, scripts, wait) = (link.clone(), Arc::clone(&self.scripts), self.wait);
        let tenant = tenant.to_owned();
        tokio::spawn(async move {
            if let Err(error) = add(&link, &scripts, wait, (&tenant, &marker)).await {
                tracing::debug!(%id, %error, "a feed was not told again of changed lists");
            }
        });
    }

    /// Wakes the followers of a tenant's feed in this process.
    pub(super) fn wake_feed(&self, tenant: &str) {
        if self.scripts.keep_feed_ms > 0 {
            self.wakers.poke(feed_topic(tenant));
        }
    }

    pub(super) async fn read_feed(
        &self,
        tenant: &str,
        from: FeedFrom,
        limit: usize,
    ) -> Result<FeedRead, StoreError> {
        if self.scripts.keep_feed_ms == 0 {
            return Ok(FeedRead::Off);
        }
        let keys = [feed_key(feed_topic(tenant))];
        let first = match from {
            FeedFrom::End => FeedPlace::at(u64::MAX),
            FeedFrom::Time(ms) => FeedPlace::at(ms),
            FeedFrom::After(place) => place,
        };
        let part = self.read_part(&keys, first, limit).await?;
        let (now_ms, last) = (part.now_ms, part.last.map(|last| last.place));
        let Some(after) = from.place(last, now_ms, self.scripts.keep_feed_ms) else {
            return Ok(FeedRead::Expired);
        };
        let mut markers = part.markers;
        let after = match from {
            // `part` was read from the end, so it has no markers.
            FeedFrom::End => after,
            FeedFrom::Time(_) | FeedFrom::After(_) if after.confirm(&mut markers) => after,
            FeedFrom::Time(_) | FeedFrom::After(_) => {
                let back = after.back();
                markers = self.read_part(&keys, back, limit).await?.markers;
                back
            }
        };
        let (_, epoch) = self.scripts.epoch.beside(&keys[0])?;
        let life = life_of(epoch.as_bytes(), self.scripts.keep_feed_ms);
        let mut page = FeedPage::of(life, now_ms, after, (markers, limit));
        if matches!(self.links.here().await?, Link::Cluster(_)) {
            page.unsure_ms = UNSURE_MS;
        }
        Ok(FeedRead::Page(page))
    }

    /// Reads a feed from a place on. Requests two markers more than the limit: that of the cursor itself, and one that
    /// shows whether more follow.
    async fn read_part(
        &self,
        keys: &[Key; 1],
        from: FeedPlace,
        limit: usize,
    ) -> Result<Part, StoreError> {
        let link = self.links.here().await?;
        let first = format!("{}-{}", from.ms, from.number);
        let count = limit.saturating_add(2).to_string();
        let args = [first.as_bytes(), count.as_bytes()];
        let call = self.scripts.feed.call(keys, &args);
        let found = reply::list(call.ask(link, self.wait).await?)?;
        let [seconds, micros, last, markers] =
            <[Value; 4]>::try_from(found).map_err(|_| unreadable())?;
        let (seconds, micros) = (
            number_in(&reply::bytes(seconds)?),
            number_in(&reply::bytes(micros)?),
        );
        let (seconds, micros) = seconds.zip(micros).ok_or_else(unreadable)?;
        Ok(Part {
            now_ms: seconds.saturating_mul(1_000).saturating_add(micros / 1_000),
            last: markers_in(last)?.pop(),
            markers: markers_in(markers)?,
        })
    }
}

/// Writes a marker without a change, and returns its place.
async fn add(
    link: &Link,
    scripts: &Scripts,
    wait: Option<ReplicaWait>,
    (tenant, marker): (&str, &[u8]),
) -> Result<FeedPlace, StoreError> {
    let keys = [feed_key(feed_topic(tenant))];
    let oldest = decimal(oldest(now_ms(), scripts.keep_feed_ms));
    let args = [marker, oldest.as_bytes()];
    let number = scripts.tell.call(&keys, &args).ask(link, wait).await?;
    place_of(&reply::bytes(number)?).ok_or_else(unreadable)
}

/// Removes expired markers from a feed. Every new marker does so too; this serves feeds without new markers.
pub(super) async fn trim(
    link: &Link,
    tenant: &str,
    (now_ms, kept_ms): (u64, u64),
) -> Result<(), StoreError> {
    let mut command = redis::cmd("XTRIM");
    command.arg(&*feed_key(feed_topic(tenant)));
    command.arg("MINID").arg("~").arg(oldest(now_ms, kept_ms));
    let answer = link.ask(&command).await;
    answer.map(drop).map_err(|error| of_read(&error))
}

/// One part of a feed, as a script returned it.
struct Part {
    now_ms: u64,
    last: Option<Marker>,
    markers: Vec<Marker>,
}

fn markers_in(answer: Value) -> Result<Vec<Marker>, StoreError> {
    let found = reply::list(answer)?.into_iter();
    found
        .map(|entry| {
            let [number, fields] =
                <[Value; 2]>::try_from(reply::list(entry)?).map_err(|_| unreadable())?;
            let [_, marker] =
                <[Value; 2]>::try_from(reply::list(fields)?).map_err(|_| unreadable())?;
            marker_in(&reply::bytes(number)?, &reply::bytes(marker)?).ok_or_else(unreadable)
        })
        .collect()
}

fn marker_in(number: &[u8], marker: &[u8]) -> Option<Marker> {
    let (id, rest) = marker.split_first_chunk::<16>()?;
    let (told, entry) = rest.split_first()?;
    // The number of a game's entry has the same form: version and mark.
    let entry = place_of(entry)?;
    let head = Head {
        version: entry.ms,
        mark: u32::try_from(entry.number).ok()?,
    };
    let (id, told) = (Uuid::from_bytes(*id), Told::of(*told)?);
    Some(Marker::new(place_of(number)?, id, told, head))
}

/// Decodes the number of a stream entry.
fn place_of(number: &[u8]) -> Option<FeedPlace> {
    let dash = number.iter().position(|byte| *byte == b'-')?;
    Some(FeedPlace {
        ms: number_in(&number[..dash])?,
        number: number_in(&number[dash + 1..])?,
        mark: 0,
    })
}

fn number_in(text: &[u8]) -> Option<u64> {
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
        let marker = [id.as_bytes().as_slice(), b"v", b"7-4294967295"].concat();
        let read = marker_in(b"1790000000000-3", &marker).unwrap();
        assert_eq!((read.id, read.told), (id, Told::Version));
        assert_eq!((read.head.version, read.head.mark), (7, u32::MAX));
        assert_eq!((read.place.ms, read.place.number), (1_790_000_000_000, 3));
        for wrong in [&marker[..17], &marker[..18], b"", b"short"] {
            assert_eq!(marker_in(b"1-0", wrong), None);
        }
        assert_eq!(marker_in(b"1", &marker), None);
    }
}
