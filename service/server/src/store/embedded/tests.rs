mod damaged_rows;

use fjall::{Database, KeyspaceCreateOptions};
use uuid::Uuid;

use super::tables::{entry_key, kind_keys, place_keys, seal};
use super::*;
use crate::store::row::encode_row;
use crate::store::{IndexRow, LOOK_BACK};

fn entry(version: Version) -> Bytes {
    Bytes::from(format!("entry {version}"))
}

/// In a directory that an older build has used, games may be missing from the lists of their kinds, and
/// finished games may be in those of active ones.
#[tokio::test]
async fn games_of_older_builds_come_into_the_lists_of_what_they_are() {
    let directory = tempfile::tempdir().unwrap();
    let config = EmbeddedConfig::new(directory.path());
    let (played, over) = {
        let played = grown(directory.path(), 2).await;
        let over = Uuid::from_u128(2);
        let store = EmbeddedStore::open(config.clone()).await.unwrap();
        let game = new_game(over, b"");
        assert_eq!(store.create(game).await.unwrap(), Created::Done);
        for key in kind_keys(played, &row(false)) {
            store.tables.places.remove(key).unwrap();
        }
        let sealed = seal(over.as_bytes(), [&encode_row(&row(true)).unwrap(), &[]]);
        store.tables.rows.insert(over.as_bytes(), sealed).unwrap();
        (played, over)
    };
    let store = EmbeddedStore::open(config).await.unwrap();
    for tenant in [None, Some(row(true).tenant)] {
        for (finished, id) in [(false, played), (true, over)] {
            let filter = ListFilter {
                tenant: tenant.clone(),
                finished: Some(finished),
                ..ListFilter::default()
            };
            let page = store.page(&filter, None, 9).await.unwrap();
            let found: Vec<_> = page.games.iter().map(|game| game.id).collect();
            assert_eq!((found, page.next), (vec![id], None), "{filter:?}");
        }
    }
    let places = store.tables.places.len().unwrap();
    assert_eq!(places, 2 * place_keys(over, &row(true)).len());
}

/// Packing a game changes no answer, even after a restart.
#[tokio::test]
async fn a_packed_game_answers_as_before() {
    let directory = tempfile::tempdir().unwrap();
    let id = grown(directory.path(), 150).await;
    let packing = EmbeddedConfig {
        pack_after: Duration::ZERO,
        ..EmbeddedConfig::new(directory.path())
    };
    let store = EmbeddedStore::open(packing.clone()).await.unwrap();
    assert!(
        store
            .set_access(id, Bytes::new(), Bytes::from("a"), None, None)
            .await
            .unwrap()
    );
    let end = |expected| Commit {
        row: Some(row(true)),
        snapshot: Some(Bytes::from("the end")),
        ..commit(id, expected)
    };
    assert_eq!(store.commit(&end(150)).await.unwrap(), Committed::Done);
    let is_packed = || store.tables.packed.contains_key(id.as_bytes()).unwrap();
    for _ in 0..500 {
        store.ping().await.unwrap();
        if is_packed() {
            break;
        }
    }
    assert!(is_packed());
    assert_eq!(store.tables.log.len().unwrap(), 0);
    check_packed(&store, id).await;
    assert_eq!(store.commit(&end(150)).await.unwrap(), Committed::Done);
    drop(store);

    let store = EmbeddedStore::open(packing).await.unwrap();
    assert_eq!(store.capacity().damaged_games, 0);
    check_packed(&store, id).await;
    let again = NewGame {
        id,
        row: row(false),
        entry: entry(1),
        past: Vec::new(),
        snapshot: Bytes::new(),
        access: Bytes::new(),
        most_of_tenant: None,
    };
    assert_eq!(store.create(again.clone()).await.unwrap(), Created::Done);
    let other = NewGame {
        entry: Bytes::from("another"),
        ..again
    };
    assert_eq!(store.create(other).await.unwrap(), Created::Exists);
    assert!(store.delete(id).await.unwrap());
    assert_eq!(store.load(id, None).await.unwrap(), None);
    assert_eq!(store.log(id, 0, 9).await.unwrap(), None);
    assert!(!store.delete(id).await.unwrap());
}

/// Nobody has to ask the store for anything.
#[tokio::test]
async fn finished_games_are_packed_and_deleted_without_a_call() {
    let directory = tempfile::tempdir().unwrap();
    let id = grown(directory.path(), 20).await;
    let opened = async |keep_finished| {
        let config = EmbeddedConfig {
            pack_after: Duration::from_millis(50),
            keep_finished,
            ..EmbeddedConfig::new(directory.path())
        };
        EmbeddedStore::open(config).await.unwrap()
    };
    let until = async |is_so: &dyn Fn() -> bool| {
        let waiting = async {
            while !is_so() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        let waited = tokio::time::timeout(Duration::from_secs(10), waiting).await;
        waited.unwrap();
    };
    let store = opened(None).await;
    let end = Commit {
        row: Some(row(true)),
        ..commit(id, 20)
    };
    assert_eq!(store.commit(&end).await.unwrap(), Committed::Done);
    until(&|| store.tables.packed.contains_key(id.as_bytes()).unwrap()).await;
    drop(store);

    let store = opened(Some(Duration::from_millis(50))).await;
    until(&|| store.tables.places.len().unwrap() == 0).await;
    // The next sweep removes the end.
    until(&|| store.tables.ends.len().unwrap() == 0).await;
    assert_eq!(store.load(id, None).await.unwrap(), None);
}

/// A sweep finds the ends of deleted games even if finished ones are kept without limit.
#[tokio::test]
async fn a_deleted_game_leaves_no_end() {
    let directory = tempfile::tempdir().unwrap();
    let config = EmbeddedConfig::new(directory.path());
    let kept = grown(directory.path(), 1).await;
    let deleted = Uuid::from_u128(2);
    {
        let store = EmbeddedStore::open(config.clone()).await.unwrap();
        let game = new_game(deleted, b"");
        assert_eq!(store.create(game).await.unwrap(), Created::Done);
        for id in [kept, deleted] {
            let end = Commit {
                row: Some(row(true)),
                ..commit(id, 1)
            };
            assert_eq!(store.commit(&end).await.unwrap(), Committed::Done);
        }
        assert!(store.delete(deleted).await.unwrap());
        assert_eq!(store.tables.ends.len().unwrap(), 2);
    }
    let store = EmbeddedStore::open(config).await.unwrap();
    let swept = async {
        while store.tables.ends.len().unwrap() > 1 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let swept = tokio::time::timeout(Duration::from_secs(10), swept).await;
    swept.unwrap();
    assert!(store.load(kept, None).await.unwrap().is_some());
}

async fn check_packed(store: &EmbeddedStore, id: GameId) {
    let log = store.log(id, 0, usize::MAX).await.unwrap().unwrap();
    let kept = log.iter().map(|kept| kept.bytes.clone());
    assert!(kept.eq((1..=151).map(entry)));
    let page = store.log(id, 10, 5).await.unwrap().unwrap();
    assert_eq!((page.len(), page[0].version), (5, 11));
    assert_eq!(store.log(id, 151, 5).await.unwrap(), Some(vec![]));
    let cold = store.load(id, None).await.unwrap().unwrap();
    assert_eq!(cold.snapshot.unwrap().bytes, "the end");
    assert_eq!((cold.entries.len(), cold.access), (64, Bytes::from("a")));
    for known in [1, 77, 151] {
        let head = Head::of(known, &entry(known));
        let warm = store.load(id, Some(head)).await.unwrap().unwrap();
        assert_eq!(warm.snapshot, None);
        assert_eq!(warm.entries.len() as u64, 151 - known);
    }
    assert_eq!(
        store.commit(&commit(id, 40)).await.unwrap(),
        Committed::Done,
        "sent again"
    );
    let rival = Commit {
        entry: Bytes::from("a rival"),
        ..commit(id, 149)
    };
    match store.commit(&rival).await.unwrap() {
        Committed::Conflict { newer } => assert_eq!(newer.len(), 2),
        answer @ (Committed::Done | Committed::AccessChanged | Committed::Missing) => {
            panic!("{answer:?}")
        }
    }
}

fn row(finished: bool) -> IndexRow {
    IndexRow {
        tenant: String::new(),
        ruleset: "caylus".into(),
        created_ms: 1,
        finished,
        lists: None,
    }
}

fn commit(id: GameId, expected: Version) -> Commit {
    Commit {
        id,
        expected: Head::of(expected, &entry(expected)),
        entry: entry(expected + 1),
        snapshot: None,
        row: None,
        access: None,
    }
}

/// Creates a game with this many versions, and a snapshot at every sixteenth.
async fn grown(directory: &std::path::Path, to: Version) -> GameId {
    let store = EmbeddedStore::open(EmbeddedConfig::new(directory)).await;
    let store = store.unwrap();
    let id = Uuid::from_u128(1);
    let game = new_game(id, b"");
    assert_eq!(store.create(game).await.unwrap(), Created::Done);
    for version in 2..=to {
        let commit = Commit {
            id,
            expected: Head::of(version - 1, &entry(version - 1)),
            entry: entry(version),
            snapshot: version.is_multiple_of(16).then(|| Bytes::from("snapshot")),
            row: None,
            access: None,
        };
        assert_eq!(store.commit(&commit).await.unwrap(), Committed::Done);
    }
    store.close().await.unwrap();
    id
}

/// Removes or replaces a value.
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

fn new_game(id: GameId, access: &'static [u8]) -> NewGame {
    NewGame {
        id,
        row: row(false),
        entry: entry(1),
        past: Vec::new(),
        snapshot: Bytes::from("snapshot"),
        access: Bytes::from_static(access),
        most_of_tenant: None,
    }
}

async fn load(directory: &std::path::Path, id: GameId) -> Result<Option<Loaded>, StoreError> {
    let store = EmbeddedStore::open(EmbeddedConfig::new(directory)).await?;
    store.load(id, None).await
}

/// A power cut may lose the last records of the register, but not what was synced before a change.
#[tokio::test]
async fn a_register_behind_the_access_record_damages_no_game() {
    let directory = tempfile::tempdir().unwrap();
    let id = Uuid::from_u128(1);
    let store = EmbeddedStore::open(EmbeddedConfig::new(directory.path())).await;
    let store = store.unwrap();
    let game = new_game(id, b"first");
    assert_eq!(store.create(game).await.unwrap(), Created::Done);
    let second = Bytes::from("second");
    let set = store.set_access(id, Bytes::from("first"), second.clone(), None, None);
    assert!(set.await.unwrap());
    store.close().await.unwrap();
    drop(store);
    let path = directory.path().join("register");
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() - 32]).unwrap();
    let loaded = load(directory.path(), id).await.unwrap().unwrap();
    assert_eq!(loaded.access, second);
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
async fn a_gap_far_back_is_reported_at_load() {
    let directory = tempfile::tempdir().unwrap();
    let id = grown(directory.path(), 200).await;
    spoil(directory.path(), "log", &entry_key(id, 7), None);
    let loaded = load(directory.path(), id).await;
    assert!(matches!(loaded, Err(StoreError::Damaged(_))), "{loaded:?}");
}
