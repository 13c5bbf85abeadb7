//! The growth of calls per second with threads, servers and shards: a model with measured costs, and its accuracy on
//! this machine.

use std::process::Command;
use std::thread;

use serde::Serialize;

use crate::clock::Spread;
use crate::report::{row, table, write};
use crate::service::processes::{Load, Process, build, load};

/// How much is measured.
#[derive(Clone, Debug, clap::Args)]
pub struct Plan {
    /// The ruleset that is played
    #[arg(long, default_value = "dominion")]
    ruleset: String,
    /// Games at once, of all servers together
    #[arg(long, default_value_t = 96)]
    games: u64,
    /// How often all setups are measured in turns
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// How long each time, in seconds
    #[arg(long, default_value_t = 3)]
    seconds: u64,
}

/// The processes of a setup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
struct Setup {
    servers: u32,
    /// The number of threads of each server.
    workers: u32,
    /// The number of Redis primaries.
    shards: u32,
}

/// The setups to measure. The costs of the first one are the input of the model.
const SETUPS: [Setup; 6] = [
    Setup::new(1, 1, 1),
    Setup::new(1, 2, 1),
    Setup::new(2, 1, 1),
    Setup::new(3, 1, 1),
    Setup::new(1, 1, 3),
    Setup::new(3, 1, 3),
];

impl Setup {
    const fn new(servers: u32, workers: u32, shards: u32) -> Self {
        Self {
            servers,
            workers,
            shards,
        }
    }
}

/// The processor time of one call, in microseconds.
#[derive(Clone, Copy, Debug, Serialize)]
struct Costs {
    server: f64,
    store: f64,
    client: f64,
}

impl Costs {
    /// Returns the maximum number of calls per second: the lowest of the bounds by the threads of all servers, by the
    /// primaries, which use one core each, and by the cores that all processes share, clients included.
    fn most(self, setup: Setup, cores: f64) -> f64 {
        let threads = f64::from(setup.servers * setup.workers) / self.server;
        let shards = f64::from(setup.shards) / self.store;
        let all = cores / (self.server + self.store + self.client);
        1e6 * threads.min(shards).min(all)
    }
}

/// The result of one round.
#[derive(Clone, Copy, Debug, Serialize)]
struct Round {
    per_second: f64,
    costs: Costs,
}

/// The results of all rounds of a setup.
#[derive(Debug, Serialize)]
struct Figures {
    setup: Setup,
    per_second: Spread,
    server_us: Spread,
    store_us: Spread,
    client_us: Spread,
    /// The calls per second of the model, with the costs of the first setup.
    model: f64,
    /// The measured calls per second, as a share of the model's.
    share: f64,
}

/// Measures all setups in turns and compares them with the model.
///
/// # Panics
/// If anything goes wrong.
pub fn run(plan: &Plan) {
    build();
    let mut rounds: Vec<Vec<Round>> = SETUPS.iter().map(|_| Vec::new()).collect();
    for _ in 0..plan.rounds {
        for (setup, rounds) in SETUPS.iter().zip(&mut rounds) {
            rounds.push(measured(*setup, plan));
        }
    }
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let cores = f64::from(u32::try_from(cores).unwrap_or(u32::MAX));
    let figures: Vec<Figures> = SETUPS
        .iter()
        .zip(&rounds)
        .map(|(setup, of_setup)| figures(*setup, of_setup, &rounds[0], cores))
        .collect();
    print(&figures);
    write("scale", &figures);
}

/// Starts a setup, and loads each server with its part of the games.
fn measured(setup: Setup, plan: &Plan) -> Round {
    let stores = stores(setup.shards);
    let addresses: Vec<&str> = stores.iter().map(Process::address).collect();
    let (addresses, workers) = (addresses.join(","), setup.workers.to_string());
    let mut flags = vec!["--listen", "127.0.0.1:0", "--log", "warn"];
    flags.extend(["--store", "redis", "--redis", &addresses]);
    flags.extend(["--workers", &workers]);
    if setup.shards > 1 {
        flags.extend(["--redis-topology", "cluster"]);
    }
    let servers: Vec<Process> = (0..setup.servers)
        .map(|_| Process::server("gamekeeperd", &flags))
        .collect();
    let (games, time) = (
        (plan.games / u64::from(setup.servers)).to_string(),
        format!("{}s", plan.seconds),
    );
    let flags = [&*plan.ruleset, "--games", &games, "--time", &time];
    let others: Vec<(&str, &Process)> = stores.iter().map(|store| ("store", store)).collect();
    let loads: Vec<Load> = thread::scope(|scope| {
        let begun: Vec<_> = servers
            .iter()
            .map(|server| scope.spawn(|| load(server, &others, &flags)))
            .collect();
        let ended = begun.into_iter().map(|load| load.join().expect("a report"));
        ended.collect()
    });
    round(&loads)
}

/// Starts one Redis, or the primaries of a Redis Cluster.
fn stores(shards: u32) -> Vec<Process> {
    if shards == 1 {
        return vec![Process::redis(&[])];
    }
    let node = |_| Process::redis(&["--cluster-enabled", "yes"]);
    let nodes: Vec<Process> = (0..shards).map(node).collect();
    let mut command = Command::new("redis-cli");
    command.args(["--cluster", "create", "--cluster-yes"]);
    command.args(nodes.iter().map(Process::address));
    let output = command.output().expect("redis-cli is installed");
    assert!(output.status.success(), "{output:?}");
    nodes
}

/// Combines the results of all load clients. Each of them counts the time of the stores, which serve all clients.
fn round(loads: &[Load]) -> Round {
    let rate = |load: &Load| load.method("apply").per_second;
    let per_second: f64 = loads.iter().map(rate).sum();
    let used = |load: &Load, name: &str| -> f64 {
        let used = load.processes.iter().filter(|used| used.name == name);
        used.map(|used| used.cores).sum()
    };
    let cores = |name| loads.iter().map(|load| used(load, name)).sum::<f64>();
    let loads = f64::from(u32::try_from(loads.len()).unwrap_or(u32::MAX));
    let costs = Costs {
        server: 1e6 * cores("server") / per_second,
        store: 1e6 * cores("store") / loads / per_second,
        client: 1e6 * cores("client") / per_second,
    };
    Round { per_second, costs }
}

fn figures(setup: Setup, rounds: &[Round], first: &[Round], cores: f64) -> Figures {
    let spread =
        |rounds: &[Round], of: fn(&Round) -> f64| Spread::of(rounds.iter().map(of).collect());
    let server: fn(&Round) -> f64 = |round| round.costs.server;
    let store: fn(&Round) -> f64 = |round| round.costs.store;
    let client: fn(&Round) -> f64 = |round| round.costs.client;
    let costs = Costs {
        server: spread(first, server).median,
        store: spread(first, store).median,
        client: spread(first, client).median,
    };
    let (per_second, model) = (
        spread(rounds, |round| round.per_second),
        costs.most(setup, cores),
    );
    Figures {
        setup,
        per_second,
        server_us: spread(rounds, server),
        store_us: spread(rounds, store),
        client_us: spread(rounds, client),
        model,
        share: per_second.median / model,
    }
}

fn print(figures: &[Figures]) {
    let mut rows = vec![row([
        "servers",
        "threads",
        "shards",
        "calls/s",
        "server us",
        "store us",
        "client us",
        "model",
        "measured/model",
    ])];
    for figures in figures {
        let Setup {
            servers,
            workers,
            shards,
        } = figures.setup;
        rows.push(vec![
            servers.to_string(),
            workers.to_string(),
            shards.to_string(),
            figures.per_second.to_string(),
            figures.server_us.to_string(),
            figures.store_us.to_string(),
            figures.client_us.to_string(),
            format!("{:.0}", figures.model),
            format!("{:.2}", figures.share),
        ]);
    }
    table(&rows);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lowest bound decides, whichever it is.
    #[test]
    fn the_narrowest_bound_decides() {
        let costs = Costs {
            server: 20.0,
            store: 10.0,
            client: 10.0,
        };
        let most = |servers, shards, cores| costs.most(Setup::new(servers, 1, shards), cores);
        assert_eq!(most(1, 1, 64.0).round(), 50_000.0);
        assert_eq!(most(8, 1, 64.0).round(), 100_000.0);
        assert_eq!(most(8, 3, 64.0).round(), 300_000.0);
        assert_eq!(most(8, 3, 2.0).round(), 50_000.0);
    }
}
