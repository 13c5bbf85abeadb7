//! Tests of behavior that only this store has. The conformance suite tests the rest.

mod damage;
mod keeping;
mod power_cut;

use std::collections::BTreeSet;
use std::time::Instant;

use gamekeeper_store::IDEMPOTENCY_LOOKBACK;
use gamekeeper_store::sizes::bytes;
use redb::{ReadableTable, TableHandle};
use uuid::Uuid;

use super::fault::Phase;
use super::tables::{
    COUNTS, DUE, ENTRIES, FEED, FORMAT, GAMES, HAS_BYTES, KEYS, LIST_INDEX, META, Record,
    SNAPSHOTS, Values, bytes_key, entry_key,
};
use super::*;
use gamekeeper_store::TenantLimit;

fn entry(version: Version) -> Bytes {
    Bytes::from(format!("entry {version}"))
}

fn row(finished: bool) -> IndexRow {
    IndexRow {
        tenant: String::from("a tenant"),
        ruleset: "caylus".into(),
        created_ms: 1,
        finished,
        lists: None,
    }
}

fn new_game(id: GameId, access: &'static [u8]) -> NewGame {
    NewGame {
        id,
        row: row(false),
        entry: entry(1),
        history: Vec::new(),
        snapshot: Bytes::from("snapshot"),
        access: Bytes::from_static(access),
        tenant_limit: None,
        tenant_bytes: None,
    }
}

fn commit(id: GameId, expected: Version) -> Commit {
    Commit {
        id,
        tenant: String::from("a tenant"),
        expected: Head::of(expected, &entry(expected)),
        entry: entry(expected + 1),
        log_bytes: (1..=expected + 1)
            .map(|version| bytes(entry(version).len()))
            .sum(),
        snapshot: None,
        row: None,
        access: None,
    }
}

fn end(id: GameId, expected: Version) -> Commit {
    Commit {
        row: Some(row(true)),
        snapshot: Some(Bytes::from("the end")),
        ..commit(id, expected)
    }
}

async fn opened(directory: &Path) -> EmbeddedStore {
    let store = EmbeddedStore::open(EmbeddedConfig::new(directory)).await;
    store.unwrap()
}

/// Adds entries to a game up to a version, with a snapshot at every sixteenth.
async fn grow(store: &EmbeddedStore, id: GameId, to: Version) {
    let game = new_game(id, b"a");
    assert_eq!(store.create(game).await.unwrap(), Created::Done);
    for version in 2..=to {
        let commit = Commit {
            snapshot: version.is_multiple_of(16).then(|| Bytes::from("snapshot")),
            ..commit(id, version - 1)
        };
        assert_eq!(store.commit(&commit).await.unwrap(), Committed::Done);
    }
}

/// Returns the keys of a table.
fn keys(store: &EmbeddedStore, table: super::tables::Keys) -> Vec<Vec<u8>> {
    let read = |view: &ReadTransaction| {
        let table = view.open_table(table)?;
        let keys = table.iter()?.map(|row| Ok(row?.0.value().to_vec()));
        keys.collect()
    };
    store.disk.read(read).unwrap()
}

fn is_packed(store: &EmbeddedStore, id: GameId) -> bool {
    let read = |view: &ReadTransaction| {
        let games = view.open_table(GAMES)?;
        let sealed = games.get(id.as_bytes().as_slice())?.unwrap();
        Ok(Record::open(id, sealed.value())?.is_packed)
    };
    store.disk.read(read).unwrap()
}

async fn until(is_so: impl Fn() -> bool) {
    let waiting = async {
        while !is_so() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let waited = tokio::time::timeout(Duration::from_secs(10), waiting).await;
    waited.unwrap();
}

/// Packing a game changes no answer, even after a restart.
#[tokio::test]
async fn a_packed_game_answers_as_before() {
    let directory = tempfile::tempdir().unwrap();
    let id = Uuid::from_u128(1);
    let packing = EmbeddedConfig {
        pack_after: Duration::ZERO,
        ..EmbeddedConfig::new(directory.path())
    };
    let store = EmbeddedStore::open(packing.clone()).await.unwrap();
    grow(&store, id, 150).await;
    assert_eq!(store.commit(&end(id, 150)).await.unwrap(), Committed::Done);
    until(|| is_packed(&store, id)).await;
    check_packed(&store, id).await;
    assert_eq!(store.commit(&end(id, 150)).await.unwrap(), Committed::Done);
    drop(store);

    let store = EmbeddedStore::open(packing).await.unwrap();
    check_packed(&store, id).await;
    let again = new_game(id, b"a");
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
    // Its feed still has all records.
    let gone = KEYS.iter().filter(|table| table.name() != FEED.name());
    assert!(gone.copied().all(|table| keys(&store, table).is_empty()));
}

async fn check_packed(store: &EmbeddedStore, id: GameId) {
    let log = store.log(id, 0, usize::MAX).await.unwrap().unwrap();
    let stored = log.iter().map(|stored_entry| stored_entry.bytes.clone());
    assert!(stored.eq((1..=151).map(entry)));
    let page = store.log(id, 10, 5).await.unwrap().unwrap();
    assert_eq!((page.len(), page[0].version), (5, 11));
    assert_eq!(store.log(id, 151, 5).await.unwrap(), Some(vec![]));
    let cold = store.load(id, None).await.unwrap().unwrap();
    assert_eq!(cold.snapshot.unwrap().bytes, "the end");
    assert_eq!((cold.entries.len(), cold.access), (64, Bytes::from("a")));
    for version in [1, 77, 151] {
        let head = Head::of(version, &entry(version));
        let warm = store.load(id, Some(head)).await.unwrap().unwrap();
        assert_eq!(warm.snapshot, None);
        assert_eq!(warm.entries.len() as u64, 151 - version);
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
        outcome @ (Committed::Done | Committed::AccessChanged | Committed::Missing) => {
            panic!("{outcome:?}")
        }
    }
}

/// The store packs and deletes by itself, without any call.
#[tokio::test]
async fn finished_games_are_packed_and_deleted_without_a_call() {
    let directory = tempfile::tempdir().unwrap();
    let [before, later, going] = [1, 2, 3].map(Uuid::from_u128);
    let open_with = async |keep_finished| {
        let config = EmbeddedConfig {
            pack_after: Duration::from_millis(50),
            keep_finished,
            ..EmbeddedConfig::new(directory.path())
        };
        EmbeddedStore::open(config).await.unwrap()
    };
    let store = open_with(None).await;
    grow(&store, before, 20).await;
    grow(&store, going, 1).await;
    let ended = store.commit(&end(before, 20)).await;
    assert_eq!(ended.unwrap(), Committed::Done);
    until(|| is_packed(&store, before)).await;
    drop(store);

    let (begun, keep) = (Instant::now(), Duration::from_millis(50));
    let store = open_with(Some(keep)).await;
    grow(&store, later, 1).await;
    let ended = store.commit(&end(later, 1)).await;
    assert_eq!(ended.unwrap(), Committed::Done);
    until(|| keys(&store, DUE).is_empty()).await;
    assert!(begun.elapsed() > keep / 2, "it is kept for its time");
    let games = store.list(&ListFilter::default(), None, 9).await.unwrap();
    assert_eq!(games.len(), 1, "the game that is not over");
    for (id, is_there) in [(before, false), (later, false), (going, true)] {
        let loaded = store.load(id, None).await.unwrap();
        assert_eq!(loaded.is_some(), is_there, "{id}");
    }
}

/// A game that becomes active again after its end is kept like any other.
#[tokio::test]
async fn an_end_that_is_taken_back_is_forgotten() {
    let directory = tempfile::tempdir().unwrap();
    let store = opened(directory.path()).await;
    let id = Uuid::from_u128(1);
    grow(&store, id, 1).await;
    assert_eq!(store.commit(&end(id, 1)).await.unwrap(), Committed::Done);
    let due = keys(&store, DUE);
    assert_eq!(due.len(), 2);
    assert_eq!(store.commit(&end(id, 2)).await.unwrap(), Committed::Done);
    assert_eq!(keys(&store, DUE), due, "the first end counts");
    let goes_on = Commit {
        row: Some(row(false)),
        ..commit(id, 3)
    };
    assert_eq!(store.commit(&goes_on).await.unwrap(), Committed::Done);
    assert!(keys(&store, DUE).is_empty());
}

/// Changes of one game in one group are applied one after another.
#[tokio::test(flavor = "multi_thread")]
async fn changes_of_one_group_see_each_other() {
    let directory = tempfile::tempdir().unwrap();
    let store = Arc::new(opened(directory.path()).await);
    let id = Uuid::from_u128(1);
    grow(&store, id, 1).await;
    let rivals = (0..64_u32).map(|number| {
        let store = Arc::clone(&store);
        let rival = Commit {
            entry: Bytes::from(format!("rival {number}")),
            ..commit(id, 1)
        };
        tokio::spawn(async move { store.commit(&rival).await.unwrap() })
    });
    let outcomes = futures_util::future::join_all(rivals).await;
    let won = outcomes
        .into_iter()
        .filter(|outcome| matches!(outcome, Ok(Committed::Done)));
    assert_eq!(won.count(), 1);
    assert_eq!(store.log(id, 0, 9).await.unwrap().unwrap().len(), 2);
}

/// Returns the reason why the store refuses to open.
async fn refusal(directory: &Path) -> StoreError {
    match EmbeddedStore::open(EmbeddedConfig::new(directory)).await {
        Ok(_) => panic!("it opened"),
        Err(error) => error,
    }
}

/// A build never reads data of another layout, older or newer.
#[tokio::test]
async fn a_store_of_another_layout_is_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    let config = EmbeddedConfig::new(directory.path());
    let storage_format = async || EmbeddedStore::storage_format(config.clone()).await.unwrap();
    assert_eq!(storage_format().await.stored, None);
    let store = opened(directory.path()).await;
    let supported = 1;
    let written = store.disk.call(Phase::Commit, |database| {
        let change = database.begin_write()?;
        let sealed = super::tables::seal_number(FORMAT, supported + 1);
        change.open_table(META)?.insert(FORMAT, sealed.as_slice())?;
        Ok(change.commit()?)
    });
    written.unwrap();
    assert!(matches!(
        EmbeddedStore::storage_format(config.clone()).await,
        Err(StoreError::Setup(_))
    ));
    store.close().await.unwrap();
    let error = refusal(directory.path()).await;
    assert!(
        matches!(&error, StoreError::Setup(why) if why.contains("gamekeeperd migrate")),
        "{error}"
    );
    let stored = Some(supported + 1);
    assert_eq!(storage_format().await, StorageFormat { stored, supported });
}

#[tokio::test]
async fn a_missing_file_is_not_begun_anew() {
    let directory = tempfile::tempdir().unwrap();
    grow(&opened(directory.path()).await, Uuid::from_u128(1), 1).await;
    let file = directory.path().join("games.redb");
    for is_cut in [true, false] {
        if is_cut {
            std::fs::write(&file, b"").unwrap();
        } else {
            std::fs::remove_file(&file).unwrap();
        }
        let error = refusal(directory.path()).await;
        assert!(
            matches!(&error, StoreError::Damaged(why) if why.contains("BACKUP.md")),
            "{error}"
        );
    }
    std::fs::remove_file(directory.path().join("README.txt")).unwrap();
    let store = opened(directory.path()).await;
    assert_eq!(store.load(Uuid::from_u128(1), None).await.unwrap(), None);
}

/// A backup is a separate file with everything that was answered before, even if changes go on meanwhile.
#[tokio::test]
async fn a_backup_is_a_store() {
    let (directory, backups) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let store = opened(directory.path()).await;
    let [before, later] = [1, 2].map(Uuid::from_u128);
    grow(&store, before, 40).await;
    let backup = store.backup(&backups.path().join("new")).await.unwrap();
    assert_eq!(std::fs::metadata(&backup.path).unwrap().len(), backup.bytes);
    grow(&store, later, 3).await;

    let restored = tempfile::tempdir().unwrap();
    std::fs::copy(&backup.path, restored.path().join("games.redb")).unwrap();
    let restored = opened(restored.path()).await;
    assert_eq!(
        restored.load(before, None).await.unwrap(),
        store.load(before, None).await.unwrap()
    );
    assert_eq!(restored.load(later, None).await.unwrap(), None);
    let games = restored
        .list(&ListFilter::default(), None, 9)
        .await
        .unwrap();
    assert_eq!(games.len(), 1);
    assert_eq!(
        restored.commit(&commit(before, 40)).await.unwrap(),
        Committed::Done
    );
}
