//! Users and labels that change are told on a stream of many games, to those who see them.

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_tests::dominion::Table;
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::{KeyFiles, OPERATOR, RED, bearing};
use pb::watch_games_response::Update;
use pb::{ViewMode, WatchGamesRequest};
use tempfile::TempDir;

use super::watch::{after, found, id, next, of_user, silent, watch};
use super::{labels, new_table, start, users};

async fn update(server: &Gamekeeperd, call: pb::UpdateGameRequest) {
    let answer = server.games().update_game(bearing(RED, call)).await;
    answer.unwrap();
}

fn labeled(table: &Table, pairs: &[(&str, &str)]) -> pb::UpdateGameRequest {
    pb::UpdateGameRequest {
        game_id: id(table),
        set_labels: labels(pairs),
        ..Default::default()
    }
}

/// One server changes, another tells.
async fn changes_are_told(changes: &Gamekeeperd, tells: &Gamekeeperd) {
    let mut table = new_table(changes, RED, &["ada", "bob"]).await;
    let call = WatchGamesRequest {
        view_mode: ViewMode::Seat.into(),
        ..of_user("ada")
    };
    let mut of_user = watch(tells, RED, call).await.unwrap();
    let named = WatchGamesRequest {
        games: vec![after(&table, 0)],
        ..Default::default()
    };
    let mut of_operator = watch(tells, OPERATOR, named.clone()).await.unwrap();
    let mut of_seat = watch(tells, table.token(1), named).await.unwrap();
    for stream in [&mut of_user, &mut of_operator, &mut of_seat] {
        assert_eq!(found(stream).await.game.unwrap().version, 1);
    }

    update(changes, labeled(&table, &[("league", "gold")])).await;
    for stream in [&mut of_user, &mut of_operator] {
        let told = found(stream).await.game.unwrap();
        assert_eq!(told.version, 1);
        assert_eq!(told.labels, labels(&[("league", "gold")]));
    }
    table.pass(&mut changes.dominion(), 1).await.unwrap();
    let played = found(&mut of_user).await;
    assert!(played.view.is_some());
    let played = played.game.unwrap();
    assert_eq!(
        (played.version, &played.labels),
        (2, &labels(&[("league", "gold")]))
    );
    assert_eq!(found(&mut of_operator).await.game.unwrap().version, 2);

    let other = pb::UpdateGameRequest {
        game_id: id(&table),
        users: vec![pb::SeatUser {
            seat: 2,
            user: String::from("cyd"),
        }],
        remove_labels: vec![String::from("league")],
        ..Default::default()
    };
    // What changes nothing is not told.
    update(changes, other.clone()).await;
    update(changes, other).await;
    for stream in [&mut of_user, &mut of_operator] {
        let told = found(stream).await.game.unwrap();
        assert_eq!((told.version, users(&told)), (2, vec!["ada", "cyd"]));
        assert_eq!(told.labels, labels(&[]));
    }
    table.pass(&mut changes.dominion(), 1).await.unwrap();
    for stream in [&mut of_user, &mut of_operator] {
        assert_eq!(found(stream).await.game.unwrap().version, 3);
    }

    // The seat sees no users and no labels, and hears of versions alone.
    for version in [2, 3] {
        let told = found(&mut of_seat).await.game.unwrap();
        assert_eq!((told.version, users(&told)), (version, vec!["", ""]));
        assert_eq!(told.labels, labels(&[]));
    }
    silent(&mut of_seat, 1).await;

    let gone = pb::UpdateGameRequest {
        game_id: id(&table),
        users: vec![pb::SeatUser {
            seat: 1,
            user: String::new(),
        }],
        ..Default::default()
    };
    update(changes, gone).await;
    let left = pb::GameLeft {
        game_id: id(&table),
        error: None,
    };
    assert_eq!(next(&mut of_user).await, Update::Left(left));
}

#[tokio::test]
async fn users_and_labels_that_change_are_told_in_memory() {
    let keys = KeyFiles::new();
    let server = start(&keys, &["--store=memory", "--bookmark-every=1s"]);
    changes_are_told(&server, &server).await;
}

#[tokio::test]
async fn users_and_labels_that_change_are_told_on_disk() {
    let (keys, folder) = (KeyFiles::new(), TempDir::new().unwrap());
    let store = format!("--data-dir={}", folder.path().display());
    let server = start(&keys, &[&store, "--bookmark-every=1s"]);
    changes_are_told(&server, &server).await;
}

#[tokio::test]
async fn users_and_labels_that_change_are_told_by_another_process() {
    let (keys, redis) = (KeyFiles::new(), RedisServer::start(&RedisOptions::new()));
    let store = format!("--redis={}", redis.address());
    let begin = || start(&keys, &["--store=redis", &store, "--bookmark-every=1s"]);
    changes_are_told(&begin(), &begin()).await;
}

/// A stream that goes on after versions were missed tells all of them, and then what is new of users and labels.
#[tokio::test]
async fn a_stream_that_resumes_tells_versions_first() {
    let keys = KeyFiles::new();
    let server = start(&keys, &["--store=memory"]);
    let mut table = new_table(&server, RED, &["ada", "bob"]).await;
    table.pass(&mut server.dominion(), 300).await.unwrap();
    let call = WatchGamesRequest {
        games: vec![after(&table, 1)],
        ..Default::default()
    };
    let mut messages = watch(&server, RED, call).await.unwrap();
    update(&server, labeled(&table, &[("league", "tin")])).await;
    let mut told = Vec::new();
    let last = loop {
        let game = found(&mut messages).await.game.unwrap();
        if told.last() == Some(&game.version) {
            break game;
        }
        told.push(game.version);
        if game.version == table.game.version && !game.labels.is_empty() {
            break game;
        }
    };
    assert_eq!(told, (2..=table.game.version).collect::<Vec<_>>());
    assert_eq!(last.labels, labels(&[("league", "tin")]));
}
