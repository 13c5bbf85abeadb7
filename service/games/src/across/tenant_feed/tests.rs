//! Following a feed whose store reports changes before they are made.

use gamekeeper_store::Head;
use uuid::Uuid;

use super::*;
use crate::process::{shared, store};

const NOW: u64 = 1_000_000;
const UNSURE: u64 = 60_000;

fn game(number: u128) -> GameId {
    Uuid::from_u128(number)
}

fn marker(number: u128, told: Told, version: Version, ms: u64) -> Marker {
    let head = Head { version, mark: 0 };
    Marker::new(FeedPlace::at(ms), game(number), told, head)
}

fn page(markers: Vec<Marker>) -> Page {
    Page {
        groups: groups(&markers).into(),
        markers,
        now_ms: NOW,
        unsure_ms: UNSURE,
        ..Page::default()
    }
}

#[test]
fn what_is_newer_than_the_game_is_missing_as_long_as_it_may_come() {
    let (just_now, late) = (NOW - UNSURE + 1, NOW - UNSURE);
    let page = page(vec![
        marker(1, Told::Version, 4, just_now),
        marker(1, Told::Version, 5, just_now),
        marker(1, Told::Version, 6, just_now),
        marker(1, Told::Version, 7, late),
        marker(2, Told::Version, 6, just_now),
        marker(3, Told::Deleted, 0, just_now),
        marker(3, Told::Deleted, 0, late),
    ]);
    let missing = |number, newest| {
        let missing = page.missing(game(number), newest);
        let versions = missing.iter().map(|marker| marker.head.version);
        versions.collect::<Vec<_>>()
    };
    assert_eq!(missing(1, 5), [6]);
    assert_eq!(missing(1, 4), [5, 6]);
    assert!(missing(1, 6).is_empty(), "it cannot come anymore");
    assert_eq!(missing(3, 9), [0], "its deletion is not there yet");
}

/// Creates a follower that has read this page.
async fn follower(page: Page) -> Follower {
    let shared = shared(store());
    let caller = Caller::OPEN;
    let call = pb::WatchGamesRequest::default();
    let begin = FeedPlace::at(0);
    Follower {
        registry: Arc::new(Registry::none(Arc::clone(&shared))),
        asked: Asked::read(&caller, &call, &pb::GameFilter::default()).unwrap(),
        cursor: Cursor {
            life: 1,
            place: begin,
        },
        page,
        read_to: begin,
        waiting: Vec::new(),
        retry: RETRY[0],
        known: Known::default(),
        held: None,
        wake_ups: shared.store.watch(feed_topic("")).await.unwrap(),
        bookmark_at: Instant::now(),
        yielder: Yielder::new(),
        _share: shared.watches.take(caller.account).unwrap(),
        _open: shared.metrics.following(),
        caller,
    }
}

/// The follower waits for a reported game that does not exist yet; once it can no longer appear, the game has left. A
/// creation that was never made is not reported to the client at all.
#[tokio::test]
async fn a_game_that_is_not_there_is_waited_for_or_has_gone() {
    let (just_now, late) = (NOW - 1, NOW - UNSURE);
    for (told, ms, waits, goes) in [
        (Told::Version, just_now, true, false),
        (Told::Version, late, false, true),
        (Told::Created, just_now, true, false),
        (Told::Created, late, false, false),
    ] {
        let page = page(vec![marker(1, told, 2, ms)]);
        let group = page.groups[0].clone();
        let mut follower = follower(page).await;
        let problem = Problem::no_such_game(game(1));
        follower.take(&group, Found::Missing(problem));
        let is_waited_for = !follower.waiting.is_empty();
        let has_gone = !follower.page.opened.is_empty();
        assert_eq!((is_waited_for, has_gone), (waits, goes), "{told:?} {ms}");
    }
}
