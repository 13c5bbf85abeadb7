//! The bytes that operators see are those in the store, whatever a tenant does.

use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_store_embedded::EmbeddedConfig;
use gamekeeper_tests::dominion::{facts, game_of};
use gamekeeper_tests::http::ask;
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::stored::{in_redis, in_store};
use gamekeeper_tests::tokens::{KeyFiles, RED, bearing, user_holder};
use gamekeeper_tests::waiting::eventually;
use gamekeeperd::stores::{StoreConfig, open};
use serde_json::Value;
use tempfile::TempDir;
use tokio::time::sleep;

/// The size of the record of a user's tokens: key, version and value.
const USER_RECORD: u64 = 36;

/// The number of users that get tokens.
const USERS: u64 = 200;

/// Returns what the tenant stores, as `GET /top` says.
async fn counted(server: &Gamekeeperd) -> u64 {
    let (status, text) = ask(server.admin(), "GET", "/top?tenant=red", "").await;
    assert_eq!(status, 200, "{text}");
    let top: Value = serde_json::from_str(&text).unwrap();
    top["tenants"][0]["bytes_kept"].as_u64().unwrap()
}

/// Waits until the tenant's games rest, and what is counted with them.
async fn at_rest(server: &Gamekeeperd) -> u64 {
    eventually("games at rest", async || {
        let before = counted(server).await;
        sleep(Duration::from_millis(2_500)).await;
        (counted(server).await == before).then_some(before)
    })
    .await
}

/// Uses a server in many ways: games of two rulesets with bots, users and labels, forks, tokens, a feed, deletions.
async fn use_all(server: &Gamekeeperd) {
    let mut games = server.games();
    let follow = pb::WatchGamesRequest {
        filter: Some(pb::GameFilter::default()),
        ..Default::default()
    };
    let follow = games.watch_games(bearing(RED, follow)).await.unwrap();
    let mut feed = follow.into_inner();
    feed.message().await.unwrap().unwrap();
    let read = tokio::spawn(async move { while let Ok(Some(_)) = feed.message().await {} });
    let mut ids = Vec::new();
    for number in 0..24 {
        let mut create = game_of(&["Ada", "Bob"]);
        if number % 2 == 0 {
            "caylus".clone_into(&mut create.ruleset);
        }
        for (seat, player) in create.players.iter_mut().enumerate() {
            player.user = format!("user {}", seat + number);
            player.bot = (number % 3 > 0).then(|| pb::Bot {
                policy: String::from("random"),
                ..pb::Bot::default()
            });
        }
        create.labels = [(String::from("room"), format!("room {number}"))].into();
        let created = games.create_game(bearing(RED, create)).await.unwrap();
        ids.push(facts(created.into_inner().table).game_id);
    }
    for user in 0..USERS {
        let issue = pb::IssueTokenRequest {
            holder: Some(user_holder(&format!("user {user}"))),
            expire_time: None,
        };
        server
            .access()
            .issue_token(bearing(RED, issue))
            .await
            .unwrap();
    }
    sleep(Duration::from_secs(3)).await;
    change_end_and_delete(server, &ids).await;
    read.abort();
}

/// Labels and ends games, and forks or deletes some of them.
async fn change_end_and_delete(server: &Gamekeeperd, ids: &[String]) {
    let mut games = server.games();
    for (number, game_id) in ids.iter().enumerate() {
        let labels = pb::UpdateGameRequest {
            game_id: game_id.clone(),
            set_labels: [(String::from("level"), "x".repeat(1 + number))].into(),
            ..Default::default()
        };
        games.update_game(bearing(RED, labels)).await.unwrap();
        let end = pb::EndGameRequest {
            game_id: game_id.clone(),
            ..Default::default()
        };
        // A game of bots may be over by its rules.
        let _over = games.end_game(bearing(RED, end)).await;
        if number % 5 == 0 {
            let delete = pb::DeleteGameRequest {
                game_id: game_id.clone(),
                ..Default::default()
            };
            games.delete_game(bearing(RED, delete)).await.unwrap();
        } else if number % 4 == 0 {
            let fork = pb::ForkGameRequest {
                game_id: game_id.clone(),
                at_version: 1,
                ..Default::default()
            };
            games.fork_game(bearing(RED, fork)).await.unwrap();
        }
    }
}

fn is_near(counted: u64, stored: u64) -> bool {
    counted.abs_diff(stored) <= stored / 10
}

fn assert_equal(counted: u64, stored: u64) {
    assert!(stored > 30_000, "{stored}");
    let words = format!("{counted} bytes are counted, {stored} are stored");
    assert!(is_near(counted, stored), "{words}");
}

const ADMIN: &str = "--admin-listen=127.0.0.1:0";

#[tokio::test(flavor = "multi_thread")]
async fn the_bytes_of_a_tenant_are_those_on_disk() {
    let (directory, keys) = (TempDir::new().unwrap(), KeyFiles::new());
    let data = directory.path().join("games");
    let flag = format!("--data-dir={}", data.display());
    let mut server = keys.server(&["--store=embedded", &flag, ADMIN, "--max-rate=0"]);
    use_all(&server).await;
    let counted = at_rest(&server).await;
    assert!(server.stop());
    let store = open(StoreConfig::Embedded(EmbeddedConfig::new(&data)))
        .await
        .unwrap();
    let stored = in_store(&*store, "red").await.unwrap();
    assert_equal(counted, stored + USERS * USER_RECORD);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_bytes_of_a_tenant_are_those_in_redis() {
    let (redis, keys) = (RedisServer::start(&RedisOptions::new()), KeyFiles::new());
    let address = format!("--redis={}", redis.address());
    let server = keys.server(&["--store=redis", &address, ADMIN, "--max-rate=0"]);
    use_all(&server).await;
    // Logs are packed in the background, and counted about a second later.
    for _ in 0..10 {
        if is_near(at_rest(&server).await, in_redis(&redis)) {
            break;
        }
    }
    assert_equal(at_rest(&server).await, in_redis(&redis));
}
