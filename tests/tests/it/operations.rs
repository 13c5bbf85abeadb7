//! What operators and their tools see: health, reflection, configuration.

use std::process::{Command, Output};

use gamekeeper_tests::server::{Gamekeeperd, binary};
use gamekeeper_tests::tokens::{KeyFiles, OPERATOR, RED};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_reflection::pb::{v1, v1alpha};

#[tokio::test]
async fn health_is_told_overall_and_for_every_service() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let mut health = HealthClient::new(server.channel());
    for service in [
        "",
        "liveness",
        "gamekeeper.v1.GamesService",
        "gamekeeper.dominion.v1.DominionService",
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
    let wanted = "gamekeeper.dominion.v1.DominionService";

    let ask = v1::ServerReflectionRequest {
        message_request: Some(v1::server_reflection_request::MessageRequest::ListServices(
            String::new(),
        )),
        ..Default::default()
    };
    let mut client = v1::server_reflection_client::ServerReflectionClient::new(server.channel());
    let asked = tokio_stream::once(ask);
    let mut answers = client
        .server_reflection_info(asked)
        .await
        .unwrap()
        .into_inner();
    let answer = answers.message().await.unwrap().expect("an answer");
    assert!(format!("{answer:?}").contains(wanted));

    let ask = v1alpha::ServerReflectionRequest {
        message_request: Some(
            v1alpha::server_reflection_request::MessageRequest::ListServices(String::new()),
        ),
        ..Default::default()
    };
    let mut client =
        v1alpha::server_reflection_client::ServerReflectionClient::new(server.channel());
    let asked = tokio_stream::once(ask);
    let mut answers = client
        .server_reflection_info(asked)
        .await
        .unwrap()
        .into_inner();
    let answer = answers.message().await.unwrap().expect("an answer");
    assert!(format!("{answer:?}").contains(wanted));
}

fn run(flags: &[&str]) -> (Output, String) {
    let output = Command::new(binary("gamekeeperd"))
        .args(flags)
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (output, said)
}

#[test]
fn a_configuration_is_checked_in_one_line() {
    let (fine, said) = run(&["--check"]);
    assert!(fine.status.success(), "{said}");
    let cases: [(&[&str], &str); 8] = [
        (
            &["--check", "--listen=0.0.0.0:50051"],
            "is not a loopback address",
        ),
        (&["--check", "--auth=tokens"], "--token-keys-file"),
        (
            &["--check", "--auth=tokens", "--token-keys-file=/nowhere"],
            "/nowhere",
        ),
        (&["--check", "--max-in-flight=0"], "--max-in-flight"),
        (&["--check", "--log=a=b=c"], "--log"),
        (&["--check", "--trace-ratio=2"], "--trace-ratio"),
        (&["--check", "--cors-origins=\n"], "--cors-origins"),
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
        let (output, said) = run(flags);
        assert!(!output.status.success(), "{flags:?}");
        assert!(
            said.contains(expected) && said.trim().lines().count() == 1,
            "{said}"
        );
    }
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
    assert!(output.status.success() && printed.contains("tenant_keys_file"));
    for secret in [RED, OPERATOR, "a secret of the tests"] {
        assert!(!printed.contains(secret));
    }
}
