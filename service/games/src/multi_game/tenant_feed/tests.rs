//! Following a feed whose store reports changes before they are made.

use gamekeeper_store::Head;
use uuid::Uuid;

use super::*;
use crate::test_server::{shared, store};

const NOW: u64 = 1_000_000;
const UNSURE: u64 = 60_000;

fn game(number: u128) -> GameId {
    Uuid::from_u128(number)
}

fn marker(number: u128, change_kind: ChangeKind, version: Version, ms: u64) -> FeedRecord {
    let head = Head {
        version,
        entry_hash: 0,
    };
    FeedRecord::new(FeedOffset::at(ms), game(number), change_kind, head)
}

fn page(markers: Vec<FeedRecord>) -> CurrentPage {
    CurrentPage {
        deltas: coalesce(&markers).into(),
        markers,
        now_ms: NOW,
        commit_lag_ms: UNSURE,
        ..CurrentPage::default()
    }
}

#[test]
fn what_is_newer_than_the_game_is_missing_as_long_as_it_may_come() {
    let (just_now, late) = (NOW - UNSURE + 1, NOW - UNSURE);
    let page = page(vec![
        marker(1, ChangeKind::Version, 4, just_now),
        marker(1, ChangeKind::Version, 5, just_now),
        marker(1, ChangeKind::Version, 6, just_now),
        marker(1, ChangeKind::Version, 7, late),
        marker(2, ChangeKind::Version, 6, just_now),
        marker(3, ChangeKind::Deleted, 0, just_now),
        marker(3, ChangeKind::Deleted, 0, late),
    ]);
    let missing = |number, newest| {
        let missing = page.uncommitted_markers(game(number), newest);
        let versions = missing.iter().map(|marker| marker.head.version);
        versions.collect::<Vec<_>>()
    };
    assert_eq!(missing(1, 5), [6]);
    assert_eq!(missing(1, 4), [5, 6]);
    assert!(missing(1, 6).is_empty(), "it cannot come anymore");
    assert_eq!(missing(3, 9), [0], "its deletion is not there yet");
}

/// Creates a follower that has read this page.
async fn follower(page: CurrentPage) -> Follower {
    let shared = shared(store());
    let caller = Caller::UNAUTHENTICATED;
    let call = pb::WatchGamesRequest::default();
    let begin = FeedOffset::at(0);
    Follower {
        registry: Arc::new(Registry::empty(Arc::clone(&shared))),
        request: FeedRequest::decode(&caller, &call, &pb::GameFilter::default()).unwrap(),
        cursor: FeedCursor {
            epoch: 1,
            position: begin,
        },
        page,
        read_position: begin,
        uncommitted: Vec::new(),
        retry_delay: RETRY_BACKOFF[0],
        cache: FollowerCache::default(),
        lookahead: None,
        wake_ups: shared.store.watch(feed_topic("")).await.unwrap(),
        bookmark_at: Instant::now(),
        yielder: Yielder::new(),
        _share: shared.watch_permits.try_acquire(caller.account).unwrap(),
        _open: shared.metrics.following(),
        caller,
    }
}

/// The follower waits for a reported game that does not exist yet; once it can no longer appear, the game has left. A
/// creation that was never made is not reported to the client at all.
#[tokio::test]
async fn a_game_that_is_not_there_is_waited_for_or_has_gone() {
    let (just_now, late) = (NOW - 1, NOW - UNSURE);
    for (change_kind, ms, waits, goes) in [
        (ChangeKind::Version, just_now, true, false),
        (ChangeKind::Version, late, false, true),
        (ChangeKind::Created, just_now, true, false),
        (ChangeKind::Created, late, false, false),
    ] {
        let page = page(vec![marker(1, change_kind, 2, ms)]);
        let group = page.deltas[0].clone();
        let mut follower = follower(page).await;
        let problem = ServiceError::no_such_game(game(1));
        follower.accept(&group, FeedLookup::Missing(problem));
        let is_waited_for = !follower.uncommitted.is_empty();
        let has_gone = !follower.page.opened.is_empty();
        assert_eq!(
            (is_waited_for, has_gone),
            (waits, goes),
            "{change_kind:?} {ms}"
        );
    }
}
