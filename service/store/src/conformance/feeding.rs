use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::join_all;
use tokio::time::timeout;
use uuid::Uuid;

use super::listing::new_tenant;
use super::{StoreHandles, commit, game_with_history, head, new_game, rival, row_of};
use crate::clock::now_ms;
use crate::feed::{ChangeKind, FeedFrom, FeedOffset, FeedPage, FeedRead, FeedRecord, feed_topic};
use crate::{
    Commit, Committed, Created, GameId, GameStore, Head, IndexRow, Lists, NewGame, Version,
};

/// A wake-up that takes longer counts as lost.
const SOON: Duration = Duration::from_secs(5);

fn row(tenant: &str) -> IndexRow {
    IndexRow {
        created_ms: now_ms(),
        ..row_of(tenant)
    }
}

async fn created(store: &dyn GameStore, tenant: &str) -> GameId {
    let id = Uuid::now_v7();
    let game = NewGame {
        row: row(tenant),
        ..new_game(id)
    };
    assert_eq!(store.create(game).await.unwrap(), Created::Done);
    id
}

fn commit_of(tenant: &str, id: GameId, expected: Version) -> Commit {
    Commit {
        tenant: tenant.to_owned(),
        ..commit(id, expected)
    }
}

async fn played(store: &dyn GameStore, tenant: &str, id: GameId, expected: Version) {
    let next = commit_of(tenant, id, expected);
    assert_eq!(store.commit(&next).await.unwrap(), Committed::Done);
}

async fn page(store: &dyn GameStore, tenant: &str, from: FeedFrom, limit: usize) -> FeedPage {
    match store.feed(tenant, from, limit).await.unwrap() {
        FeedRead::Page(page) => page,
        other @ (FeedRead::Expired | FeedRead::Disabled) => panic!("{other:?}"),
    }
}

/// Returns all records that follow, read in pages of this length.
async fn rest(
    store: &dyn GameStore,
    tenant: &str,
    from: FeedFrom,
    limit: usize,
) -> Vec<FeedRecord> {
    let (mut from, mut records) = (from, Vec::new());
    loop {
        let page = page(store, tenant, from, limit).await;
        assert!(page.records.len() <= limit);
        records.extend(page.records);
        from = FeedFrom::After(page.end_offset);
        if page.is_last {
            return records;
        }
    }
}

/// Follows a feed, and returns its end: a cursor before everything that the test does next.
async fn followed(store: &dyn GameStore, tenant: &str) -> FeedFrom {
    FeedFrom::After(page(store, tenant, FeedFrom::End, 10).await.end_offset)
}

fn facts(records: &[FeedRecord]) -> Vec<(GameId, ChangeKind, Version)> {
    let fact = |record: &FeedRecord| (record.id, record.kind, record.head.version);
    let mut facts = Vec::new();
    for fact in records.iter().map(fact) {
        // A store may report a change twice (at-least-once delivery).
        if !facts.contains(&fact) {
            facts.push(fact);
        }
    }
    facts
}

/// Creations, versions, changes of lists and deletions are reported in their order, whichever process made them.
pub async fn every_change_is_reported_in_order(handles: &StoreHandles) {
    let tenant = new_tenant();
    let from = followed(&*handles.one, &tenant).await;
    let one = created(&*handles.one, &tenant).await;
    let fork = Uuid::now_v7();
    let game = NewGame {
        row: row(&tenant),
        ..game_with_history(fork, 5)
    };
    assert_eq!(handles.other.create(game).await.unwrap(), Created::Done);
    played(&*handles.other, &tenant, one, 1).await;
    played(&*handles.one, &tenant, fork, 5).await;
    let (none, access) = (Bytes::new(), Bytes::from_static(b"access"));
    let lists = Some(Lists {
        changed_ms: now_ms(),
        names: vec![String::from("a list")],
        timed: Vec::new(),
    });
    let listed = IndexRow {
        lists,
        ..row(&tenant)
    };
    let set = handles
        .other
        .set_access(one, none, access.clone(), None, Some(listed));
    assert!(set.await.unwrap());
    let set = handles
        .one
        .set_access(one, access, Bytes::from_static(b"tokens"), None, None);
    assert!(set.await.unwrap());
    let last = Commit {
        row: Some(IndexRow {
            finished: true,
            ..row(&tenant)
        }),
        ..commit_of(&tenant, one, 2)
    };
    assert_eq!(handles.one.commit(&last).await.unwrap(), Committed::Done);
    assert!(handles.other.delete(fork).await.unwrap());
    let records = rest(&*handles.one, &tenant, from, 100).await;
    let expected = [
        (one, ChangeKind::Created, 1),
        (fork, ChangeKind::Created, 5),
        (one, ChangeKind::Version, 2),
        (fork, ChangeKind::Version, 6),
        (one, ChangeKind::Lists, 2),
        (one, ChangeKind::Version, 3),
        (fork, ChangeKind::Deleted, 0),
    ];
    let reported = facts(&records);
    // A store that writes the record before the change cannot know the version yet and reports 0.
    let reported = reported.into_iter().map(|(id, kind, version)| {
        let is_unknown = kind == ChangeKind::Lists && version == 0;
        (id, kind, if is_unknown { 2 } else { version })
    });
    assert_eq!(reported.collect::<Vec<_>>(), expected);
    assert_heads_of_versions(&records);
}

/// Asserts that the markers of new versions name the heads that the logs got.
fn assert_heads_of_versions(records: &[FeedRecord]) {
    let versions = records
        .iter()
        .filter(|record| record.kind == ChangeKind::Version);
    for record in versions {
        assert_eq!(record.head, head(record.id, record.head.version));
    }
}

/// A reader that resumes at any offset, with pages of any length, misses nothing.
pub async fn a_feed_resumes_at_every_offset(handles: &StoreHandles) {
    let tenant = new_tenant();
    let from = followed(&*handles.one, &tenant).await;
    let games = [
        created(&*handles.one, &tenant).await,
        created(&*handles.other, &tenant).await,
    ];
    for expected in 1..8 {
        for id in games {
            played(&*handles.one, &tenant, id, expected).await;
        }
    }
    let all = rest(&*handles.other, &tenant, from, 100).await;
    assert!(all.len() >= 16);
    assert!(
        all.is_sorted_by(|one, next| one.offset < next.offset),
        "{all:?}"
    );
    for limit in [1, 3, 100] {
        assert_eq!(rest(&*handles.one, &tenant, from, limit).await, all);
    }
    for (at, record) in all.iter().enumerate() {
        let after = rest(&*handles.one, &tenant, FeedFrom::After(record.offset), 5).await;
        assert_eq!(after, all[at + 1..]);
    }
}

/// A reader at the end reads nothing, and later everything that came since.
pub async fn a_feed_can_be_read_from_its_end(handles: &StoreHandles) {
    let tenant = new_tenant();
    let empty = page(&*handles.one, &tenant, FeedFrom::End, 10).await;
    assert_eq!((empty.records.len(), empty.is_last), (0, true));
    let id = created(&*handles.one, &tenant).await;
    played(&*handles.one, &tenant, id, 1).await;
    let first = rest(
        &*handles.other,
        &tenant,
        FeedFrom::After(empty.end_offset),
        10,
    )
    .await;
    assert_eq!(
        facts(&first),
        [(id, ChangeKind::Created, 1), (id, ChangeKind::Version, 2)]
    );
    let end = page(&*handles.other, &tenant, FeedFrom::End, 10).await;
    assert_eq!((end.records.len(), end.is_last), (0, true));
    assert_eq!(end.feed_epoch, empty.feed_epoch);
    played(&*handles.one, &tenant, id, 2).await;
    let later = rest(&*handles.one, &tenant, FeedFrom::After(end.end_offset), 10).await;
    assert_eq!(facts(&later), [(id, ChangeKind::Version, 3)]);
}

/// The feeds of tenants are separate, and no feed reports a refused change as an existing version.
pub async fn a_feed_reports_its_own_tenant_only(handles: &StoreHandles) {
    let (mine, yours) = (new_tenant(), new_tenant());
    let from = followed(&*handles.one, &mine).await;
    let from_of_yours = followed(&*handles.other, &yours).await;
    let id = created(&*handles.one, &mine).await;
    let other = created(&*handles.one, &yours).await;
    played(&*handles.one, &mine, id, 1).await;
    let again = commit_of(&mine, id, 1);
    assert_eq!(handles.other.commit(&again).await.unwrap(), Committed::Done);
    let late = Commit {
        tenant: mine.clone(),
        ..rival(id, 1)
    };
    let outcome = handles.other.commit(&late).await.unwrap();
    assert!(matches!(outcome, Committed::Conflict { .. }));
    let missing = commit_of(&mine, Uuid::now_v7(), 4);
    assert_eq!(
        handles.one.commit(&missing).await.unwrap(),
        Committed::Missing
    );
    let records = rest(&*handles.one, &mine, from, 10).await;
    let records = records.iter().filter(|record| record.id == id);
    let others = records.filter(|record| record.head.entry_hash != late_head(&late).entry_hash);
    let others: Vec<FeedRecord> = others.copied().collect();
    assert_eq!(
        facts(&others),
        [(id, ChangeKind::Created, 1), (id, ChangeKind::Version, 2)]
    );
    let records = rest(&*handles.one, &yours, from_of_yours, 10).await;
    assert_eq!(facts(&records), [(other, ChangeKind::Created, 1)]);
}

fn late_head(late: &Commit) -> Head {
    Head::of(late.expected.version + 1, &late.entry)
}

/// The number of games that are played at once, and the number of versions that each gets.
const RACERS: usize = 8;
const VERSIONS: Version = 25;

/// A reader that follows while games are played in two processes sees every version of each, in order.
pub async fn a_follower_misses_nothing(handles: &StoreHandles) {
    let tenant = Arc::new(new_tenant());
    let start = page(&*handles.one, &tenant, FeedFrom::End, 10)
        .await
        .end_offset;
    let games = (0..RACERS).map(|racer| {
        let (handles, tenant) = (handles.clone(), Arc::clone(&tenant));
        tokio::spawn(async move {
            let id = created(&*handles.one, &tenant).await;
            for expected in 1..VERSIONS {
                let is_other = (usize::try_from(expected).unwrap() + racer).is_multiple_of(2);
                let store = if is_other {
                    &handles.other
                } else {
                    &handles.one
                };
                played(&**store, &tenant, id, expected).await;
            }
        })
    });
    let playing = join_all(games);
    let following = async {
        let mut seen: HashMap<GameId, Version> = HashMap::new();
        let mut from = FeedFrom::After(start);
        while seen.len() < RACERS || seen.values().any(|version| *version < VERSIONS) {
            let page = page(&*handles.other, &tenant, from, 7).await;
            for record in &page.records {
                let version = seen.entry(record.id).or_default();
                assert!(
                    record.head.version <= *version + 1,
                    "a version was left out: {record:?}"
                );
                *version = record.head.version.max(*version);
            }
            from = FeedFrom::After(page.end_offset);
            tokio::task::yield_now().await;
        }
    };
    let both = async { tokio::join!(playing, following) };
    let (played, ()) = timeout(12 * SOON, both).await.unwrap();
    played.into_iter().for_each(|game| game.unwrap());
}

/// A feed begins at the latest with its first reader, and misses nothing from then on, whichever process changes a
/// game and whatever else changes with it. It shows nothing from before as if it were whole.
pub async fn a_feed_begins_with_its_first_reader(handles: &StoreHandles) {
    let (tenant, start_ms) = (new_tenant(), now_ms());
    let id = created(&*handles.one, &tenant).await;
    played(&*handles.other, &tenant, id, 1).await;
    let continued = FeedFrom::After(FeedOffset::at(start_ms));
    for from in [continued, FeedFrom::Time(start_ms - 1)] {
        match handles.one.feed(&tenant, from, 10).await.unwrap() {
            FeedRead::Expired => {}
            FeedRead::Page(page) => assert_eq!(
                facts(&page.records),
                [(id, ChangeKind::Created, 1), (id, ChangeKind::Version, 2)]
            ),
            FeedRead::Disabled => panic!("a store without feeds"),
        }
    }
    let first = page(&*handles.one, &tenant, FeedFrom::End, 10).await;
    let snapshot = Some(Bytes::from_static(b"a snapshot"));
    let with_snapshot = Commit {
        snapshot,
        ..commit_of(&tenant, id, 2)
    };
    let with_row = Commit {
        row: Some(row(&tenant)),
        ..commit_of(&tenant, id, 4)
    };
    for (store, next) in [
        (&handles.other, with_snapshot),
        (&handles.one, commit_of(&tenant, id, 3)),
        (&handles.other, with_row),
        (&handles.other, commit_of(&tenant, id, 5)),
    ] {
        assert_eq!(store.commit(&next).await.unwrap(), Committed::Done);
    }
    let expected: Vec<_> = (3..=6).map(|at| (id, ChangeKind::Version, at)).collect();
    for from in [
        FeedFrom::After(first.end_offset),
        FeedFrom::Time(first.now_ms),
    ] {
        let records = rest(&*handles.other, &tenant, from, 3).await;
        let later = facts(&records);
        let later = later.into_iter().filter(|(_, _, version)| *version > 2);
        assert_eq!(later.collect::<Vec<_>>(), expected, "{from:?}");
    }
}

/// A change of a game wakes the watchers of its tenant's feed.
pub async fn a_feed_wakes_its_watchers(handles: &StoreHandles) {
    let tenant = new_tenant();
    followed(&*handles.other, &tenant).await;
    let id = created(&*handles.one, &tenant).await;
    let topic = feed_topic(&tenant);
    let mut watchers = [
        handles.one.watch(topic).await.unwrap(),
        handles.other.watch(topic).await.unwrap(),
    ];
    for expected in 1..4 {
        for watcher in &mut watchers {
            watcher.borrow_and_update();
        }
        played(&*handles.one, &tenant, id, expected).await;
        for watcher in &mut watchers {
            timeout(SOON, watcher.changed()).await.unwrap().unwrap();
        }
    }
}

/// A cursor that is too old is refused. For a cursor whose record the store has lost, the reader gets everything that
/// it may have missed.
pub async fn a_lost_or_expired_offset_is_handled(handles: &StoreHandles) {
    let tenant = new_tenant();
    let from = followed(&*handles.one, &tenant).await;
    let id = created(&*handles.one, &tenant).await;
    played(&*handles.one, &tenant, id, 1).await;
    for old in [FeedFrom::Time(0), FeedFrom::After(FeedOffset::at(1))] {
        let read = handles.one.feed(&tenant, old, 10).await.unwrap();
        assert_eq!(read, FeedRead::Expired);
    }
    let all = rest(&*handles.one, &tenant, from, 10).await;
    let last = all[all.len() - 1].offset;
    let lost = FeedOffset {
        record_hash: last.record_hash ^ 2,
        ..last
    };
    let ahead = FeedOffset {
        number: last.number + 7,
        ..last
    };
    for gone in [lost, ahead] {
        let read = rest(&*handles.one, &tenant, FeedFrom::After(gone), 10).await;
        assert_eq!(read, all, "nothing that may have been missed is left out");
    }
}
