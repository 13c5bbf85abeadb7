//! Limits of a stream of many games: the number of games, watches per caller, per game and per server, and the time
//! that its reader may take.

use rand::RngExt;
use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_tests::dominion::{Client, Table, assert_reason, reason};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::{KeyFiles, RED, bearing};
use pb::watch_games_response::Update;
use pb::{WatchGamesRequest, WatchedGame};
use tokio::time::timeout;
use tonic::transport::Endpoint;
use tonic::{Code, Status};
use uuid::Uuid;

use super::backend::Backend;
use super::watch::{Messages, after, change, next, watch};
use super::{VIEW, house, new_table};

fn limited() -> (Code, String) {
    (Code::ResourceExhausted, String::from("LIMIT_EXCEEDED"))
}

fn of_games(tables: &[Table]) -> WatchGamesRequest {
    WatchGamesRequest {
        games: tables.iter().map(|table| after(table, 0)).collect(),
        ..Default::default()
    }
}

/// Returns the status with which a stream ends.
async fn end_of(messages: &mut Messages) -> Status {
    let ended = async {
        loop {
            match messages.message().await {
                Ok(Some(_)) => {}
                Ok(None) => panic!("no reason"),
                Err(status) => return status,
            }
        }
    };
    timeout(Duration::from_secs(30), ended).await.unwrap()
}

/// Opens a stream as soon as a slot is free, and reads its first change.
async fn placed(server: &Gamekeeperd, call: &WatchGamesRequest) -> Messages {
    let placed = async {
        loop {
            if let Ok(mut messages) = watch(server, RED, call.clone()).await
                && messages.message().await.is_ok()
            {
                return messages;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(Duration::from_secs(20), placed).await.unwrap()
}

/// A stream can follow a thousand games, and reports each of them.
#[tokio::test]
async fn a_thousand_games_are_followed_on_one_stream() {
    let (server, _keys) = house();
    let mut table = new_table(&server, RED, &["ada", "bob"]).await;
    let missing = (1..1_000).map(|_| WatchedGame {
        game_id: Uuid::from_u128(gamekeeper_tests::chance::rng().random()).to_string(),
        ..Default::default()
    });
    let games = missing.chain([after(&table, 0)]).collect();
    let call = WatchGamesRequest {
        games,
        ..Default::default()
    };
    let mut messages = watch(&server, RED, call).await.unwrap();
    let (mut left, mut changes) = (0, 0);
    while left + changes < 1_000 {
        match next(&mut messages).await {
            Update::Left(gone) => {
                assert_eq!(gone.problem.unwrap().reason, "NO_SUCH_GAME");
                left += 1;
            }
            Update::Change(_) => changes += 1,
        }
    }
    assert_eq!((left, changes), (999, 1));
    table.pass(&mut server.games(), 1).await.unwrap();
    assert_eq!(change(&mut messages).await.1, 2);
}

/// Each game of a stream counts as one watch. A tenant may hold half of the server's watches.
#[tokio::test]
async fn every_game_of_a_stream_counts() {
    let keys = KeyFiles::new();
    let server = keys.server(&["--store=memory", "--max-watches=4"]);
    let mut tables = Vec::new();
    for _ in 0..2 {
        tables.push(new_table(&server, RED, &["ada", "bob"]).await);
    }
    let mut open = placed(&server, &of_games(&tables)).await;
    assert_eq!(change(&mut open).await.1, 1);
    let mut full = watch(&server, RED, of_games(&tables)).await.unwrap();
    assert_eq!(reason(&end_of(&mut full).await), limited());
    drop(open);
    placed(&server, &of_games(&tables)).await;
}

/// Returns whether a server with exactly this number of free slots can report all these games on one stream.
async fn has_room(server: &Gamekeeperd, tables: &[Table]) -> bool {
    let Ok(mut messages) = watch(server, RED, of_games(tables)).await else {
        return false;
    };
    for _ in tables {
        if messages.message().await.is_err() {
            return false;
        }
    }
    true
}

/// Large streams that are repeatedly opened and closed at once neither delay others nor leave anything behind.
#[tokio::test(flavor = "multi_thread")]
async fn streams_that_come_and_go_leave_nothing() {
    let keys = KeyFiles::new();
    let server = keys.server(&["--store=memory", "--max-watches=20"]);
    let mut tables = Vec::new();
    for _ in 0..10 {
        tables.push(new_table(&server, RED, &["ada", "bob"]).await);
    }
    let missing = (0..990).map(|_| WatchedGame {
        game_id: Uuid::from_u128(gamekeeper_tests::chance::rng().random()).to_string(),
        ..Default::default()
    });
    let mut call = of_games(&tables);
    call.games.extend(missing);
    let attack = async {
        for _ in 0..100 {
            drop(watch(&server, RED, call.clone()).await.unwrap());
        }
    };
    let mut other = new_table(&server, RED, &["", ""]).await;
    let play = async {
        for _ in 0..100 {
            other.pass(&mut server.games(), 1).await.unwrap();
        }
    };
    let both = async { tokio::join!(attack, play) };
    timeout(Duration::from_secs(60), both).await.unwrap();
    let free = async {
        while !has_room(&server, &tables).await {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(Duration::from_secs(20), free).await.unwrap();
}

/// A **slow consumer** is cut off, resumes, and misses nothing.
#[tokio::test(flavor = "multi_thread")]
async fn a_reader_that_sleeps_is_cut_off_and_misses_nothing() {
    const LAST: u64 = 1_001;
    let keys = KeyFiles::new();
    let server = keys.server(&["--store=memory", "--watch-patience=300ms"]);
    let mut tables = [
        new_table(&server, RED, &["ada", "bob"]).await,
        new_table(&server, RED, &["ada", "bob"]).await,
    ];
    // A small window fills up soon.
    let small = Endpoint::from_shared(format!("http://{}", server.address())).unwrap();
    let small = small.initial_stream_window_size(65_535);
    let small = small.initial_connection_window_size(65_535);
    let mut reader = Client::new(server.noted(small.connect_lazy()));
    let mut backend = Backend::default();
    let call = WatchGamesRequest {
        show: Some(VIEW),
        ..backend.ask()
    };
    let answer = reader.watch_games(bearing(RED, call)).await.unwrap();
    let mut messages = answer.into_inner();
    for table in &mut tables {
        let turns = u32::try_from(LAST).unwrap() - 1;
        table.pass(&mut server.games(), turns).await.unwrap();
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    let ended = loop {
        match messages.message().await {
            Ok(message) => backend.hear(message.unwrap()),
            Err(status) => break status,
        }
    };
    assert_reason(&ended, Code::Unavailable, "WATCH_TOO_SLOW");
    assert_eq!(backend.versions_by_game.len(), tables.len());
    assert!(
        backend
            .versions_by_game
            .values()
            .any(|versions| *versions.last().unwrap() < LAST)
    );
    let mut messages = watch(&server, RED, backend.ask()).await.unwrap();
    backend.read_whole(&mut messages, tables.len(), LAST).await;
}
