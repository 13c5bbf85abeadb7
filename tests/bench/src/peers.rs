//! Two other game servers on the same machine, measured in turns with this one.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde::{Deserialize, Serialize};

use crate::clock::Spread;
use crate::report::{row, table, write};
use crate::service::Store;
use crate::service::processes::{Process, build, load};

/// How much is measured.
#[derive(Clone, Debug, clap::Args)]
pub struct Plan {
    /// How often each is measured
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// How long each time, in seconds
    #[arg(long, default_value_t = 3)]
    seconds: u64,
    /// The ruleset that is played here
    #[arg(long, default_value = "dominion")]
    ruleset: String,
    /// Threads of this service; the others have one
    #[arg(long, default_value_t = 1)]
    workers: usize,
}

/// The result of one measurement.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Moves {
    per_second: f64,
    /// The processor time of the server and its store per move, in microseconds.
    server_us: f64,
    client_us: f64,
}

/// Measures all servers in turns. Needs node and npm.
///
/// # Panics
/// If anything goes wrong.
pub fn run(plan: &Plan) {
    build();
    let peers = install();
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::Redis;
    let redis = store.redis();
    let workers = plan.workers.to_string();
    let more = ["--workers", &workers];
    let server = store.server("gamekeeperd", redis.as_ref(), folder.path(), &more);
    let ours = |view: &str| ours(plan, &server, redis.as_ref(), view);
    let mut rounds: Vec<[Moves; 4]> = Vec::new();
    for _ in 0..plan.rounds {
        rounds.push([
            peer(&peers, "boardgame.mjs", plan),
            peer(&peers, "colyseus.mjs", plan),
            ours("seat"),
            ours("none"),
        ]);
    }
    let names = [
        "boardgame.io, in memory, 4 kB",
        "Colyseus, delta",
        "Gamekeeper, durable in Redis, view",
        "Gamekeeper, durable in Redis, no view",
    ];
    let mut rows = vec![row([
        "",
        "moves/s",
        "server us",
        "client us",
        "of boardgame.io",
        "of Colyseus",
    ])];
    for (at, name) in names.into_iter().enumerate() {
        let spread = |of: &dyn Fn(&[Moves; 4]) -> f64| Spread::of(rounds.iter().map(of).collect());
        let rate = |round: &[Moves; 4], at: usize| round[at].per_second;
        rows.push(vec![
            name.to_owned(),
            spread(&|round| rate(round, at)).to_string(),
            spread(&|round| round[at].server_us).to_string(),
            spread(&|round| round[at].client_us).to_string(),
            spread(&|round| rate(round, at) / rate(round, 0)).to_string(),
            spread(&|round| rate(round, at) / rate(round, 1)).to_string(),
        ]);
    }
    table(&rows);
    write("peers", &rounds);
}

fn ours(plan: &Plan, server: &Process, redis: Option<&Process>, view: &str) -> Moves {
    let others: Vec<_> = redis.iter().map(|redis| ("store", *redis)).collect();
    let time = format!("--time={}s", plan.seconds);
    let load = load(server, &others, &[&plan.ruleset, &time, "--view", view]);
    let client = load
        .process("client")
        .map_or(0.0, |used| used.cpu_us_per_call);
    Moves {
        per_second: load.method("apply").per_second,
        server_us: load.cpu() - client,
        client_us: client,
    }
}

/// Installs the other game servers below `target`.
fn install() -> PathBuf {
    let folder = PathBuf::from("target/bench/peers");
    std::fs::create_dir_all(&folder).expect("a folder for the peers");
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers");
    for entry in std::fs::read_dir(directory).expect("the programs of the peers") {
        let file = entry.expect("a file");
        std::fs::copy(file.path(), folder.join(file.file_name())).expect("a copy");
    }
    let installed = Command::new("npm")
        .args(["install", "--silent", "--no-fund", "--no-audit"])
        .current_dir(&folder)
        .status()
        .expect("npm is installed");
    assert!(installed.success(), "the peers are installed");
    folder
}

fn peer(folder: &Path, file: &str, plan: &Plan) -> Moves {
    let output = Command::new("node")
        .args([file, &plan.seconds.to_string(), "64"])
        .current_dir(folder)
        .output()
        .expect("node is installed");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{file}: {stderr}");
    serde_json::from_slice(&output.stdout).expect("figures")
}
