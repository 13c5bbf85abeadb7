//! Damaged values, and a library that panics.

use super::*;

/// Writes a raw value without a checksum, or removes it.
async fn spoil(store: &EmbeddedStore, table: Values, key: &[u8], value: Option<&[u8]>) {
    let spoiled = store.disk.call(Phase::Commit, |database| {
        let change = database.begin_write()?;
        {
            let mut table = change.open_table(table)?;
            match value {
                Some(value) => drop(table.insert(key, value)?),
                None => drop(table.remove(key)?),
            }
        }
        Ok(change.commit()?)
    });
    spoiled.unwrap();
}

fn is_damaged<A>(result: &Result<A, StoreError>) -> bool {
    matches!(result, Err(StoreError::Damaged(_)))
}

async fn listed(store: &EmbeddedStore) -> BTreeSet<GameId> {
    let games = store.list(&ListFilter::default(), None, 99).await.unwrap();
    games.into_iter().map(|game| game.id).collect()
}

#[tokio::test]
async fn a_game_without_its_record_is_damaged_and_can_only_be_deleted() {
    for value in [None, Some(b"nonsense".as_slice())] {
        let directory = tempfile::tempdir().unwrap();
        let store = opened(directory.path()).await;
        let [id, other] = [1, 2].map(Uuid::from_u128);
        grow(&store, id, 20).await;
        grow(&store, other, 20).await;
        assert_eq!(store.commit(&end(id, 20)).await.unwrap(), Committed::Done);
        spoil(&store, GAMES, id.as_bytes(), value).await;
        assert!(is_damaged(&store.load(id, None).await));
        assert!(is_damaged(&store.log(id, 0, 9).await));
        assert!(is_damaged(&store.commit(&commit(id, 21)).await));
        assert!(is_damaged(&store.create(new_game(id, b"")).await));
        let set = store.set_access(id, Bytes::from("a"), Bytes::from("b"), None, None);
        assert!(is_damaged(&set.await));
        assert_eq!(listed(&store).await, BTreeSet::from([other]));
        assert_eq!(store.capacity().damaged_games, 1);
        assert!(store.load(other, None).await.unwrap().is_some());

        assert!(store.delete(id).await.unwrap());
        assert_eq!(store.capacity().damaged_games, 0);
        assert_eq!(store.load(id, None).await.unwrap(), None);
        assert!(keys(&store, DUE).is_empty());
        let limited = |max| NewGame {
            tenant_limit: Some(max),
            ..new_game(id, b"")
        };
        assert_eq!(
            store.create(limited(1)).await.unwrap(),
            Created::Full(TenantLimit::Games)
        );
        assert_eq!(store.create(limited(2)).await.unwrap(), Created::Done);
        assert_eq!(listed(&store).await, BTreeSet::from([id, other]));
    }
}

#[tokio::test]
async fn a_snapshot_that_is_missing_or_damaged_comes_empty() {
    for value in [None, Some(b"nonsense".as_slice())] {
        let directory = tempfile::tempdir().unwrap();
        let store = opened(directory.path()).await;
        let id = Uuid::from_u128(1);
        grow(&store, id, 100).await;
        spoil(&store, SNAPSHOTS, id.as_bytes(), value).await;
        let loaded = store.load(id, None).await.unwrap().unwrap();
        let snapshot = loaded.snapshot.unwrap();
        assert_eq!((snapshot.version, snapshot.bytes), (100, Bytes::new()));
        assert_eq!(loaded.entries.len() as u64, IDEMPOTENCY_LOOKBACK);
    }
}

#[tokio::test]
async fn an_entry_that_is_missing_or_damaged_is_reported_by_those_who_read_it() {
    for value in [None, Some(b"nonsense".as_slice())] {
        let directory = tempfile::tempdir().unwrap();
        let store = opened(directory.path()).await;
        let id = Uuid::from_u128(1);
        grow(&store, id, 200).await;
        for version in [7, 200] {
            spoil(&store, ENTRIES, &entry_key(id, version), value).await;
        }
        match store.log(id, 0, 9).await {
            Err(StoreError::Damaged(why)) => assert!(why.contains("entry 7 of"), "{why}"),
            other => panic!("{other:?}"),
        }
        assert!(store.log(id, 7, 9).await.is_ok());
        assert!(is_damaged(&store.load(id, None).await));
        assert_eq!(store.capacity().damaged_games, 1);
    }
}

/// A damaged number of games is counted again.
#[tokio::test]
async fn the_number_of_games_follows_from_their_lists() {
    let directory = tempfile::tempdir().unwrap();
    let store = opened(directory.path()).await;
    for number in 1..=3 {
        grow(&store, Uuid::from_u128(number), 1).await;
    }
    let read = |view: &ReadTransaction| {
        let counts = view.open_table(COUNTS)?;
        let first = counts.iter()?.next().unwrap();
        Ok(first?.0.value().to_vec())
    };
    let key = store.disk.read(read).unwrap();
    spoil(&store, COUNTS, &key, Some(b"nonsense")).await;
    let limited = |max| NewGame {
        tenant_limit: Some(max),
        ..new_game(Uuid::from_u128(9), b"")
    };
    assert_eq!(
        store.create(limited(3)).await.unwrap(),
        Created::Full(TenantLimit::Games)
    );
    assert_eq!(store.create(limited(4)).await.unwrap(), Created::Done);
}

/// A damaged sum of bytes is counted again, and so is that of a file of an earlier build: both find what changes have
/// summed up, with packed and deleted games and a feed that was trimmed.
#[tokio::test]
async fn the_bytes_of_a_tenant_follow_from_what_is_stored() {
    let directory = tempfile::tempdir().unwrap();
    let packing = EmbeddedConfig {
        pack_after: Duration::ZERO,
        ..EmbeddedConfig::new(directory.path())
    };
    let store = EmbeddedStore::open(packing.clone()).await.unwrap();
    let [packed, active, deleted] = [1, 2, 3].map(Uuid::from_u128);
    for id in [packed, active, deleted] {
        grow(&store, id, 150).await;
    }
    let before = store.stored_bytes("a tenant").await.unwrap();
    assert_eq!(
        store.commit(&end(packed, 150)).await.unwrap(),
        Committed::Done
    );
    until(|| is_packed(&store, packed)).await;
    let after = store.stored_bytes("a tenant").await.unwrap();
    assert!(after < before, "{after}");
    assert!(store.delete(deleted).await.unwrap());
    let set = store.set_access(
        active,
        Bytes::from("a"),
        Bytes::from("longer"),
        None,
        Some(row(false)),
    );
    assert!(set.await.unwrap());
    let summed = store.stored_bytes("a tenant").await.unwrap();
    assert!(summed > 0 && summed < after, "{summed}");

    let key = bytes_key("a tenant");
    spoil(&store, COUNTS, &key, Some(b"nonsense")).await;
    assert_eq!(store.stored_bytes("a tenant").await.unwrap(), summed);
    spoil(&store, COUNTS, &key, None).await;
    spoil(&store, META, HAS_BYTES, None).await;
    drop(store);
    let store = EmbeddedStore::open(packing).await.unwrap();
    assert_eq!(store.stored_bytes("a tenant").await.unwrap(), summed);
    spoil(&store, COUNTS, &key, Some(b"nonsense")).await;
    assert_eq!(
        store.commit(&commit(active, 150)).await.unwrap(),
        Committed::Done
    );
    let record = gamekeeper_store::sizes::FEED_RECORD_LEN as u64;
    assert_eq!(
        store.stored_bytes("a tenant").await.unwrap(),
        summed + record
    );
}

/// A position where no game belongs hides no other game.
#[tokio::test]
async fn a_stray_place_is_reported_and_left_out() {
    let directory = tempfile::tempdir().unwrap();
    let store = opened(directory.path()).await;
    let id = Uuid::from_u128(1);
    grow(&store, id, 1).await;
    let mut key = keys(&store, LIST_INDEX).remove(0);
    *key.last_mut().unwrap() ^= 64;
    let strayed = store.disk.call(Phase::Commit, |database| {
        let change = database.begin_write()?;
        change.open_table(LIST_INDEX)?.insert(key.as_slice(), ())?;
        Ok(change.commit()?)
    });
    strayed.unwrap();
    assert_eq!(listed(&store).await, BTreeSet::from([id]));
}

/// Lists that are missing or incomplete are rebuilt from the rows of the games at the next start.
#[tokio::test]
async fn lists_that_are_not_whole_are_made_anew() {
    let directory = tempfile::tempdir().unwrap();
    let store = opened(directory.path()).await;
    let ids = (1..=5).map(Uuid::from_u128);
    for id in ids.clone() {
        grow(&store, id, 2).await;
    }
    let (all_keys, all) = (keys(&store, LIST_INDEX), listed(&store).await);
    store.close().await.unwrap();
    for lost in [1, 7, all_keys.len()] {
        let store = opened(directory.path()).await;
        let spoiled = store.disk.call(Phase::Commit, |database| {
            let change = database.begin_write()?;
            if lost == all_keys.len() {
                change.delete_table(LIST_INDEX)?;
            } else {
                let mut table = change.open_table(LIST_INDEX)?;
                for key in &all_keys[..lost] {
                    table.remove(key.as_slice())?;
                }
            }
            Ok(change.commit()?)
        });
        spoiled.unwrap();
        store.close().await.unwrap();
        let store = opened(directory.path()).await;
        assert_eq!(keys(&store, LIST_INDEX), all_keys);
        assert_eq!(listed(&store).await, all);
        store.close().await.unwrap();
    }
    assert_eq!(all, ids.collect());
}

/// After a panic, the library's state is undefined: every call is refused, with the reason of the first.
#[tokio::test]
async fn a_panic_inside_the_library_stops_the_store() {
    let directory = tempfile::tempdir().unwrap();
    let store = opened(directory.path()).await;
    let id = Uuid::from_u128(1);
    grow(&store, id, 2).await;
    let panicked = store
        .disk
        .call(Phase::Work, |database| -> Result<(), Fault> {
            let _change = database.begin_write()?;
            panic!("a page is not what it was");
        });
    let is_stopped = |error: &StoreError| matches!(error, StoreError::Unavailable(why) if why.contains("a page is not what it was"));
    assert!(is_stopped(&panicked.unwrap_err()));
    assert!(is_stopped(&store.load(id, None).await.unwrap_err()));
    let head = Head::of(2, &entry(2));
    assert!(is_stopped(&store.load(id, Some(head)).await.unwrap_err()));
    assert!(is_stopped(&store.commit(&commit(id, 2)).await.unwrap_err()));
    assert!(is_stopped(&store.ping().await.unwrap_err()));
    assert!(is_stopped(
        &store
            .page(&ListFilter::default(), None, 9)
            .await
            .unwrap_err()
    ));
    store.close().await.unwrap();
    drop(store);
    let store = opened(directory.path()).await;
    assert_eq!(store.log(id, 0, 9).await.unwrap().unwrap().len(), 2);
}

/// An error of the library that does not mean damage fails its own call only.
#[tokio::test]
async fn a_refusal_of_the_library_stops_only_its_own_call() {
    let directory = tempfile::tempdir().unwrap();
    let store = opened(directory.path()).await;
    let refusals = [
        redb::Error::DatabaseClosed,
        redb::Error::PreviousIo,
        redb::Error::ValueTooLarge(1 << 40),
    ];
    for error in refusals {
        let message = error.to_string();
        let fault = Fault::Library(Box::new(error));
        let refused = store.disk.classify_error(fault, Phase::Work);
        assert!(matches!(refused, StoreError::Unavailable(_)), "{message}");
        store.ping().await.unwrap();
    }
    grow(&store, Uuid::from_u128(1), 2).await;
}
