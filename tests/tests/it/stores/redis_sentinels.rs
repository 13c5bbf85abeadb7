//! Sentinels with a password and TLS of their own, in front of a Redis without either.

use std::path::Path;
use std::process::Command;

use gamekeeper_tests::dominion::ada_and_bob;
use gamekeeper_tests::redis::{PRIMARY, RedisOptions, RedisServer};
use gamekeeper_tests::server::{Gamekeeperd, binary};
use tempfile::TempDir;

use super::redis_secured::make_certificates;

/// A primary, and one sentinel that asks its clients for a password and a certificate.
struct Guarded {
    _primary: RedisServer,
    sentinel: RedisServer,
    files: TempDir,
}

impl Guarded {
    fn start() -> Guarded {
        let files = TempDir::new().unwrap();
        make_certificates(files.path());
        let file = |name: &str| files.path().join(name).to_str().unwrap().to_owned();
        std::fs::write(file("password"), "open-sesame\n").unwrap();
        std::fs::write(file("wrong"), "open-barley\n").unwrap();
        let primary = RedisServer::start(&RedisOptions::new());
        let address = primary.address().replace(':', " ");
        let sentinel = RedisOptions::sentinel()
            .with_tls()
            .set("tls-cert-file", &file("server.pem"))
            .set("tls-key-file", &file("server.key"))
            .set("tls-ca-cert-file", &file("authority.pem"))
            .set("requirepass", "open-sesame")
            .set("sentinel monitor", &format!("{PRIMARY} {address} 1"));
        Guarded {
            _primary: primary,
            sentinel: RedisServer::start(&sentinel),
            files,
        }
    }

    /// Returns the flags of an operator, with this file for the password.
    fn flags(&self, password: &str) -> Vec<String> {
        let file = |flag: &str, name: &str| {
            let path: &Path = self.files.path();
            format!("--redis-sentinel-{flag}-file={}", path.join(name).display())
        };
        let address = self.sentinel.address().replace("127.0.0.1", "localhost");
        vec![
            String::from("--store=redis"),
            String::from("--redis-topology=sentinel"),
            format!("--redis-primary={PRIMARY}"),
            format!("--redis={address}"),
            String::from("--redis-sentinel-tls=own"),
            file("ca", "authority.pem"),
            file("cert", "client.pem"),
            file("key", "client.key"),
            file("password", password),
        ]
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sentinels_may_have_a_password_and_tls_of_their_own() {
    let guarded = Guarded::start();
    let flags = guarded.flags("password");
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let server = Gamekeeperd::start(&flags);
    server.games().create_game(ada_and_bob()).await.unwrap();
}

/// The login of Redis itself has nothing to do with it.
#[test]
fn a_wrong_password_of_sentinels_names_their_settings() {
    let guarded = Guarded::start();
    let mut nameless = guarded.flags("password");
    nameless.retain(|flag| !flag.starts_with("--redis-sentinel-password"));
    for flags in [guarded.flags("wrong"), nameless] {
        let mut command = Command::new(binary("gamekeeperd"));
        command.args(["--listen=127.0.0.1:0", "--start-timeout=0s"]);
        let ended = command.args(&flags).output().unwrap();
        let stderr = String::from_utf8_lossy(&ended.stderr);
        assert!(!ended.status.success(), "{stderr}");
        assert!(
            stderr.contains("--redis-sentinel-password-file"),
            "{stderr}"
        );
        assert!(!stderr.contains("open-"), "{stderr}");
    }
}
