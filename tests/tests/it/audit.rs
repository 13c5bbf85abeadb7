//! The audit log: who made which change to which game, as JSON from the first line.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_tests::dominion::{ada_and_bob, facts};
use gamekeeper_tests::http::ask;
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::{KeyFiles, OPERATOR, RED, bearing, seat_holder, user_holder};
use serde_json::Value;
use tokio::time::sleep;

/// Parses every line of a log as JSON.
fn lines(server: &Gamekeeperd) -> Vec<Value> {
    let parse = |line: &String| {
        serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))
    };
    server.log().iter().map(parse).collect()
}

/// A user, whose id may be an e-mail address.
const USER: &str = "ada@example.org";

/// Makes the calls that must be logged, and others. Returns the id of the game, and the texts that no line may contain.
async fn act_out(server: &Gamekeeperd) -> (String, Vec<String>) {
    let (mut access, mut games) = (server.access(), server.games());
    let created = games.create_game(bearing(RED, ada_and_bob())).await;
    let created = created.unwrap().into_inner();
    let game_id = facts(created.table).game_id;
    let look = |token: &str| {
        let game_id = game_id.clone();
        let ask = v1::GetGameRequest {
            game_id,
            ..Default::default()
        };
        bearing(token, ask)
    };
    for token in [RED, OPERATOR] {
        games.get_game(look(token)).await.unwrap();
    }
    let issue = v1::IssueTokenRequest {
        holder: Some(seat_holder(&game_id, 1)),
        expire_time: None,
    };
    let issued = access.issue_token(bearing(RED, issue)).await.unwrap();
    let revoke = v1::RevokeTokensRequest {
        holder: Some(seat_holder(&game_id, 1)),
    };
    access.revoke_tokens(bearing(RED, revoke)).await.unwrap();
    let holder = || Some(user_holder(USER));
    let issue = v1::IssueTokenRequest {
        holder: holder(),
        expire_time: None,
    };
    let of_user = access.issue_token(bearing(RED, issue)).await.unwrap();
    let revoke = v1::RevokeTokensRequest { holder: holder() };
    access.revoke_tokens(bearing(RED, revoke)).await.unwrap();
    for _ in 0..50 {
        games.get_game(look("no key")).await.unwrap_err();
    }
    let delete = |token: &str| {
        let game_id = game_id.clone();
        let allow_missing = false;
        bearing(
            token,
            v1::DeleteGameRequest {
                game_id,
                allow_missing,
            },
        )
    };
    let tokens = created.tokens.unwrap();
    let seat = tokens.seats[1].token.clone();
    games.delete_game(delete(&seat)).await.unwrap_err();
    games.delete_game(delete(RED)).await.unwrap();
    let keys = [RED, OPERATOR, "no key", USER].map(String::from);
    let issued = [issued, of_user].map(|issued| issued.into_inner().token);
    let secrets = keys.into_iter().chain([tokens.spectator, seat]);
    let secrets = secrets.chain(issued);
    (game_id, secrets.collect())
}

#[tokio::test]
async fn what_is_done_to_games_is_on_record() {
    let keys = KeyFiles::new();
    let server = keys.server(&[
        "--store=memory",
        "--log-format=json",
        "--admin-listen=127.0.0.1:0",
    ]);
    let (game_id, secrets) = act_out(&server).await;
    let of_audit = |line: &Value| line["target"] == "audit";
    let audit: Vec<Value> = lines(&server).into_iter().filter(of_audit).collect();
    let text = |line: &Value, name: &str| line[name].as_str().unwrap_or_default().to_owned();
    let recorded: BTreeSet<_> = audit
        .iter()
        .filter(|line| line["game"] == game_id.as_str())
        .map(|line| ["who", "what", "outcome"].map(|name| text(line, name)))
        .collect();
    let refusal = "only the tenant of a game can manage it";
    let expected = [
        ["tenant red", "create_game", "done"],
        ["operator", "get_game", "done"],
        ["tenant red", "issue_token", "done"],
        ["tenant red", "revoke_tokens", "done"],
        ["seat 2", "delete_game", refusal],
        ["tenant red", "delete_game", "done"],
    ];
    let expected = expected.map(|words| words.map(str::to_owned));
    assert_eq!(recorded, BTreeSet::from(expected));
    // Tokens of users do not belong to a game.
    let of_users = audit.iter().filter(|line| line["game"] == "");
    let of_users: Vec<_> = of_users
        .map(|line| ["who", "what", "outcome"].map(|name| text(line, name)))
        .filter(|[who, ..]| who != "unknown")
        .collect();
    let user_calls = ["issue_token", "revoke_tokens"].map(|what| ["tenant red", what, "done"]);
    assert_eq!(of_users, user_calls);
    let of_strangers = |line: &&Value| line["who"] == "unknown";
    let bad: Vec<_> = audit.iter().filter(of_strangers).collect();
    assert!(
        (1..=5).contains(&bad.len()),
        "few lines for many calls: {bad:?}"
    );
    assert_eq!(bad[0]["address"], "127.0.0.1");
    assert_eq!(bad[0]["outcome"], "the token is not valid");
    let all = server.log().join("\n");
    for secret in secrets {
        assert!(!all.contains(&secret), "{secret}");
    }
}

#[test]
fn an_error_at_start_is_json_too() {
    let output = std::process::Command::new(gamekeeper_tests::server::binary("gamekeeperd"))
        .args(["--log-format=json", "--auth=tokens"])
        .output()
        .unwrap();
    assert!(!output.status.success());
    let stderr = String::from_utf8(output.stderr).unwrap();
    let line: Value = serde_json::from_str(stderr.trim()).unwrap();
    assert_eq!(line["level"], "ERROR");
    assert!(
        line["message"]
            .as_str()
            .unwrap()
            .contains("--token-keys-file")
    );
}

#[tokio::test]
async fn the_port_of_operators_tells_the_truth() {
    let redis = RedisServer::start(&RedisOptions::new());
    let address = format!("--redis={}", redis.address());
    let flags = ["--store=redis", &address, "--admin-listen=127.0.0.1:0"];
    let server = Gamekeeperd::start(&flags);
    let get = async |path: &str| ask(server.admin(), "GET", path, "").await;
    assert_eq!(get("/readyz").await, (200, String::from("ok\n")));
    assert_eq!(get("/livez").await, (200, String::from("ok\n")));
    for unknown in ["/", "/healthz", "/metrics/x", "/a.Service/Method"] {
        assert_eq!(get(unknown).await.0, 404, "{unknown}");
    }
    for nonsense in ["", "verbose", "gamekeeprd=debug", "info,"] {
        let (status, why) = ask(server.admin(), "PUT", "/log", nonsense).await;
        assert!(status == 400 && !why.is_empty(), "{nonsense:?}: {status}");
    }
    redis.pause();
    let begun = Instant::now();
    while get("/readyz").await.0 == 200 {
        assert!(begun.elapsed() < Duration::from_secs(30));
        sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(get("/readyz").await.0, 503);
    assert_eq!(get("/livez").await.0, 200, "a restart mends no Redis");
    let away = |line: &&String| line.contains("the store does not answer");
    let notice_count = server.log().iter().filter(away).count();
    assert_eq!(notice_count, 1, "{:?}", server.log());
    redis.resume();
}
