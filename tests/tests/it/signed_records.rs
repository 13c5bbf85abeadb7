//! Records that the service signs, and `gamekeeper verify --public-key`.

use std::fs;

use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_tests::cli::{Cli, Ended, json};
use gamekeeper_tests::server::Gamekeeperd;
use serde_json::Value;
use tempfile::TempDir;
use v1::export_game_response::Part;

/// A key of these tests, as `openssl genpkey -algorithm ed25519` writes it, and its public part.
const PRIVATE: &str = "-----BEGIN PRIVATE KEY-----\n\
    MC4CAQAwBQYDK2VwBCIEICcV23FJNt5yrqOZbkYChpAHMfk9J3h7SYSXkSKg/JeQ\n\
    -----END PRIVATE KEY-----\n";
const PUBLIC: &str = "-----BEGIN PUBLIC KEY-----\n\
    MCowBQYDK2VwAyEAdeLw4F4E+CIUOxzRfV4+ZoPo5Uue6Vs74NsAxdy8lv4=\n\
    -----END PUBLIC KEY-----\n";
const OTHER: &str = "-----BEGIN PUBLIC KEY-----\n\
    MCowBQYDK2VwAyEAmarfzlPwiLyvCxkLEPugaBMIY3oW2iAc+nCZ5ASGOT4=\n\
    -----END PUBLIC KEY-----\n";

/// Starts a server that signs records, and returns it with the keys.
fn house() -> (Gamekeeperd, Cli, TempDir) {
    let folder = TempDir::new().unwrap();
    for (name, key) in [("key", PRIVATE), ("public", PUBLIC), ("other", OTHER)] {
        fs::write(folder.path().join(name), key).unwrap();
    }
    let file = folder.path().join("key");
    let flag = format!("--record-signing-key-file={}", file.display());
    let server = Gamekeeperd::start(&["--store=memory", &flag]);
    let cli = Cli::at(server.address());
    (server, cli, folder)
}

fn verify(cli: &Cli, folder: &TempDir, key: &str, record: &str) -> Ended {
    let key = folder.path().join(key);
    cli.run_with(
        &format!("verify - -o json --public-key {}", key.display()),
        record,
    )
}

/// Plays a game with actions, a clock and a player who leaves.
fn played(cli: &Cli) {
    let _created = cli.out("create dominion Ada Bob --bank 1h --quiet");
    let _played = cli.out("bot last --seat 1,2 --choices 1 --until-version 60");
    let _left = cli.out("resign last --seat 2");
}

#[test]
fn a_signed_record_verifies_with_the_key_of_the_service_alone() {
    let (_server, cli, folder) = house();
    played(&cli);
    for export in ["export last", "export last --with-states"] {
        let record = cli.out(export);
        let verified = verify(&cli, &folder, "public", &record);
        assert_eq!(verified.code, 0, "{}", verified.err);
        let report = json(&verified.out);
        assert_eq!(
            (&report["signed"], &report["verified"]),
            (&true.into(), &true.into())
        );
        assert_eq!(report["unproved"], json("[]"));
        let other = verify(&cli, &folder, "other", &record);
        assert!(
            other.code != 0 && other.err.contains("another key"),
            "{}",
            other.err
        );
        let without = cli.run_with("verify - -o json", &record);
        assert_eq!(json(&without.out)["signed"], false);
    }
    let private = verify(&cli, &folder, "key", "");
    assert_ne!(private.code, 0);
}

/// The signature proves facts that nothing else does: a record with altered times still agrees with the rules.
#[test]
fn an_altered_record_does_not_fit_its_signature() {
    let (_server, cli, folder) = house();
    played(&cli);
    let record = cli.out("export last");
    let mut lines: Vec<Value> = record.lines().map(json).collect();
    let last = lines.len() - 1;
    let time = |line: &Value| line["version"]["entry"]["playTime"].clone();
    let at = (2..last).find(|at| time(&lines[*at]) != time(&lines[at - 1]));
    let at = at.expect("two versions of different times");
    lines[at - 1]["version"]["entry"]["playTime"] = time(&lines[at]);
    let written = |lines: &[Value]| {
        let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
        lines.join("\n")
    };
    let altered = verify(&cli, &folder, "public", &written(&lines));
    assert!(altered.code != 0, "{}", altered.out);
    assert!(altered.err.contains("does not fit"), "{}", altered.err);
    let mut unsigned: Vec<Value> = record.lines().map(json).collect();
    let end = unsigned[last]["end"].as_object_mut().unwrap();
    assert!(end.remove("signature").is_some());
    let refused = verify(&cli, &folder, "public", &written(&unsigned));
    assert!(
        refused.code != 0 && refused.err.contains("no signature"),
        "{}",
        refused.err
    );
    let still = cli.run_with("verify -", &written(&unsigned));
    assert_eq!(still.code, 0, "{}", still.err);
}

/// The signature covers the whole record, wherever an export is resumed.
#[tokio::test]
async fn a_resumed_export_has_the_same_signature() {
    let (server, cli, _folder) = house();
    played(&cli);
    let info = json(&cli.out("info last -o json"));
    let game_id = info["gameId"].as_str().unwrap().to_owned();
    let parts = async |after_version| {
        let ask = v1::ExportGameRequest {
            game_id: game_id.clone(),
            after_version,
            ..Default::default()
        };
        let mut stream = server.games().export_game(ask).await.unwrap().into_inner();
        let mut parts = Vec::new();
        while let Some(part) = stream.message().await.unwrap() {
            parts.push(part.part.unwrap());
        }
        parts
    };
    let whole = parts(0).await;
    let Some(Part::End(end)) = whole.last() else {
        panic!("{:?}", whole.last());
    };
    let signature = end.signature.as_ref().unwrap();
    assert_eq!(
        (signature.key_id.len(), signature.signature.len()),
        (32, 64)
    );
    for after in [1, 7, 60] {
        let resumed = parts(after).await;
        let skipped = usize::try_from(after).unwrap();
        assert_eq!(resumed[0], whole[0]);
        assert!(resumed[1..] == whole[1 + skipped..], "after {after}");
    }
}
