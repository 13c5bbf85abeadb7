use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::join_all;
use tokio::time::timeout;
use uuid::Uuid;

use super::listing::new_tenant;
use super::{Subject, commit, game_with_past, head, new_game, rival, row_of};
use crate::clock::now_ms;
use crate::feed::{FeedFrom, FeedPage, FeedPlace, FeedRead, Marker, Told, feed_topic};
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
        other @ (FeedRead::Expired | FeedRead::Off) => panic!("{other:?}"),
    }
}

/// Returns all markers that follow, read in pages of this length.
async fn rest(store: &dyn GameStore, tenant: &str, from: FeedFrom, limit: usize) -> Vec<Marker> {
    let (mut from, mut markers) = (from, Vec::new());
    loop {
        let page = page(store, tenant, from, limit).await;
        assert!(page.markers.len() <= limit);
        markers.extend(page.markers);
        from = FeedFrom::After(page.end);
        if page.is_last {
            return markers;
        }
    }
}

/// A moment before everything that the test does next.
fn before() -> FeedFrom {
    FeedFrom::Time(now_ms() - 1_000)
}

fn facts(markers: &[Marker]) -> Vec<(GameId, Told, Version)> {
    let fact = |marker: &Marker| (marker.id, marker.told, marker.head.version);
    let mut facts = Vec::new();
    for fact in markers.iter().map(fact) {
        // A store may report a change twice (at-least-once delivery).
        if !facts.contains(&fact) {
            facts.push(fact);
        }
    }
    facts
}

/// Creations, versions, changes of lists and deletions are reported in their order, whichever process made them.
pub async fn all_that_happens_is_told_in_order(subject: &Subject) {
    let (tenant, from) = (new_tenant(), before());
    let one = created(&*subject.one, &tenant).await;
    let fork = Uuid::now_v7();
    let game = NewGame {
        row: row(&tenant),
        ..game_with_past(fork, 5)
    };
    assert_eq!(subject.other.create(game).await.unwrap(), Created::Done);
    played(&*subject.other, &tenant, one, 1).await;
    played(&*subject.one, &tenant, fork, 5).await;
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
    let set = subject
        .other
        .set_access(one, none, access.clone(), None, Some(listed));
    assert!(set.await.unwrap());
    let set = subject
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
    assert_eq!(subject.one.commit(&last).await.unwrap(), Committed::Done);
    assert!(subject.other.delete(fork).await.unwrap());
    let told = rest(&*subject.one, &tenant, from, 100).await;
    let expected = [
        (one, Told::Created, 1),
        (fork, Told::Created, 5),
        (one, Told::Version, 2),
        (fork, Told::Version, 6),
        (one, Told::Lists, 2),
        (one, Told::Version, 3),
        (fork, Told::Deleted, 0),
    ];
    let found = facts(&told);
    // A store that writes the marker before the change cannot know the version yet and reports 0.
    let found = found.into_iter().map(|(id, told, version)| {
        let is_unknown = told == Told::Lists && version == 0;
        (id, told, if is_unknown { 2 } else { version })
    });
    assert_eq!(found.collect::<Vec<_>>(), expected);
    let versions = told.iter().filter(|marker| marker.told == Told::Version);
    for marker in versions {
        assert_eq!(marker.head, head(marker.id, marker.head.version));
    }
}

/// A reader that resumes at any place, with pages of any length, misses nothing.
pub async fn a_feed_resumes_at_every_place(subject: &Subject) {
    let (tenant, from) = (new_tenant(), before());
    let games = [
        created(&*subject.one, &tenant).await,
        created(&*subject.other, &tenant).await,
    ];
    for expected in 1..8 {
        for id in games {
            played(&*subject.one, &tenant, id, expected).await;
        }
    }
    let all = rest(&*subject.other, &tenant, from, 100).await;
    assert!(all.len() >= 16);
    assert!(
        all.is_sorted_by(|one, next| one.place < next.place),
        "{all:?}"
    );
    for limit in [1, 3, 100] {
        assert_eq!(rest(&*subject.one, &tenant, from, limit).await, all);
    }
    for (at, marker) in all.iter().enumerate() {
        let after = rest(&*subject.one, &tenant, FeedFrom::After(marker.place), 5).await;
        assert_eq!(after, all[at + 1..]);
    }
}

/// A reader at the end reads nothing, and later everything that came since.
pub async fn a_feed_can_be_read_from_its_end(subject: &Subject) {
    let tenant = new_tenant();
    let empty = page(&*subject.one, &tenant, FeedFrom::End, 10).await;
    assert_eq!((empty.markers.len(), empty.is_last), (0, true));
    let id = created(&*subject.one, &tenant).await;
    played(&*subject.one, &tenant, id, 1).await;
    let first = rest(&*subject.other, &tenant, FeedFrom::After(empty.end), 10).await;
    assert_eq!(
        facts(&first),
        [(id, Told::Created, 1), (id, Told::Version, 2)]
    );
    let end = page(&*subject.other, &tenant, FeedFrom::End, 10).await;
    assert_eq!((end.markers.len(), end.is_last), (0, true));
    assert_eq!(end.life, empty.life);
    played(&*subject.one, &tenant, id, 2).await;
    let later = rest(&*subject.one, &tenant, FeedFrom::After(end.end), 10).await;
    assert_eq!(facts(&later), [(id, Told::Version, 3)]);
}

/// The feeds of tenants are separate, and no feed reports a refused change as an existing version.
pub async fn a_feed_tells_of_its_own_tenant_alone(subject: &Subject) {
    let (mine, yours, from) = (new_tenant(), new_tenant(), before());
    let id = created(&*subject.one, &mine).await;
    let other = created(&*subject.one, &yours).await;
    played(&*subject.one, &mine, id, 1).await;
    let again = commit_of(&mine, id, 1);
    assert_eq!(subject.other.commit(&again).await.unwrap(), Committed::Done);
    let late = Commit {
        tenant: mine.clone(),
        ..rival(id, 1)
    };
    let answer = subject.other.commit(&late).await.unwrap();
    assert!(matches!(answer, Committed::Conflict { .. }));
    let missing = commit_of(&mine, Uuid::now_v7(), 4);
    assert_eq!(
        subject.one.commit(&missing).await.unwrap(),
        Committed::Missing
    );
    let told = rest(&*subject.one, &mine, from, 10).await;
    let told = told.iter().filter(|marker| marker.id == id);
    let known = told.filter(|marker| marker.head.mark != late_head(&late).mark);
    let known: Vec<Marker> = known.copied().collect();
    assert_eq!(
        facts(&known),
        [(id, Told::Created, 1), (id, Told::Version, 2)]
    );
    let told = rest(&*subject.one, &yours, from, 10).await;
    assert_eq!(facts(&told), [(other, Told::Created, 1)]);
}

fn late_head(late: &Commit) -> Head {
    Head::of(late.expected.version + 1, &late.entry)
}

/// The number of games that are played at once, and the number of versions that each gets.
const RACERS: usize = 8;
const VERSIONS: Version = 25;

/// A reader that follows while games are played in two processes sees every version of each, in order.
pub async fn a_follower_misses_nothing(subject: &Subject) {
    let tenant = Arc::new(new_tenant());
    let start = page(&*subject.one, &tenant, FeedFrom::End, 10).await.end;
    let games = (0..RACERS).map(|racer| {
        let (subject, tenant) = (subject.clone(), Arc::clone(&tenant));
        tokio::spawn(async move {
            let id = created(&*subject.one, &tenant).await;
            for expected in 1..VERSIONS {
                let is_other = (usize::try_from(expected).unwrap() + racer).is_multiple_of(2);
                let store = if is_other {
                    &subject.other
                } else {
                    &subject.one
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
            let page = page(&*subject.other, &tenant, from, 7).await;
            for marker in &page.markers {
                let version = seen.entry(marker.id).or_default();
                assert!(
                    marker.head.version <= *version + 1,
                    "a version was left out: {marker:?}"
                );
                *version = marker.head.version.max(*version);
            }
            from = FeedFrom::After(page.end);
            tokio::task::yield_now().await;
        }
    };
    let both = async { tokio::join!(playing, following) };
    let (played, ()) = timeout(12 * SOON, both).await.unwrap();
    played.into_iter().for_each(|game| game.unwrap());
}

/// A change of a game wakes the watchers of its tenant's feed.
pub async fn a_feed_wakes_its_watchers(subject: &Subject) {
    let tenant = new_tenant();
    let id = created(&*subject.one, &tenant).await;
    let topic = feed_topic(&tenant);
    let mut watchers = [
        subject.one.watch(topic).await.unwrap(),
        subject.other.watch(topic).await.unwrap(),
    ];
    for expected in 1..4 {
        for watcher in &mut watchers {
            watcher.borrow_and_update();
        }
        played(&*subject.one, &tenant, id, expected).await;
        for watcher in &mut watchers {
            timeout(SOON, watcher.changed()).await.unwrap().unwrap();
        }
    }
}

/// A cursor that is too old is refused. For a cursor whose marker the store has lost, the reader gets everything that
/// it may have missed.
pub async fn a_place_that_is_gone_is_told(subject: &Subject) {
    let (tenant, from) = (new_tenant(), before());
    let id = created(&*subject.one, &tenant).await;
    played(&*subject.one, &tenant, id, 1).await;
    for old in [FeedFrom::Time(0), FeedFrom::After(FeedPlace::at(1))] {
        let read = subject.one.feed(&tenant, old, 10).await.unwrap();
        assert_eq!(read, FeedRead::Expired);
    }
    let all = rest(&*subject.one, &tenant, from, 10).await;
    let last = all[all.len() - 1].place;
    let lost = FeedPlace {
        mark: last.mark ^ 2,
        ..last
    };
    let ahead = FeedPlace {
        number: last.number + 7,
        ..last
    };
    for gone in [lost, ahead] {
        let read = rest(&*subject.one, &tenant, FeedFrom::After(gone), 10).await;
        assert_eq!(read, all, "nothing that may have been missed is left out");
    }
}
