//! The bounds of feeds: permissions, valid requests, and the expiry of cursors.

use std::time::{Duration, SystemTime};

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_tests::dominion::assert_reason;
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::{BLUE, KeyFiles, OPERATOR, RED};
use pb::{GameFilter, WatchGamesRequest};
use tonic::{Code, Status};

use super::feed::{all, message, of};
use super::watch::{after, of_user, watch};
use super::{house, labels, new_table};

async fn failed(server: &Gamekeeperd, token: &str, call: WatchGamesRequest) -> Status {
    let answer = watch(server, token, call).await;
    answer.expect_err("a refusal")
}

fn at(call: WatchGamesRequest, cursor: &str) -> WatchGamesRequest {
    WatchGamesRequest {
        cursor: cursor.to_owned(),
        ..call
    }
}

fn from(call: WatchGamesRequest, time: SystemTime) -> WatchGamesRequest {
    WatchGamesRequest {
        from_time: Some(time.into()),
        ..call
    }
}

#[tokio::test]
async fn feeds_are_for_tenants() {
    let (server, _keys) = house();
    let table = new_table(&server, RED, &["ada", "bob"]).await;
    for token in [OPERATOR, table.token(1)] {
        let status = failed(&server, token, all()).await;
        assert_reason(&status, Code::PermissionDenied, "NOT_ALLOWED");
    }
    let operator = pb::Viewer {
        kind: pb::ViewerKind::Operator.into(),
        seat: 0,
    };
    let call = WatchGamesRequest {
        games: vec![pb::WatchedGame {
            viewer: Some(operator),
            ..after(&table, 0)
        }],
        ..from(all(), SystemTime::now() - Duration::from_secs(60))
    };
    let mut messages = watch(&server, RED, call).await.unwrap();
    let left = loop {
        if let Some(update) = message(&mut messages).await.update {
            break update;
        }
    };
    let pb::watch_games_response::Update::Left(left) = left else {
        panic!("a tenant does not look as the operator");
    };
    assert_eq!(left.problem.unwrap().reason, "NOT_ALLOWED");
}

/// Returns filters that feeds do not support: by status, by pending decision, by an unknown ruleset, by a label without
/// a key.
fn wrong_filters() -> [GameFilter; 4] {
    let of_status = GameFilter {
        status: pb::GameStatus::Active.into(),
        ..Default::default()
    };
    let awaiting = GameFilter {
        awaiting_user: String::from("ada"),
        ..Default::default()
    };
    let unknown = GameFilter {
        ruleset: String::from("chess"),
        ..Default::default()
    };
    let keyless = GameFilter {
        labels: labels(&[("", "gold")]),
        ..Default::default()
    };
    [of_status, awaiting, unknown, keyless]
}

#[tokio::test]
async fn what_makes_no_sense_is_refused() {
    let (server, _keys) = house();
    let table = new_table(&server, RED, &["ada", "bob"]).await;
    let cursor = {
        let mut messages = watch(&server, RED, all()).await.unwrap();
        message(&mut messages).await.cursor
    };
    let now = SystemTime::now();
    let filtered = |filter: GameFilter| of(filter);
    let games = |games| WatchGamesRequest { games, ..all() };
    let seat = pb::Viewer {
        kind: pb::ViewerKind::Seat.into(),
        seat: 1,
    };
    let named = pb::WatchedGame {
        viewer: Some(seat),
        ..after(&table, 0)
    };
    let resumed = pb::WatchedGame {
        after_version: 1,
        ..named.clone()
    };
    let [of_status, awaiting, unknown, keyless] = wrong_filters();
    let with_user = WatchGamesRequest {
        filter: all().filter,
        ..of_user("ada")
    };
    let other = if cursor.starts_with('0') { '1' } else { '0' };
    let changed = format!("{other}{}", &cursor[1..]);
    for (wrong, why) in [
        (at(of_user("ada"), &cursor), "a cursor without a filter"),
        (from(of_user("ada"), now), "a time without a filter"),
        (with_user, "a user beside a filter"),
        (at(from(all(), now), &cursor), "a time beside a cursor"),
        (games(vec![after(&table, 0)]), "a game without a viewer"),
        (games(vec![resumed]), "a game that resumes"),
        (games(vec![named.clone(); 2]), "a game twice"),
        (games(vec![named; 1_001]), "too many games"),
        (filtered(of_status), "a status"),
        (filtered(awaiting), "who owes a decision"),
        (filtered(unknown), "an unknown ruleset"),
        (filtered(keyless), "a label without a key"),
        (at(all(), "now"), "no cursor"),
        (at(all(), &changed), "a changed cursor"),
        (at(all(), &"f".repeat(50_000)), "a long cursor"),
    ] {
        let status = failed(&server, RED, wrong).await;
        assert_eq!(status.code(), Code::InvalidArgument, "{why}: {status:?}");
    }
    let foreign = failed(&server, BLUE, at(all(), &cursor)).await;
    assert_reason(&foreign, Code::InvalidArgument, "MALFORMED");
}

#[tokio::test]
async fn an_old_cursor_says_what_to_do() {
    let keys = KeyFiles::new();
    let server = keys.server(&["--store=memory", "--feed-retention=10m"]);
    let cursor = {
        let mut messages = watch(&server, RED, all()).await.unwrap();
        message(&mut messages).await.cursor
    };
    let long_ago = SystemTime::now() - Duration::from_secs(11 * 60);
    let status = failed(&server, RED, from(all(), long_ago)).await;
    assert_reason(&status, Code::OutOfRange, "CURSOR_EXPIRED");
    assert!(status.message().contains("ListGames"), "{status:?}");
    drop(server);
    // A cursor is not valid in another store, even if that has the same name.
    let other = keys.server(&["--store=memory", "--feed-retention=10m"]);
    let status = failed(&other, RED, at(all(), &cursor)).await;
    assert_reason(&status, Code::OutOfRange, "CURSOR_EXPIRED");
}

#[tokio::test]
async fn a_server_may_keep_no_feeds() {
    let keys = KeyFiles::new();
    let server = keys.server(&["--store=memory", "--feed-retention=0"]);
    let status = failed(&server, RED, all()).await;
    assert_reason(&status, Code::FailedPrecondition, "NO_FEED");
    let table = new_table(&server, RED, &["ada", "bob"]).await;
    let mut messages = watch(&server, RED, of_user("ada")).await.unwrap();
    let update = super::watch::change(&mut messages).await;
    assert_eq!(update, (super::watch::id(&table), 1));
}

/// A feed without news sends bookmarks, and its cursor advances with the time.
#[tokio::test]
async fn a_quiet_feed_shows_that_it_is_alive() {
    let keys = KeyFiles::new();
    let server = keys.server(&["--store=memory", "--bookmark-every=200ms"]);
    let mut messages = watch(&server, RED, all()).await.unwrap();
    let first = message(&mut messages).await;
    let second = message(&mut messages).await;
    assert_eq!((first.update, second.update), (None, None));
    assert_ne!(first.cursor, second.cursor);
}
