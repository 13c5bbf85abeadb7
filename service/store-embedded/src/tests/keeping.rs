//! Data with a retention period, feeds and key-value records, and the space that it takes on the disk.

use gamekeeper_store::clock::now_ms;
use gamekeeper_store::feed::FeedPage;
use redb::ReadableTableMetadata;

use super::*;
use crate::tables::KV;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

async fn keeping(directory: &Path, keep_feed: Duration) -> EmbeddedStore {
    let config = EmbeddedConfig {
        keep_feed,
        ..EmbeddedConfig::new(directory)
    };
    EmbeddedStore::open(config).await.unwrap()
}

/// Returns the feed of the tenant of the last hour.
async fn feed(store: &EmbeddedStore) -> FeedPage {
    let from = FeedFrom::Time(now_ms() - 60 * 60 * 1_000);
    match store.feed("a tenant", from, 99).await.unwrap() {
        FeedRead::Page(page) => page,
        other @ (FeedRead::Expired | FeedRead::Disabled) => panic!("{other:?}"),
    }
}

/// Moves records of a feed into the past, by this many milliseconds.
fn grow_old(store: &EmbeddedStore, markers: &[Vec<u8>], ms: u64) {
    let aged = store.disk.call(Phase::Commit, |database| {
        let change = database.begin_write()?;
        {
            let mut table = change.open_table(FEED)?;
            for key in markers {
                table.remove(key.as_slice())?;
                let mut old = key.clone();
                old[16..24].copy_from_slice(&(now_ms() - ms).to_be_bytes());
                table.insert(old.as_slice(), ())?;
            }
        }
        Ok(change.commit()?)
    });
    aged.unwrap();
}

/// A feed does not grow without limit: each new record removes two expired ones.
#[tokio::test]
async fn old_markers_make_room_for_new_ones() {
    let directory = tempfile::tempdir().unwrap();
    let store = keeping(directory.path(), DAY).await;
    let id = Uuid::from_u128(1);
    grow(&store, id, 7).await;
    let markers = keys(&store, FEED);
    assert_eq!(markers.len(), 7);
    let day_ms = 24 * 60 * 60 * 1_000;
    // Some records are expired, and one is older than the retention period but still within its margin.
    grow_old(&store, &markers[..5], day_ms + 2 * 60 * 60 * 1_000);
    grow_old(&store, &markers[5..6], day_ms + 30 * 60 * 1_000);
    for (version, left) in [(7, 6), (8, 5), (9, 5), (10, 6)] {
        assert_eq!(
            store.commit(&commit(id, version)).await.unwrap(),
            Committed::Done
        );
        assert_eq!(keys(&store, FEED).len(), left, "after version {version}");
    }
    let records = feed(&store).await.records;
    let versions = records.iter().map(|marker| marker.head.version);
    assert!(versions.eq(7..=11), "{records:?}");
}

/// A feed continues after a restart. Turning feeds off and on again begins a new feed with another epoch, which
/// readers notice.
#[tokio::test]
async fn a_feed_lives_as_long_as_it_is_kept() {
    let directory = tempfile::tempdir().unwrap();
    let store = keeping(directory.path(), DAY).await;
    grow(&store, Uuid::from_u128(1), 3).await;
    let before = feed(&store).await;
    drop(store);
    let store = keeping(directory.path(), DAY).await;
    let after = feed(&store).await;
    assert_eq!(
        (after.feed_epoch, &after.records),
        (before.feed_epoch, &before.records)
    );
    assert_eq!(after.records.len(), 3);
    drop(store);

    let store = keeping(directory.path(), Duration::ZERO).await;
    grow(&store, Uuid::from_u128(2), 3).await;
    assert_eq!(
        store.feed("a tenant", FeedFrom::End, 9).await.unwrap(),
        FeedRead::Disabled
    );
    assert!(keys(&store, FEED).is_empty());
    drop(store);
    let store = keeping(directory.path(), DAY).await;
    let anew = feed(&store).await;
    assert_ne!(anew.feed_epoch, before.feed_epoch);
    assert_eq!(anew.records, []);
    grow(&store, Uuid::from_u128(3), 2).await;
    assert_eq!(feed(&store).await.records.len(), 2);
}

/// Only a key-value record with an expiry time has a pending task.
#[tokio::test]
async fn a_note_is_due_when_its_time_comes() {
    let directory = tempfile::tempdir().unwrap();
    let store = opened(directory.path()).await;
    let note = |expires_ms| KvRecord {
        bytes: Bytes::from("note"),
        expires_ms,
    };
    let set = async |id, expected, note| {
        let set = store.kv_compare_and_set(Uuid::from_u128(id), Bytes::from_static(expected), note);
        assert!(set.await.unwrap());
    };
    set(1, b"", note(u64::MAX)).await;
    assert!(keys(&store, DUE).is_empty());
    set(2, b"", note(now_ms() + 60_000)).await;
    assert_eq!(keys(&store, DUE).len(), 1);
    set(2, b"note", note(now_ms() + 120_000)).await;
    assert_eq!(keys(&store, DUE).len(), 1);
    set(2, b"note", note(u64::MAX)).await;
    assert!(keys(&store, DUE).is_empty());
    set(2, b"note", note(now_ms() + 1)).await;
    let is_stored = || {
        let read = |view: &ReadTransaction| Ok(view.open_table(KV)?.len()?);
        store.disk.read(read).unwrap()
    };
    until(|| is_stored() == 1).await;
    assert!(keys(&store, DUE).is_empty());
    assert_eq!(store.kv_get(Uuid::from_u128(1)).await.unwrap(), "note");
    assert_eq!(store.kv_get(Uuid::from_u128(2)).await.unwrap(), "");
}

/// An initialization that was interrupted before its first table may be repeated. Once there were games, missing
/// tables count as damage.
#[tokio::test]
async fn a_file_without_tables_is_begun_only_if_there_were_no_games() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("games.redb");
    drop(redb::Database::create(&file).unwrap());
    let store = opened(directory.path()).await;
    grow(&store, Uuid::from_u128(1), 2).await;
    drop(store);
    std::fs::remove_file(&file).unwrap();
    drop(redb::Database::create(&file).unwrap());
    let error = refusal(directory.path()).await;
    assert!(matches!(error, StoreError::Damaged(_)), "{error}");
}

/// The limit is the used and the free space, less the reserve.
#[tokio::test]
async fn the_limit_of_the_disk_leaves_the_reserve() {
    let directory = tempfile::tempdir().unwrap();
    let capacity = async |reserve_bytes| {
        let config = EmbeddedConfig {
            reserve_bytes,
            ..EmbeddedConfig::new(directory.path())
        };
        let store = EmbeddedStore::open(config).await.unwrap();
        store.capacity()
    };
    let all = capacity(0).await;
    assert!(
        0 < all.used_bytes && all.used_bytes <= all.limit_bytes,
        "{all:?}"
    );
    assert_eq!(capacity(u64::MAX).await.limit_bytes, 0);
}
