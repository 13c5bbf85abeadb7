//! The reasons of the service itself.

use std::collections::BTreeSet;

use gamekeeper_tests::cli::Cli;
use gamekeeper_tests::recording::record_service;
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::{KeyFiles, RED};
use gamekeeperd::grpc::REASONS;

use super::{PROGRAM, check, folder};

/// Reasons that no client can trigger by what it sends.
const UNREACHED: &[(&str, &str)] = &[
    ("CONTENDED", "other clients must be faster, again and again"),
    ("TOO_MANY_ENTRIES", "a game must be paused a thousand times"),
    ("STORE_UNAVAILABLE", "the store must be out of reach"),
    ("OUTCOME_UNKNOWN", "the store must fall silent in a call"),
    ("STORE_FULL", "the store must be full"),
    ("CURSOR_EXPIRED", "a feed keeps ten minutes at least"),
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
    ("TOKEN_EXPIRED", "a token must have come to its end"),
    ("RULES_TOO_OLD", "an older build must have written the game"),
    ("DAMAGED_RECORD", "the store must hold a damaged record"),
    (
        "NO_SUCH_SERVICE",
        "health belongs to a library, and sessions call the contract alone",
    ),
    ("INTERNAL", "the service must have a fault"),
    ("NO_FEED", "the server must keep no feeds"),
];

#[test]
fn the_service() {
    let recording = record_service();
    let codes: Vec<&str> = REASONS.iter().map(|reason| reason.name).collect();
    let covered: BTreeSet<&str> = recording.covered.iter().map(String::as_str).collect();
    check("service", &recording.text, codes, &covered, UNREACHED);
}

#[test]
fn a_server_with_tokens_answers_as_recorded() {
    let keys = KeyFiles::new();
    let server = keys.server(&["--store=memory"]);
    let cli = Cli::at(server.address()).bearing(RED);
    let file = folder().join("service.jsonl");
    let arguments = format!("--with default_limits,tokens -o json {}", file.display());
    let ended = cli.tool(PROGRAM, &arguments);
    assert_eq!(ended.code, 0, "{}{}", ended.out, ended.err);
    assert!(ended.out.contains(r#""skipped":0"#), "{}", ended.out);
}

#[test]
fn sessions_with_needs_are_played_only_where_they_are_met() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let cli = Cli::at(server.address());
    let file = folder().join("service.jsonl");
    let ended = cli.tool(PROGRAM, &format!("-o json {}", file.display()));
    assert_eq!(ended.code, 0, "{}{}", ended.out, ended.err);
    assert!(ended.out.contains(r#""skipped":5"#), "{}", ended.out);
    // Everybody may do everything here, so the sessions about tokens fail.
    let ended = cli.tool(
        PROGRAM,
        &format!("--with tokens --timeout 1s {}", file.display()),
    );
    assert_eq!(ended.code, 1, "{}{}", ended.out, ended.err);
    assert!(ended.out.contains("NO_TOKEN"), "{}", ended.out);
}
