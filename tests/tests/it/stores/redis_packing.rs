//! A finished game is packed, and no reader notices it.

use std::time::Duration;

use bytes::Bytes;
use gamekeeper_store::{
    Commit, Committed, Created, GameId, ListFilter, NewGame, StoreError, Version,
};
use gamekeeper_store_redis::RedisConfig;
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::writing::{entry_bytes, head, new_game, next_commit};
use tokio::time::{sleep, timeout};
use uuid::Uuid;

use super::redis::{check_log, config_of, open_at};
use super::{created, finish, grow};

fn packing(server: &RedisServer) -> RedisConfig {
    RedisConfig {
        pack_after: Duration::ZERO,
        settle: Duration::ZERO,
        ..config_of(server)
    }
}

fn log_of(id: GameId) -> String {
    format!("gk:{{{id}}}:log")
}

async fn packed(server: &RedisServer, id: GameId) {
    let waiting = async {
        while server.ask::<i64>(&["XLEN", &log_of(id)]) != 1 {
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(Duration::from_secs(30), waiting)
        .await
        .expect("it is packed");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_packed_game_answers_as_before() {
    let server = RedisServer::start(&RedisOptions::new());
    let store = open_at(packing(&server)).await;
    let id = created(&*store).await;
    grow(&*store, id, 2..=150).await;
    let is_set = store
        .set_access(id, Bytes::new(), Bytes::from("a"), None, None)
        .await;
    assert!(is_set.unwrap());
    let plain: i64 = server.ask(&["MEMORY", "USAGE", &log_of(id)]);
    finish(&*store, id, 150).await;
    packed(&server, id).await;
    let small: i64 = server.ask(&["MEMORY", "USAGE", &log_of(id)]);
    assert!(small * 2 < plain, "{small} of {plain} bytes");

    check_log(&*store, id, 151).await;
    let page = store.log(id, 10, 5).await.unwrap().unwrap();
    let page: Vec<Version> = page.iter().map(|entry| entry.version).collect();
    assert_eq!(page, [11, 12, 13, 14, 15]);
    assert_eq!(store.log(id, 151, 5).await.unwrap(), Some(vec![]));
    let cold = store.load(id, None).await.unwrap().unwrap();
    assert_eq!(cold.snapshot.unwrap().bytes, "the end");
    assert_eq!((cold.entries.len(), cold.access), (64, Bytes::from("a")));
    for known_version in [1, 77, 150, 151] {
        let warm = store
            .load(id, Some(head(id, known_version)))
            .await
            .unwrap()
            .unwrap();
        assert_eq!(warm.snapshot, None, "known {known_version}");
        let newer: Vec<Version> = warm.entries.iter().map(|entry| entry.version).collect();
        assert_eq!(newer, (known_version + 1..=151).collect::<Vec<_>>());
    }
    let lost = store.load(id, Some(head(Uuid::nil(), 7))).await;
    assert!(lost.unwrap().unwrap().snapshot.is_some());
    // A late retry.
    finish(&*store, id, 150).await;
    let late = store.commit(&next_commit(id, 40)).await.unwrap();
    assert_eq!(late, Committed::Done);
    let rival = Commit {
        entry: Bytes::from("a rival"),
        ..next_commit(id, 149)
    };
    match store.commit(&rival).await.unwrap() {
        Committed::Conflict { newer } => assert_eq!(newer.len(), 2),
        answer @ (Committed::Done | Committed::AccessChanged | Committed::Missing) => {
            panic!("{answer:?}")
        }
    }
    assert!(matches!(
        store.commit(&next_commit(id, 151)).await.unwrap(),
        Committed::Conflict { .. }
    ));
    assert_eq!(store.create(new_game(id)).await.unwrap(), Created::Done);
    let other = NewGame {
        entry: Bytes::from("another"),
        ..new_game(id)
    };
    assert_eq!(store.create(other).await.unwrap(), Created::Exists);
    let listed = store.list(&ListFilter::default(), None, 9).await.unwrap();
    assert!(listed.len() == 1 && listed[0].row.finished);
    assert!(store.delete(id).await.unwrap());
    assert_eq!(store.load(id, None).await.unwrap(), None);
}

/// Games that were finished by a build without packing, or by a process that ended too soon, are packed eventually.
#[tokio::test(flavor = "multi_thread")]
async fn games_that_are_finished_are_packed_sooner_or_later() {
    let server = RedisServer::start(&RedisOptions::new());
    let before = open_at(config_of(&server)).await;
    let id = created(&*before).await;
    grow(&*before, id, 2..=9).await;
    finish(&*before, id, 9).await;
    before.close().await.unwrap();
    assert_eq!(server.ask::<i64>(&["XLEN", &log_of(id)]), 10);
    let _: i64 = server.ask(&["DEL", "gk:terms:{terms}:given"]);
    let after = open_at(packing(&server)).await;
    packed(&server, id).await;
    check_log(&*after, id, 10).await;

    let other = created(&*after).await;
    grow(&*after, other, 2..=9).await;
    let slow = open_at(config_of(&server)).await;
    finish(&*slow, other, 9).await;
    after.load(other, None).await.unwrap();
    packed(&server, other).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_packed_game_that_is_damaged_says_so() {
    let server = RedisServer::start(&RedisOptions::new());
    let store = open_at(packing(&server)).await;
    let id = created(&*store).await;
    grow(&*store, id, 2..=20).await;
    finish(&*store, id, 20).await;
    packed(&server, id).await;
    let number = format!(
        "21-{}",
        gamekeeper_store::Head::of(21, &entry_bytes(id, 21)).entry_hash
    );
    let log = log_of(id);
    let _: i64 = server.ask(&["DEL", &log]);
    let _: String = server.ask(&["XADD", &log, &number, "p", "nonsense"]);
    let damaged = |error: StoreError| matches!(error, StoreError::Damaged(_));
    assert!(store.load(id, None).await.is_err_and(damaged));
    assert!(store.log(id, 0, 9).await.is_err_and(damaged));
    assert!(store.commit(&next_commit(id, 3)).await.is_err_and(damaged));
    assert!(store.create(new_game(id)).await.is_err_and(damaged));
    assert!(store.delete(id).await.unwrap());
}
