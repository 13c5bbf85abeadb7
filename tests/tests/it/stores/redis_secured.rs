//! Redis with users, passwords and TLS: the store itself, and a server with its flags.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_store::conformance::StoreHandles;
use gamekeeper_store::{StoreError, conformance};
use gamekeeper_store_redis::{RedisConfig, RedisPassword, RedisTls, RedisTopology};
use gamekeeper_tests::dominion::Table;
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::server::{Gamekeeperd, binary};
use tempfile::TempDir;
use tokio::time::{sleep, timeout};

use super::created;
use super::redis::{config_of, open_at, try_open};

/// The user that the page tells operators to create, with only the permissions that the store needs.
pub(super) fn acl_user() -> &'static str {
    let readme = include_str!("../../../../deploy/README.md");
    let user = readme
        .lines()
        .find(|line| line.starts_with("gamekeeper on "));
    user.expect("it names a user")
}

#[tokio::test(flavor = "multi_thread")]
async fn an_acl_user_with_a_password_from_a_file_is_enough() {
    let server = RedisServer::start(&RedisOptions::new());
    server.set_user(acl_user());
    let password = server.directory().join("password");
    std::fs::write(&password, "open-sesame\n").unwrap();
    let config = RedisConfig {
        username: Some("gamekeeper".into()),
        password: Some(RedisPassword::File(password.clone())),
        ..config_of(&server)
    };
    let one = open_at(config.clone()).await;
    let other = open_at(config.clone()).await;
    let subject = StoreHandles { one, other };
    conformance::run_all(&subject).await;
    tidied(&server).await;
    let refused: Vec<redis::Value> = server.ask(&["ACL", "LOG"]);
    assert!(refused.is_empty(), "{refused:?}");
    let _: String = server.ask(&["ACL", "SETUSER", "default", "off"]);

    let nobody = try_open(config_of(&server)).await;
    assert!(matches!(
        nobody,
        Err(StoreError::Setup(_) | StoreError::Unavailable(_))
    ));
    std::fs::write(&password, "open-barley\n").unwrap();
    let error = try_open(config).await.err().unwrap();
    assert!(matches!(
        error,
        StoreError::Setup(_) | StoreError::Unavailable(_)
    ));
    assert!(!error.to_string().contains("barley"), "{error}");
}

/// A password is rotated while servers run: the next connection needs the new one.
#[tokio::test(flavor = "multi_thread")]
async fn a_new_password_is_read_at_the_next_connection() {
    let server = RedisServer::start(&RedisOptions::new());
    let user = |password: &str| acl_user().replace(">open-sesame", password);
    server.set_user(&user(">open-sesame"));
    let password = server.directory().join("password");
    std::fs::write(&password, "open-sesame\n").unwrap();
    let config = RedisConfig {
        username: Some("gamekeeper".into()),
        password: Some(RedisPassword::File(password.clone())),
        ..config_of(&server)
    };
    let store = open_at(config).await;
    let id = created(&*store).await;
    server.set_user(&user("resetpass >open-barley"));
    std::fs::write(&password, "open-barley\n").unwrap();
    let killed: i64 = server.ask(&["CLIENT", "KILL", "USER", "gamekeeper"]);
    assert!(killed > 0);
    let again = async {
        while store.load(id, None).await.is_err() {
            sleep(Duration::from_millis(20)).await;
        }
        // Wake-ups too.
        while store.watch(id).await.is_err() {
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(Duration::from_secs(10), again).await.unwrap();
}

/// Waits until a process has examined all lists, as it does periodically.
async fn tidied(server: &RedisServer) {
    let _: i64 = server.ask(&["DEL", "gk:tidied"]);
    let waiting = async {
        while server.ask::<i64>(&["EXISTS", "gk:tidied"]) == 0
            || server.ask::<i64>(&["EXISTS", "gk:terms:{terms}:given"]) == 0
        {
            sleep(Duration::from_millis(100)).await;
        }
    };
    timeout(Duration::from_secs(30), waiting).await.unwrap();
    sleep(Duration::from_secs(1)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn redis_can_be_reached_over_tls() {
    let files = TempDir::new().unwrap();
    let authority = make_certificates(files.path());
    let path = |name: &str| files.path().join(name);
    let text = |name: &str| path(name).to_str().unwrap().to_owned();
    let server = RedisServer::start(
        &RedisOptions::new()
            .with_tls()
            .set("tls-cert-file", &text("server.pem"))
            .set("tls-key-file", &text("server.key"))
            .set("tls-ca-cert-file", &text("authority.pem")),
    );
    let topology = RedisTopology::Single {
        address: server.address().replace("127.0.0.1", "localhost"),
    };
    let identity = Some((path("client.pem"), path("client.key")));
    let tls = RedisTls {
        authorities: Some(authority),
        identity,
    };
    let config = RedisConfig {
        tls: Some(tls.clone()),
        ..RedisConfig::new(topology.clone())
    };
    let one = open_at(config.clone()).await;
    let other = open_at(config).await;
    conformance::run_all(&StoreHandles { one, other }).await;

    let trusts_others = RedisTls {
        authorities: None,
        ..tls.clone()
    };
    let has_no_name = RedisTls {
        identity: None,
        ..tls
    };
    for tls in [Some(trusts_others), Some(has_no_name), None] {
        let config = RedisConfig {
            tls,
            ..RedisConfig::new(topology.clone())
        };
        assert!(try_open(config).await.is_err());
    }
}

/// Writes a certificate authority and its certificates for a server and a client.
pub(super) fn make_certificates(directory: &Path) -> PathBuf {
    use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
    let write = |name: &str, text: String| {
        let path = directory.join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let key = KeyPair::generate().unwrap();
    let mut params = CertificateParams::new(vec![]).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = write("authority.pem", params.self_signed(&key).unwrap().pem());
    let issuer = Issuer::new(params, key);
    for name in ["server", "client"] {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new(vec!["localhost".into()]).unwrap();
        params.distinguished_name.push(DnType::CommonName, name);
        let certificate = params.signed_by(&key, &issuer).unwrap();
        write(&format!("{name}.pem"), certificate.pem());
        write(&format!("{name}.key"), key.serialize_pem());
    }
    authority
}

/// A Redis that requires TLS, an ACL user and a password, with the files that its clients need.
struct Secured {
    redis: RedisServer,
    files: TempDir,
}

impl Secured {
    fn start() -> Secured {
        let files = TempDir::new().unwrap();
        make_certificates(files.path());
        let file = |name: &str| files.path().join(name).to_str().unwrap().to_owned();
        let write = |name: &str, text: &str| std::fs::write(file(name), text).unwrap();
        let reader = "user reader on >open-sesame ~* +ping";
        let users = format!("user default off\nuser {}\n{reader}\n", acl_user());
        write("users", &users);
        write("password", "open-sesame\n");
        write("wrong", "open-barley\n");
        let options = RedisOptions::new()
            .with_tls()
            .set("tls-cert-file", &file("server.pem"))
            .set("tls-key-file", &file("server.key"))
            .set("tls-ca-cert-file", &file("authority.pem"))
            .set("aclfile", &file("users"));
        let redis = RedisServer::start(&options);
        Secured { redis, files }
    }

    /// Returns the flags of an operator, with this file for the password.
    fn flags(&self, password: &str, user: &str) -> Vec<String> {
        let file = |flag: &str, name: &str| {
            let path = self.files.path().join(name);
            format!("--redis-{flag}-file={}", path.display())
        };
        let address = self.redis.address().replace("127.0.0.1", "localhost");
        vec![
            String::from("--store=redis"),
            format!("--redis={address}"),
            String::from("--redis-tls"),
            file("ca", "authority.pem"),
            file("cert", "client.pem"),
            file("key", "client.key"),
            format!("--redis-user={user}"),
            file("password", password),
        ]
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_reaches_a_secured_redis_by_its_flags() {
    let secured = Secured::start();
    let flags = secured.flags("password", "gamekeeper");
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let server = Gamekeeperd::start(&flags);
    let mut client = server.games();
    let mut table = Table::begin(&mut client).await;
    let ask = pb::WatchGameRequest {
        game_id: table.game.game_id.clone(),
        ..Default::default()
    };
    let mut watch = client.watch_game(ask).await.unwrap().into_inner();
    table.play(&mut client, 20).await.unwrap();
    for _ in 0..=20 {
        watch.message().await.unwrap().expect("the watch goes on");
    }
}

#[test]
fn a_server_without_all_that_redis_wants_does_not_start() {
    let secured = Secured::start();
    let good = || secured.flags("password", "gamekeeper");
    let mut trusting = good();
    trusting.retain(|flag| !flag.starts_with("--redis-ca-file"));
    let mut nameless = good();
    nameless.retain(|flag| !flag.starts_with("--redis-cert") && !flag.starts_with("--redis-key"));
    let mut plain = good();
    plain.truncate(2);
    for flags in [trusting, nameless, plain] {
        let mut command = Command::new(binary("gamekeeperd"));
        command.args(["--listen=127.0.0.1:0", "--start-timeout=0s"]);
        let ended = command.args(&flags).output();
        let ended = ended.unwrap();
        assert!(!ended.status.success(), "{flags:?}");
        let stderr = String::from_utf8_lossy(&ended.stderr);
        assert!(stderr.contains("the store"), "{stderr}");
        assert!(!stderr.contains("open-"), "{stderr}");
    }
}

/// The server exits at once if Redis refuses its login.
#[test]
fn a_wrong_login_ends_the_start_and_names_its_settings() {
    let secured = Secured::start();
    let mut without = secured.flags("password", "gamekeeper");
    without.retain(|flag| !flag.contains("password") && !flag.contains("user"));
    let reader = secured.flags("password", "reader");
    let wrong = secured.flags("wrong", "gamekeeper");
    let nobody = secured.flags("password", "default");
    let login = "--redis-password-file";
    for (flags, named) in [
        (without, login),
        (reader, "+eval"),
        (wrong, login),
        (nobody, login),
    ] {
        let mut command = Command::new(binary("gamekeeperd"));
        // If the server waited, the test would take that long.
        command.args(["--listen=127.0.0.1:0", "--start-timeout=1h"]);
        let ended = command.args(&flags).output().unwrap();
        assert!(!ended.status.success(), "{flags:?}");
        let stderr = String::from_utf8_lossy(&ended.stderr);
        assert!(stderr.contains(named), "{flags:?}: {stderr}");
        assert!(!stderr.contains("open-"), "{stderr}");
    }
}
