//! Erasing a user: no data of the user remains in the games of the tenant, and the records still verify.

use std::collections::BTreeMap;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_tests::cli::{Cli, server};
use gamekeeper_tests::dominion::{assert_reason, facts, game_of};
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::store::Store;
use gamekeeper_tests::tokens::{BLUE, KeyFiles, RED, bearing};
use tonic::{Code, Status};

const ADA: &str = "ada-1815";
const NAME: &str = "Lovelace of London";

/// Creates a game of a tenant in which Ada has the second seat.
async fn game(server: &Gamekeeperd, token: &str) -> pb::GameInfo {
    let mut call = game_of(&["Bob", NAME]);
    call.players[0].user = String::from("bob");
    call.players[1].user = ADA.to_owned();
    call.labels = BTreeMap::from([
        (String::from("host"), ADA.to_owned()),
        (String::from("city"), String::from("London")),
        (String::from("league"), String::from("gold")),
    ]);
    let created = server.games().create_game(bearing(token, call)).await;
    facts(created.unwrap().into_inner().table)
}

async fn now(server: &Gamekeeperd, token: &str, game: &pb::GameInfo) -> pb::GameInfo {
    let call = pb::GetGameRequest {
        game_id: game.game_id.clone(),
        ..Default::default()
    };
    let response = server.games().get_game(bearing(token, call)).await;
    facts(response.unwrap().into_inner().table)
}

/// Erases Ada, two games per call. Returns the number of changed games and the number of calls.
async fn erase(server: &Gamekeeperd, token: &str) -> Result<(u32, u32), Status> {
    let (mut erased, mut calls, mut page_token) = (0, 0, String::new());
    loop {
        let call = pb::EraseUserRequest {
            user: ADA.to_owned(),
            labels: vec![String::from("city")],
            page_size: 2,
            page_token,
        };
        let page = server.games().erase_user(bearing(token, call)).await?;
        let page = page.into_inner();
        assert!(page.failed.is_empty() && page.erased <= 2, "{page:?}");
        erased += page.erased;
        calls += 1;
        page_token = page.next_page_token;
        if page_token.is_empty() {
            return Ok((erased, calls));
        }
    }
}

async fn update(server: &Gamekeeperd, game: &pb::GameInfo, change: pb::PlayerUpdate) {
    let call = pb::UpdateGameRequest {
        game_id: game.game_id.clone(),
        players: vec![change],
        ..Default::default()
    };
    let response = server.games().update_game(bearing(RED, call)).await;
    response.unwrap();
}

async fn fork(server: &Gamekeeperd, game: &pb::GameInfo) -> pb::GameInfo {
    let call = pb::ForkGameRequest {
        game_id: game.game_id.clone(),
        request_id: String::from("what if"),
        ..Default::default()
    };
    let forked = server.games().fork_game(bearing(RED, call)).await;
    forked.unwrap().into_inner().game.unwrap()
}

/// Ends a game and returns its record, with the output of `verify`.
async fn record(server: &Gamekeeperd, game: &pb::GameInfo) -> (String, String) {
    let call = pb::EndGameRequest {
        game_id: game.game_id.clone(),
        ..Default::default()
    };
    let ended = server.games().end_game(bearing(RED, call)).await;
    ended.unwrap();
    let cli = Cli::at(server.address()).bearing(RED);
    let record = cli.out(&format!("export {}", game.game_id));
    let verified = cli.run_with("verify - -o table", &record);
    assert_eq!(verified.code, 0, "{}", verified.err);
    (record, verified.out)
}

/// Checks that no data of Ada remains: at her seats, at those that others took over, in forks, labels and records.
async fn nothing_is_left(server: &Gamekeeperd) {
    let mut games = Vec::new();
    for _ in 0..5 {
        games.push(game(server, RED).await);
    }
    let foreign = game(server, BLUE).await;
    games.push(fork(server, &games[0]).await);
    assert_eq!(games[5].players[1].name, NAME);
    // Bob takes her seat in one game, and her name changes in another.
    let bob = pb::PlayerUpdate {
        seat: 2,
        user: Some(String::from("bob")),
        name: None,
    };
    update(server, &games[1], bob).await;
    let renamed = pb::PlayerUpdate {
        seat: 2,
        user: None,
        name: Some(String::from("Countess of Lovelace")),
    };
    update(server, &games[2], renamed).await;

    let (erased, calls) = erase(server, RED).await.unwrap();
    assert_eq!(erased, 6);
    assert!(calls >= 3, "{calls}");
    assert_eq!(erase(server, RED).await.unwrap().0, 0);
    for game in &games {
        let now = now(server, RED, game).await;
        assert!(!format!("{now:?}").contains("Lovelace"), "{now:?}");
        assert!(!format!("{now:?}").contains(ADA), "{now:?}");
        assert_eq!(now.players[0].name, "Bob");
        assert_eq!(now.players[1].name, "Player 2");
        assert_eq!(now.record_commitment, game.record_commitment);
    }
    let left = now(server, RED, &games[0]).await;
    assert_eq!(left.labels.keys().collect::<Vec<_>>(), ["league"]);
    assert_eq!(left.players[0].user, "bob");
    let bob = now(server, RED, &games[1]).await;
    assert_eq!(bob.players[1].user, "bob");
    // A fork that is requested again has no name of hers either.
    assert_eq!(fork(server, &games[0]).await.players[1].name, "Player 2");
    // Other tenants keep their data.
    assert_eq!(now(server, BLUE, &foreign).await.players[1].user, ADA);
    assert_eq!(now(server, BLUE, &foreign).await.players[1].name, NAME);

    for game in &games[..3] {
        let (record, verified) = record(server, game).await;
        assert!(
            !record.contains("Lovelace") && !record.contains(ADA),
            "{record}"
        );
        assert!(verified.contains("the name of seat 2"), "{verified}");
    }
}

#[tokio::test]
async fn in_memory() {
    let keys = KeyFiles::new();
    let server = keys.server(&["--store=memory"]);
    nothing_is_left(&server).await;
}

#[tokio::test]
async fn on_disk() {
    let (keys, store) = (KeyFiles::new(), Store::embedded());
    let server = keys.server(&store.with(&[]));
    nothing_is_left(&server).await;
}

/// On Redis, no data of Ada remains in the database itself, except for the other tenant's game.
#[tokio::test]
async fn on_redis() {
    let (keys, redis) = (KeyFiles::new(), RedisServer::start(&RedisOptions::new()));
    let server = keys.server(&["--store=redis", &format!("--redis={}", redis.address())]);
    nothing_is_left(&server).await;
    let client = redis::Client::open(format!("redis://{}", redis.address())).unwrap();
    let mut connection = client.get_connection().unwrap();
    let plain = ["SET", "rdbcompression", "no"];
    let _done: () = redis::cmd("CONFIG")
        .arg(&plain)
        .query(&mut connection)
        .unwrap();
    let keys: Vec<Vec<u8>> = redis::cmd("KEYS").arg("*").query(&mut connection).unwrap();
    let mut key_count = 0;
    for key in keys {
        let dump: Option<Vec<u8>> = redis::cmd("DUMP").arg(key).query(&mut connection).unwrap();
        let dump = dump.unwrap_or_default();
        let has = |text: &str| dump.windows(text.len()).any(|part| part == text.as_bytes());
        key_count += usize::from(has("Lovelace"));
    }
    assert_eq!(
        key_count, 1,
        "the name is in the game of the other tenant alone"
    );
}

#[tokio::test]
async fn what_nobody_can_mean_is_refused() {
    let keys = KeyFiles::new();
    let server = keys.server(&["--store=memory"]);
    let erase = |user: &str, labels: usize, token: &str| {
        let call = pb::EraseUserRequest {
            user: user.to_owned(),
            labels: vec![String::from("key"); labels],
            page_token: token.to_owned(),
            ..Default::default()
        };
        let mut games = server.games();
        async move { games.erase_user(bearing(RED, call)).await }
    };
    let long = "x".repeat(65);
    for (user, labels, token) in [
        ("", 0, ""),
        (&*long, 0, ""),
        ("ada", 17, ""),
        ("ada", 0, "x"),
    ] {
        let refused = erase(user, labels, token).await.unwrap_err();
        assert_reason(&refused, Code::InvalidArgument, "MALFORMED");
    }
    let none = erase("ada", 16, "").await.unwrap().into_inner();
    assert_eq!(none.erased, 0);
}

#[test]
fn by_the_command() {
    let (_server, cli) = server();
    let _done = cli.out("create dominion Wanda Bob --quiet --user 1=wanda --label host=wanda");
    let refused = cli.run("erase-user wanda");
    assert_ne!(refused.code, 0);
    let erased = cli.out("erase-user wanda --yes -o json");
    assert!(erased.contains("\"erased\":1"), "{erased}");
    let printed = cli.out("info last");
    // The name has letters that are no hexadecimal digits, so no id can contain it by chance.
    let is_named = printed.to_lowercase().contains("wanda");
    assert!(!is_named, "{printed}");
    assert!(printed.contains("Player 1"), "{printed}");
}
