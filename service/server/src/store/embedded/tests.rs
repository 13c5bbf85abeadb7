use fjall::{Database, KeyspaceCreateOptions};
use uuid::Uuid;

use super::tables::entry_key;
use super::*;
use crate::store::{IndexRow, LOOK_BACK};

fn entry(version: Version) -> Bytes {
    Bytes::from(format!("entry {version}"))
}

/// A directory with a game of this many versions and a snapshot every sixteenth.
async fn grown(directory: &std::path::Path, to: Version) -> GameId {
    let store = EmbeddedStore::open(EmbeddedConfig::new(directory)).await;
    let store = store.unwrap();
    let id = Uuid::from_u128(1);
    let row = IndexRow {
        tenant: String::new(),
        ruleset: "caylus".into(),
        created_ms: 1,
        finished: false,
    };
    let game = NewGame {
        id,
        row,
        entry: entry(1),
        snapshot: Bytes::from("snapshot"),
        most_of_tenant: None,
    };
    assert_eq!(store.create(game).await.unwrap(), Created::Done);
    for version in 2..=to {
        let commit = Commit {
            id,
            expected: Head::of(version - 1, &entry(version - 1)),
            entry: entry(version),
            snapshot: version.is_multiple_of(16).then(|| Bytes::from("snapshot")),
            finishes: None,
            access: None,
        };
        assert_eq!(store.commit(commit).await.unwrap(), Committed::Done);
    }
    store.close().await.unwrap();
    id
}

/// Takes a value away, or puts another in its place.
fn spoil(directory: &std::path::Path, table: &str, key: &[u8], value: Option<&[u8]>) {
    let database = Database::builder(directory).open().unwrap();
    let table = database
        .keyspace(table, KeyspaceCreateOptions::default)
        .unwrap();
    match value {
        Some(value) => table.insert(key, value).unwrap(),
        None => table.remove(key).unwrap(),
    }
    database.persist(fjall::PersistMode::SyncAll).unwrap();
}

async fn load(directory: &std::path::Path, id: GameId) -> Result<Option<Loaded>, StoreError> {
    let store = EmbeddedStore::open(EmbeddedConfig::new(directory)).await?;
    store.load(id, None).await
}

#[tokio::test]
async fn a_snapshot_that_is_missing_or_damaged_comes_empty() {
    for value in [None, Some(b"nonsense".as_slice())] {
        let directory = tempfile::tempdir().unwrap();
        let id = grown(directory.path(), 100).await;
        spoil(directory.path(), "snapshots", id.as_bytes(), value);
        let loaded = load(directory.path(), id).await.unwrap().unwrap();
        let snapshot = loaded.snapshot.unwrap();
        assert_eq!((snapshot.version, snapshot.bytes), (100, Bytes::new()));
        assert_eq!(loaded.entries.len() as u64, LOOK_BACK);
    }
}

#[tokio::test]
async fn a_gap_far_back_is_told_at_load() {
    let directory = tempfile::tempdir().unwrap();
    let id = grown(directory.path(), 200).await;
    spoil(directory.path(), "log", &entry_key(id, 7), None);
    let loaded = load(directory.path(), id).await;
    assert!(matches!(loaded, Err(StoreError::Damaged(_))), "{loaded:?}");
}
