//! Limits on concurrent calls and watches.

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::{BLUE, OPERATOR, RED, bearing};
use tonic::Code;

use super::{eventually, exceeded, new_game, watch, with_tokens};

#[tokio::test]
async fn a_process_has_a_limit_of_watches() {
    let server = Gamekeeperd::start(&["--store=memory", "--max-watches=3"]);
    let (one, two) = (new_game(&server).await, new_game(&server).await);
    let first = watch(server.games(), &one).await.unwrap();
    let _second = watch(server.games(), &one).await.unwrap();
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
async fn a_tenant_has_its_share_of_concurrent_calls() {
    let redis = RedisServer::start(&RedisOptions::new());
    let address = format!("--redis={}", redis.address());
    let flags = ["--store=redis", &address, "--max-in-flight=8"];
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
    // Four of ten fit and wait for the store; the others are refused at once.
    redis.pause();
    let mut calls: FuturesUnordered<_> = (0..10).map(|_| info(RED)).collect();
    for _ in 0..6 {
        let (_, refused) = calls.next().await.unwrap();
        assert_eq!(exceeded(&refused).0, "max_in_flight");
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
