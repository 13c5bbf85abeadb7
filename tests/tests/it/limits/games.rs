//! Limits on the number of a tenant's games.

use bytes::Bytes;
use futures_util::future::join_all;
use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_tests::dominion::{ada_and_bob, facts, reason};
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::tokens::{BLUE, KeyFiles, RED, bearing};
use tonic::{Code, Status};
use tonic_types::StatusExt;

#[tokio::test(flavor = "multi_thread")]
async fn a_tenant_has_a_limit_of_games_across_all_processes() {
    let redis = RedisServer::start(&RedisOptions::new());
    let address = format!("--redis={}", redis.address());
    let flags = ["--store=redis", &address, "--max-games-per-tenant=7"];
    let keys = KeyFiles::new();
    let servers = [keys.server(&flags), keys.server(&flags)];
    let creations = (0..30).map(|number: usize| {
        let mut client = servers[number % 2].games();
        let create = v1::CreateGameRequest {
            request_id: format!("game {number}"),
            ..ada_and_bob()
        };
        async move { (number, client.create_game(bearing(RED, create)).await) }
    });
    let mut created_games = Vec::new();
    for (number, answer) in join_all(creations).await {
        match answer {
            Ok(created) => created_games.push((number, facts(created.into_inner().table))),
            Err(status) => assert_quota_is_used(&status),
        }
    }
    assert_eq!(created_games.len(), 7);
    // A repeated request gets the first response, although the quota is used up.
    let (number, game) = &created_games[0];
    let again = v1::CreateGameRequest {
        request_id: format!("game {number}"),
        ..ada_and_bob()
    };
    let again = servers[1].games().create_game(bearing(RED, again)).await;
    assert_eq!(&facts(again.unwrap().into_inner().table), game);
    let blue = servers[0]
        .games()
        .create_game(bearing(BLUE, ada_and_bob()))
        .await;
    blue.expect("another tenant has its own room");
    let delete = v1::DeleteGameRequest {
        game_id: game.game_id.clone(),
        ..Default::default()
    };
    servers[0]
        .games()
        .delete_game(bearing(RED, delete))
        .await
        .unwrap();
    let next = servers[1]
        .games()
        .create_game(bearing(RED, ada_and_bob()))
        .await;
    next.expect("there is room again");
    let last = servers[0]
        .games()
        .create_game(bearing(RED, ada_and_bob()))
        .await;
    assert_quota_is_used(&last.unwrap_err());
}

/// Expired games stop counting against the quota as soon as it is used up.
#[tokio::test]
async fn places_of_games_that_are_gone_are_given_back() {
    use gamekeeper_store::{Created, NewGame, TenantLimit};
    use gamekeeper_store_redis::{RedisConfig, RedisTopology};
    use gamekeeper_tests::writing::new_game;
    use gamekeeperd::stores::{StoreConfig, open};

    let redis = RedisServer::start(&RedisOptions::new());
    let address = redis.address();
    let config = RedisConfig::new(RedisTopology::Single { address });
    let store = open(StoreConfig::Redis(config)).await.unwrap();
    let game = || NewGame {
        access: Bytes::new(),
        tenant_limit: Some(3),
        ..new_game(uuid::Uuid::now_v7())
    };
    let games = [game(), game(), game()];
    for game in &games {
        assert_eq!(store.create(game.clone()).await.unwrap(), Created::Done);
    }
    for game in &games[..2] {
        let key = |name: &str| format!("gk:{{{}}}:{name}", game.id);
        let _keys: u32 = redis.ask(&["DEL", &key("log"), &key("snapshot"), &key("row")]);
    }
    for _ in 0..2 {
        assert_eq!(store.create(game()).await.unwrap(), Created::Done);
    }
    assert_eq!(
        store.create(game()).await.unwrap(),
        Created::Full(TenantLimit::Games)
    );
}

/// Checks that the quota is reported as used up. The refusal asks for no retry, because waiting does not help.
fn assert_quota_is_used(status: &Status) {
    assert_eq!(
        reason(status),
        (Code::ResourceExhausted, String::from("QUOTA_EXCEEDED"))
    );
    let details = status.get_error_details();
    let limit = &details.error_info().unwrap().metadata["limit"];
    assert_eq!(limit, "max_games_per_tenant");
    assert!(details.quota_failure().is_some() && details.retry_info().is_none());
}
