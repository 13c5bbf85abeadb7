//! Operators can see the usage of each account, and stop a flood.

use std::time::{Duration, Instant};

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_tests::cli::Cli;
use gamekeeper_tests::dominion::{Table, ada_and_bob, assert_reason};
use gamekeeper_tests::http::{ask, send};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::{BLUE, KeyFiles, OPERATOR, RED, bearing};
use pb::token_holder::Holder;
use serde_json::{Value, json};
use tonic::{Code, Status, Streaming};
use tonic_types::StatusExt;

const FLAGS: [&str; 2] = ["--store=memory", "--admin-listen=127.0.0.1:0"];

async fn game_of(server: &Gamekeeperd, key: &str) -> Table {
    let created = server
        .games()
        .create_game(bearing(key, ada_and_bob()))
        .await;
    Table::of(created.unwrap().into_inner())
}

async fn look(server: &Gamekeeperd, token: &str, game_id: &str) -> Result<(), Status> {
    let look = pb::GetGameRequest {
        game_id: game_id.to_owned(),
        ..Default::default()
    };
    server
        .games()
        .get_game(bearing(token, look))
        .await
        .map(drop)
}

/// Issues a token of spectators.
async fn spectator_of(server: &Gamekeeperd, game_id: &str) -> String {
    let spectator = pb::SpectatorOfGame {
        game_id: game_id.to_owned(),
    };
    let holder = pb::TokenHolder {
        holder: Some(Holder::Spectator(spectator)),
    };
    let issue = pb::IssueTokenRequest {
        holder: Some(holder),
        expire_time: None,
    };
    let issued = server.access().issue_token(bearing(RED, issue)).await;
    issued.unwrap().into_inner().token
}

/// Opens a watch and reads the table.
async fn watch(
    server: &Gamekeeperd,
    token: &str,
    game_id: &str,
) -> Result<Streaming<pb::WatchGameResponse>, Status> {
    let watch = pb::WatchGameRequest {
        game_id: game_id.to_owned(),
        ..Default::default()
    };
    let watch = server.games().watch_game(bearing(token, watch)).await?;
    let mut watch = watch.into_inner();
    watch.message().await?.expect("the table");
    Ok(watch)
}

/// Returns the status with which a stream ends. Fails if it does not end in time.
async fn end(watch: &mut Streaming<pb::WatchGameResponse>) -> Option<Status> {
    let ended = async {
        loop {
            match watch.message().await {
                Ok(Some(_)) => {}
                Ok(None) => return None,
                Err(status) => return Some(status),
            }
        }
    };
    let ended = tokio::time::timeout(Duration::from_secs(5), ended).await;
    ended.expect("the stream ends at once")
}

async fn top(server: &Gamekeeperd, query: &str) -> Value {
    let (status, text) = ask(server.admin(), "GET", &format!("/top{query}"), "").await;
    assert_eq!(status, 200, "{text}");
    serde_json::from_str(&text).unwrap()
}

async fn cut(server: &Gamekeeperd, body: &Value) -> (u16, String) {
    ask(server.admin(), "POST", "/cut", &body.to_string()).await
}

/// Returns the row with these facts.
fn row<'a>(rows: &'a Value, facts: &[(&str, Value)]) -> &'a Value {
    let mut all = rows.as_array().unwrap().iter();
    let matching = all.find(|row| facts.iter().all(|(name, value)| row[name] == *value));
    matching.unwrap_or_else(|| panic!("no row of {facts:?}: {rows}"))
}

/// A tenant with a game, its fork, a user and three watches.
struct Scene {
    server: Gamekeeperd,
    game_id: String,
    secrets: Vec<String>,
    _watches: Vec<Streaming<pb::WatchGameResponse>>,
    _keys: KeyFiles,
}

impl Scene {
    async fn set() -> Self {
        let keys = KeyFiles::new();
        let server = keys.server_for_teams(&FLAGS);
        let table = game_of(&server, RED).await;
        let game_id = table.game.game_id.clone();
        let mut watches = Vec::new();
        for _ in 0..3 {
            watches.push(watch(&server, table.token(1), &game_id).await.unwrap());
        }
        // A player forks the finished game. Tokens of the fork use the same account.
        let resign = pb::ResignRequest {
            game_id: game_id.clone(),
            seat: 1,
            ..Default::default()
        };
        let resign = bearing(table.token(1), resign);
        server.games().resign(resign).await.unwrap();
        let fork = pb::ForkGameRequest {
            game_id: game_id.clone(),
            at_version: 1,
            ..Default::default()
        };
        let fork = bearing(table.token(2), fork);
        let fork = server.games().fork_game(fork).await.unwrap().into_inner();
        let (forked, tokens) = (fork.game.unwrap().game_id, fork.tokens.unwrap());
        look(&server, &tokens.spectator, &forked).await.unwrap();
        let spectator = spectator_of(&server, &game_id).await;
        look(&server, &spectator, &game_id).await.unwrap();
        let ada = KeyFiles::signed_user("red", "ada");
        let mine = bearing(&ada, pb::ListGamesRequest::default());
        server.games().list_games(mine).await.unwrap();
        let rules = pb::ListRulesetsRequest::default();
        server.rulesets().list_rulesets(rules).await.unwrap();
        let mut secrets = table.tokens;
        secrets.extend([RED.to_owned(), ada, tokens.spectator, spectator]);
        Self {
            server,
            game_id,
            secrets,
            _watches: watches,
            _keys: keys,
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn operators_see_who_uses_what() {
    let Scene {
        ref server,
        ref game_id,
        ref secrets,
        ..
    } = Scene::set().await;
    let usage = top(server, "?by=streams").await;
    let red = row(&usage["tenants"], &[("tenant", json!("red"))]);
    assert_eq!(
        (&red["role"], &red["streams"]),
        (&json!("tenant"), &json!(3))
    );
    assert_eq!(usage["tenants"][0], *red, "the most streams");
    assert!(red["cpu_seconds"].as_f64() > Some(0.0) && red["bytes_stored"].as_u64() > Some(100));
    let seat = row(&usage["callers"], &[("seat", json!(1))]);
    assert_eq!(
        (&seat["game"], &seat["tenant"]),
        (&json!(game_id), &json!("red"))
    );
    assert_eq!((&seat["calls"], &seat["streams"]), (&json!(4), &json!(3)));
    let spectator = row(&usage["callers"], &[("role", json!("spectator"))]);
    assert_eq!(
        (&spectator["game"], &spectator["calls"]),
        (&json!(game_id), &json!(1))
    );
    let forker = row(&usage["callers"], &[("seat", json!(2))]);
    assert_eq!(
        (&forker["game"], &forker["calls"]),
        (&json!(game_id), &json!(2)),
        "the tokens of its fork use its account"
    );
    row(
        &usage["callers"],
        &[("role", json!("user")), ("user", json!("ada"))],
    );
    let stranger = [("role", json!("stranger")), ("address", json!("127.0.0.1"))];
    row(&usage["callers"], &stranger);
    let text = usage.to_string();
    assert!(secrets.len() >= 5);
    for secret in secrets {
        assert!(!secret.is_empty() && !text.contains(secret), "{text}");
    }
    let of_blue = top(server, "?tenant=blue").await;
    assert_eq!(of_blue, json!({"tenants": [], "callers": []}));
    let admin = server.admin();
    assert_eq!(ask(admin, "GET", "/top?by=luck", "").await.0, 400);
    let foreign = [("host", "example.org")];
    assert_eq!(send(admin, "GET", "/top", &foreign, "").await.status, 403);

    let (_, metrics) = ask(admin, "GET", "/metrics", "").await;
    let streams = r#"gamekeeper_tenant_streams{kind="tenant",tenant="red"} 3"#;
    assert!(metrics.contains(streams), "{metrics}");
    assert!(
        !metrics.contains("=\"ada\"") && !metrics.contains(game_id),
        "tenants alone"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_line_shows_who_uses_what() {
    let scene = Scene::set().await;
    let (admin, cli) = (scene.server.admin(), Cli::at(scene.server.address()));
    let table = cli.out(&format!("admin top --admin {admin} --tenant red -o table"));
    let seat = format!("red: seat 1 of {}", scene.game_id);
    assert!(table.contains(&seat), "{table}");
    let line = cli.out(&format!(
        "admin top --admin {admin},{admin} --by refused -o json"
    ));
    assert_eq!(line.lines().count(), 2);
    let line: Value = serde_json::from_str(line.lines().next().unwrap()).unwrap();
    assert_eq!(line["admin"], json!(admin));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tenant_that_takes_everything_is_stopped_in_seconds() {
    let keys = KeyFiles::new();
    let server = keys.server(&FLAGS);
    let (red, blue) = (game_of(&server, RED).await, game_of(&server, BLUE).await);
    let (red_id, blue_id) = (&red.game.game_id, &blue.game.game_id);
    let mut of_red = watch(&server, red.token(1), red_id).await.unwrap();
    let mut of_blue = watch(&server, BLUE, blue_id).await.unwrap();
    let cli = Cli::at(server.address());
    let admin = server.admin();
    let begun = Instant::now();
    let printed = cli.out(&format!(
        "admin cut --admin {admin} --tenant red --for 10m -o json"
    ));
    let report: Value = serde_json::from_str(&printed).unwrap();
    assert!(
        report["streams"] == json!(1) && report["connections"].as_u64() >= Some(1),
        "{report}"
    );
    // Either the connection or the stream is closed first.
    assert!(end(&mut of_red).await.is_some());
    for token in [RED, red.token(1), red.token(2)] {
        let refused = look(&server, token, red_id).await.unwrap_err();
        assert_reason(&refused, Code::ResourceExhausted, "LIMIT_EXCEEDED");
        let details = refused.get_error_details();
        let wait = details.retry_info().unwrap().retry_delay.unwrap();
        assert!(wait > Duration::from_secs(500) && wait <= Duration::from_mins(10));
        assert_eq!(details.error_info().unwrap().metadata["limit"], "cut");
    }
    assert!(begun.elapsed() < Duration::from_secs(10));
    look(&server, BLUE, blue_id).await.unwrap();
    let waits = tokio::time::timeout(Duration::from_millis(300), of_blue.message()).await;
    assert!(waits.is_err(), "the stream of the other tenant goes on");
    let noted = |what: &str| {
        let log = server.log();
        log.iter().any(|line| {
            [what, "audit", "red"]
                .iter()
                .all(|word| line.contains(word))
        })
    };
    assert!(noted("Cut"), "{:?}", server.log());
    let lifted = cli.out(&format!(
        "admin cut --admin {admin} --tenant red --lift -o table"
    ));
    assert!(lifted.contains("accepted again"), "{lifted}");
    look(&server, red.token(1), red_id).await.unwrap();
    assert!(noted("LiftCut"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_or_a_caller_is_stopped_and_others_of_its_tenant_are_not() {
    let keys = KeyFiles::new();
    let server = keys.server(&FLAGS);
    let (one, other) = (game_of(&server, RED).await, game_of(&server, RED).await);
    let (one_id, other_id) = (&one.game.game_id, &other.game.game_id);
    let mut cuts = vec![json!({"game": one_id, "for_seconds": 60})];
    look(&server, one.token(2), one_id).await.unwrap();
    let usage = top(&server, "").await;
    let caller = &row(&usage["callers"], &[("seat", json!(2))])["account"];
    cuts.push(json!({"caller": caller, "for_seconds": 60}));
    for (number, body) in cuts.iter().enumerate() {
        assert_eq!(cut(&server, body).await.0, 200);
        look(&server, one.token(2), one_id).await.unwrap_err();
        let is_of_game = number == 0;
        let first = look(&server, one.token(1), one_id).await;
        assert_eq!(first.is_err(), is_of_game, "{body}");
        look(&server, RED, one_id).await.unwrap();
        look(&server, other.token(2), other_id).await.unwrap();
        let mut lift = body.clone();
        lift["for_seconds"] = json!(0);
        lift["lift"] = json!(true);
        assert_eq!(cut(&server, &lift).await.0, 200);
        look(&server, one.token(2), one_id).await.unwrap();
    }
    // Without a duration only open streams end; the caller can come back at once.
    let mut watched = watch(&server, one.token(1), one_id).await.unwrap();
    let (status, text) = cut(&server, &json!({"game": one_id})).await;
    assert_eq!(
        (status, text.contains("\"streams\":1")),
        (200, true),
        "{text}"
    );
    assert!(end(&mut watched).await.is_some());
    watch(&server, one.token(1), one_id).await.unwrap();
}

#[tokio::test]
async fn a_cut_that_names_nobody_changes_nothing() {
    let keys = KeyFiles::new();
    let server = keys.server(&FLAGS);
    let table = game_of(&server, RED).await;
    for (body, status) in [
        (json!({}), 400),
        (json!({"tenant": ""}), 400),
        (json!({"tenant": "red", "game": table.game.game_id}), 400),
        (json!({"tenant": "red", "for_seconds": 86_401}), 400),
        (
            json!({"tenant": "red", "for_seconds": 1, "lift": true}),
            400,
        ),
        (json!({"tenant": "red", "for_seconds": -1}), 400),
        (json!({"tenant": "red", "until": 1}), 400),
        (json!({"caller": "red"}), 400),
        (json!({"caller": "0000000000000000"}), 400),
        (json!({"game": "no id"}), 400),
        (json!({"game": "00000000-0000-4000-8000-000000000000"}), 404),
    ] {
        let (got, text) = cut(&server, &body).await;
        assert_eq!(got, status, "{body}: {text}");
        assert!(!text.trim().is_empty());
    }
    let admin = server.admin();
    let body = json!({"tenant": "red", "for_seconds": 60}).to_string();
    for headers in [("host", "example.org"), ("origin", "http://example.org")] {
        let answer = send(admin, "POST", "/cut", &[headers], &body).await;
        assert_eq!(answer.status, 403, "{headers:?}");
    }
    let long = json!({"tenant": "x".repeat(5_000)}).to_string();
    assert_eq!(ask(admin, "POST", "/cut", &long).await.0, 413);
    look(&server, RED, &table.game.game_id).await.unwrap();
    look(&server, OPERATOR, &table.game.game_id).await.unwrap();
    assert!(
        !server
            .log()
            .iter()
            .any(|line| line.contains("\"Cut\"") || line.contains("what=Cut"))
    );
    let open = Gamekeeperd::start(&FLAGS);
    assert_eq!(cut(&open, &json!({"tenant": "red"})).await.0, 409);
    let cli = Cli::at(server.address());
    let wrong = cli.run(&format!("admin cut --admin {admin} --caller red"));
    assert!(
        wrong.code == 8 && wrong.err.contains("account"),
        "{wrong:?}"
    );
    assert_eq!(cli.run("admin cut --for 1m").code, 2);
    assert_eq!(cli.run("admin top --admin 127.0.0.1:1").code, 5);
}
