//! Variables of the environment, as platforms inject them.

use std::process::{Command, Output};

use clap::CommandFactory;
use gamekeeper_tests::collector::Collector;
use gamekeeper_tests::dominion::ada_and_bob;
use gamekeeper_tests::server::{Gamekeeperd, binary};
use gamekeeperd::config::Config;

/// Variables of OpenTelemetry's standard that are read beside those of settings.
const OF_STANDARD: [&str; 16] = [
    "OTEL_BSP_EXPORT_TIMEOUT",
    "OTEL_BSP_MAX_EXPORT_BATCH_SIZE",
    "OTEL_BSP_MAX_QUEUE_SIZE",
    "OTEL_BSP_SCHEDULE_DELAY",
    "OTEL_EXPORTER_OTLP_COMPRESSION",
    "OTEL_EXPORTER_OTLP_HEADERS",
    "OTEL_EXPORTER_OTLP_INSECURE",
    "OTEL_EXPORTER_OTLP_METRICS_PROTOCOL",
    "OTEL_EXPORTER_OTLP_PROTOCOL",
    "OTEL_EXPORTER_OTLP_TIMEOUT",
    "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL",
    "OTEL_METRIC_EXPORT_INTERVAL",
    "OTEL_METRIC_EXPORT_TIMEOUT",
    "OTEL_RESOURCE_ATTRIBUTES",
    "OTEL_SERVICE_NAME",
    "OTEL_TRACES_SAMPLER",
];

/// Returns the variables of all settings.
fn settings() -> Vec<String> {
    let command = Config::command();
    let names = command.get_arguments().filter_map(clap::Arg::get_env);
    names
        .map(|name| name.to_str().unwrap().to_owned())
        .collect()
}

/// Runs the server with these flags and no other variables than these.
fn run(flags: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(binary("gamekeeperd"));
    command.args(flags).env_clear();
    command.envs(variables.iter().copied());
    command.output().expect("it runs")
}

fn printed(variables: &[(&str, &str)]) -> String {
    let output = run(&["--print-config"], variables);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{variables:?}: {stderr}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn an_empty_variable_is_an_unset_one() {
    let defaults = printed(&[]);
    let names = settings();
    assert!(names.len() > 60, "{names:?}");
    for name in &names {
        assert_eq!(printed(&[(name, "")]), defaults, "{name}");
    }
    let all = names.iter().map(String::as_str).chain(OF_STANDARD);
    let all: Vec<_> = all.map(|name| (name, "")).collect();
    let checked = run(&["--check", "--store=memory"], &all);
    let stderr = String::from_utf8_lossy(&checked.stderr);
    assert!(checked.status.success(), "{stderr}");
    assert_eq!(stderr.trim(), "the configuration is valid");
}

/// A misspelled setting has no effect: the server names the nearest one, and does not run without what it protects.
#[test]
fn a_misspelled_setting_is_named_and_a_misspelled_protection_is_refused() {
    let raet = run(
        &["--check", "--store=memory"],
        &[
            ("GAMEKEEPER_MAX_RAET", "7"),
            ("GAMEKEEPER_SERVICE_HOST", "10.0.0.1"),
        ],
    );
    let stderr = String::from_utf8_lossy(&raet.stderr);
    assert!(raet.status.success(), "{stderr}");
    assert!(stderr.contains("GAMEKEEPER_MAX_RAET") && stderr.contains("GAMEKEEPER_MAX_RATE"));
    assert!(!stderr.contains("SERVICE_HOST"), "{stderr}");
    for flags in [&["--store=memory"][..], &["--check"], &["check-games"]] {
        let refused = run(flags, &[("GAMEKEEPER_REDIS_WAIT_REPLICA", "1")]);
        let stderr = String::from_utf8_lossy(&refused.stderr);
        assert!(!refused.status.success());
        assert!(
            stderr.contains("GAMEKEEPER_REDIS_WAIT_REPLICAS"),
            "{stderr}"
        );
        assert_eq!(stderr.trim().lines().count(), 1, "{stderr}");
    }
}

/// A server whose standard variables are empty is named as one without them.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_starts_with_whatever_the_standard_has() {
    let collector = Collector::start().await;
    let endpoint = collector.url();
    let empty = OF_STANDARD.map(|name| (name, ""));
    let mut variables = vec![("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint.as_str())];
    variables.extend(empty);
    variables.push(("OTEL_METRIC_EXPORT_INTERVAL", "200"));
    variables.push(("OTEL_TRACES_SAMPLER_ARG", "endpoint=http://jaeger:14250"));
    variables.push(("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf"));
    let mut server = Gamekeeperd::start_with(&["--store=memory"], &variables);
    for ignored in [
        "OTEL_TRACES_SAMPLER_ARG is ignored",
        "OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf is ignored",
    ] {
        let log = server.log();
        assert!(log.iter().any(|line| line.contains(ignored)), "{log:#?}");
    }
    server.games().create_game(ada_and_bob()).await.unwrap();
    assert!(server.stop());
    assert!(!collector.spans(None).is_empty() && !collector.metrics().is_empty());
    for resource in collector.resources() {
        assert_eq!(resource["service.name"], "gamekeeperd");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_switches_of_the_standard_end_exports() {
    let sent = async |variables: &[(&str, &str)]| {
        let collector = Collector::start().await;
        let endpoint = format!("--otlp-endpoint={}", collector.url());
        let mut server = Gamekeeperd::start_with(&["--store=memory", &endpoint], variables);
        server.games().create_game(ada_and_bob()).await.unwrap();
        // What was not sent yet is sent before the end.
        assert!(server.stop());
        (
            !collector.spans(None).is_empty(),
            !collector.metrics().is_empty(),
        )
    };
    assert_eq!(sent(&[]).await, (true, true));
    assert_eq!(sent(&[("OTEL_SDK_DISABLED", "true")]).await, (false, false));
    assert_eq!(
        sent(&[("OTEL_TRACES_EXPORTER", "none")]).await,
        (false, true)
    );
    assert_eq!(
        sent(&[("OTEL_METRICS_EXPORTER", "none")]).await,
        (true, false)
    );
}

/// A certificate without a collector to use it for is no reason not to start.
#[test]
fn a_certificate_of_no_collector_does_not_matter() {
    let variables = [("OTEL_EXPORTER_OTLP_CERTIFICATE", "/nowhere")];
    let checked = run(&["--check", "--store=memory"], &variables);
    assert!(checked.status.success());
}

#[test]
fn the_client_ignores_empty_variables() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let mut command = Command::new(binary("gamekeeper"));
    command.args([
        "--server",
        &format!("http://{}", server.address()),
        "rulesets",
    ]);
    for name in [
        "CA", "CERT", "CONTEXT", "CONTEXTS", "KEY", "SERVER", "TOKEN", "TOKENS",
    ] {
        command.env(format!("GAMEKEEPER_{name}"), "");
    }
    let output = command.output().expect("it runs");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
}
