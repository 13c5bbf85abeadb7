//! Files that change while a server runs.

use std::time::{Duration, Instant};

use gamekeeper_tests::http::ask;
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::KeyFiles;
use gamekeeper_tests::waiting::until_metric;

fn count(server: &Gamekeeperd, text: &str) -> usize {
    let log = server.log();
    log.iter().filter(|line| line.contains(text)).count()
}

/// The keys from before stay in use, so nothing else would show that tokens of a new key are refused.
#[tokio::test]
async fn a_key_set_that_cannot_be_used_is_seen() {
    let keys = KeyFiles::new();
    let flags = ["--store=memory", "--admin-listen=127.0.0.1:0"];
    let server = keys.server_for_teams(&flags);
    let file = keys.file("jwks");
    let good = std::fs::read_to_string(&file).unwrap();
    until_metric(&server, "gamekeeper_reload_ok 1").await;
    let refused = "keys, certificates or limits cannot be read";
    for wrong in [
        "",
        "{}",
        r#"{"keys": []}"#,
        r#"{"keys": [{"kty": "EC", "crv": "P-521", "alg": "ES512"}]}"#,
    ] {
        let before = count(&server, refused);
        std::fs::write(&file, wrong).unwrap();
        server.hang_up();
        until_metric(&server, "gamekeeper_reload_ok 0").await;
        assert!(count(&server, refused) > before, "{wrong}");
        std::fs::write(&file, &good).unwrap();
        server.hang_up();
        until_metric(&server, "gamekeeper_reload_ok 1").await;
    }
}

/// A key that verifies nothing is named once, and not again each time that any file is read.
#[tokio::test]
async fn a_key_that_is_skipped_is_named_once() {
    let keys = KeyFiles::new();
    let file = keys.file("jwks");
    let mut set: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let add = |set: &mut serde_json::Value, id: &str| {
        let key =
            serde_json::json!({"kty": "RSA", "kid": id, "use": "enc", "n": "AQAB", "e": "AQAB"});
        set["keys"].as_array_mut().unwrap().push(key);
        std::fs::write(&file, set.to_string()).unwrap();
    };
    add(&mut set, "old");
    let server = keys.server_for_teams(&["--store=memory", "--admin-listen=127.0.0.1:0"]);
    let named = |id: &str| count(&server, &format!("no token is verified with key {id}"));
    // The files are read once more before the first call is answered.
    let health = "/grpc.health.v1.Health/Check";
    let _answered = ask(server.address(), "POST", health, "{}").await;
    assert_eq!(named(r#"2 ("old"): its `use` is "enc""#), 1);
    add(&mut set, "new");
    let read_again = "were read again";
    for times in 1..=2 {
        let begun = Instant::now();
        server.hang_up();
        while count(&server, read_again) < times {
            assert!(begun.elapsed() < Duration::from_secs(20));
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    assert_eq!([named("2"), named("3")], [1, 1], "{:#?}", server.log());
}
