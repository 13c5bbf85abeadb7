//! Work that no call asks for, that of bots and clocks, belongs to the tenant of its game: the tenant pays for it, and it
//! rests while an operator has stopped the tenant, on every server.

use std::time::{Duration, Instant};

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_tests::dominion::{assert_reason, facts, game_of};
use gamekeeper_tests::http::ask;
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::{KeyFiles, OPERATOR, RED, bearing};
use gamekeeper_tests::waiting::{eventually, until};
use serde_json::{Value, json};
use tokio::time::sleep;
use tonic::{Code, Status};

/// Creates games of Caylus in which bots of this policy have all seats.
async fn games_of_bots(server: &Gamekeeperd, count: usize, policy: &str) -> Vec<String> {
    let mut ids = Vec::new();
    for _ in 0..count {
        let mut create = game_of(&["Ada", "Bob"]);
        "caylus".clone_into(&mut create.ruleset);
        for player in &mut create.players {
            player.bot = Some(pb::Bot {
                policy: policy.to_owned(),
                max_think_time: Some(prost_types::Duration {
                    seconds: 0,
                    nanos: 40_000_000,
                }),
                ..Default::default()
            });
        }
        let created = server.games().create_game(bearing(RED, create)).await;
        ids.push(facts(created.unwrap().into_inner().table).game_id);
    }
    ids
}

async fn look(server: &Gamekeeperd, token: &str, game_id: &str) -> Result<u64, Status> {
    let look = pb::GetGameRequest {
        game_id: game_id.to_owned(),
        ..Default::default()
    };
    let table = server.games().get_game(bearing(token, look)).await?;
    Ok(facts(table.into_inner().table).version)
}

/// Returns the sum of the versions of these games, as an operator sees them.
async fn versions(server: &Gamekeeperd, ids: &[String]) -> u64 {
    let mut sum = 0;
    for id in ids {
        sum += look(server, OPERATOR, id).await.unwrap();
    }
    sum
}

/// Waits until bots have played this many versions.
async fn until_played(server: &Gamekeeperd, ids: &[String], sum: u64) {
    let patience = Instant::now() + Duration::from_secs(60);
    while versions(server, ids).await < sum {
        assert!(Instant::now() < patience, "bots play on");
        sleep(Duration::from_millis(50)).await;
    }
}

/// Returns what `GET /top` says of the tenant.
async fn usage_of_red(server: &Gamekeeperd) -> Value {
    let (status, text) = ask(server.admin(), "GET", "/top?tenant=red", "").await;
    assert_eq!(status, 200, "{text}");
    let top: Value = serde_json::from_str(&text).unwrap();
    top["tenants"][0].clone()
}

async fn cut(server: &Gamekeeperd, body: Value) -> Value {
    let (status, text) = ask(server.admin(), "POST", "/cut", &body.to_string()).await;
    assert_eq!(status, 200, "{text}");
    serde_json::from_str(&text).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn bots_of_a_tenant_that_is_stopped_rest_on_every_server() {
    let redis = RedisServer::start(&RedisOptions::new());
    let keys = KeyFiles::new();
    let address = format!("--redis={}", redis.address());
    let flags = ["--store=redis", &address, "--admin-listen=127.0.0.1:0"];
    let [one, other] = [(); 2].map(|()| keys.server(&flags));
    let ids = games_of_bots(&one, 6, "search").await;
    let created = versions(&one, &ids).await;
    until_played(&one, &ids, created + 20).await;
    let usage = [usage_of_red(&one).await, usage_of_red(&other).await];
    let sum = |name: &str| usage.iter().filter_map(|of| of[name].as_f64()).sum::<f64>();
    assert!(sum("cpu_seconds") > 0.1 && sum("calls") < 7.0, "{usage:?}");

    let stopped = cut(&one, json!({"tenant": "red", "for_seconds": 600})).await;
    assert_eq!(stopped["everywhere"], json!(true));
    // Every server reads each second what is stopped, and a thought that was begun is played.
    let rests = eventually("rest", async || {
        let before = versions(&one, &ids).await;
        sleep(Duration::from_secs(3)).await;
        (versions(&one, &ids).await == before).then_some(before)
    })
    .await;
    let third = keys.server(&flags);
    for server in [&one, &other, &third] {
        let refused = look(server, RED, &ids[0]).await.unwrap_err();
        assert_reason(&refused, Code::ResourceExhausted, "LIMIT_EXCEEDED");
    }

    let lifted = cut(&other, json!({"tenant": "red", "lift": true})).await;
    assert_eq!(lifted["everywhere"], json!(true));
    until_played(&one, &ids, rests + 20).await;
    for server in [&one, &other, &third] {
        let answers = async || look(server, RED, &ids[0]).await.is_ok();
        until("the tenant is served again", answers).await;
    }
}

/// The cost of a small call, in seconds of processor time and in bytes stored.
const SMALL_CALL: (f64, f64) = (0.000_25, 1_024.0);

#[tokio::test(flavor = "multi_thread")]
async fn bots_have_a_budget_and_leave_that_of_calls_alone() {
    let (rate, burst) = (100.0, 400.0);
    let keys = KeyFiles::new();
    let server = keys.server(&[
        "--store=memory",
        "--admin-listen=127.0.0.1:0",
        "--max-rate=100",
        "--max-burst=400",
    ]);
    let begun = Instant::now();
    let ids = games_of_bots(&server, 6, "random").await;
    let before = versions(&server, &ids).await;
    for _ in 0..40 {
        look(&server, RED, &ids[0]).await.unwrap();
        sleep(Duration::from_millis(100)).await;
    }
    let (seconds, usage) = (begun.elapsed().as_secs_f64(), usage_of_red(&server).await);
    let (time, stored) = SMALL_CALL;
    let number = |name: &str| usage[name].as_f64().unwrap();
    let used = number("cpu_seconds") / time + number("bytes_stored") / stored;
    // Calls, thinking bots and everything else have a budget each.
    assert!(used < 3.0 * (burst + rate * seconds), "{used}: {usage}");
    assert!(used > rate * seconds / 2.0, "{used}: {usage}");
    assert!(versions(&server, &ids).await > before);
}
