//! Forks on every store and across processes, their permissions, and their records.

use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_tests::cli::{Cli, json, server};
use gamekeeper_tests::dominion::{Client, Table, reason};
use gamekeeper_tests::redis::RedisCluster;
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::{BLUE, KeyFiles, OPERATOR, RED, bearing, seat_holder};
use serde_json::Value;
use tonic::{Code, Status};

use super::{Store, game, info, resign, verified};

fn of(game: &v1::GameInfo, at_version: u64, request_id: &str) -> v1::ForkGameRequest {
    v1::ForkGameRequest {
        game_id: game.game_id.clone(),
        at_version,
        request_id: request_id.to_owned(),
        seed: Vec::new(),
    }
}

async fn fork(
    games: &mut Client,
    token: &str,
    ask: v1::ForkGameRequest,
) -> Result<v1::ForkGameResponse, Status> {
    Ok(games.fork_game(bearing(token, ask)).await?.into_inner())
}

/// Plays a game to its end, forks it in the middle on one process, and continues the fork on another one, which is
/// killed.
async fn plays_on(store: Store) {
    let mut server = store.server(&[]);
    let mut table = game(&server, "", &["Ada", "Bob"], None).await;
    table.play(&mut server.games(), 20).await.unwrap();
    let middle = table.game.clone();
    table.play(&mut server.games(), 10_000).await.unwrap();
    assert_eq!(table.game.status(), v1::GameStatus::Finished);
    if store.is_lasting() {
        server.kill();
        server = store.server(&[]);
    }
    let ask = of(&table.game, middle.version, "once");
    let mut games = server.games();
    let forked = fork(&mut games, "", ask.clone()).await.unwrap();
    assert_eq!(fork(&mut games, "", ask).await.unwrap(), forked);
    let branch = forked.game.unwrap();
    assert_eq!(branch.version, middle.version);
    assert_eq!(branch.pending, middle.pending);
    let mut next = Table {
        game: branch.clone(),
        ..table
    };
    next.play(&mut server.games(), 9).await.unwrap();
    assert_eq!(next.game.version, middle.version + 9);
    if store.is_lasting() {
        server.kill();
        server = store.server(&[]);
    }
    let mut games = server.games();
    assert_eq!(info(&mut games, "", &branch).await, next.game);
    let listed = v1::ListGamesRequest::default();
    let listed = games.list_games(listed).await.unwrap().into_inner().games;
    let ids: Vec<&str> = listed.iter().map(|game| game.game_id.as_str()).collect();
    assert_eq!(ids, [&branch.game_id, &middle.game_id], "the newest first");
    next.play(&mut server.games(), 10_000).await.unwrap();
    assert_eq!(next.game.status(), v1::GameStatus::Finished);
}

#[tokio::test]
async fn a_fork_plays_on_in_memory() {
    plays_on(Store::memory()).await;
}

#[tokio::test]
async fn a_fork_plays_on_on_disk() {
    plays_on(Store::embedded()).await;
}

#[tokio::test]
async fn a_fork_plays_on_in_redis() {
    plays_on(Store::redis()).await;
}

/// Origin and fork may be on different nodes; two processes that are called at the same time make a single fork.
#[tokio::test(flavor = "multi_thread")]
async fn forks_cross_the_slots_of_a_cluster() {
    let cluster = tokio::task::block_in_place(RedisCluster::start);
    let flags = [
        String::from("--store=redis"),
        format!("--redis={}", cluster.addresses().join(",")),
        String::from("--redis-topology=cluster"),
    ];
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let (one, other) = (Gamekeeperd::start(&flags), Gamekeeperd::start(&flags));
    let mut table = game(&one, "", &["Ada", "Bob"], None).await;
    table.play(&mut one.games(), 12).await.unwrap();
    for at in 1..=table.game.version {
        let ask = of(&table.game, at, &format!("fork {at}"));
        let (mut here, mut there) = (one.games(), other.games());
        let (first, second) =
            tokio::join!(fork(&mut here, "", ask.clone()), fork(&mut there, "", ask));
        let first = first.unwrap();
        assert_eq!(second.unwrap(), first);
        let branch = first.game.unwrap();
        assert_eq!(branch.version, at);
        assert_eq!(info(&mut there, "", &branch).await, branch);
    }
}

/// While a game is played, only its owner can fork it, and no player gets a token; later every player can.
#[tokio::test]
async fn everybody_forks_what_is_theirs() {
    let keys = KeyFiles::new();
    let server = keys.server(&["--store=memory", "--max-games-per-tenant=4"]);
    let mut games = server.games();
    let mut table = game(&server, RED, &["Ada", "Bob"], None).await;
    table.play(&mut server.games(), 9).await.unwrap();
    let ada = table.token(1).to_owned();
    let ask = || of(&table.game, 5, "");
    let foreign = fork(&mut games, BLUE, ask()).await.unwrap_err();
    assert_eq!(reason(&foreign).1, "NO_SUCH_GAME");
    let early = fork(&mut games, &ada, ask()).await.unwrap_err();
    assert_eq!(reason(&early).1, "GAME_NOT_OVER");
    let hidden = fork(&mut games, RED, ask()).await.unwrap();
    assert_eq!(hidden.tokens, None);
    let hidden = hidden.game.unwrap();
    let by_operator = fork(&mut games, OPERATOR, ask()).await.unwrap();
    assert_eq!(by_operator.tokens, None);
    let issue = || v1::IssueTokenRequest {
        holder: Some(seat_holder(&hidden.game_id, 1)),
        expire_time: None,
    };
    let mut access = server.access();
    let refused = access.issue_token(bearing(RED, issue())).await;
    let refused = reason(&refused.unwrap_err());
    assert_eq!(
        refused,
        (Code::FailedPrecondition, String::from("ORIGIN_NOT_OVER"))
    );
    // Only its owner can play it.
    resign(&mut games, RED, &hidden, 2, "").await.unwrap();

    resign(&mut games, &ada, &table.game, 1, "").await.unwrap();
    access.issue_token(bearing(RED, issue())).await.unwrap();
    let mine = fork(&mut games, &ada, of(&table.game, 5, "mine")).await;
    let mine = mine.unwrap();
    let seats = mine.tokens.unwrap().seats;
    assert_eq!(seats.len(), 2);
    let mut branch = Table {
        game: mine.game.unwrap(),
        tokens: seats.into_iter().map(|seat| seat.token).collect(),
    };
    branch.play(&mut server.games(), 3).await.unwrap();
    assert_eq!(branch.game.version, 8);
    // The fork counts against the quota of the owner.
    let full = fork(&mut games, &ada, of(&hidden, 5, "")).await;
    assert_eq!(reason(&full.unwrap_err()).1, "NO_SUCH_GAME");
    let full = fork(&mut games, RED, of(&hidden, 5, "")).await;
    assert_eq!(reason(&full.unwrap_err()).1, "QUOTA_EXCEEDED");
}

/// The record of a fork of a fork proves all draws once all seeds are known, and no forged past passes.
#[test]
fn records_of_forks_verify() {
    let (_server, cli) = server();
    let root = cli.out("create dominion Ada Bob Cyd --quiet --take-back agreed --bank 1h");
    let root = root.trim();
    let play = |actions: u32| {
        for _ in 0..actions {
            let info = json(&cli.out("info last"));
            let seat = info["pending"][0]["seat"].as_u64().unwrap();
            let legal = cli.out(&format!("legal last --seat {seat}"));
            let first = legal.lines().next().unwrap();
            let applied = cli.run_with(&format!("apply last --seat {seat} -f -"), first);
            assert_eq!(applied.code, 0, "{}", applied.err);
        }
    };
    play(12);
    let _done = cli.out("resign last --seat 3");
    let _done = cli.out("take-back last --seat 1 --to 4");
    let _done = cli.out("answer last --seat 2");
    play(4);
    let child = cli.out("fork last --at 17 --quiet");
    let child = child.trim();
    play(6);
    let _done = cli.out("fork last --at 20 --quiet");
    play(6);
    let open = verified(&cli);
    assert_eq!(
        (&open["verified"], &open["seedRevealed"]),
        (&true.into(), &false.into())
    );
    for id in ["last", child, root] {
        let _done = cli.out(&format!("resign {id} --seat 1"));
    }
    let closed = verified(&cli);
    assert_eq!(
        (&closed["verified"], &closed["seedRevealed"]),
        (&true.into(), &true.into())
    );

    let record = std::fs::read_to_string(cli.file("record.jsonl")).unwrap();
    let lines: Vec<Value> = record.lines().map(json).collect();
    let origins = lines[0]["header"]["origins"].as_array().unwrap().clone();
    let forked: Vec<(&str, &str)> = origins
        .iter()
        .map(|origin| &origin["forkedFrom"])
        .map(|from| {
            (
                from["gameId"].as_str().unwrap(),
                from["version"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(forked, [(root, "17"), (child, "20")]);
    no_forgery_passes(&cli, lines);
}

/// Checks three forgeries: the seed of an origin, the version of the fork, and one draw of the past.
fn no_forgery_passes(cli: &Cli, mut lines: Vec<Value>) {
    let forge = |lines: &[Value]| {
        let text: Vec<String> = lines.iter().map(Value::to_string).collect();
        cli.run_with("verify -", &text.join("\n"))
    };
    assert_eq!(forge(&lines).code, 0);
    let other = lines[0]["header"]["origins"][1]["seedReveal"].clone();
    let honest = std::mem::replace(&mut lines[0]["header"]["origins"][0]["seedReveal"], other);
    assert_ne!(forge(&lines).code, 0);
    lines[0]["header"]["origins"][0]["seedReveal"] = honest;
    lines[0]["header"]["origins"][0]["forkedFrom"]["version"] = "16".into();
    assert_ne!(forge(&lines).code, 0);
    lines[0]["header"]["origins"][0]["forkedFrom"]["version"] = "17".into();
    let drawn = lines
        .iter_mut()
        .find(|line| !line["version"]["draws"].is_null());
    let value = &mut drawn.unwrap()["version"]["draws"][0]["values"][0];
    *value = (value.as_u64().unwrap() ^ 1).into();
    assert_ne!(forge(&lines).code, 0);
}
