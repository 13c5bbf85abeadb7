//! Traces: from the caller, through the steps of a call, to the collector and into log lines.

use std::collections::BTreeSet;

use gamekeeper_tests::cli::Cli;
use gamekeeper_tests::collector::{Collector, labels};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::waiting::eventually;
use opentelemetry_proto::tonic::trace::v1::Span;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;

use super::{APPLY, CALLER, Scene, TRACE, trace_of};

fn named<'a>(spans: &'a [Span], name: &str) -> Vec<&'a Span> {
    spans.iter().filter(|span| span.name == name).collect()
}

fn attribute(span: &Span, key: &str) -> String {
    labels(&span.attributes).remove(key).unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trace_goes_on_from_the_caller_through_the_steps_of_a_call() {
    let collector = Collector::start().await;
    let headers = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(headers.path(), "X-Key: a key for the collector\n").unwrap();
    let scene = Scene::set(
        &[
            &format!("--otlp-endpoint={}", collector.url()),
            &format!("--otlp-headers-file={}", headers.path().display()),
            "--trace-ratio=0",
            "--log=gamekeeper=debug",
            "--log-format=json",
        ],
        &[("OTEL_BSP_SCHEDULE_DELAY", "50")],
    )
    .await;
    scene.play().await;

    // One read and two actions.
    let spans = eventually("the spans", || async {
        let spans = collector.spans(Some(TRACE));
        (named(&spans, APPLY).len() == 2 && named(&spans, "commit").len() == 1).then_some(spans)
    })
    .await;
    assert_calls_have_their_steps(&spans);
    let commit = named(&spans, "commit")[0];
    assert_eq!(commit.kind(), SpanKind::Client);
    assert_eq!(attribute(commit, "db.system.name"), "memory");
    assert_eq!(attribute(commit, "db.operation.name"), "commit");
    // The sampling ratio is 0, so calls without a sampled trace are not traced.
    assert_eq!(
        collector.spans(None).len(),
        collector.spans(Some(TRACE)).len()
    );
    assert!(
        collector
            .keys()
            .iter()
            .all(|key| key == "a key for the collector")
    );
    let who = collector.resources().pop().expect("a resource");
    assert_eq!(who["service.name"], "gamekeeperd");
    assert_eq!(who["service.version"], env!("CARGO_PKG_VERSION"));

    assert_lines_name_their_spans(&scene, &spans);
    let log = scene.server.log();
    scene.assert_discreet(&(collector.everything() + &log.join("\n")));
}

/// Checks that calls are children of the caller's span, and that their steps are children of the calls.
fn assert_calls_have_their_steps(spans: &[Span]) {
    for call in named(spans, APPLY) {
        assert_eq!(const_hex::encode(&call.parent_span_id), CALLER);
        assert_eq!(call.kind(), SpanKind::Server);
        assert_eq!(attribute(call, "rpc.system.name"), "grpc");
        assert_eq!(attribute(call, "rpc.method"), APPLY);
        let steps: BTreeSet<&str> = spans
            .iter()
            .filter(|span| span.parent_span_id == call.span_id)
            .map(|span| span.name.as_str())
            .collect();
        match attribute(call, "rpc.response.status_code").as_str() {
            "OK" => assert_eq!(steps, BTreeSet::from(["judge", "commit"])),
            // The game is loaded before the action is judged.
            "FAILED_PRECONDITION" => assert_eq!(steps, BTreeSet::from(["judge", "load"])),
            other => panic!("{other}"),
        }
    }
}

/// Checks that the log lines of a call carry its trace and its span.
fn assert_lines_name_their_spans(scene: &Scene, spans: &[Span]) {
    let log = scene.server.log();
    let lines: Vec<serde_json::Value> = log
        .iter()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    let of_calls: Vec<_> = lines
        .iter()
        .filter(|line| line["trace_id"] == TRACE && line["method"] == APPLY)
        .collect();
    assert_eq!(of_calls.len(), 2, "{log:#?}");
    for line in of_calls {
        let span = line["span_id"].as_str().expect("a span");
        let call = spans
            .iter()
            .find(|call| const_hex::encode(&call.span_id) == span);
        assert_eq!(call.expect("the span of the line").name, APPLY);
    }
}

#[tokio::test]
async fn a_callers_trace_is_named_without_a_collector_too() {
    let scene = Scene::set(&["--log=gamekeeper=debug", "--log-format=json"], &[]).await;
    assert_eq!(trace_of(scene.legal().await.metadata()), TRACE);
    eventually("a line of the trace", || async {
        let log = scene.server.log();
        log.iter().any(|line| line.contains(TRACE)).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_line_passes_on_the_trace_of_its_environment() {
    let collector = Collector::start().await;
    let endpoint = format!("--otlp-endpoint={}", collector.url());
    let server = Gamekeeperd::start_with(
        &["--store=memory", &endpoint, "--trace-ratio=0"],
        &[("OTEL_BSP_SCHEDULE_DELAY", "50")],
    );
    let cli = Cli::at(server.address());
    let listed = |parent: &str| {
        let mut command = cli.command("rulesets");
        let command = command.env("TRACEPARENT", parent);
        command.env("TRACESTATE", "shop=7").output().unwrap().status
    };
    // An invalid trace is not sent, and causes no failure.
    assert!(listed("no\ntrace").success());
    assert!(listed(&format!("00-{TRACE}-{CALLER}-01")).success());
    let span = eventually("the span of the command", || async {
        collector.spans(Some(TRACE)).pop()
    })
    .await;
    assert_eq!(span.name, "gamekeeper.v1.RulesetService/ListRulesets");
    assert_eq!(const_hex::encode(&span.parent_span_id), CALLER);
    assert_eq!(span.trace_state, "shop=7");
}
