//! The background work of the store in Redis, and the data that it leaves behind.

use std::time::Duration;

use bytes::Bytes;
use gamekeeper_store::clock::{millis, now_ms};
use gamekeeper_store::feed::{
    ChangeKind, DEFAULT_FEED_RETENTION, FeedFrom, FeedPage, FeedRead, feed_lifetime_ms, feed_topic,
};
use gamekeeper_store::{Created, GameId, GameStore, IndexRow, Lists, NewGame, Version};
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::waiting::until;
use gamekeeper_tests::writing::{entry_bytes, new_game, snapshot_bytes};
use tokio::time::sleep;
use uuid::Uuid;

use super::redis::{check_log, config_of, open_at};
use super::{created, grow};

async fn feed_page(store: &dyn GameStore, from: FeedFrom) -> FeedPage {
    match store.feed("writer", from, 1_000).await.unwrap() {
        FeedRead::Page(page) => page,
        other @ (FeedRead::Expired | FeedRead::Disabled) => panic!("{other:?}"),
    }
}

/// Follows the feed of the tenant, which begins it, and returns its end.
async fn feed_end(store: &dyn GameStore) -> FeedFrom {
    FeedFrom::After(feed_page(store, FeedFrom::End).await.end_offset)
}

/// Counts the markers of this kind for a game in the feed of the tenant.
async fn feed_record_count(
    store: &dyn GameStore,
    from: FeedFrom,
    (id, kind): (GameId, ChangeKind),
) -> usize {
    let page = feed_page(store, from).await;
    let records = page.records.iter();
    records
        .filter(|record| (record.id, record.kind) == (id, kind))
        .count()
}

/// Creates a game and puts it in another list.
async fn listed_anew(store: &dyn GameStore) -> GameId {
    let id = created(store).await;
    let lists = Lists {
        changed_ms: now_ms(),
        names: vec![String::from("a list")],
        timed: Vec::new(),
    };
    let row = IndexRow {
        lists: Some(lists),
        ..new_game(id).row
    };
    let access = Bytes::from("access");
    let set = store.set_access(id, Bytes::new(), access, None, Some(row));
    assert!(set.await.unwrap());
    id
}

/// Checks that the feed of a cluster reports changed lists twice: before they change, and again afterwards.
pub(super) async fn changed_lists_are_told_twice(store: &dyn GameStore) {
    let from = feed_end(store).await;
    let id = listed_anew(store).await;
    until("the feed tells it again", async || {
        feed_record_count(store, from, (id, ChangeKind::Lists)).await == 2
    })
    .await;
}

/// A single Redis writes the marker for changed lists together with the change.
#[tokio::test(flavor = "multi_thread")]
async fn one_server_tells_of_changed_lists_once() {
    let server = RedisServer::start(&RedisOptions::new());
    let store = open_at(config_of(&server)).await;
    let from = feed_end(&*store).await;
    let id = listed_anew(&*store).await;
    let count = async || feed_record_count(&*store, from, (id, ChangeKind::Lists)).await;
    assert_eq!(count().await, 1);
    sleep(Duration::from_millis(300)).await;
    assert_eq!(count().await, 1);
}

/// Nobody pays for a feed that nobody follows: it has no markers before its first reader, nor after its last one is
/// long gone. Then it begins anew, and no cursor of the former feed is valid.
#[tokio::test(flavor = "multi_thread")]
async fn a_feed_that_nobody_follows_gets_no_markers() {
    let server = RedisServer::start(&RedisOptions::new());
    let [store, other] = [
        open_at(config_of(&server)).await,
        open_at(config_of(&server)).await,
    ];
    let topic = feed_topic("writer");
    let marker_count = || server.ask::<i64>(&["XLEN", &format!("gk:{{{topic}}}:feed")]);
    let id = created(&*store).await;
    grow(&*store, id, 2..=17).await;
    assert_eq!(marker_count(), 0);
    let first = feed_page(&*store, FeedFrom::End).await;
    grow(&*other, id, 18..=34).await;
    assert_eq!(marker_count(), 17);
    let begun = format!("gk:{{{topic}}}:begun");
    let left_ms: i64 = server.ask(&["PTTL", &begun]);
    let kept_ms = i64::try_from(feed_lifetime_ms(millis(DEFAULT_FEED_RETENTION))).unwrap();
    assert!((kept_ms - 60_000..=kept_ms).contains(&left_ms), "{left_ms}");

    assert_eq!(
        server.ask::<i64>(&["DEL", &begun]),
        1,
        "as if it had expired"
    );
    for store in [&store, &other] {
        let newest = store.log(id, 0, usize::MAX).await.unwrap().unwrap().len() as Version;
        grow(&**store, id, newest + 1..=newest + 3).await;
    }
    assert_eq!(marker_count(), 17);
    let continued = FeedFrom::After(first.end_offset);
    for from in [continued, FeedFrom::Time(first.now_ms)] {
        let read = store.feed("writer", from, 9).await.unwrap();
        assert_eq!(read, FeedRead::Expired, "{from:?}");
    }
    let second = feed_page(&*other, FeedFrom::End).await;
    assert_ne!(second.feed_epoch, first.feed_epoch);
    grow(&*store, id, 41..=42).await;
    assert_eq!(marker_count(), 19);
}

/// A feed without new changes loses its old markers too.
#[tokio::test(flavor = "multi_thread")]
async fn a_sweep_takes_old_markers_out_of_feeds() {
    let server = RedisServer::start(&RedisOptions::new());
    let store = open_at(config_of(&server)).await;
    feed_end(&*store).await;
    created(&*store).await;
    let feed = format!("gk:{{{}}}:feed", feed_topic("writer"));
    assert_eq!(server.ask::<i64>(&["DEL", &feed]), 1, "it has a marker");
    let last_year = now_ms() - 365 * 24 * 60 * 60 * 1_000;
    for number in 0..450 {
        let number = format!("{last_year}-{number}");
        let _: String = server.ask(&["XADD", &feed, &number, "m", "a marker"]);
    }
    let _gone: i64 = server.ask(&["DEL", "gk:tidied"]);
    // Redis frees whole blocks of a stream, and may keep the last one.
    until("the feed is short", async || {
        server.ask::<i64>(&["XLEN", &feed]) <= 100
    })
    .await;
}

/// Redis serves nobody else while a script runs, so a longer log is written in parts under a key of its own and then
/// renamed.
#[tokio::test(flavor = "multi_thread")]
async fn a_long_past_is_written_in_parts() {
    let server = RedisServer::start(&RedisOptions::new());
    let store = open_at(config_of(&server)).await;
    let renamed = || {
        let stats: String = server.ask(&["INFO", "commandstats"]);
        stats.contains("cmdstat_rename:")
    };
    for (versions, is_in_parts) in [(1_000, false), (1_001, true), (3_000, true)] {
        let _: String = server.ask(&["CONFIG", "RESETSTAT"]);
        let id = Uuid::now_v7();
        let game = NewGame {
            history: (2..=versions)
                .map(|version: Version| entry_bytes(id, version))
                .collect(),
            snapshot: snapshot_bytes(id, versions),
            ..new_game(id)
        };
        assert_eq!(store.create(game).await.unwrap(), Created::Done);
        assert_eq!(renamed(), is_in_parts, "{versions}");
        check_log(&*store, id, versions).await;
    }
    let waiting: Vec<String> = server.ask(&["KEYS", "gk:*:waiting:*"]);
    assert!(waiting.is_empty(), "{waiting:?}");
}

/// The memory usage of Redis, and the agreement of its clock, are known a little later.
#[tokio::test(flavor = "multi_thread")]
async fn the_memory_and_the_clock_of_redis_are_looked_at() {
    const LIMIT: u64 = 1 << 30;
    let server = RedisServer::start(&RedisOptions::new());
    let store = open_at(config_of(&server)).await;
    assert_eq!(store.capacity().limit_bytes, 0, "there is none");
    let _: String = server.ask(&["CONFIG", "SET", "maxmemory", &LIMIT.to_string()]);
    until("the limit is seen", async || {
        store.capacity().limit_bytes == LIMIT
    })
    .await;
    let capacity = store.capacity();
    assert!((1..LIMIT).contains(&capacity.used_bytes), "{capacity:?}");
    assert_eq!(capacity.clock_ahead_ms, 0, "it is the same clock");
}

/// A dropped store stops its background work, even if nobody closed it.
#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_is_dropped_leaves_no_connection() {
    let server = RedisServer::start(&RedisOptions::new());
    let connections = || server.ask::<String>(&["CLIENT", "LIST"]).lines().count();
    let store = open_at(config_of(&server)).await;
    let id = created(&*store).await;
    let watcher = store.watch(id).await.unwrap();
    // Its own connections, and the one that asks.
    assert!(connections() > 2);
    drop((watcher, store));
    until("the connections are closed", async || connections() == 1).await;
}
