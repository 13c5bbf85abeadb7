use bytes::Bytes;
use uuid::Uuid;

use super::{
    StoreHandles, commit, created, entries, entry_bytes, grown, new_game, rival, snapshot_bytes,
    whole_log,
};
use crate::{Commit, Committed, Created, Head, NewGame};

/// A second game with the same id is refused and changes nothing.
pub async fn a_created_game_exists_once(handles: &StoreHandles) {
    let id = Uuid::now_v7();
    assert_eq!(
        handles.one.create(new_game(id)).await.unwrap(),
        Created::Done
    );
    let other = NewGame {
        entry: Bytes::from_static(b"another beginning"),
        snapshot: Bytes::from_static(b"another state"),
        ..new_game(id)
    };
    assert_eq!(handles.other.create(other).await.unwrap(), Created::Exists);
    let loaded = handles.other.load(id, None).await.unwrap().unwrap();
    assert_eq!(loaded.entries, entries(id, 1..=1));
    assert_eq!(loaded.snapshot.unwrap().bytes, snapshot_bytes(id, 1));
    assert_eq!(loaded.access, Bytes::new());
}

/// A retried creation succeeds and does not reset the game.
pub async fn a_creation_may_be_sent_again(handles: &StoreHandles) {
    let id = created(&*handles.one).await;
    assert_eq!(
        handles.other.create(new_game(id)).await.unwrap(),
        Created::Done
    );
    grown(&*handles.one, id, 3, &[3]).await;
    assert_eq!(
        handles.one.create(new_game(id)).await.unwrap(),
        Created::Done
    );
    assert_eq!(whole_log(&*handles.one, id).await, entries(id, 1..=3));
    let loaded = handles.other.load(id, None).await.unwrap().unwrap();
    assert_eq!(loaded.snapshot.unwrap().version, 3);
}

/// Every process can read an entry as soon as its commit is answered.
pub async fn a_commit_adds_the_next_entry(handles: &StoreHandles) {
    let id = created(&*handles.one).await;
    for expected in 1..40 {
        let (writer, reader) = match expected % 2 {
            0 => (&handles.one, &handles.other),
            _ => (&handles.other, &handles.one),
        };
        assert_eq!(
            writer.commit(&commit(id, expected)).await.unwrap(),
            Committed::Done
        );
        let newest = reader.log(id, expected, 10).await.unwrap().unwrap();
        assert_eq!(newest, entries(id, expected + 1..=expected + 1));
    }
    assert_eq!(whole_log(&*handles.other, id).await, entries(id, 1..=40));
}

/// A commit never creates a game.
pub async fn a_commit_to_a_missing_game_is_reported(handles: &StoreHandles) {
    let id = Uuid::now_v7();
    for expected in [0, 1, 7] {
        let outcome = handles.one.commit(&commit(id, expected)).await.unwrap();
        assert_eq!(outcome, Committed::Missing, "expected {expected}");
    }
    assert_eq!(handles.one.load(id, None).await.unwrap(), None);
}

/// A late commit changes nothing, and its answer contains the entries that came first.
pub async fn a_conflict_brings_the_newer_entries(handles: &StoreHandles) {
    let id = created(&*handles.one).await;
    grown(&*handles.one, id, 9, &[]).await;
    for expected in [1, 5, 8] {
        let late = Commit {
            snapshot: Some(Bytes::from_static(b"late")),
            access: Some(Bytes::from_static(b"not even looked at")),
            ..rival(id, expected)
        };
        let newer = entries(id, expected + 1..=9);
        let outcome = handles.other.commit(&late).await.unwrap();
        assert_eq!(
            outcome,
            Committed::Conflict { newer },
            "expected {expected}"
        );
    }
    assert_eq!(whole_log(&*handles.other, id).await, entries(id, 1..=9));
    let loaded = handles.other.load(id, None).await.unwrap().unwrap();
    assert_eq!(loaded.snapshot.unwrap().bytes, snapshot_bytes(id, 1));
}

/// A commit cannot follow a version that does not exist yet, or no longer exists.
pub async fn a_commit_ahead_of_the_game_conflicts(handles: &StoreHandles) {
    let id = created(&*handles.one).await;
    grown(&*handles.one, id, 3, &[]).await;
    for expected in [4, 5, 1_000] {
        let outcome = handles.other.commit(&commit(id, expected)).await.unwrap();
        assert_eq!(
            outcome,
            Committed::Conflict { newer: vec![] },
            "expected {expected}"
        );
    }
    assert_eq!(whole_log(&*handles.other, id).await, entries(id, 1..=3));
}

/// The version alone is not enough: the log must have the very entry that a commit follows.
pub async fn nothing_is_built_on_an_entry_that_is_gone(handles: &StoreHandles) {
    let id = created(&*handles.one).await;
    grown(&*handles.one, id, 5, &[]).await;
    for expected in [0, 1, 3, 5] {
        let lost = Commit {
            expected: Head::of(expected, b"lost"),
            ..commit(id, expected)
        };
        let outcome = handles.other.commit(&lost).await.unwrap();
        assert_eq!(
            outcome,
            Committed::Conflict { newer: vec![] },
            "expected {expected}"
        );
    }
    assert_eq!(whole_log(&*handles.other, id).await, entries(id, 1..=5));
}

/// A retried commit is recognized, even after later commits.
pub async fn the_same_commit_may_be_sent_again(handles: &StoreHandles) {
    let id = created(&*handles.one).await;
    grown(&*handles.one, id, 4, &[]).await;
    let again = Commit {
        snapshot: Some(snapshot_bytes(id, 5)),
        access: Some(Bytes::new()),
        ..commit(id, 4)
    };
    assert_eq!(
        handles.one.commit(&again.clone()).await.unwrap(),
        Committed::Done
    );
    assert_eq!(
        handles.other.commit(&again.clone()).await.unwrap(),
        Committed::Done
    );
    grown(&*handles.one, id, 7, &[7]).await;
    assert_eq!(handles.other.commit(&again).await.unwrap(), Committed::Done);
    assert_eq!(whole_log(&*handles.one, id).await, entries(id, 1..=7));
    let loaded = handles.one.load(id, None).await.unwrap().unwrap();
    assert_eq!(
        loaded.snapshot.unwrap().version,
        7,
        "an old snapshot does not come back"
    );
}

/// Entries and snapshots may be empty, large, and contain any byte.
pub async fn entries_may_hold_any_bytes(handles: &StoreHandles) {
    let id = Uuid::now_v7();
    let all: Bytes = (0..=255).collect();
    let many = Bytes::from(all.repeat(1_024));
    let game = NewGame {
        entry: all.clone(),
        snapshot: many.clone(),
        ..new_game(id)
    };
    assert_eq!(handles.one.create(game).await.unwrap(), Created::Done);
    let next = [Bytes::new(), many.clone(), entry_bytes(id, 4)];
    let mut before = all.clone();
    for (entry, expected) in next.iter().zip(1..) {
        let snapshot = (expected == 2).then(Bytes::new);
        let next = Commit {
            expected: Head::of(expected, &before),
            entry: entry.clone(),
            snapshot,
            ..commit(id, expected)
        };
        before = entry.clone();
        assert_eq!(handles.one.commit(&next).await.unwrap(), Committed::Done);
    }
    let loaded = handles.other.load(id, None).await.unwrap().unwrap();
    let snapshot = loaded.snapshot.unwrap();
    assert_eq!((snapshot.version, snapshot.bytes), (3, Bytes::new()));
    let stored: Vec<Bytes> = loaded
        .entries
        .into_iter()
        .map(|entry| entry.bytes)
        .collect();
    assert_eq!(stored, [[all].as_slice(), &next].concat());
}
