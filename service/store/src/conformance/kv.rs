use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::join_all;
use tokio::time::{sleep, timeout};
use uuid::Uuid;

use super::StoreHandles;
use crate::clock::now_ms;
use crate::{GameId, GameStore, KvRecord};

fn lasting(bytes: &str) -> KvRecord {
    KvRecord {
        bytes: Bytes::from(bytes.to_owned()),
        expires_ms: u64::MAX,
    }
}

async fn set(store: &dyn GameStore, id: GameId, expected: &str, record: KvRecord) -> bool {
    let expected = Bytes::from(expected.to_owned());
    store
        .kv_compare_and_set(id, expected, record)
        .await
        .unwrap()
}

async fn read(store: &dyn GameStore, id: GameId) -> Bytes {
    store.kv_get(id).await.unwrap()
}

/// A change must name the current bytes of the record. A record does not exist as a game.
pub async fn a_kv_record_is_compared_and_set(handles: &StoreHandles) {
    let (one, other) = (&*handles.one, &*handles.other);
    let [id, another] = [Uuid::now_v7(), Uuid::now_v7()];
    assert_eq!(read(one, id).await, "");
    assert!(!set(one, id, "never set", lasting("one")).await);
    assert!(set(one, id, "", lasting("one")).await);
    assert!(!set(other, id, "", lasting("two")).await, "set already");
    assert_eq!(read(other, id).await, "one");
    assert!(set(other, id, "one", lasting("two")).await);
    assert!(!set(one, id, "one", lasting("three")).await, "too late");
    assert_eq!(read(one, id).await, "two");
    assert_eq!(read(one, another).await, "");
    assert_eq!(one.load(id, None).await.unwrap(), None, "a note is no game");
    assert!(set(one, id, "two", lasting("")).await, "it is removed");
    for store in [one, other] {
        assert_eq!(read(store, id).await, "");
    }
    assert!(set(other, id, "", lasting("four")).await);
    assert_eq!(read(one, id).await, "four");
}

/// A record expires at its time, which a later change may move.
pub async fn a_kv_record_expires(handles: &StoreHandles) {
    let (one, other) = (&*handles.one, &*handles.other);
    let [short, moved] = [Uuid::now_v7(), Uuid::now_v7()];
    let until = |ms: u64| KvRecord {
        expires_ms: now_ms() + ms,
        ..lasting("note")
    };
    for id in [short, moved] {
        assert!(set(one, id, "", until(400)).await);
    }
    assert!(set(one, moved, "note", until(60_000)).await);
    for id in [short, moved] {
        assert_eq!(read(other, id).await, "note");
    }
    sleep(Duration::from_millis(600)).await;
    for store in [one, other] {
        assert_eq!(read(store, short).await, "");
        assert_eq!(read(store, moved).await, "note");
    }
    assert!(!set(one, short, "note", lasting("late")).await);
    assert!(set(one, short, "", lasting("new")).await);
    let passed = KvRecord {
        expires_ms: now_ms() - 1,
        ..lasting("note")
    };
    assert!(set(other, short, "new", passed).await);
    assert_eq!(read(one, short).await, "");
}

/// A change wakes the watchers of the record's id, in every process.
pub async fn a_kv_change_wakes_its_watchers(handles: &StoreHandles) {
    let id = Uuid::now_v7();
    let mut here = handles.one.watch(id).await.unwrap();
    let mut there = handles.other.watch(id).await.unwrap();
    for (before, after) in [("", "one"), ("one", "two"), ("two", "")] {
        for watcher in [&mut here, &mut there] {
            watcher.borrow_and_update();
        }
        assert!(set(&*handles.one, id, before, lasting(after)).await);
        for watcher in [&mut here, &mut there] {
            let woken = timeout(Duration::from_secs(5), watcher.changed());
            woken.await.unwrap().unwrap();
        }
    }
}

/// No update is lost when many tasks write a record at once: each value follows from the one before.
pub async fn concurrent_kv_changes_have_one_winner_each(handles: &StoreHandles) {
    let id = Uuid::now_v7();
    let writers = (0..WRITERS).map(|number| {
        let store = if number.is_multiple_of(2) {
            &handles.one
        } else {
            &handles.other
        };
        tokio::spawn(count_up(Arc::clone(store), id))
    });
    for writer in join_all(writers).await {
        writer.unwrap();
    }
    let sum = WRITERS * TIMES;
    assert_eq!(read(&*handles.one, id).await, sum.to_string());
}

/// The number of tasks that write one record, and how often each of them does.
const WRITERS: u32 = 8;
const TIMES: u32 = 4;

async fn count_up(store: Arc<dyn GameStore>, id: GameId) {
    for _ in 0..TIMES {
        loop {
            let before = read(&*store, id).await;
            let number = std::str::from_utf8(&before).unwrap();
            let number = number.parse::<u32>().unwrap_or(0) + 1;
            let record = lasting(&number.to_string());
            if store.kv_compare_and_set(id, before, record).await.unwrap() {
                break;
            }
        }
    }
}
