//! Limits on concurrent calls and watches.

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_tests::dominion::{Table, ada_and_bob};
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::{BLUE, OPERATOR, RED, bearing};
use tonic::Code;

use super::{eventually, exceeded, new_game, watch, with_tokens};

#[tokio::test]
async fn a_game_and_a_process_have_a_limit_of_watches() {
    let flags = [
        "--store=memory",
        "--max-watches-per-game=2",
        "--max-watches=3",
    ];
    let server = Gamekeeperd::start(&flags);
    let (one, two) = (new_game(&server).await, new_game(&server).await);
    let first = watch(server.games(), &one).await.unwrap();
    let _second = watch(server.games(), &one).await.unwrap();
    let third = watch(server.games(), &one).await.unwrap_err();
    assert_eq!(exceeded(&third).0, "max_watches_per_game");
    let _other = watch(server.games(), &two).await.unwrap();
    let fourth = watch(server.games(), &two).await.unwrap_err();
    assert_eq!(exceeded(&fourth).0, "max_watches");
    drop(first);
    eventually("a place is free again", || async {
        watch(server.games(), &one).await.ok()
    })
    .await;
}

#[tokio::test]
async fn concurrent_calls_have_a_limit() {
    let redis = RedisServer::start(&RedisOptions::new());
    let address = format!("--redis={}", redis.address());
    let server = Gamekeeperd::start(&["--store=redis", &address, "--max-in-flight=2"]);
    let game_id = new_game(&server).await;
    let games = server.games();
    let ask = || {
        let (mut games, game_id) = (games.clone(), game_id.clone());
        async move {
            games
                .get_game(v1::GetGameRequest {
                    game_id,
                    ..Default::default()
                })
                .await
        }
    };
    ask().await.unwrap();
    // Two of six fit and wait for the store; the others are refused at once.
    redis.pause();
    let mut calls: FuturesUnordered<_> = (0..6).map(|_| ask()).collect();
    for _ in 0..4 {
        let refused = calls.next().await.unwrap().unwrap_err();
        assert_eq!(exceeded(&refused).0, "max_in_flight");
    }
    redis.resume();
    while let Some(answer) = calls.next().await {
        answer.unwrap();
    }
    ask().await.unwrap();
}

#[tokio::test]
async fn concurrent_calls_of_a_token_have_a_limit() {
    let redis = RedisServer::start(&RedisOptions::new());
    let address = format!("--redis={}", redis.address());
    let flags = ["--store=redis", &address, "--max-in-flight-per-token=2"];
    let (server, _keys) = with_tokens(&flags);
    let info = |token: &'static str| {
        let ask = v1::GetGameRequest {
            game_id: String::from("018f0000-0000-7000-8000-000000000000"),
            ..Default::default()
        };
        let (mut games, ask) = (server.games(), bearing(token, ask));
        async move { (token, games.get_game(ask).await.unwrap_err()) }
    };
    assert_eq!(info(RED).await.1.code(), Code::NotFound);
    // Two of six fit and wait for the store; the others are refused at once.
    redis.pause();
    let mut calls: FuturesUnordered<_> = (0..6).map(|_| info(RED)).collect();
    for _ in 0..4 {
        let (_, refused) = calls.next().await.unwrap();
        assert_eq!(exceeded(&refused).0, "max_in_flight_per_token");
    }
    for token in [BLUE, BLUE, OPERATOR] {
        calls.push(info(token));
    }
    redis.resume();
    while let Some((token, answer)) = calls.next().await {
        assert_eq!(answer.code(), Code::NotFound, "{token} has its own");
    }
    assert_eq!(info(RED).await.1.code(), Code::NotFound);
}

#[tokio::test]
async fn a_token_has_a_limit_of_watches() {
    let (server, _keys) = with_tokens(&["--store=memory", "--max-watches-per-token=2"]);
    let mut games = Vec::new();
    for token in [RED, BLUE] {
        let created = server
            .games()
            .create_game(bearing(token, ada_and_bob()))
            .await;
        games.push(Table::of(created.unwrap().into_inner()));
    }
    let watch = |token: &str, table: &Table| {
        let ask = v1::WatchGameRequest {
            game_id: table.game.game_id.clone(),
            ..Default::default()
        };
        let (mut client, ask) = (server.games(), bearing(token, ask));
        async move {
            client
                .watch_game(ask)
                .await
                .map(tonic::Response::into_inner)
        }
    };
    let first = watch(RED, &games[0]).await.unwrap();
    let _second = watch(RED, &games[0]).await.unwrap();
    let third = watch(RED, &games[0]).await.unwrap_err();
    assert_eq!(exceeded(&third).0, "max_watches_per_token");
    let seat = watch(games[0].token(1), &games[0]).await;
    let _seat = seat.expect("a seat has its own");
    let blue = watch(BLUE, &games[1]).await;
    let _blue = blue.expect("another tenant has its own");
    drop(first);
    eventually("a place is free again", || async {
        watch(RED, &games[0]).await.ok()
    })
    .await;
}
