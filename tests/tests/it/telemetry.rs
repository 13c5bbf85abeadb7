//! What operators see of calls: traces, metrics, log lines; and what they must not see.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::future::Future;
use std::time::Duration;

use gamekeeper_proto::gamekeeper::dominion::v1 as pb;
use gamekeeper_tests::collector::{Collector, Labels, hexadecimal, labels};
use gamekeeper_tests::dominion::{Table, choose, players, reason};
use gamekeeper_tests::http::ask;
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::{KeyFiles, OPERATOR, RED, bearing};
use opentelemetry_proto::tonic::trace::v1::Span;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use tonic::codegen::http::uri::PathAndQuery;
use tonic::metadata::MetadataMap;
use tonic::{Code, Request, Response};

use super::readme::check_file;

const APPLY: &str = "gamekeeper.dominion.v1.DominionService/ApplyAction";
const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER: &str = "00f067aa0ba902b7";
/// What waits for a condition waits so long.
const PATIENCE: Duration = Duration::from_secs(30);

/// Waits until something is there.
async fn eventually<T, F: Future<Output = Option<T>>>(what: &str, look: impl Fn() -> F) -> T {
    let looking = async {
        loop {
            if let Some(found) = look().await {
                return found;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let found = tokio::time::timeout(PATIENCE, looking).await;
    found.unwrap_or_else(|_| panic!("{what}: not in time"))
}

/// The request of a caller who traces.
fn traced<T>(token: &str, message: T) -> Request<T> {
    let mut request = bearing(token, message);
    let parent = format!("00-{TRACE}-{CALLER}-01");
    request
        .metadata_mut()
        .insert("traceparent", parent.parse().unwrap());
    request
}

fn trace_of(metadata: &MetadataMap) -> &str {
    let text = metadata.get("traceresponse").expect("a trace").to_str();
    text.unwrap().split('-').nth(1).expect("an id")
}

/// A game of a tenant, created with a secret seed, and where it stands.
struct Scene {
    server: Gamekeeperd,
    table: Table,
    _keys: KeyFiles,
}

const SEED: [u8; 32] = [0xa5; 32];

impl Scene {
    async fn set(flags: &[&str], variables: &[(&str, &str)]) -> Self {
        let keys = KeyFiles::new();
        let key_flags = keys.flags();
        let mut all: Vec<&str> = key_flags.iter().map(String::as_str).collect();
        all.extend([
            "--store=memory",
            "--admin-listen=127.0.0.1:0",
            "--allow-seeds",
        ]);
        all.extend(flags);
        let server = Gamekeeperd::start_with(&all, variables);
        let create = pb::CreateGameRequest {
            players: players(&["Ada", "Bob"]),
            seed: SEED.to_vec(),
            ..Default::default()
        };
        let mut client = server.dominion();
        let created = client.create_game(bearing(RED, create)).await.unwrap();
        Self {
            table: Table::of(created.into_inner()),
            server,
            _keys: keys,
        }
    }

    async fn legal(&self) -> Response<pb::ListLegalActionsResponse> {
        let seat = self.table.game.pending[0].seat;
        let ask = pb::ListLegalActionsRequest {
            game_id: self.table.game.game_id.clone(),
            seat,
            ..Default::default()
        };
        let mut client = self.server.dominion();
        let asked = traced(self.table.token(seat), ask);
        client.list_legal_actions(asked).await.unwrap()
    }

    fn apply(&self, action: pb::Action) -> pb::ApplyActionRequest {
        pb::ApplyActionRequest {
            game_id: self.table.game.game_id.clone(),
            seat: self.table.game.pending[0].seat,
            action: Some(action),
            request_id: String::from("once"),
            ..Default::default()
        }
    }

    /// Plays one action, sends it again, and tries one that is refused.
    async fn play(&self) {
        let legal = self.legal().await.into_inner();
        let token = self.table.token(self.table.game.pending[0].seat);
        let mut client = self.server.dominion();
        let apply = self.apply(choose(&legal.actions));
        let played = client.apply_action(traced(token, apply.clone())).await;
        assert_eq!(trace_of(played.unwrap().metadata()), TRACE);
        client.apply_action(bearing(token, apply)).await.unwrap();
        let gold = pb::BuyCard {
            card: pb::Card::Gold.into(),
        };
        let mut wrong = self.apply(pb::Action {
            kind: Some(pb::action::Kind::BuyCard(gold)),
        });
        wrong.request_id = String::from("wrong");
        let refused = client.apply_action(traced(token, wrong)).await.unwrap_err();
        assert_eq!(reason(&refused).1, "CANNOT_AFFORD");
    }

    /// Nothing that is secret, and no game, is in what operators see.
    fn assert_discreet(&self, seen: &str) {
        let game = &self.table.game.game_id;
        let tokens = self.table.tokens.iter().map(String::as_str);
        let seed = hexadecimal(&SEED);
        let seed_as_numbers = "165, 165, 165";
        let secrets = [
            RED,
            OPERATOR,
            game,
            &seed,
            seed_as_numbers,
            "a secret of the tests",
        ];
        for secret in secrets.into_iter().chain(tokens) {
            assert!(
                !secret.is_empty() && !seen.contains(secret),
                "{secret} in {seen}"
            );
        }
    }
}

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
            "--log=gamekeeperd=debug",
            "--log-format=json",
        ],
        &[("OTEL_BSP_SCHEDULE_DELAY", "50")],
    )
    .await;
    scene.play().await;

    // One question, two actions.
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
    // The ratio is 0: what nobody asked for is not traced.
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

/// Calls hang below the caller's span, and their steps below them.
fn assert_calls_have_their_steps(spans: &[Span]) {
    for call in named(spans, APPLY) {
        assert_eq!(hexadecimal(&call.parent_span_id), CALLER);
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
            // Before it is refused, the game is brought up to date.
            "FAILED_PRECONDITION" => assert_eq!(steps, BTreeSet::from(["judge", "load"])),
            other => panic!("{other}"),
        }
    }
}

/// Log lines of a call carry its trace and its span.
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
        let call = spans.iter().find(|call| hexadecimal(&call.span_id) == span);
        assert_eq!(call.expect("the span of the line").name, APPLY);
    }
}

#[tokio::test]
async fn a_callers_trace_is_named_without_a_collector_too() {
    let scene = Scene::set(&["--log=gamekeeperd=debug", "--log-format=json"], &[]).await;
    assert_eq!(trace_of(scene.legal().await.metadata()), TRACE);
    eventually("a line of the trace", || async {
        let log = scene.server.log();
        log.iter().any(|line| line.contains(TRACE)).then_some(())
    })
    .await;
}

/// What is measured: name, unit, and labels.
const METRICS: [(&str, &str, &[&str]); 17] = [
    (
        "rpc.server.call.duration",
        "s",
        &[
            "rpc.method",
            "rpc.response.status_code",
            "rpc.system.name",
            "ruleset",
        ],
    ),
    ("gamekeeper.calls.in_flight", "{call}", &[]),
    ("gamekeeper.refusals", "{refusal}", &["reason", "ruleset"]),
    ("gamekeeper.commits", "{commit}", &["outcome", "ruleset"]),
    ("gamekeeper.requests.repeated", "{request}", &["ruleset"]),
    (
        "gamekeeper.cache.lookups",
        "{lookup}",
        &["result", "ruleset"],
    ),
    ("gamekeeper.games.created", "{game}", &["ruleset"]),
    ("gamekeeper.games.finished", "{game}", &["ruleset"]),
    ("gamekeeper.snapshot.size", "By", &["ruleset"]),
    ("gamekeeper.watches", "{watch}", &["ruleset"]),
    ("gamekeeper.watch.lag", "s", &["ruleset"]),
    ("gamekeeper.panics", "{panic}", &[]),
    ("gamekeeper.ready", "", &[]),
    (
        "db.client.operation.duration",
        "s",
        &["db.operation.name", "db.system.name"],
    ),
    ("process.memory.usage", "By", &[]),
    ("process.cpu.time", "s", &[]),
    (
        "process.unix.file_descriptor.count",
        "{file_descriptor}",
        &[],
    ),
];

/// Plays a game to its end while somebody watches.
async fn watch_a_whole_game(scene: &mut Scene) {
    let ask = pb::WatchGameRequest {
        game_id: scene.table.game.game_id.clone(),
        ..Default::default()
    };
    let mut client = scene.server.dominion();
    let watch = client.watch_game(bearing(RED, ask)).await.unwrap();
    let mut watch = watch.into_inner();
    watch.message().await.unwrap().expect("the table");
    scene.table.game = watch_facts(scene).await;
    scene.table.play(&mut client, 10_000).await.unwrap();
    let newest = scene.table.game.version;
    loop {
        let update = watch.message().await.unwrap().expect("an update").update;
        if let Some(pb::watch_game_response::Update::Version(version)) = update
            && version.logged.expect("events").version == newest
        {
            return;
        }
    }
}

async fn watch_facts(scene: &Scene) -> gamekeeper_proto::gamekeeper::v1::GameInfo {
    let ask = pb::GetGameRequest {
        game_id: scene.table.game.game_id.clone(),
        ..Default::default()
    };
    let mut client = scene.server.dominion();
    let seen = client.get_game(bearing(RED, ask)).await.unwrap();
    seen.into_inner().game.expect("a game")
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_have_their_names_units_and_labels_at_the_collector() {
    let collector = Collector::start().await;
    let endpoint = format!("--otlp-endpoint={}", collector.url());
    let mut scene = Scene::set(
        &[&endpoint, "--trace-ratio=0"],
        &[("OTEL_METRIC_EXPORT_INTERVAL", "200")],
    )
    .await;
    scene.play().await;
    watch_a_whole_game(&mut scene).await;
    let metrics = eventually("all metrics", || async {
        let metrics = collector.metrics();
        let finished = metrics.get("gamekeeper.games.finished");
        let over = finished.is_some_and(|(_, points)| {
            points
                .iter()
                .any(|point| point.value > 0.0 && point.labels["ruleset"] == "dominion")
        });
        (over && metrics.contains_key("gamekeeper.watch.lag")).then_some(metrics)
    })
    .await;
    for (name, unit, keys) in METRICS {
        let found = metrics.get(name);
        let (found, points) = found.unwrap_or_else(|| panic!("no {name}"));
        assert_eq!(found, unit, "{name}");
        for point in points {
            let labels: Vec<&str> = point.labels.keys().map(String::as_str).collect();
            assert_eq!(labels, keys, "{name}");
        }
    }
    let known: BTreeSet<&str> = METRICS.iter().map(|(name, ..)| *name).collect();
    let named: BTreeSet<&str> = metrics.keys().map(String::as_str).collect();
    assert_eq!(
        named.difference(&known).collect::<Vec<_>>(),
        Vec::<&&str>::new()
    );
    scene.assert_discreet(&collector.everything());
}

/// One line of what Prometheus reads: its labels and its value.
type Rows = BTreeMap<String, Vec<(Labels, f64)>>;

fn scraped(text: &str) -> Rows {
    let mut rows = Rows::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (series, value) = line.rsplit_once(' ').expect("a value");
        let (name, labels) = series.split_once('{').unwrap_or((series, "}"));
        let labels = labels.trim_end_matches('}').split("\",");
        let labels = labels.filter_map(|label| label.split_once("=\""));
        let labels = labels
            .map(|(key, value)| (key.to_owned(), value.trim_end_matches('"').to_owned()))
            .collect();
        let row = (labels, value.parse().expect("a number"));
        rows.entry(name.to_owned()).or_default().push(row);
    }
    rows
}

fn value(rows: &Rows, name: &str, wanted: &[(&str, &str)]) -> f64 {
    let rows = rows.get(name).unwrap_or_else(|| panic!("no {name}"));
    rows.iter()
        .filter(|(labels, _)| {
            wanted
                .iter()
                .all(|(key, value)| labels.get(*key).is_some_and(|found| found == value))
        })
        .map(|(_, value)| value)
        .sum()
}

#[tokio::test(flavor = "multi_thread")]
async fn prometheus_reads_what_happened_and_readme_lists_it() {
    let mut scene = Scene::set(&[], &[]).await;
    scene.play().await;
    watch_a_whole_game(&mut scene).await;
    // A path that nobody serves must not become a label.
    let mut raw = tonic::client::Grpc::new(scene.server.channel());
    raw.ready().await.unwrap();
    let path = PathAndQuery::from_static("/an.invented/Path");
    let codec = tonic_prost::ProstCodec::<(), ()>::default();
    let unknown = raw.unary(Request::new(()), path, codec).await;
    assert_eq!(unknown.unwrap_err().code(), Code::Unimplemented);
    let (status, text) = ask(scene.server.admin(), "GET", "/metrics", "").await;
    assert_eq!(status, 200);
    let rows = scraped(&text);
    let dominion = ("ruleset", "dominion");

    let calls = "rpc_server_call_duration_seconds_count";
    let refused = ("rpc_response_status_code", "FAILED_PRECONDITION");
    assert_eq!(value(&rows, calls, &[("rpc_method", APPLY), refused]), 1.0);
    assert_eq!(value(&rows, calls, &[("rpc_method", "_OTHER")]), 1.0);
    assert!(!text.contains("invented"));
    let why = ("reason", "CANNOT_AFFORD");
    assert_eq!(
        value(&rows, "gamekeeper_refusals_total", &[dominion, why]),
        1.0
    );
    let repeated = "gamekeeper_requests_repeated_total";
    assert_eq!(value(&rows, repeated, &[dominion]), 1.0);
    for once in [
        "gamekeeper_games_created_total",
        "gamekeeper_games_finished_total",
    ] {
        assert_eq!(value(&rows, once, &[dominion]), 1.0, "{once}");
    }
    let played = f64::from(u32::try_from(scene.table.game.version).unwrap()) - 1.0;
    let done = ("outcome", "done");
    assert_eq!(
        value(&rows, "gamekeeper_commits_total", &[dominion, done]),
        played
    );
    let stored = "db_client_operation_duration_seconds_count";
    let commit = ("db_operation_name", "commit");
    assert_eq!(value(&rows, stored, &[commit]), played);
    let lag = "gamekeeper_watch_lag_seconds_count";
    assert_eq!(value(&rows, lag, &[dominion]), played - 1.0);
    assert!(value(&rows, "gamekeeper_snapshot_size_bytes_count", &[dominion]) > 1.0);
    assert!(
        value(
            &rows,
            "gamekeeper_cache_lookups_total",
            &[("result", "hit")]
        ) > 1.0
    );
    assert_eq!(value(&rows, "gamekeeper_ready", &[]), 1.0);
    assert_eq!(value(&rows, "gamekeeper_calls_in_flight", &[]), 0.0);
    scene.assert_discreet(&text);
    check_file("deploy/README.md", "metrics", &table_of(&text, &rows));
}

/// The metrics as a table: name, kind, labels, meaning.
fn table_of(text: &str, rows: &Rows) -> String {
    let mut table = String::from("| metric | kind | labels | meaning |\n|---|---|---|---|\n");
    for (help, kind) in text
        .lines()
        .zip(text.lines().skip(1))
        .filter(|(help, _)| help.starts_with("# HELP"))
    {
        let words: Vec<&str> = kind.split(' ').collect();
        let (name, kind) = (words[2], words[3]);
        let meaning = help.trim_start_matches("# HELP ").trim_start_matches(name);
        let counted = format!("{name}_count");
        let found = rows.get(name).or_else(|| rows.get(&counted));
        let mut keys: BTreeSet<&str> = BTreeSet::new();
        for (labels, _) in found.into_iter().flatten() {
            keys.extend(labels.keys().map(String::as_str));
        }
        if name == "db_client_operation_duration_seconds" {
            // Only when the store fails.
            keys.insert("error_type");
        }
        if name == "target_info" {
            keys = BTreeSet::from(["service_name", "service_version", "service_instance_id"]);
        }
        let keys: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
        let _ = writeln!(
            table,
            "| `{name}` | {kind} | {} |{meaning} |",
            keys.join(" ")
        );
    }
    table
}

#[tokio::test]
async fn what_is_logged_can_be_changed_while_the_server_runs() {
    let scene = Scene::set(&["--log=warn"], &[]).await;
    let admin = scene.server.admin();
    let lines = |text: &str| {
        let log = scene.server.log();
        log.iter().filter(|line| line.contains(text)).count()
    };
    scene.legal().await;
    assert_eq!(lines("answered"), 0);
    assert_eq!(
        ask(admin, "GET", "/log", "").await,
        (200, String::from("warn\n"))
    );

    let (status, why) = ask(admin, "PUT", "/log", "gamekeeperd=nonsense").await;
    assert!(status == 400 && !why.is_empty());
    // Everything, of all libraries: still nothing that is secret.
    assert_eq!(ask(admin, "PUT", "/log", "trace").await.0, 204);
    scene.legal().await;
    eventually("a finer line", || async {
        (lines("answered") > 0).then_some(())
    })
    .await;
    scene.assert_discreet(&scene.server.log().join("\n"));

    assert_eq!(ask(admin, "PUT", "/log", "error").await.0, 204);
    let before = lines("answered");
    scene.legal().await;
    assert_eq!(lines("answered"), before);
}
