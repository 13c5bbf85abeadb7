use uuid::Uuid;

use super::{Subject, created, entries, grown, head, new_game, snapshot_bytes};
use crate::{Created, Head, LOOK_BACK, StoredSnapshot, Version};

/// A read never creates a game.
pub async fn a_missing_game_is_reported(subject: &Subject) {
    let id = Uuid::now_v7();
    assert_eq!(subject.one.load(id, None).await.unwrap(), None);
    assert_eq!(subject.one.load(id, Some(head(id, 3))).await.unwrap(), None);
    assert_eq!(subject.one.log(id, 0, 10).await.unwrap(), None);
    assert_eq!(subject.one.log(id, 3, 10).await.unwrap(), None);
    assert!(!subject.one.delete(id).await.unwrap());
}

/// A cold load of a young game returns all entries.
pub async fn a_young_game_loads_whole(subject: &Subject) {
    let id = created(&*subject.one).await;
    grown(&*subject.one, id, 20, &[16]).await;
    let cold = subject.other.load(id, None).await.unwrap().unwrap();
    assert_eq!(cold.entries, entries(id, 1..=20));
    assert_eq!(cold.snapshot, Some(snapshot(id, 16)));
}

/// A cold load returns the last entries that the snapshot contains and all later ones.
pub async fn a_cold_load_looks_back(subject: &Subject) {
    let id = created(&*subject.one).await;
    let taken_at = LOOK_BACK + 37;
    grown(&*subject.one, id, taken_at + 5, &[taken_at]).await;
    let cold = subject.other.load(id, None).await.unwrap().unwrap();
    assert_eq!(cold.snapshot, Some(snapshot(id, taken_at)));
    assert_eq!(cold.entries, entries(id, 38..=taken_at + 5));
}

/// A warm load returns no snapshot, and only newer entries.
pub async fn a_warm_load_brings_what_is_newer(subject: &Subject) {
    let id = created(&*subject.one).await;
    grown(&*subject.one, id, 12, &[8]).await;
    for known in [1, 5, 8, 11, 12] {
        let known_head = Some(head(id, known));
        let warm = subject.other.load(id, known_head).await.unwrap().unwrap();
        assert_eq!(warm.snapshot, None, "known {known}");
        assert_eq!(warm.entries, entries(id, known + 1..=12), "known {known}");
    }
}

/// A load with a known entry that the log does not have is a cold load.
pub async fn a_known_version_that_is_gone_loads_cold(subject: &Subject) {
    let id = created(&*subject.one).await;
    grown(&*subject.one, id, 5, &[]).await;
    let cold = subject.one.load(id, None).await.unwrap().unwrap();
    let ahead = [6, 7, 1_000].map(|version| head(id, version));
    let lost = [0, 1, 5].map(|version| Head::of(version, b"lost"));
    for known in ahead.into_iter().chain(lost) {
        let found = subject.other.load(id, Some(known)).await.unwrap().unwrap();
        assert_eq!(found, cold, "{known:?}");
    }
    assert!(subject.one.delete(id).await.unwrap());
    assert_eq!(
        subject.one.create(new_game(id)).await.unwrap(),
        Created::Done
    );
    let found = subject
        .other
        .load(id, Some(head(id, 5)))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(found.snapshot, Some(snapshot(id, 1)));
    assert_eq!(found.entries, entries(id, 1..=1));
}

/// Pages follow each other without gap or overlap, and the page after the last entry is empty.
pub async fn a_log_is_read_in_pages(subject: &Subject) {
    let id = created(&*subject.one).await;
    grown(&*subject.one, id, 23, &[]).await;
    for limit in [1, 5, 23, 100] {
        let mut read = Vec::new();
        loop {
            let after = read.len() as Version;
            let page = subject.other.log(id, after, limit).await.unwrap().unwrap();
            if page.is_empty() {
                break;
            }
            assert!(page.len() <= limit);
            read.extend(page);
        }
        assert_eq!(read, entries(id, 1..=23), "limit {limit}");
    }
    assert_eq!(subject.other.log(id, 1_000, 5).await.unwrap(), Some(vec![]));
    assert_eq!(
        subject.other.log(id, Version::MAX, 5).await.unwrap(),
        Some(vec![])
    );
    assert_eq!(subject.other.log(id, 0, 0).await.unwrap(), Some(vec![]));
}

fn snapshot(id: Uuid, version: Version) -> StoredSnapshot {
    StoredSnapshot {
        version,
        bytes: snapshot_bytes(id, version),
    }
}
