//! Limits on the bytes that a tenant stores.

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_tests::dominion::{Table, ada_and_bob, reason};
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::{BLUE, KeyFiles, RED, bearing, seat_holder, user_holder};
use gamekeeper_tests::waiting::until;
use tempfile::TempDir;
use tonic::{Code, Status};
use tonic_types::StatusExt;

/// The limit, which is that of about 30 games.
const LIMIT: &str = "--max-bytes-per-tenant=30000";

#[tokio::test(flavor = "multi_thread")]
async fn a_tenant_has_a_limit_of_bytes_on_disk() {
    let (directory, keys) = (TempDir::new().unwrap(), KeyFiles::new());
    let data = format!("--data-dir={}", directory.path().join("games").display());
    let server = keys.server(&["--store=embedded", &data, LIMIT]);
    what_exists_goes_on(&server, &server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tenant_has_a_limit_of_bytes_across_all_processes() {
    let (redis, keys) = (RedisServer::start(&RedisOptions::new()), KeyFiles::new());
    let address = format!("--redis={}", redis.address());
    let flags = ["--store=redis", &address, LIMIT];
    let [one, other] = [(); 2].map(|()| keys.server(&flags));
    what_exists_goes_on(&one, &other).await;
}

async fn create(server: &Gamekeeperd, token: &str) -> Result<pb::CreateGameResponse, Status> {
    let create = bearing(token, ada_and_bob());
    Ok(server.games().create_game(create).await?.into_inner())
}

/// At the limit, nothing new begins, and games that exist are played, changed, ended and deleted.
async fn what_exists_goes_on(one: &Gamekeeperd, other: &Gamekeeperd) {
    let mut tables = Vec::new();
    let full = loop {
        let server = if tables.len() % 2 == 0 { one } else { other };
        match create(server, RED).await {
            Ok(created) => tables.push(created),
            Err(full) => break full,
        }
        assert!(tables.len() < 100);
    };
    assert_is_full(&full);
    assert!(tables.len() > 10, "{}", tables.len());
    let mut games = other.games();
    let mut tables: Vec<Table> = tables.into_iter().map(Table::of).collect();
    let ids: Vec<String> = tables
        .iter()
        .map(|table| table.game.game_id.clone())
        .collect();

    play_change_and_end(other, &mut tables[0]).await;
    let fork = pb::ForkGameRequest {
        game_id: ids[0].clone(),
        at_version: 1,
        ..Default::default()
    };
    assert_is_full(&games.fork_game(bearing(RED, fork)).await.unwrap_err());
    assert_is_full(&create(one, RED).await.unwrap_err());
    create(one, BLUE)
        .await
        .expect("another tenant has its own room");

    // Moves and their records in the feed are in the sum as well, so it takes more than one game.
    for game_id in &ids[..10] {
        let delete = pb::DeleteGameRequest {
            game_id: game_id.clone(),
            ..Default::default()
        };
        games.delete_game(bearing(RED, delete)).await.unwrap();
    }
    until("there is room again", async || {
        create(one, RED).await.is_ok()
    })
    .await;
    let of_user = issue(user_holder("ada"));
    other
        .access()
        .issue_token(bearing(RED, of_user))
        .await
        .unwrap();
}

fn issue(holder: pb::TokenHolder) -> pb::IssueTokenRequest {
    pb::IssueTokenRequest {
        holder: Some(holder),
        expire_time: None,
    }
}

/// Uses a game in all the ways that need no new room.
async fn play_change_and_end(server: &Gamekeeperd, table: &mut Table) {
    let (mut games, game_id) = (server.games(), table.game.game_id.clone());
    let of_seat = issue(seat_holder(&game_id, 1));
    server
        .access()
        .issue_token(bearing(RED, of_seat))
        .await
        .unwrap();
    table.pass(&mut games, 20).await.unwrap();
    let labels = pb::UpdateGameRequest {
        game_id: game_id.clone(),
        set_labels: [(String::from("room"), "x".repeat(60))].into(),
        ..Default::default()
    };
    games.update_game(bearing(RED, labels)).await.unwrap();
    let end = pb::EndGameRequest {
        game_id,
        ..Default::default()
    };
    games.end_game(bearing(RED, end)).await.unwrap();
}

/// Checks that the quota is reported as used up. The refusal asks for no retry, because waiting does not help.
fn assert_is_full(status: &Status) {
    let expected = (Code::ResourceExhausted, String::from("QUOTA_EXCEEDED"));
    assert_eq!(reason(status), expected, "{status}");
    let details = status.get_error_details();
    let limit = &details.error_info().unwrap().metadata["limit"];
    assert_eq!(limit, "max_bytes_per_tenant");
    assert!(details.quota_failure().is_some() && details.retry_info().is_none());
}
