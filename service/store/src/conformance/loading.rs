use uuid::Uuid;

use super::{StoreHandles, created, entries, grown, head, new_game, snapshot_bytes};
use crate::{Created, Head, IDEMPOTENCY_LOOKBACK, StoredSnapshot, Version};

/// A read never creates a game.
pub async fn a_missing_game_is_reported(handles: &StoreHandles) {
    let id = Uuid::now_v7();
    assert_eq!(handles.one.load(id, None).await.unwrap(), None);
    assert_eq!(handles.one.load(id, Some(head(id, 3))).await.unwrap(), None);
    assert_eq!(handles.one.log(id, 0, 10).await.unwrap(), None);
    assert_eq!(handles.one.log(id, 3, 10).await.unwrap(), None);
    assert!(!handles.one.delete(id).await.unwrap());
}

/// A cold load of a young game returns all entries.
pub async fn a_young_game_loads_whole(handles: &StoreHandles) {
    let id = created(&*handles.one).await;
    grown(&*handles.one, id, 20, &[16]).await;
    let cold = handles.other.load(id, None).await.unwrap().unwrap();
    assert_eq!(cold.entries, entries(id, 1..=20));
    assert_eq!(cold.snapshot, Some(snapshot(id, 16)));
}

/// A cold load returns the last entries that the snapshot contains and all later ones.
pub async fn a_cold_load_looks_back(handles: &StoreHandles) {
    let id = created(&*handles.one).await;
    let taken_at = IDEMPOTENCY_LOOKBACK + 37;
    grown(&*handles.one, id, taken_at + 5, &[taken_at]).await;
    let cold = handles.other.load(id, None).await.unwrap().unwrap();
    assert_eq!(cold.snapshot, Some(snapshot(id, taken_at)));
    assert_eq!(cold.entries, entries(id, 38..=taken_at + 5));
}

/// A warm load returns no snapshot, and only newer entries.
pub async fn a_warm_load_brings_what_is_newer(handles: &StoreHandles) {
    let id = created(&*handles.one).await;
    grown(&*handles.one, id, 12, &[8]).await;
    for version in [1, 5, 8, 11, 12] {
        let known_head = Some(head(id, version));
        let warm = handles.other.load(id, known_head).await.unwrap().unwrap();
        assert_eq!(warm.snapshot, None, "known {version}");
        assert_eq!(
            warm.entries,
            entries(id, version + 1..=12),
            "known {version}"
        );
    }
}

/// A load with a known entry that the log does not have is a cold load.
pub async fn a_known_version_that_is_gone_loads_cold(handles: &StoreHandles) {
    let id = created(&*handles.one).await;
    grown(&*handles.one, id, 5, &[]).await;
    let cold = handles.one.load(id, None).await.unwrap().unwrap();
    let ahead = [6, 7, 1_000].map(|version| head(id, version));
    let lost = [0, 1, 5].map(|version| Head::of(version, b"lost"));
    for unknown_head in ahead.into_iter().chain(lost) {
        let loaded = handles
            .other
            .load(id, Some(unknown_head))
            .await
            .unwrap()
            .unwrap();
        assert_eq!(loaded, cold, "{unknown_head:?}");
    }
    assert!(handles.one.delete(id).await.unwrap());
    assert_eq!(
        handles.one.create(new_game(id)).await.unwrap(),
        Created::Done
    );
    let loaded = handles
        .other
        .load(id, Some(head(id, 5)))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(loaded.snapshot, Some(snapshot(id, 1)));
    assert_eq!(loaded.entries, entries(id, 1..=1));
}

/// Pages follow each other without gap or overlap, and the page after the last entry is empty.
pub async fn a_log_is_read_in_pages(handles: &StoreHandles) {
    let id = created(&*handles.one).await;
    grown(&*handles.one, id, 23, &[]).await;
    for limit in [1, 5, 23, 100] {
        let mut read = Vec::new();
        loop {
            let after = read.len() as Version;
            let page = handles.other.log(id, after, limit).await.unwrap().unwrap();
            if page.is_empty() {
                break;
            }
            assert!(page.len() <= limit);
            read.extend(page);
        }
        assert_eq!(read, entries(id, 1..=23), "limit {limit}");
    }
    assert_eq!(handles.other.log(id, 1_000, 5).await.unwrap(), Some(vec![]));
    assert_eq!(
        handles.other.log(id, Version::MAX, 5).await.unwrap(),
        Some(vec![])
    );
    assert_eq!(handles.other.log(id, 0, 0).await.unwrap(), Some(vec![]));
}

fn snapshot(id: Uuid, version: Version) -> StoredSnapshot {
    StoredSnapshot {
        version,
        bytes: snapshot_bytes(id, version),
    }
}
