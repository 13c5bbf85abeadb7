//! The interfaces for operators and their tools: health, reflection and configuration.

mod accounts;
mod charges;
mod environment;
mod paid;
mod reloading;
mod stored;
mod unattended;

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_tests::certificates::self_signed;
use gamekeeper_tests::dominion::{ada_and_bob, assert_reason};
use gamekeeper_tests::server::{Gamekeeperd, binary};
use gamekeeper_tests::tokens::{BLUE, KeyFiles, OPERATOR, RED, bearing};
use tonic::Code;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_reflection::pb::{v1, v1alpha};

#[tokio::test]
async fn health_is_reported_overall_and_for_every_service() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let mut health = HealthClient::new(server.channel());
    for service in [
        "",
        "liveness",
        "gamekeeper.v1.AccessService",
        "gamekeeper.v1.GameService",
        "gamekeeper.v1.RulesetService",
        "gamekeeper.v1.SelfPlayService",
    ] {
        let ask = HealthCheckRequest {
            service: service.to_owned(),
        };
        let answer = health.check(ask).await.unwrap().into_inner();
        assert_eq!(answer.status(), ServingStatus::Serving, "{service:?}");
    }
}

#[tokio::test]
async fn reflection_shows_the_contract_to_old_and_new_clients() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let wanted = "gamekeeper.v1.GameService";

    let listed = reflected(
        &server,
        v1::server_reflection_request::MessageRequest::ListServices(String::new()),
    )
    .await;
    assert!(listed.contains(wanted));

    let ask = v1alpha::ServerReflectionRequest {
        message_request: Some(
            v1alpha::server_reflection_request::MessageRequest::ListServices(String::new()),
        ),
        ..Default::default()
    };
    let mut client =
        v1alpha::server_reflection_client::ServerReflectionClient::new(server.channel());
    let requests = tokio_stream::once(ask);
    let mut answers = client
        .server_reflection_info(requests)
        .await
        .unwrap()
        .into_inner();
    let answer = answers.message().await.unwrap().expect("an answer");
    assert!(format!("{answer:?}").contains(wanted));
}

/// Returns the response of reflection.
async fn reflected(
    server: &Gamekeeperd,
    ask: v1::server_reflection_request::MessageRequest,
) -> String {
    let ask = v1::ServerReflectionRequest {
        message_request: Some(ask),
        ..Default::default()
    };
    let mut client = v1::server_reflection_client::ServerReflectionClient::new(server.channel());
    let requests = tokio_stream::once(ask);
    let answers = client.server_reflection_info(requests).await.unwrap();
    let answer = answers.into_inner().message().await.unwrap();
    format!("{:?}", answer.expect("an answer"))
}

/// A client that has only reflection can decode the details of an error.
#[tokio::test]
async fn reflection_shows_the_details_of_errors() {
    use v1::server_reflection_request::MessageRequest::FileContainingSymbol;
    let server = Gamekeeperd::start(&["--store=memory"]);
    let symbols = [
        "google.rpc.ErrorInfo",
        "google.rpc.PreconditionFailure",
        "gamekeeper.v1.RefusalDetail",
    ];
    for symbol in symbols {
        let answer = reflected(&server, FileContainingSymbol(symbol.to_owned())).await;
        assert!(
            answer.contains("FileDescriptorResponse"),
            "{symbol}: {answer}"
        );
    }
}

fn run(flags: &[&str]) -> (Output, String) {
    let output = Command::new(binary("gamekeeperd"))
        .args(flags)
        .output()
        .expect("it runs");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    (output, stderr)
}

#[test]
fn a_configuration_is_checked_in_one_line() {
    let (fine, stderr) = run(&["--check"]);
    assert!(fine.status.success(), "{stderr}");
    let cases: [(&[&str], &str); 15] = [
        (
            &["--check", "--admin-listen=127.0.0.1:50051"],
            "--admin-listen",
        ),
        (
            &[
                "--check",
                "--listen=127.0.0.1:7",
                "--admin-listen=0.0.0.0:7",
            ],
            "--admin-listen",
        ),
        (&["--check", "--data-dir=/proc/x"], "/proc/x"),
        (
            &["--check", "--store=redis", "--redis=ann:horse@host:1"],
            "host:port",
        ),
        (&["--check", "--otlp-endpoint=notaurl"], "--otlp-endpoint"),
        (
            &["--check", "--listen=0.0.0.0:50051"],
            "is not a loopback address",
        ),
        (&["--check", "--auth=tokens"], "--token-keys-file"),
        (
            &["--check", "--auth=tokens", "--token-keys-file=/nowhere"],
            "/nowhere",
        ),
        (
            &["--check", "--record-signing-key-file=/dev/null"],
            "Ed25519",
        ),
        (&["--check", "--max-in-flight=0"], "--max-in-flight"),
        (&["--check", "--log=a=b=c"], "--log"),
        (&["--check", "--trace-ratio=2"], "--trace-ratio"),
        (&["--check", "--tenant-limits-file=/nowhere"], "/nowhere"),
        (
            &["--check", "--cors-origins=https://example.org/"],
            "--cors-origins",
        ),
        (
            &[
                "--check",
                "--tls-cert-file=/nowhere",
                "--tls-key-file=/nowhere",
            ],
            "/nowhere",
        ),
    ];
    for (flags, expected) in cases {
        let (output, stderr) = run(flags);
        assert!(!output.status.success(), "{flags:?}");
        assert!(
            stderr.contains(expected) && !stderr.contains("horse"),
            "{stderr}"
        );
        assert_eq!(stderr.trim().lines().count(), 1, "{stderr}");
    }
}

/// The minimum duration of an outage allows a server several heartbeats.
#[test]
fn an_outage_is_not_shorter_than_a_second() {
    let (output, stderr) = run(&["--check", "--store=memory", "--outage-after=9ms"]);
    assert!(
        !output.status.success() && stderr.contains("--outage-after"),
        "{stderr}"
    );
    for allowed in ["--outage-after=1s", "--outage-after=0s"] {
        let (output, said) = run(&["--check", "--store=memory", allowed]);
        assert!(output.status.success(), "{said}");
    }
}

#[test]
fn a_check_reads_certificates_and_keys_as_the_server_does() {
    let folder = tempfile::TempDir::new().unwrap();
    let [cert, key] = self_signed(folder.path());
    let other = folder.path().join("other.pem");
    std::fs::write(&other, rcgen::KeyPair::generate().unwrap().serialize_pem()).unwrap();
    let other = other.display().to_string();
    let check = |cert: &str, key: &str, more: &[&str]| {
        let (cert, key) = (
            format!("--tls-cert-file={cert}"),
            format!("--tls-key-file={key}"),
        );
        run(&[&["--check", &cert, &key], more].concat())
    };
    let (fine, stderr) = check(&cert, &key, &[]);
    assert!(fine.status.success(), "{stderr}");
    assert!(stderr.contains("can be read by every user"), "{stderr}");
    std::fs::set_permissions(&key, Permissions::from_mode(0o600)).unwrap();
    assert!(!check(&cert, &key, &[]).1.contains("every user"));
    let ca = format!("--tls-client-ca-file={key}");
    for (cert, key, more, names) in [
        (&cert, &other, &[][..], &other),
        (&key, &key, &[][..], &key),
        (&cert, &cert, &[][..], &cert),
        (&cert, &key, &[ca.as_str()][..], &key),
    ] {
        let (wrong, stderr) = check(cert, key, more);
        assert!(
            !wrong.status.success() && stderr.contains(names.as_str()),
            "{stderr}"
        );
    }
    let (wrong, stderr) = run(&["--check", "--store=redis", "--redis-password-file=/nowhere"]);
    assert!(
        !wrong.status.success() && stderr.contains("/nowhere"),
        "{stderr}"
    );
}

/// An empty file of secrets is refused, and never treated as an unset setting.
#[test]
fn an_empty_file_of_secrets_is_refused() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let path = file.path().display().to_string();
    let keys = KeyFiles::new();
    let signing = format!("--token-keys-file={}", keys.file("tokens").display());
    let redis = ["--store=redis"];
    let secured = ["--store=redis", "--redis-tls"];
    let tokens = ["--auth=tokens", &signing];
    let collector = ["--otlp-endpoint=http://127.0.0.1:1"];
    let cases: [(&str, &[&str]); 8] = [
        ("--redis-password-file", &redis),
        ("--redis-ca-file", &secured),
        ("--token-keys-file", &["--auth=tokens"]),
        ("--tenant-keys-file", &tokens),
        ("--operator-keys-file", &tokens),
        ("--tenant-jwks-file", &tokens),
        ("--otlp-headers-file", &collector),
        ("--otlp-ca-file", &collector),
    ];
    for text in ["", "\n", " \r\n\n"] {
        std::fs::write(file.path(), text).unwrap();
        for (flag, others) in cases {
            let given = format!("{flag}={path}");
            let (wrong, stderr) = run(&[&["--check", &given], others].concat());
            assert!(!wrong.status.success(), "{flag} {text:?}");
            let is_one_line = stderr.trim().lines().count() == 1;
            assert!(stderr.contains(&path) && is_one_line, "{flag}: {stderr}");
        }
    }
}

#[test]
fn a_store_that_is_away_at_start_is_waited_for() {
    let begun = Instant::now();
    let flags = [
        "--store=redis",
        "--redis=127.0.0.1:1",
        "--listen=127.0.0.1:0",
    ];
    let (late, stderr) = run(&[&flags[..], &["--start-timeout=2s"]].concat());
    assert!(!late.status.success() && begun.elapsed() > Duration::from_secs(2));
    assert!(stderr.contains("waiting for the store"), "{stderr}");
    assert!(stderr.contains("127.0.0.1:1"), "{stderr}");
}

#[test]
fn the_directory_of_games_is_its_owners() {
    let folder = tempfile::TempDir::new().unwrap();
    let games = folder.path().join("deep/games");
    let flag = format!("--data-dir={}", games.display());
    let server = Gamekeeperd::start(&[&flag]);
    let mode = std::fs::metadata(&games).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
    drop(server);
}

#[test]
fn the_printed_configuration_shows_no_secret() {
    let keys = KeyFiles::new();
    let flags = keys.flags();
    let flags: Vec<&str> = flags
        .iter()
        .map(String::as_str)
        .chain(["--print-config"])
        .collect();
    let (output, _) = run(&flags);
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && printed.contains("\nGAMEKEEPER_TENANT_KEYS_FILE="));
    for secret in [RED, OPERATOR, "a secret of the tests"] {
        assert!(!printed.contains(secret));
    }
}

/// Keys are read again on SIGHUP; a changed file is also read without it.
#[tokio::test]
async fn keys_are_read_again_without_a_restart() {
    let keys = KeyFiles::new();
    let server = keys.server(&["--store=memory"]);
    let tenants = keys.file("tenants");
    let listed = async |key: &str| {
        let list = pb::ListGamesRequest::default();
        server.games().list_games(bearing(key, list)).await.is_ok()
    };
    let until = async |key: &str, holds: bool| {
        let begun = Instant::now();
        while listed(key).await != holds {
            assert!(begun.elapsed() < Duration::from_secs(20), "{key}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    until(RED, true).await;
    let all = std::fs::read_to_string(&tenants).unwrap();
    let blue: String = all
        .lines()
        .filter(|line| line.starts_with("blue"))
        .collect();
    std::fs::write(&tenants, blue + "\n").unwrap();
    server.hang_up();
    until(RED, false).await;
    until(BLUE, true).await;
    // After a file that cannot be used, a valid one is read without a signal.
    std::fs::write(&tenants, "no key at all").unwrap();
    server.hang_up();
    until(BLUE, true).await;
    std::fs::write(&tenants, all).unwrap();
    until(RED, true).await;
}

/// The limits of a tenant change while the server runs.
#[tokio::test]
async fn limits_of_a_tenant_are_read_again_without_a_restart() {
    let keys = KeyFiles::new();
    let file = keys.file("limits");
    std::fs::write(&file, "red: games=1\n").unwrap();
    let flag = format!("--tenant-limits-file={}", file.display());
    let server = keys.server(&["--store=memory", &flag]);
    let created = async |key: &str| {
        let create = bearing(key, ada_and_bob());
        server.games().create_game(create).await.map(drop)
    };
    created(RED).await.unwrap();
    let refused = created(RED).await.unwrap_err();
    assert_reason(&refused, Code::ResourceExhausted, "QUOTA_EXCEEDED");
    for _ in 0..3 {
        created(BLUE).await.unwrap();
    }
    // A file that cannot be used changes nothing; a valid one is read without a signal.
    std::fs::write(&file, "red: games=many\n").unwrap();
    server.hang_up();
    tokio::time::sleep(Duration::from_millis(300)).await;
    let refused = created(RED).await.unwrap_err();
    assert_reason(&refused, Code::ResourceExhausted, "QUOTA_EXCEEDED");
    std::fs::write(&file, "red: games=2\n").unwrap();
    let begun = Instant::now();
    while created(RED).await.is_err() {
        assert!(begun.elapsed() < Duration::from_secs(20));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    created(RED).await.unwrap_err();
    // The rate changes too.
    std::fs::write(&file, "red: rate=1 burst=1\n").unwrap();
    server.hang_up();
    let listed = async |key: &str| {
        let list = pb::ListGamesRequest::default();
        server
            .games()
            .list_games(bearing(key, list))
            .await
            .map(drop)
    };
    let begun = Instant::now();
    let refused = loop {
        if let Err(refused) = listed(RED).await {
            break refused;
        }
        assert!(begun.elapsed() < Duration::from_secs(20));
    };
    assert_reason(&refused, Code::ResourceExhausted, "LIMIT_EXCEEDED");
    listed(BLUE).await.unwrap();
}
