use std::time::Duration;

use tokio::time::timeout;
use uuid::Uuid;

use super::{StoreHandles, commit, created};
use crate::{ChangeReceiver, Committed, Version};

/// A wake-up that takes longer counts as lost.
const SOON: Duration = Duration::from_secs(5);

/// How long to wait for a wake-up that should not come.
const WHILE: Duration = Duration::from_millis(100);

/// Every commit wakes watchers, whichever process made it.
pub async fn a_commit_wakes_a_watcher(handles: &StoreHandles) {
    let id = created(&*handles.one).await;
    let mut here = handles.one.watch(id).await.unwrap();
    let mut there = handles.other.watch(id).await.unwrap();
    let mut also_there = handles.other.watch(id).await.unwrap();
    for expected in 1..4 {
        assert_eq!(
            handles.one.commit(&commit(id, expected)).await.unwrap(),
            Committed::Done
        );
        for watcher in [&mut here, &mut there, &mut also_there] {
            hears_of(watcher, expected + 1).await;
        }
    }
    drop((there, also_there));
    let mut later = handles.other.watch(id).await.unwrap();
    assert_eq!(
        handles.other.commit(&commit(id, 4)).await.unwrap(),
        Committed::Done
    );
    hears_of(&mut later, 5).await;
    hears_of(&mut here, 5).await;
}

async fn hears_of(watcher: &mut ChangeReceiver, version: Version) {
    let seen_version = timeout(
        SOON,
        watcher.wait_for(|seen_version| *seen_version >= version),
    )
    .await;
    let seen_version = *seen_version
        .unwrap_or_else(|_| panic!("not woken for version {version}"))
        .unwrap();
    assert_eq!(seen_version, version, "no other version is reported");
}

/// A deletion wakes watchers, and a load then shows that the game is gone.
pub async fn a_deletion_wakes_a_watcher(handles: &StoreHandles) {
    let id = created(&*handles.one).await;
    let mut watchers = [
        handles.one.watch(id).await.unwrap(),
        handles.other.watch(id).await.unwrap(),
    ];
    for watcher in &mut watchers {
        watcher.borrow_and_update();
    }
    assert!(handles.one.delete(id).await.unwrap());
    for watcher in &mut watchers {
        timeout(SOON, watcher.changed()).await.unwrap().unwrap();
    }
    assert_eq!(handles.other.load(id, None).await.unwrap(), None);
}

/// A game wakes only its own watchers.
pub async fn a_watcher_of_another_game_sleeps(handles: &StoreHandles) {
    let id = created(&*handles.one).await;
    let quiet = created(&*handles.one).await;
    let mut watcher = handles.other.watch(quiet).await.unwrap();
    // A watch may wake once when it begins.
    let _begun = timeout(WHILE, watcher.changed()).await;
    assert_eq!(
        handles.one.commit(&commit(id, 1)).await.unwrap(),
        Committed::Done
    );
    assert!(timeout(WHILE, watcher.changed()).await.is_err());
    assert_eq!(*watcher.borrow(), 0);
}

/// A wake reaches the watchers of an id even if no such game exists.
pub async fn what_is_watched_can_be_woken(handles: &StoreHandles) {
    let id = Uuid::now_v7();
    let mut watcher = handles.other.watch(id).await.unwrap();
    watcher.borrow_and_update();
    handles.one.wake(id).await.unwrap();
    timeout(SOON, watcher.changed()).await.unwrap().unwrap();
    assert_eq!(handles.one.load(id, None).await.unwrap(), None);
}
