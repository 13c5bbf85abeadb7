//! **Fairness**: a quiet tenant alone, and beside tenants and strangers who take as many resources as they can.
//! Measures the latency of its calls, and how many of them are refused.
//!
//! The server is what is measured, so it has a core of its own, and clients have another one, on which attackers leave
//! the quiet tenant the time that it needs. Attackers come from another network than the quiet tenant.
//!
//! On a busy machine, client and server are sometimes ready to run without getting a core. The system counts this time,
//! and each call is also measured without it: the rest is the responsibility of the server and its scheduling.

mod attack;
mod attackers;
mod cores;
mod floods;
mod tenants;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use gamekeeper_proto::gamekeeper::v1 as pb;
use pb::game_service_client::GameServiceClient;
use serde::Serialize;
use tokio::runtime::Runtime;
use tokio::time::sleep;

pub use self::attack::{AttackPlan, attack};
pub use self::attackers::Attacker;
use self::attackers::Target;
use self::cores::Cores;
use self::tenants::{ATTACKER, QUIET, TENANTS, bearing, channel, two_players};
use crate::report::{row, table, write};
use crate::service::Store;
use crate::service::processes::build;

/// How much is measured.
#[derive(Clone, Debug, clap::Args)]
pub struct Plan {
    /// The store
    #[arg(long, default_value = "memory")]
    store: Store,
    /// Attackers; all of them, if none is named
    #[arg(long, value_delimiter = ',')]
    attackers: Vec<Attacker>,
    /// How long the quiet tenant is measured each time, in seconds
    #[arg(long, default_value_t = 5)]
    seconds: u64,
    /// Calls that an attacker has open at once
    #[arg(long, default_value_t = 256)]
    at_once: usize,
    /// Threads of the server
    #[arg(long, default_value_t = 1)]
    workers: usize,
    /// Another build of the server, measured instead of the one beside this program
    #[arg(long)]
    server: Option<PathBuf>,
}

/// The delay between two calls of the quiet tenant.
const PAUSE: Duration = Duration::from_millis(5);

/// The measurements of the quiet tenant.
#[derive(Debug, Serialize)]
struct Measurements {
    beside: String,
    calls: usize,
    refused: usize,
    p50_us: f64,
    p99_us: f64,
    max_us: f64,
    /// The 99th percentile without the time for which the client or the server waited for a core, in microseconds.
    own_p99_us: f64,
}

/// Measures the quiet tenant alone and beside each attacker.
///
/// # Panics
/// If anything goes wrong.
pub fn run(plan: &Plan) {
    if plan.server.is_none() {
        build();
    }
    let cores = Cores::of_machine();
    let quiet = runtime(1, move || cores.of_clients());
    let mut all = vec![measure(plan, (&quiet, cores), None)];
    let named = plan.attackers.iter().copied();
    let attackers: Vec<_> = if plan.attackers.is_empty() {
        Attacker::value_variants().to_vec()
    } else {
        named.collect()
    };
    for attacker in attackers {
        all.push(measure(plan, (&quiet, cores), Some(attacker)));
    }
    print(&all);
    write("fairness", &all);
}

fn runtime(threads: usize, on: impl Fn() + Send + Sync + 'static) -> Runtime {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    let builder = builder.worker_threads(threads).on_thread_start(on);
    builder.enable_all().build().expect("a runtime")
}

fn measure(
    plan: &Plan,
    (quiet, cores): (&Runtime, Cores),
    attacker: Option<Attacker>,
) -> Measurements {
    let folder = tempfile::tempdir().expect("a folder");
    let redis = plan.store.redis();
    let beside = PathBuf::from("gamekeeperd");
    let name = plan.server.as_ref().unwrap_or(&beside).to_string_lossy();
    let workers = plan.workers.to_string();
    let keys = key_flags(folder.path());
    let mut flags = vec!["--auth", "tokens", "--workers", &workers];
    flags.extend(keys.iter().map(String::as_str));
    let server = plan
        .store
        .server(&name, redis.as_ref(), folder.path(), &flags);
    cores.of_server(server.pid());
    // Dropping this runtime also ends everything that the attacker still has open.
    let attacking = runtime(1, move || cores.of_attackers());
    if let Some(attacker) = attacker {
        let target = Target {
            address: server.address().to_owned(),
            key: ATTACKER.to_owned(),
            at_once: plan.at_once,
        };
        attacking.block_on(async {
            // Not on this thread, which is not pinned to the core of the clients.
            let begun = tokio::spawn(async move {
                let mut attacks = target.begin(attacker).await.expect("the attack begins");
                attacks.detach_all();
            });
            begun.await.expect("the attack begins");
            // By now, everything that the attacker can fill is full.
            sleep(Duration::from_secs(2)).await;
        });
    }
    let seconds = Duration::from_secs(plan.seconds);
    let address = server.address().to_owned();
    let pid = server.pid();
    let measured = quiet.spawn(async move { calls(&address, pid, seconds).await });
    let measured = quiet.block_on(measured);
    let calls = measured.expect("the quiet tenant");
    attacking.shutdown_background();
    let took = Times::of(calls.iter().map(|call| call.took));
    let on_cpu = Times::of(
        calls
            .iter()
            .map(|call| call.took.saturating_sub(call.waited)),
    );
    Measurements {
        beside: attacker.map_or_else(|| String::from("nobody"), Attacker::name),
        calls: calls.len(),
        refused: calls.iter().filter(|call| call.is_refused).count(),
        p50_us: took.us(500),
        p99_us: took.us(990),
        max_us: took.us(1_000),
        own_p99_us: on_cpu.us(990),
    }
}

/// Durations in ascending order.
struct Times(Vec<Duration>);

impl Times {
    fn of(times: impl Iterator<Item = Duration>) -> Self {
        let mut times: Vec<_> = times.collect();
        times.sort_unstable();
        Self(times)
    }

    /// Returns the time within which this many of a thousand calls were complete, in microseconds.
    fn us(&self, thousandths: usize) -> f64 {
        let last = self.0.len() - 1;
        let at = (self.0.len() * thousandths / 1_000).min(last);
        self.0[at].as_secs_f64() * 1e6
    }
}

fn key_flags(folder: &Path) -> [String; 2] {
    let file = |name: &str, text: &str| {
        let file = folder.join(name);
        std::fs::write(&file, text).expect("a key file");
        file.display().to_string()
    };
    let secret = "a secret of the measurement that is long enough\n";
    [
        format!("--tenant-keys-file={}", file("tenants", TENANTS)),
        format!("--token-keys-file={}", file("tokens", secret)),
    ]
}

/// The measurement of one call of the quiet tenant.
struct Call {
    took: Duration,
    /// How long the client or the server was ready to run without a core during the call.
    waited: Duration,
    is_refused: bool,
}

/// Makes the calls of the quiet tenant, which reads a game of its own and occasionally opens a new connection.
async fn calls(address: &str, server: u32, seconds: Duration) -> Vec<Call> {
    let mut client = GameServiceClient::new(channel(address));
    let created = client.create_game(bearing(QUIET, two_players())).await;
    // If the creation is refused, so are the calls that follow.
    let game = created.ok().and_then(|created| created.into_inner().table);
    let game_id = game.and_then(|table| table.game).map(|game| game.game_id);
    let (begun, mut calls) = (Instant::now(), Vec::new());
    while begun.elapsed() < seconds {
        if calls.len() % 50 == 49 {
            client = GameServiceClient::new(channel(address));
        }
        let look = pb::GetGameRequest {
            game_id: game_id.clone().unwrap_or_default(),
            ..Default::default()
        };
        let waited_before = cores::waited_here() + cores::waited_by(server);
        let sent_at = Instant::now();
        let response = client.get_game(bearing(QUIET, look)).await;
        let took = sent_at.elapsed();
        let waited = cores::waited_here() + cores::waited_by(server);
        calls.push(Call {
            took,
            waited: waited.saturating_sub(waited_before),
            is_refused: response.is_err(),
        });
        sleep(PAUSE).await;
    }
    calls
}

fn print(all: &[Measurements]) {
    let mut rows = vec![row([
        "beside",
        "calls",
        "refused",
        "p50 us",
        "p99 us",
        "max us",
        "p99 / alone",
        "own p99 us",
        "own / alone",
    ])];
    let alone = all.first().map_or(1.0, |measured| measured.p99_us);
    let on_cpu_alone = all.first().map_or(1.0, |measured| measured.own_p99_us);
    for measured in all {
        rows.push(vec![
            measured.beside.clone(),
            measured.calls.to_string(),
            measured.refused.to_string(),
            format!("{:.0}", measured.p50_us),
            format!("{:.0}", measured.p99_us),
            format!("{:.0}", measured.max_us),
            format!("{:.1}", measured.p99_us / alone),
            format!("{:.0}", measured.own_p99_us),
            format!("{:.1}", measured.own_p99_us / on_cpu_alone),
        ]);
    }
    table(&rows);
}
