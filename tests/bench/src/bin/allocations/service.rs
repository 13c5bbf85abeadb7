//! The allocations of the whole service. The server has a thread of its own, and only the allocations of this thread
//! are counted, while the client makes calls of one kind.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::thread;

use allocation_counter::{AllocationInfo, measure};
use clap::Parser;
use gamekeeper_bench::clock::float;
use gamekeeper_bench::echo::serve_on;
use gamekeeper_bench::null::Null;
use gamekeeper_bench::report::{row, table, write};
use gamekeeper_bench::service::processes::Process;
use gamekeeper_bench::service::{Store, offered};
use gamekeeper_games::Registry;
use gamekeeperd::config::Config;
use gamekeeperd::telemetry::Telemetry;
use gamekeeperd::{serve, stores};
use serde::Serialize;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{mpsc as channel, oneshot};
use tokio::task::{JoinHandle, LocalSet, yield_now};
use tokio_util::sync::CancellationToken;

use crate::client::{self, GAMES};

/// The size of the echo server's response, in bytes.
const ECHO_BYTES: usize = 1_000;

/// The stores and rulesets whose calls are counted.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Plan {
    /// Stores
    #[arg(long, value_delimiter = ',', default_values = ["memory", "redis"])]
    stores: Vec<Store>,
    /// Rulesets, null, and echo: the library alone, with a response of 1 kB
    #[arg(long, value_delimiter = ',', default_values = ["echo", "null"].into_iter().chain(offered()))]
    rulesets: Vec<String>,
}

/// A kind of call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) enum Call {
    Apply,
    ApplyWithoutView,
    Look,
    List,
}

impl Call {
    fn name(self) -> &'static str {
        match self {
            Self::Apply => "ApplyAction",
            Self::ApplyWithoutView => "ApplyAction, no view",
            Self::Look => "GetGame",
            Self::List => "ListLegalActions",
        }
    }
}

/// The mean allocations per call.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Counts {
    allocations: f64,
    bytes: f64,
}

/// A round of calls, one for each game, which the client announces to the server.
struct Phase {
    /// The kind of call. `None` for rounds that are not counted.
    call: Option<Call>,
    begin: oneshot::Sender<()>,
    end: oneshot::Receiver<()>,
}

/// The channel on which the client announces its rounds to the server.
pub(crate) struct Phases(channel::UnboundedSender<Phase>);

impl Phases {
    /// Makes a round of calls, which are counted under this kind.
    pub(crate) async fn pass<T>(&self, call: Option<Call>, calls: impl Future<Output = T>) -> T {
        let ((begin, begun), (ended, end)) = (oneshot::channel(), oneshot::channel());
        let sent = self.0.send(Phase { call, begin, end });
        sent.expect("the server listens");
        begun.await.expect("the server counts");
        let answers = calls.await;
        ended.send(()).expect("the server counts");
        answers
    }
}

/// Counts the allocations of the service and reports them.
pub(crate) fn run(plan: &Plan) {
    let plain = Config::parse_from(["gamekeeperd", "--log", "warn"]);
    let _log = Telemetry::start(&plain).expect("telemetry");
    let mut rows = vec![row(["store", "ruleset", "call", "allocations", "bytes"])];
    let mut all: BTreeMap<String, Counts> = BTreeMap::new();
    for store in &plan.stores {
        let server = Server::start(*store);
        for ruleset in &plan.rulesets {
            for (call, counts) in server.count(ruleset) {
                let (store, call) = (store.name(), call.name());
                rows.push(row([
                    store,
                    ruleset,
                    call,
                    &format!("{:.1}", counts.allocations),
                    &format!("{:.0}", counts.bytes),
                ]));
                all.insert(format!("{store}, {ruleset}, {call}"), counts);
            }
        }
        server.stop();
    }
    table(&rows);
    write("allocations-service", &all);
}

/// A server on the current thread.
struct Server {
    runtime: Runtime,
    tasks: LocalSet,
    address: SocketAddr,
    echo_address: SocketAddr,
    stop: CancellationToken,
    served: JoinHandle<()>,
    _redis: Option<Process>,
    _folder: TempDir,
}

impl Server {
    fn start(kind: Store) -> Self {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.expect("a runtime");
        let (redis, folder) = (kind.redis(), tempfile::tempdir().expect("a folder"));
        let flags = kind.flags(redis.as_ref(), folder.path());
        let flags = flags.iter().map(String::as_str);
        let config = ["gamekeeperd", "--workers", "1"].into_iter().chain(flags);
        let config = Config::parse_from(config);
        let (tasks, stop) = (LocalSet::new(), CancellationToken::new());
        let (listener, store) = runtime.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
            let store = stores::open(config.store_config()).await.expect("a store");
            (listener, store)
        });
        let echo = runtime.block_on(TcpListener::bind("127.0.0.1:0"));
        let echo = echo.expect("a port");
        let echo_address = echo.local_addr().expect("an address");
        tasks.spawn_local(serve_on(echo, ECHO_BYTES));
        let address = listener.local_addr().expect("an address");
        // Metrics of tenants belong to one server.
        let telemetry = Arc::new(Telemetry::silent().expect("telemetry"));
        let stopped = stop.clone().cancelled_owned();
        let served = tasks.spawn_local(async move {
            let rulesets = |shared| Registry::all(shared).with_ruleset::<Null>();
            let served = serve::run(
                listener, None, store, &config, &telemetry, rulesets, stopped,
            );
            served.await.expect("a server without faults");
        });
        Self {
            runtime,
            tasks,
            address,
            echo_address,
            stop,
            served,
            _redis: redis,
            _folder: folder,
        }
    }

    /// Runs the server until the future completes.
    fn until<T>(&self, happened: impl Future<Output = T>) -> T {
        self.tasks.block_on(&self.runtime, happened)
    }

    /// Serves a client that plays this ruleset, and counts the allocations.
    fn count(&self, ruleset: &str) -> BTreeMap<Call, Counts> {
        let (phases, mut receiver) = channel::unbounded_channel();
        let address = match ruleset {
            "echo" => self.echo_address,
            _ => self.address,
        };
        let client = start_client(ruleset.to_owned(), address, Phases(phases));
        let mut counted: BTreeMap<Call, Vec<AllocationInfo>> = BTreeMap::new();
        while let Some(Phase { call, begin, end }) = self.until(receiver.recv()) {
            let info = measure(|| {
                self.until(async {
                    begin.send(()).expect("the client waits");
                    end.await.expect("the client says when it is done");
                    // Work that remains after the last response belongs to the round.
                    for _ in 0..GAMES {
                        yield_now().await;
                    }
                });
            });
            if let Some(call) = call {
                counted.entry(call).or_default().push(info);
            }
        }
        client.join().expect("a client without faults");
        counted
            .into_iter()
            .map(|(call, infos)| (call, Counts::of(&infos)))
            .collect()
    }

    fn stop(self) {
        self.stop.cancel();
        let served = self.tasks.block_on(&self.runtime, self.served);
        served.expect("a server without faults");
    }
}

impl Counts {
    /// Returns the mean per call. Each entry counts a round with one call for each game.
    fn of(infos: &[AllocationInfo]) -> Self {
        let calls = float(infos.len() * GAMES);
        let sum = |of: fn(&AllocationInfo) -> u64| {
            let sum: u64 = infos.iter().map(of).sum();
            float(usize::try_from(sum).unwrap_or(usize::MAX)) / calls
        };
        Self {
            allocations: sum(|info| info.count_total),
            bytes: sum(|info| info.bytes_total),
        }
    }
}

/// Starts the client on a thread of its own, whose allocations are not counted.
fn start_client(ruleset: String, server: SocketAddr, phases: Phases) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.expect("a runtime");
        match &*ruleset {
            "echo" => runtime.block_on(client::echo(server, &phases)),
            "null" => runtime.block_on(client::play_null(server, &phases)),
            other => gamekeeper_rules::with_ruleset!(other,
                R => runtime.block_on(client::play::<R>(server, &phases)),
                _ => panic!("there is no ruleset {other:?}")),
        }
    })
}
