//! A failed test leaves its calls and the logs of its servers as JSON lines; a passed test leaves nothing.

use std::path::{Path, PathBuf};
use std::thread;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_tests::dominion::ada_and_bob;
use gamekeeper_tests::server::{Gamekeeperd, built};
use serde_json::Value;

/// Returns the path of the evidence of a test with this name.
fn file_of(test: &str) -> PathBuf {
    let program = built("gamekeeperd");
    let target = program
        .ancestors()
        .find(|folder| folder.join("CACHEDIR.TAG").exists());
    target
        .unwrap_or(Path::new("/"))
        .join("test-logs")
        .join(format!("{test}.jsonl"))
}

/// Runs a test on a thread of its own, which creates a game, requests one that does not exist, and fails if told to.
fn tried(name: &str, fails: bool) {
    let test = move || {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let server = Gamekeeperd::start(&["--store=memory"]);
            let created = server.games().create_game(ada_and_bob()).await;
            created.unwrap();
            let missing = pb::GetGameRequest {
                game_id: String::from("00000000-0000-4000-8000-000000000000"),
                ..Default::default()
            };
            let response = server.games().get_game(missing).await;
            assert_eq!(
                response.is_err(),
                !fails,
                "as the test of the tests wants it"
            );
        });
    };
    let name = name.to_owned();
    let ended = thread::Builder::new()
        .name(name)
        .spawn(test)
        .unwrap()
        .join();
    assert_eq!(ended.is_err(), fails);
}

#[test]
fn a_test_that_fails_leaves_its_calls_and_logs() {
    let name = format!("evidence-of-a-failure-{}", std::process::id());
    tried(&name, true);
    let text = std::fs::read_to_string(file_of(&name)).unwrap();
    std::fs::remove_file(file_of(&name)).unwrap();
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines[0]["test"], name.as_str());
    assert!(lines[0]["seed"].is_u64());
    assert!(
        lines[0]["panic"]
            .as_str()
            .unwrap()
            .contains("as the test of the tests wants it")
    );
    let calls: Vec<&Value> = lines
        .iter()
        .filter(|line| line["call"].is_string())
        .collect();
    let text_of = |at: usize, field: &str| calls[at][field].as_str().unwrap().to_owned();
    assert_eq!(calls.len(), 2);
    assert_eq!(text_of(0, "call"), "/gamekeeper.v1.GameService/CreateGame");
    assert_eq!(text_of(0, "status"), "OK");
    assert_eq!(calls[0]["request"]["players"][0]["name"], "Ada");
    assert_eq!(calls[0]["answer"]["table"]["game"]["version"], "1");
    assert!(calls[1]["at_ms"].as_f64() >= calls[0]["took_ms"].as_f64());
    assert_eq!(text_of(1, "status"), "NOT_FOUND");
    assert_eq!(
        calls[1]["request"]["gameId"],
        "00000000-0000-4000-8000-000000000000"
    );
    assert!(
        lines
            .iter()
            .any(|line| line["server"] == 1 && !line["log"].is_null())
    );
}

#[test]
fn a_test_that_passes_leaves_nothing() {
    let name = format!("evidence-of-a-success-{}", std::process::id());
    tried(&name, false);
    assert!(!file_of(&name).exists());
}
