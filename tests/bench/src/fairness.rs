//! A quiet tenant alone, and beside tenants and strangers who take what they can: how long its calls take, and how many
//! of them are refused.
//!
//! It is the server that is measured. So the server has a core of its own, and clients have another, on which attackers
//! leave the quiet tenant what it needs. Attackers come from another network than the quiet tenant.

mod attack;
mod attackers;
mod cores;
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

/// The time between two calls of the quiet tenant.
const PAUSE: Duration = Duration::from_millis(5);

/// What the quiet tenant saw.
#[derive(Debug, Serialize)]
struct Seen {
    beside: String,
    calls: usize,
    refused: usize,
    p50_us: f64,
    p99_us: f64,
    max_us: f64,
}

/// Measures a quiet tenant.
///
/// # Panics
/// When anything goes wrong.
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

fn measure(plan: &Plan, (quiet, cores): (&Runtime, Cores), attacker: Option<Attacker>) -> Seen {
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
    // A runtime of its own, which ends with whatever the attacker still has open.
    let attacking = runtime(1, move || cores.of_attackers());
    if let Some(attacker) = attacker {
        let target = Target {
            address: server.address().to_owned(),
            key: ATTACKER.to_owned(),
            at_once: plan.at_once,
        };
        attacking.block_on(async {
            // Not on this thread, which has no core of its own.
            let begun = tokio::spawn(async move {
                let mut attacks = target.begin(attacker).await.expect("the attack begins");
                attacks.detach_all();
            });
            begun.await.expect("the attack begins");
            // Whatever there is to fill is full.
            sleep(Duration::from_secs(2)).await;
        });
    }
    let seconds = Duration::from_secs(plan.seconds);
    let address = server.address().to_owned();
    let measured = quiet.spawn(async move { calls(&address, seconds).await });
    let measured = quiet.block_on(measured);
    let (mut took, refused) = measured.expect("the quiet tenant");
    attacking.shutdown_background();
    took.sort_unstable();
    let at = |part: usize| took[(took.len() * part / 1_000).min(took.len() - 1)];
    let us = |time: Duration| time.as_secs_f64() * 1e6;
    Seen {
        beside: attacker.map_or_else(|| String::from("nobody"), Attacker::name),
        calls: took.len(),
        refused,
        p50_us: us(at(500)),
        p99_us: us(at(990)),
        max_us: us(at(1_000)),
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

/// The quiet tenant: looks at a game of its own, and now and then connects anew. How long each call took, and how many
/// were refused.
async fn calls(address: &str, seconds: Duration) -> (Vec<Duration>, usize) {
    let mut client = GameServiceClient::new(channel(address));
    let created = client.create_game(bearing(QUIET, two_players())).await;
    let mut refused = usize::from(created.is_err());
    let game = created.ok().and_then(|created| created.into_inner().table);
    let game_id = game.and_then(|table| table.game).map(|game| game.game_id);
    let (begun, mut took) = (Instant::now(), Vec::new());
    while begun.elapsed() < seconds {
        if took.len() % 50 == 49 {
            client = GameServiceClient::new(channel(address));
        }
        let look = pb::GetGameRequest {
            game_id: game_id.clone().unwrap_or_default(),
            ..Default::default()
        };
        let asked = Instant::now();
        let seen = client.get_game(bearing(QUIET, look)).await;
        took.push(asked.elapsed());
        refused += usize::from(seen.is_err());
        sleep(PAUSE).await;
    }
    (took, refused)
}

fn print(all: &[Seen]) {
    let mut rows = vec![row([
        "beside",
        "calls",
        "refused",
        "p50 us",
        "p99 us",
        "max us",
        "p99 / alone",
    ])];
    let alone = all.first().map_or(1.0, |seen| seen.p99_us);
    for seen in all {
        rows.push(vec![
            seen.beside.clone(),
            seen.calls.to_string(),
            seen.refused.to_string(),
            format!("{:.0}", seen.p50_us),
            format!("{:.0}", seen.p99_us),
            format!("{:.0}", seen.max_us),
            format!("{:.1}", seen.p99_us / alone),
        ]);
    }
    table(&rows);
}
