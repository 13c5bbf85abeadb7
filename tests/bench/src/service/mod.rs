//! The service, the null game beside it, and the bare floor, in turns on the same machine.

pub mod processes;
mod scripts;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use clap::ValueEnum;
use serde::Serialize;

use self::processes::{Load, Process, build, load};
use self::scripts::{echo_script, null_script, sizes};
use crate::clock::Spread;
use crate::floor;
use crate::report::{row, table, write};
use crate::sizes::Sizes;

/// How much is measured.
#[derive(Clone, Debug, clap::Args)]
pub struct Plan {
    /// Stores
    #[arg(long, value_delimiter = ',', default_values = ["memory", "embedded", "redis", "redis-aof"])]
    stores: Vec<Store>,
    /// Rulesets
    #[arg(long, value_delimiter = ',', default_values = ["caylus", "dominion", "kingsburg", "mythotopia", "terra_mystica"])]
    rulesets: Vec<String>,
    /// How often real game and null game are measured in turns
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// How long each time, in seconds
    #[arg(long, default_value_t = 3)]
    seconds: u64,
    /// Games at once
    #[arg(long, default_value_t = 64)]
    games: u64,
    /// What answers carry: seat or none
    #[arg(long, default_value = "seat")]
    view: String,
    /// Calls of a game, in relation to each other
    #[arg(long, default_value = "apply=1")]
    mix: String,
    /// Threads of the servers; 0: as many as there are cores
    #[arg(long, default_value_t = 0)]
    workers: usize,
}

/// Where games are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Store {
    /// In memory.
    Memory,
    /// On disk.
    Embedded,
    /// In Redis.
    Redis,
    /// In Redis that writes an append-only file once a second.
    RedisAof,
}

impl Store {
    /// Its name in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Embedded => "embedded",
            Self::Redis => "redis",
            Self::RedisAof => "redis+aof",
        }
    }

    /// The Redis that it needs.
    #[must_use]
    pub fn redis(self) -> Option<Process> {
        match self {
            Self::Memory | Self::Embedded => None,
            Self::Redis => Some(Process::redis(&[])),
            Self::RedisAof => Some(Process::redis(&["--appendonly", "yes"])),
        }
    }

    /// A server that keeps its games there.
    #[must_use]
    pub fn server(
        self,
        name: &str,
        redis: Option<&Process>,
        folder: &Path,
        more: &[&str],
    ) -> Process {
        let kept = self.flags(redis, &folder.join(name));
        let mut flags = vec!["--listen", "127.0.0.1:0", "--log", "warn"];
        flags.extend(kept.iter().map(String::as_str));
        flags.extend(more);
        Process::server(name, &flags)
    }

    /// The flags of a server that keeps its games there.
    #[must_use]
    pub fn flags(self, redis: Option<&Process>, folder: &Path) -> [String; 4] {
        let folder = folder.to_string_lossy();
        let address = redis.map_or("", Process::address);
        let flags = match self {
            Self::Memory => ["--store", "memory", "--data-dir", &*folder],
            Self::Embedded => ["--store", "embedded", "--data-dir", &*folder],
            Self::Redis | Self::RedisAof => ["--store", "redis", "--redis", address],
        };
        flags.map(str::to_owned)
    }
}

/// What was measured in turns.
#[derive(Debug, Default, Serialize)]
struct Pair {
    store: &'static str,
    ruleset: String,
    real_per_second: Spread,
    null_per_second: Spread,
    ratio: Spread,
    real_cpu_us: Spread,
    null_cpu_us: Spread,
    cpu_ratio: Spread,
    server_cpu_ratio: Spread,
    real: Vec<Load>,
    null: Vec<Load>,
    /// The real game at half the rate that it reached.
    half: Option<Load>,
}

/// Null game against echo of the same bytes.
#[derive(Debug, Serialize)]
struct Floor {
    store: &'static str,
    ruleset: String,
    echo_per_second: f64,
    null_to_echo: f64,
    null_to_echo_cpu: f64,
    raw_commits_per_second: Option<f64>,
}

/// Measures the service.
///
/// # Panics
/// When anything goes wrong.
pub fn run(plan: &Plan) {
    build();
    let folder = tempfile::tempdir().expect("a folder");
    let sizes: BTreeMap<String, Sizes> = plan
        .rulesets
        .iter()
        .map(|id| (id.clone(), sizes(id)))
        .collect();
    let mut pairs = Vec::new();
    let mut floors = Vec::new();
    for store in &plan.stores {
        let redis = store.redis();
        let place = folder.path().join(store.name().replace('+', "-"));
        let workers = plan.workers.to_string();
        let start = |name| store.server(name, redis.as_ref(), &place, &["--workers", &workers]);
        let (real, null) = (start("gamekeeperd"), start("null_server"));
        for (id, sizes) in &sizes {
            let script = folder.path().join(format!("{id}.jsonl"));
            std::fs::write(&script, null_script(sizes)).expect("a script");
            let script = script.to_string_lossy();
            let others: Vec<_> = redis.iter().map(|redis| ("store", redis)).collect();
            let play = |server: &Process, what: &[&str]| {
                load(server, &others, &[&flags(plan)[..], what].concat())
            };
            let turn = |_| {
                let null = play(&null, &["--script", &script]);
                (play(&real, &[id]), null)
            };
            let turns: Vec<_> = (0..plan.rounds).map(turn).collect();
            let mut pair = pair(store.name(), id, &turns, plan);
            let half = format!("{:.0}", pair.real_per_second.median / 2.0);
            pair.half = Some(play(&real, &[id, "--rate", &half]));
            show(&pair);
            floors.push(against_floor(
                plan,
                *store,
                redis.as_ref(),
                &pair,
                sizes,
                folder.path(),
            ));
            pairs.push(pair);
        }
    }
    print(&pairs, &floors);
    write("service", &(pairs, floors));
}

fn flags(plan: &Plan) -> Vec<&'static str> {
    // Leaked once for each program run: the flags live as long as the process.
    let text = format!(
        "--games {} --time {}s --warm-up 1s --view {} --mix {}",
        plan.games, plan.seconds, plan.view, plan.mix
    );
    text.leak().split(' ').collect()
}

/// The method that is looked at: the one that the mix names first.
fn method(plan: &Plan) -> &str {
    plan.mix.split('=').next().unwrap_or("apply")
}

fn pair(store: &'static str, ruleset: &str, turns: &[(Load, Load)], plan: &Plan) -> Pair {
    let spread = |of: &dyn Fn(&(Load, Load)) -> f64| Spread::of(turns.iter().map(of).collect());
    let rate = |load: &Load| load.method(method(plan)).per_second;
    let server = |load: &Load| {
        let used = load.process("server");
        used.map_or(0.0, |used| used.cpu_us_per_call)
    };
    Pair {
        store,
        ruleset: ruleset.to_owned(),
        real_per_second: spread(&|(real, _)| rate(real)),
        null_per_second: spread(&|(_, null)| rate(null)),
        ratio: spread(&|(real, null)| rate(real) / rate(null)),
        real_cpu_us: spread(&|(real, _)| real.cpu()),
        null_cpu_us: spread(&|(_, null)| null.cpu()),
        cpu_ratio: spread(&|(real, null)| null.cpu() / real.cpu()),
        server_cpu_ratio: spread(&|(real, null)| server(null) / server(real)),
        real: turns.iter().map(|(real, _)| real.clone()).collect(),
        null: turns.iter().map(|(_, null)| null.clone()).collect(),
        half: None,
    }
}

fn against_floor(
    plan: &Plan,
    store: Store,
    redis: Option<&Process>,
    pair: &Pair,
    sizes: &Sizes,
    folder: &Path,
) -> Floor {
    let null = pair.null.first().expect("a round");
    let bytes = null.method(method(plan)).answer_bytes.round().to_string();
    let echo = Process::server("gamekeeper-bench", &["echo", &bytes]);
    let script = folder.join("echo.jsonl");
    std::fs::write(&script, echo_script(sizes)).expect("a script");
    let script = script.to_string_lossy();
    let echoed = load(
        &echo,
        &[],
        &[&flags(plan)[..], &["--script", &script]].concat(),
    );
    let raw = floor::Plan {
        games: usize::try_from(plan.games).unwrap_or(usize::MAX),
        entry: sizes.entry,
        snapshot: sizes.snapshot,
        time: Duration::from_secs(plan.seconds),
    };
    let rate = echoed.method(method(plan)).per_second;
    Floor {
        store: store.name(),
        ruleset: pair.ruleset.clone(),
        echo_per_second: rate,
        null_to_echo: pair.null_per_second.median / rate,
        null_to_echo_cpu: echoed.cpu() / pair.null_cpu_us.median,
        raw_commits_per_second: redis.map(|redis| floor::commits_per_second(redis.address(), raw)),
    }
}

/// The slowest of a hundred calls against the one in the middle.
fn tail(load: &Load) -> String {
    let first = load.methods.iter().find(|method| method.name != "create");
    first.map_or(String::from("-"), |method| {
        format!("{:.1}", method.p99_us / method.p50_us)
    })
}

fn show(pair: &Pair) {
    println!(
        "{} {}: real {}/s, null {}/s, ratio {}, by CPU {}",
        pair.store,
        pair.ruleset,
        pair.real_per_second,
        pair.null_per_second,
        pair.ratio,
        pair.cpu_ratio
    );
}

fn print(pairs: &[Pair], floors: &[Floor]) {
    let mut rows = vec![row([
        "store",
        "ruleset",
        "real/s",
        "null/s",
        "real/null",
        "by CPU",
        "by server CPU",
        "server us",
        "store us",
        "client us",
        "answer B",
        "p50 us",
        "p99 us",
        "half load p99/p50",
        "null/echo",
        "by CPU",
        "raw commits/s",
    ])];
    for (pair, floor) in pairs.iter().zip(floors) {
        let Some(real) = pair.real.first() else {
            continue;
        };
        let used = |name| {
            let used = real.process(name);
            used.map_or(String::from("-"), |used| {
                format!("{:.1}", used.cpu_us_per_call)
            })
        };
        let first = real.methods.iter().find(|method| method.name != "create");
        let figure = |of: fn(&processes::Method) -> f64| {
            first.map_or(String::new(), |method| format!("{:.0}", of(method)))
        };
        rows.push(vec![
            pair.store.to_owned(),
            pair.ruleset.clone(),
            pair.real_per_second.to_string(),
            pair.null_per_second.to_string(),
            pair.ratio.to_string(),
            pair.cpu_ratio.to_string(),
            pair.server_cpu_ratio.to_string(),
            used("server"),
            used("store"),
            used("client"),
            figure(|method| method.answer_bytes),
            figure(|method| method.p50_us),
            figure(|method| method.p99_us),
            pair.half.as_ref().map_or(String::from("-"), tail),
            format!("{:.2}", floor.null_to_echo),
            format!("{:.2}", floor.null_to_echo_cpu),
            floor
                .raw_commits_per_second
                .map_or(String::from("-"), |rate| format!("{rate:.0}")),
        ]);
    }
    table(&rows);
}
