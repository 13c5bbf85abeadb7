use std::time::Duration;

use bytes::Bytes;
use uuid::Uuid;

use super::{
    StoreHandles, commit, entries, game_with_history, grown, head, snapshot_bytes, whole_log,
};
use crate::{Committed, Created, IDEMPOTENCY_LOOKBACK, NewGame, StoredSnapshot};

/// A game that begins with a past behaves like one that grew to it: it loads, continues, and wakes its watchers.
pub async fn a_game_may_begin_with_a_history(handles: &StoreHandles) {
    let id = Uuid::now_v7();
    let mut wake_ups = handles.other.watch(id).await.unwrap();
    let game = game_with_history(id, 7);
    assert_eq!((game.version(), game.head()), (7, head(id, 7)));
    let create = async |game: &NewGame| handles.one.create(game.clone()).await.unwrap();
    assert_eq!(create(&game).await, Created::Done);
    let woken = wake_ups.wait_for(|version| *version == 7);
    let woken = tokio::time::timeout(Duration::from_secs(10), woken).await;
    // Drop the borrowed value: it blocks the sender.
    let is_woken = woken.is_ok();
    drop(woken);
    assert!(is_woken, "a watcher hears of the newest version");
    let cold = handles.other.load(id, None).await.unwrap().unwrap();
    assert_eq!(cold.entries, entries(id, 1..=7));
    let (version, bytes) = (7, snapshot_bytes(id, 7));
    assert_eq!(cold.snapshot, Some(StoredSnapshot { version, bytes }));
    // A retry, then another game with the same id.
    assert_eq!(create(&game).await, Created::Done);
    let other = NewGame {
        entry: Bytes::from("another"),
        ..game
    };
    assert_eq!(create(&other).await, Created::Exists);
    assert_eq!(whole_log(&*handles.other, id).await, entries(id, 1..=7));
    grown(&*handles.other, id, 9, &[]).await;
    let warm = handles.one.load(id, Some(head(id, 7))).await.unwrap();
    assert_eq!(warm.unwrap().entries, entries(id, 8..=9));
    let late = handles.one.commit(&commit(id, 3)).await.unwrap();
    assert_eq!(late, Committed::Done, "a retry finds its entry in the past");
}

/// A game may begin with 10,000 entries, the maximum for a fork.
pub async fn a_long_history_is_stored_completely(handles: &StoreHandles) {
    let (id, newest) = (Uuid::now_v7(), 10_000);
    let created = handles.one.create(game_with_history(id, newest)).await;
    assert_eq!(created.unwrap(), Created::Done);
    assert_eq!(
        whole_log(&*handles.other, id).await,
        entries(id, 1..=newest)
    );
    let cold = handles.other.load(id, None).await.unwrap().unwrap();
    assert_eq!(
        cold.entries,
        entries(id, newest - IDEMPOTENCY_LOOKBACK + 1..=newest)
    );
    let warm = handles.one.load(id, Some(head(id, 999))).await.unwrap();
    assert_eq!(warm.unwrap().entries, entries(id, 1_000..=newest));
    grown(&*handles.one, id, newest + 1, &[]).await;
    assert!(handles.one.delete(id).await.unwrap());
    assert_eq!(handles.other.load(id, None).await.unwrap(), None);
}

/// If several games with long pasts are created under one id, one of them is stored, with its whole log.
pub async fn long_histories_are_not_mixed(handles: &StoreHandles) {
    let (id, newest) = (Uuid::now_v7(), 3_000);
    let game = game_with_history(id, newest);
    let mut rivals: Vec<NewGame> = (0..4)
        .map(|number| NewGame {
            entry: Bytes::from(format!("rival {number}")),
            ..game.clone()
        })
        .collect();
    rivals.push(game.clone());
    let stores = [&handles.one, &handles.other].into_iter().cycle();
    let created = rivals.iter().zip(stores);
    let created = created.map(|(game, store)| store.create(game.clone()));
    let created = futures_util::future::join_all(created).await;
    let done = created.iter().map(|created| created.as_ref().unwrap());
    let won: Vec<_> = done
        .zip(&rivals)
        .filter(|(created, _)| **created == Created::Done)
        .collect();
    let [(_, winner)] = won.as_slice() else {
        panic!("{created:?}");
    };
    let log = whole_log(&*handles.other, id).await;
    assert_eq!(log[0].bytes, winner.entry);
    assert_eq!(log[1..], entries(id, 2..=newest));
    let again = handles.other.create(NewGame::clone(winner)).await.unwrap();
    assert_eq!(again, Created::Done);
}
