//! The sessions of the service itself, regardless of the rules.

use std::collections::BTreeSet;

use gamekeeper_tests::cli::Cli;
use gamekeeper_tests::contract::methods;
use gamekeeper_tests::recording::record_service;
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::{BLUE, KeyFiles, RED};
use gamekeeper_tests::turns::{LONGEST_TURN, longest_turn};
use gamekeeperd::grpc::REASONS;
use tempfile::TempDir;

use super::{PROGRAM, check, folder};

/// The reasons that no client can trigger by its own requests.
const UNREACHED: &[(&str, &str)] = &[
    ("CONTENDED", "other clients must be faster, again and again"),
    ("TOO_MANY_ENTRIES", "a game must be paused a thousand times"),
    (
        "GAME_FULL",
        "a game must be played for ten thousand versions",
    ),
    ("INVALID_POSITION", "a table must be described by hand"),
    ("NO_RASTER", "the server must paint no drawings"),
    ("STORE_UNAVAILABLE", "the store must be out of reach"),
    ("OUTCOME_UNKNOWN", "the store must fall silent in a call"),
    ("STORE_FULL", "the store must be full"),
    ("GOING_AWAY", "the server must stop while it is watched"),
    (
        "WATCH_TOO_SLOW",
        "a watch must not be read for as long as the server is patient",
    ),
    (
        "DEADLINE",
        "a call must take longer than the server lets it",
    ),
    (
        "SNAPSHOT_TOO_NEW",
        "a newer build must have written the game",
    ),
    (
        "LIMIT_EXCEEDED",
        "others must take all that there is, or the caller must be too fast",
    ),
    (
        "QUOTA_EXCEEDED",
        "a tenant must have as many games as it may",
    ),
    (
        "ANSWER_FULL",
        "a hundred games must have tables of more than 3 MiB together",
    ),
    (
        "RULESET_NOT_SERVED",
        "another process must have stored a game of its ruleset",
    ),
    ("RULES_TOO_OLD", "an older build must have written the game"),
    ("DAMAGED_RECORD", "the store must hold a damaged record"),
    (
        "NO_SUCH_SERVICE",
        "health belongs to a library, and sessions call the contract alone",
    ),
    ("INTERNAL", "the service must have a fault"),
];

#[test]
fn the_service() {
    let recording = record_service();
    let codes: Vec<&str> = REASONS.iter().map(|reason| reason.name).collect();
    let covered: BTreeSet<&str> = recording.covered.iter().map(String::as_str).collect();
    check("service", &recording.text, codes, &covered, UNREACHED);
}

/// Every method must be recorded with a response, or other implementations would never see it.
#[test]
fn every_method_is_recorded_with_an_answer() {
    let answered = record_service().answered;
    let methods = methods().into_iter().map(|method| method.name);
    assert_eq!(answered, methods.collect::<BTreeSet<_>>());
}

/// Plays the sessions of the service whose requirements the server meets. Returns how many were left out.
fn plays(server: &Gamekeeperd, with: &str) -> u64 {
    plays_as(RED, server, with)
}

/// Plays them with this key.
fn plays_as(key: &str, server: &Gamekeeperd, with: &str) -> u64 {
    let cli = Cli::at(server.address()).bearing(key);
    let file = folder().join("service.jsonl");
    let ended = cli.tool(PROGRAM, &format!("{with} -o json {}", file.display()));
    assert_eq!(ended.code, 0, "{}{}", ended.out, ended.err);
    let check: serde_json::Value = serde_json::from_str(&ended.out).unwrap();
    check["skipped"].as_u64().unwrap()
}

/// Returns the number of sessions with this requirement, or with any requirement if it is empty.
fn needing(needs: &str) -> u64 {
    let text = record_service().text;
    let begins = format!(r#"{{"needs":"{needs}"#);
    let lines = text.lines().filter(|line| line.starts_with(&begins));
    u64::try_from(lines.count()).unwrap()
}

#[test]
fn servers_with_tokens_answer_as_recorded() {
    let keys = KeyFiles::new();
    let server = keys.server(&["--store=memory"]);
    let skipped = plays(&server, "--with default_limits,tokens,feeds");
    assert_eq!(skipped, needing("no_feeds"));
    let server = keys.server(&["--store=memory", "--feed-retention=0"]);
    let skipped = plays(&server, "--with default_limits,tokens,no_feeds");
    assert_eq!(skipped, needing("feeds"));
}

/// Every store gives the recorded responses, because feeds, lists and tokens of users depend on it.
#[test]
fn every_store_answers_as_recorded() {
    let (keys, folder) = (KeyFiles::new(), TempDir::new().unwrap());
    let redis = RedisServer::start(&RedisOptions::new());
    let address = format!("--redis={}", redis.address());
    let data = format!("--data-dir={}", folder.path().join("games").display());
    for store in [&["--store=redis", &*address][..], &[&*data]] {
        plays(&keys.server(store), "--with default_limits,tokens,feeds");
    }
}

#[test]
fn sessions_with_needs_are_played_only_where_they_are_met() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    assert_eq!(plays(&server, ""), needing(""));
    // Without tokens, nothing is refused for lack of permission, so a session about tokens fails.
    let text = record_service().text;
    let mut lines = text
        .lines()
        .skip_while(|line| !line.starts_with(r#"{"needs":"tokens"#));
    let begin = lines.next().unwrap();
    let calls = lines.take_while(|line| line.contains(r#""call""#));
    let session: Vec<&str> = std::iter::once(begin).chain(calls).collect();
    let cli = Cli::at(server.address());
    let file = cli.file("tokens.jsonl");
    std::fs::write(&file, session.join("\n")).unwrap();
    let ended = cli.tool(PROGRAM, &format!("--with tokens --timeout 1s {file}"));
    assert_eq!(ended.code, 1, "{}{}", ended.out, ended.err);
    assert!(ended.out.contains("NO_TOKEN"), "{}", ended.out);
}

/// Nobody waits long for a call of another one, whichever method that calls: the sessions are calls of every method. What
/// the first call makes for all later ones, another tenant has asked for before.
#[tokio::test(flavor = "multi_thread")]
async fn no_method_has_a_long_turn() {
    let keys = KeyFiles::new();
    let server = keys.server(&["--store=memory", "--admin-listen=127.0.0.1:0"]);
    for key in [BLUE, RED] {
        plays_as(key, &server, "--with default_limits,tokens,feeds");
    }
    let longest = longest_turn(&server, "red").await;
    assert!(longest <= LONGEST_TURN, "a turn of {longest:?}");
}
