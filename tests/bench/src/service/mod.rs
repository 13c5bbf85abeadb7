//! The service, the null game and the echo server, measured in turns on the same machine.

pub mod processes;
pub(crate) mod scripts;

use std::path::Path;
use std::time::Duration;

use clap::ValueEnum;
use gamekeeper_rules::ruleset::Ruleset;
use serde::Serialize;

use self::processes::{Load, Process, build, load};
use self::scripts::{echo_script, null_script, sizes};
use crate::clock::Spread;
use crate::floor;
use crate::report::{row, table, write};

/// Returns the rulesets that every server offers.
#[must_use]
pub fn offered() -> Vec<&'static str> {
    let all = gamekeeper_rules::of_each_ruleset!(R => (R::INFO.id, R::IS_EXAMPLE)).into_iter();
    let offered = all.filter(|(_, is_example)| !is_example);
    offered.map(|(id, _)| id).collect()
}

/// How much is measured.
#[derive(Clone, Debug, clap::Args)]
pub struct Plan {
    /// Stores
    #[arg(long, value_delimiter = ',', default_values = ["memory", "embedded", "redis", "redis-aof"])]
    stores: Vec<Store>,
    /// Rulesets
    #[arg(long, value_delimiter = ',', default_values = crate::service::offered())]
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
    /// View in responses to actions: seat or none
    #[arg(long, default_value = "seat")]
    view: String,
    /// Calls of a game, in relation to each other
    #[arg(long, default_value = "apply=1")]
    mix: String,
    /// Threads of the servers; 0: as many as there are cores
    #[arg(long, default_value_t = 0)]
    workers: usize,
}

/// The store of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
pub enum Store {
    /// In memory.
    Memory,
    /// On disk.
    Embedded,
    /// In Redis.
    Redis,
    /// In Redis that writes an append-only file once a second.
    RedisAof,
    /// In Redis that syncs its append-only file before it answers.
    RedisFsync,
}

impl Store {
    /// Returns the name of the store in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Embedded => "embedded",
            Self::Redis => "redis",
            Self::RedisAof => "redis+aof",
            Self::RedisFsync => "redis+fsync",
        }
    }

    /// Starts the Redis that the store needs, if any.
    #[must_use]
    pub fn redis(self) -> Option<Process> {
        match self {
            Self::Memory | Self::Embedded => None,
            Self::Redis => Some(Process::redis(&[])),
            Self::RedisAof => Some(Process::redis(&["--appendonly", "yes"])),
            Self::RedisFsync => {
                let flags = ["--appendonly", "yes", "--appendfsync", "always"];
                Some(Process::redis(&flags))
            }
        }
    }

    /// Starts a server with this store.
    #[must_use]
    pub fn server(
        self,
        name: &str,
        redis: Option<&Process>,
        folder: &Path,
        more: &[&str],
    ) -> Process {
        // Not the whole name: another build of the server is named by its path.
        let data = Path::new(name).file_name().unwrap_or_default();
        let store_flags = self.flags(redis, &folder.join(data));
        let mut flags = vec!["--listen", "127.0.0.1:0", "--log", "warn"];
        flags.extend(store_flags.iter().map(String::as_str));
        flags.extend(more);
        Process::server(name, &flags)
    }

    /// Returns the flags of a server with this store.
    #[must_use]
    pub fn flags(self, redis: Option<&Process>, folder: &Path) -> [String; 4] {
        let folder = folder.to_string_lossy();
        let address = redis.map_or("", Process::address);
        let flags = match self {
            Self::Memory => ["--store", "memory", "--data-dir", &*folder],
            Self::Embedded => ["--store", "embedded", "--data-dir", &*folder],
            Self::Redis | Self::RedisAof | Self::RedisFsync => {
                ["--store", "redis", "--redis", address]
            }
        };
        flags.map(str::to_owned)
    }
}

/// The measurements of one round.
#[derive(Debug, Serialize)]
struct Turn {
    real: Load,
    null: Load,
    echo: Load,
}

/// The measurements of a real game, the null game, and an echo of the same sizes, made in turns.
#[derive(Debug, Serialize)]
struct Measured {
    store: &'static str,
    ruleset: String,
    real_per_second: Spread,
    null_per_second: Spread,
    ratio: Spread,
    cpu_ratio: Spread,
    server_cpu_ratio: Spread,
    null_to_echo: Spread,
    null_to_echo_cpu: Spread,
    null_to_echo_server_cpu: Spread,
    /// The ratio of the 99th percentile to the median, at half of the maximum rate.
    tail_at_half: Spread,
    /// The ratio of the 99th percentile to the median of the echo, at the same rate.
    echo_tail_at_half: Spread,
    raw_commits_per_second: Option<f64>,
    turns: Vec<Turn>,
    /// The measurements of the real game at half of its maximum rate, and of the echo at the same rate.
    half: Vec<(Load, Load)>,
}

/// Measures the service.
///
/// # Panics
/// If anything goes wrong.
pub fn run(plan: &Plan) {
    build();
    let folder = tempfile::tempdir().expect("a folder");
    let mut measured = Vec::new();
    for store in &plan.stores {
        let servers = Servers::start(*store, plan, folder.path());
        for ruleset in &plan.rulesets {
            let figures = servers.measure(plan, ruleset, folder.path());
            show(&figures);
            measured.push(figures);
        }
    }
    print(&measured, plan);
    write("service", &measured);
}

/// The servers of a store.
struct Servers {
    store: Store,
    redis: Option<Process>,
    real: Process,
    null: Process,
}

impl Servers {
    fn start(store: Store, plan: &Plan, folder: &Path) -> Self {
        let redis = store.redis();
        let directory = folder.join(store.name().replace('+', "-"));
        let workers = plan.workers.to_string();
        let start = |name| store.server(name, redis.as_ref(), &directory, &["--workers", &workers]);
        let (real, null) = (start("gamekeeperd"), start("null_server"));
        Self {
            store,
            redis,
            real,
            null,
        }
    }

    fn measure(&self, plan: &Plan, ruleset: &str, folder: &Path) -> Measured {
        let sizes = sizes(ruleset);
        let others: Vec<_> = self.redis.iter().map(|redis| ("store", redis)).collect();
        let play = |server: &Process, what: &[&str]| {
            load(server, &others, &[&flags(plan)[..], what].concat())
        };
        let script = |name: &str, lines: String| {
            let path = folder.join(format!("{ruleset}.{name}.jsonl"));
            std::fs::write(&path, lines).expect("a script");
            path.to_string_lossy().into_owned()
        };
        let null_script = script("null", null_script(&sizes));
        let echo_script = script("echo", echo_script(&sizes));
        let call_echo = [&flags(plan)[..], &["--script", &echo_script]].concat();
        let mut echo = None;
        let turn = |_| {
            let null = play(&self.null, &["--script", &null_script]);
            let real = play(&self.real, &[ruleset]);
            let echo = echo.get_or_insert_with(|| {
                let bytes = null.method(method(plan)).answer_bytes.round().to_string();
                Process::server("gamekeeper-bench", &["echo", &bytes])
            });
            let echo = load(echo, &[], &call_echo);
            Turn { real, null, echo }
        };
        let turns: Vec<Turn> = (0..plan.rounds).map(turn).collect();
        let mut figures = figures(self.store.name(), ruleset, turns, plan);
        let half = format!("{:.0}", figures.real_per_second.median / 2.0);
        let calmly = ["--rate", &*half];
        let calm = |_| {
            let real = play(&self.real, &[&[ruleset], &calmly[..]].concat());
            let echo = echo.as_ref().expect("a round");
            (real, load(echo, &[], &[&call_echo[..], &calmly].concat()))
        };
        figures.half = (0..plan.rounds).map(calm).collect();
        let tails = |of: fn(&(Load, Load)) -> &Load| {
            Spread::of(figures.half.iter().map(of).map(tail(plan)).collect())
        };
        (figures.tail_at_half, figures.echo_tail_at_half) =
            (tails(|(real, _)| real), tails(|(_, echo)| echo));
        let raw = floor::Plan {
            games: usize::try_from(plan.games).unwrap_or(usize::MAX),
            entry: sizes.entry,
            snapshot: sizes.snapshot,
            time: Duration::from_secs(plan.seconds),
        };
        let redis = self.redis.as_ref();
        figures.raw_commits_per_second =
            redis.map(|redis| floor::commits_per_second(redis.address(), raw));
        figures
    }
}

fn flags(plan: &Plan) -> Vec<&'static str> {
    // Leaked once per program run: the flags live as long as the process.
    let text = format!(
        "--games {} --time {}s --warm-up 1s --view {} --mix {}",
        plan.games, plan.seconds, plan.view, plan.mix
    );
    text.leak().split(' ').collect()
}

/// Returns the method that is reported: the first one in the mix.
fn method(plan: &Plan) -> &str {
    plan.mix.split('=').next().unwrap_or("apply")
}

fn figures(store: &'static str, ruleset: &str, turns: Vec<Turn>, plan: &Plan) -> Measured {
    let spread = |of: &dyn Fn(&Turn) -> f64| Spread::of(turns.iter().map(of).collect());
    let rate = |load: &Load| load.method(method(plan)).per_second;
    Measured {
        store,
        ruleset: ruleset.to_owned(),
        real_per_second: spread(&|turn| rate(&turn.real)),
        null_per_second: spread(&|turn| rate(&turn.null)),
        ratio: spread(&|turn| rate(&turn.real) / rate(&turn.null)),
        cpu_ratio: spread(&|turn| turn.null.cpu() / turn.real.cpu()),
        server_cpu_ratio: spread(&|turn| turn.null.cpu_of("server") / turn.real.cpu_of("server")),
        null_to_echo: spread(&|turn| rate(&turn.null) / rate(&turn.echo)),
        null_to_echo_cpu: spread(&|turn| turn.echo.cpu() / turn.null.cpu()),
        null_to_echo_server_cpu: spread(&|turn| {
            turn.echo.cpu_of("server") / turn.null.cpu_of("server")
        }),
        tail_at_half: Spread::default(),
        echo_tail_at_half: Spread::default(),
        raw_commits_per_second: None,
        half: Vec::new(),
        turns,
    }
}

/// Returns the ratio of the 99th percentile to the median.
fn tail(plan: &Plan) -> impl Fn(&Load) -> f64 {
    |load| {
        let method = load.method(method(plan));
        method.p99_us / method.p50_us
    }
}

fn show(figures: &Measured) {
    println!(
        "{} {}: real {}/s, null {}/s, ratio {}, by CPU {}",
        figures.store,
        figures.ruleset,
        figures.real_per_second,
        figures.null_per_second,
        figures.ratio,
        figures.cpu_ratio
    );
}

fn print(measured: &[Measured], plan: &Plan) {
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
        "of the echo",
        "null/echo",
        "by CPU",
        "by server CPU",
        "raw commits/s",
    ])];
    for figures in measured {
        let real = |of: &dyn Fn(&Load) -> f64| {
            Spread::of(figures.turns.iter().map(|turn| of(&turn.real)).collect()).median
        };
        let used = |name: &str| format!("{:.1}", real(&|load| load.cpu_of(name)));
        let figure = |of: fn(&processes::Method) -> f64| {
            format!("{:.0}", real(&|load| of(load.method(method(plan)))))
        };
        rows.push(vec![
            figures.store.to_owned(),
            figures.ruleset.clone(),
            figures.real_per_second.to_string(),
            figures.null_per_second.to_string(),
            figures.ratio.to_string(),
            figures.cpu_ratio.to_string(),
            figures.server_cpu_ratio.to_string(),
            used("server"),
            used("store"),
            used("client"),
            figure(|method| method.answer_bytes),
            figure(|method| method.p50_us),
            figure(|method| method.p99_us),
            figures.tail_at_half.to_string(),
            figures.echo_tail_at_half.to_string(),
            figures.null_to_echo.to_string(),
            figures.null_to_echo_cpu.to_string(),
            figures.null_to_echo_server_cpu.to_string(),
            figures
                .raw_commits_per_second
                .map_or(String::from("-"), |rate| format!("{rate:.0}")),
        ]);
    }
    table(&rows);
}
