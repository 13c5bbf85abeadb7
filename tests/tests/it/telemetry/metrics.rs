//! Metrics: their names, units and labels, at the collector and for Prometheus.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_tests::certificates::tls_flags;
use gamekeeper_tests::collector::{Collector, Labels};
use gamekeeper_tests::dominion::facts;
use gamekeeper_tests::http::ask;
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::{RED, bearing};
use gamekeeper_tests::waiting::eventually;
use tonic::codegen::http::uri::PathAndQuery;
use tonic::{Code, Request};

use super::{APPLY, Scene, WATCH};
use crate::readme::check_file;

/// The metrics, each with its name, unit and labels.
const METRICS: [(&str, &str, &[&str]); 35] = [
    (
        "rpc.server.call.duration",
        "s",
        &["rpc.method", "rpc.response.status_code", "rpc.system.name"],
    ),
    ("gamekeeper.calls.in_flight", "{call}", &[]),
    ("gamekeeper.calls.arriving", "{call}", &[]),
    ("gamekeeper.connections", "{connection}", &["known"]),
    (
        "gamekeeper.connections.refused",
        "{connection}",
        &["reason"],
    ),
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
    ("gamekeeper.table.events", "{event}", &["kind", "ruleset"]),
    ("gamekeeper.bots.left", "{decision}", &["reason", "ruleset"]),
    ("gamekeeper.snapshot.size", "By", &["ruleset"]),
    ("gamekeeper.watches", "{watch}", &["ruleset"]),
    ("gamekeeper.watch.lag", "s", &["ruleset"]),
    (
        "gamekeeper.watch.messages",
        "{message}",
        &["result", "ruleset"],
    ),
    (
        "gamekeeper.streams.ended",
        "{stream}",
        &["cause", "rpc.method"],
    ),
    ("gamekeeper.feeds", "{feed}", &[]),
    ("gamekeeper.panics", "{panic}", &[]),
    ("gamekeeper.log.lines.lost", "{line}", &["target"]),
    ("gamekeeper.ready", "", &[]),
    ("gamekeeper.reload.ok", "", &[]),
    ("gamekeeper.store.used", "By", &[]),
    ("gamekeeper.store.limit", "By", &[]),
    ("gamekeeper.store.damaged_games", "{game}", &[]),
    ("gamekeeper.store.read_only", "", &[]),
    ("gamekeeper.store.rollbacks", "{rollback}", &[]),
    (
        "db.client.operation.duration",
        "s",
        &["db.operation.name", "db.system.name"],
    ),
    ("gamekeeper.clock.skew", "s", &[]),
    ("gamekeeper.backups", "{backup}", &["outcome"]),
    ("gamekeeper.backup.timestamp", "s", &[]),
    ("process.memory.usage", "By", &[]),
    ("process.cpu.time", "s", &[]),
    (
        "process.unix.file_descriptor.count",
        "{file_descriptor}",
        &[],
    ),
];

/// Plays a game to its end while a client watches.
async fn watch_a_whole_game(scene: &mut Scene) {
    let ask = pb::WatchGameRequest {
        game_id: scene.table.game.game_id.clone(),
        ..Default::default()
    };
    let mut client = scene.server.games();
    let watch = client.watch_game(bearing(RED, ask)).await.unwrap();
    let mut watch = watch.into_inner();
    watch.message().await.unwrap().expect("the table");
    scene.table.game = watch_facts(scene).await;
    scene.table.play(&mut client, 10_000).await.unwrap();
    let newest = scene.table.game.version;
    loop {
        let message = watch.message().await.unwrap().expect("an update");
        if message.version == newest {
            return;
        }
    }
}

/// Forks the game, as an example of a change beyond the rules.
async fn fork(scene: &Scene) {
    let ask = pb::ForkGameRequest {
        game_id: scene.table.game.game_id.clone(),
        at_version: 1,
        ..Default::default()
    };
    let forked = scene.server.games().fork_game(bearing(RED, ask)).await;
    // The game is over, so its fork has tokens.
    let tokens = forked.unwrap().into_inner().tokens;
    assert_eq!(tokens.unwrap().seats.len(), 2);
}

async fn watch_facts(scene: &Scene) -> pb::GameInfo {
    let ask = scene.table.ask();
    let mut client = scene.server.games();
    let response = client.get_game(bearing(RED, ask)).await.unwrap();
    facts(response.into_inner().table)
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
    fork(&scene).await;
    let metrics = eventually("all metrics", || async {
        let metrics = collector.metrics();
        let finished = metrics.get("gamekeeper.games.finished");
        let over = finished.is_some_and(|(_, points)| {
            points
                .iter()
                .any(|point| point.value > 0.0 && point.labels["ruleset"] == "dominion")
        });
        let last = [
            "gamekeeper.watch.lag",
            "gamekeeper.table.events",
            "gamekeeper.streams.ended",
        ];
        (over && last.iter().all(|name| metrics.contains_key(*name))).then_some(metrics)
    })
    .await;
    for (name, unit, keys) in METRICS {
        let metric = metrics.get(name);
        let (metric_unit, points) = metric.unwrap_or_else(|| panic!("no {name}"));
        assert_eq!(metric_unit, unit, "{name}");
        for point in points {
            let labels: Vec<&str> = point.labels.keys().map(String::as_str).collect();
            assert_eq!(labels, keys, "{name}");
        }
    }
    let documented: BTreeSet<&str> = METRICS.iter().map(|(name, ..)| *name).collect();
    let named: BTreeSet<&str> = metrics.keys().map(String::as_str).collect();
    assert_eq!(
        named.difference(&documented).collect::<Vec<_>>(),
        Vec::<&&str>::new()
    );
    scene.assert_discreet(&collector.everything());
}

/// The samples that Prometheus reads, by metric: labels and values.
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
                .all(|(key, value)| labels.get(*key).is_some_and(|actual| actual == value))
        })
        .map(|(_, value)| value)
        .sum()
}

/// Calls a method that does not exist.
async fn call_an_invented_path(scene: &Scene) {
    let mut raw = tonic::client::Grpc::new(scene.server.channel());
    raw.ready().await.unwrap();
    let path = PathAndQuery::from_static("/an.invented/Path");
    let codec = tonic_prost::ProstCodec::<(), ()>::default();
    let unknown = raw.unary(Request::new(()), path, codec).await;
    assert_eq!(unknown.unwrap_err().code(), Code::Unimplemented);
}

/// Asserts that the metrics count a finished game and its fork, which is still being played.
fn assert_game_and_fork_are_counted(rows: &Rows) {
    let (dominion, forked) = (("ruleset", "dominion"), ("kind", "forked"));
    for (name, labels, times) in [
        ("gamekeeper_games_created_total", &[dominion][..], 2.0),
        ("gamekeeper_games_finished_total", &[dominion], 1.0),
        ("gamekeeper_table_events_total", &[dominion, forked], 1.0),
        ("gamekeeper_table_events_total", &[], 1.0),
    ] {
        assert_eq!(value(rows, name, labels), times, "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn prometheus_reads_what_happened_and_readme_lists_it() {
    let mut scene = Scene::set(&[], &[]).await;
    scene.play().await;
    watch_a_whole_game(&mut scene).await;
    fork(&scene).await;
    // A path that does not exist must not become a label.
    call_an_invented_path(&scene).await;
    // The server may notice a little later that the client of the watch is gone.
    let ended = "gamekeeper_streams_ended_total";
    let (status, text) = eventually("the end of the watch", || async {
        let read = ask(scene.server.admin(), "GET", "/metrics", "").await;
        read.1.contains(ended).then_some(read)
    })
    .await;
    assert_eq!(status, 200);
    let rows = scraped(&text);
    let gone = ("cause", "CLIENT_GONE");
    assert_eq!(value(&rows, ended, &[("rpc_method", WATCH), gone]), 1.0);
    assert_eq!(value(&rows, ended, &[]), 1.0);
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
    assert_game_and_fork_are_counted(&rows);
    let played = f64::from(u32::try_from(scene.table.game.version).unwrap()) - 1.0;
    let done_label = ("outcome", "done");
    assert_eq!(
        value(&rows, "gamekeeper_commits_total", &[dominion, done_label]),
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
    let (text, rows) = with_certificates(&text).await;
    check_file("deploy/MONITORING.md", "metrics", &table_of(&text, &rows));
}

/// Returns the metrics with those of a server that uses certificates.
async fn with_certificates(text: &str) -> (String, Rows) {
    let folder = tempfile::TempDir::new().unwrap();
    let [cert, key] = tls_flags(folder.path());
    let flags = ["--store=memory", "--admin-listen=127.0.0.1:0", &cert, &key];
    let server = Gamekeeperd::start(&flags);
    let (_, secured) = ask(server.admin(), "GET", "/metrics", "").await;
    let name = "gamekeeper_certificate_expiry_timestamp_seconds";
    let end = value(&scraped(&secured), name, &[("setting", "tls_cert_file")]);
    assert!(end > 1_800_000_000.0, "{end}");
    let is_named = |line: &&str| line.contains(name);
    let mut blocks: Vec<Vec<&str>> = Vec::new();
    for line in text.lines().chain(secured.lines().filter(is_named)) {
        if line.starts_with("# HELP") {
            blocks.push(Vec::new());
        }
        blocks.last_mut().expect("help comes first").push(line);
    }
    // Sorted by name, as Prometheus returns them.
    blocks.sort();
    let text = blocks.concat().join("\n") + "\n";
    let rows = scraped(&text);
    (text, rows)
}

/// Formats the metrics as a table: name, kind, labels, meaning.
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
        let series = rows.get(name).or_else(|| rows.get(&counted));
        let mut keys: BTreeSet<&str> = BTreeSet::new();
        for (labels, _) in series.into_iter().flatten() {
            keys.extend(labels.keys().map(String::as_str));
        }
        if name == "db_client_operation_duration_seconds" {
            // This label occurs only when the store fails.
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
