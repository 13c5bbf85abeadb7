//! One game with many watchers: the server's cost of a message to each of them.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::future::join_all;
use gamekeeper_proto::BytesCodec;
use gamekeeper_proto::gamekeeper::dominion::v1 as dominion;
use gamekeeper_proto::gamekeeper::v1 as pb;
use pb::game_service_client::GameServiceClient;
use prost::Message;
use serde::Serialize;
use tokio::time::timeout;
use tonic::client::Grpc;
use tonic::codegen::http::uri::PathAndQuery;
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Streaming};

use crate::report::{row, table, write};
use crate::service::Store;
use crate::service::processes::{Process, build};

/// How much is measured.
#[derive(Clone, Debug, clap::Args)]
pub struct Plan {
    /// Stores
    #[arg(long, value_delimiter = ',', default_values = ["memory", "redis"])]
    stores: Vec<Store>,
    /// Numbers of watchers
    #[arg(long, value_delimiter = ',', default_values = ["1", "100", "1000"])]
    watchers: Vec<usize>,
    /// Messages of each measurement, about
    #[arg(long, default_value_t = 100_000)]
    messages: usize,
    /// Actions of each measurement, at most
    #[arg(long, default_value_t = 2_000)]
    actions: usize,
    /// Threads of the server
    #[arg(long, default_value_t = 1)]
    workers: usize,
    /// Another build of the server, measured instead of the one beside this program
    #[arg(long)]
    server: Option<PathBuf>,
}

/// The measurements with a number of watchers.
#[derive(Debug, Serialize)]
struct Watched {
    store: Store,
    watchers: usize,
    actions: usize,
    message_bytes: usize,
    /// The processor time of the server per action, in microseconds.
    action_us: f64,
    /// The processor time of the server per action without watchers, in microseconds.
    unwatched_us: f64,
    /// The processor time of Redis per action, in microseconds.
    redis_us: Option<f64>,
    /// The median time from the request until the last watcher has the message, in microseconds.
    last_us: f64,
    /// The memory of the server per watcher, in bytes.
    watcher_bytes: f64,
}

impl Watched {
    /// Returns the processor time of the server per message, in microseconds.
    fn message_us(&self) -> f64 {
        (self.action_us - self.unwatched_us) / count(self.watchers)
    }
}

fn count(number: usize) -> f64 {
    u32::try_from(number).map_or(f64::MAX, f64::from)
}

/// Maximum time until a message arrives.
const SOON: Duration = Duration::from_secs(60);

/// The parts that responses and messages contain.
const SHOW: pb::Show = pb::Show {
    view: true,
    events: true,
    text: false,
    board: None,
    components: false,
    drawing: None,
    amounts: false,
    numbers: 0,
    anonymous: false,
};

/// Maximum number of streams on one connection.
const STREAMS: usize = 250;

/// Measures watchers.
///
/// # Panics
/// If anything goes wrong.
pub fn run(plan: &Plan) {
    if plan.server.is_none() {
        build();
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let mut all = Vec::new();
    for store in &plan.stores {
        for watchers in &plan.watchers {
            all.push(runtime.block_on(measure(plan, *store, *watchers)));
        }
    }
    print(&all);
    write("watchers", &all);
}

async fn measure(plan: &Plan, store: Store, watchers: usize) -> Watched {
    let folder = tempfile::tempdir().expect("a folder");
    let redis = store.redis();
    let beside = PathBuf::from("gamekeeperd");
    let name = plan.server.as_ref().unwrap_or(&beside).to_string_lossy();
    let workers = plan.workers.to_string();
    let flags = ["--workers", &workers, "--bookmark-every", "1h"];
    let server = store.server(&name, redis.as_ref(), folder.path(), &flags);
    let mut game = Game::create(&server).await;
    let actions = (plan.messages / watchers).clamp(20, plan.actions);
    // Warm up, then measure the cost of actions without watchers.
    game.play(actions, &mut []).await;
    let before = server.cpu();
    game.play(actions, &mut []).await;
    let unwatched = server.cpu() - before;

    let memory = server.memory();
    let mut watches = Vec::new();
    let mut channel = game.channel.clone();
    for number in 0..watchers {
        if number % STREAMS == 0 {
            channel = connect(&server).await;
        }
        watches.push(watch(&channel, &game.id).await);
    }
    game.play(20, &mut watches).await;
    let memory = server.memory().saturating_sub(memory);
    let cpu = || (server.cpu(), redis.as_ref().map(Process::cpu));
    let before = cpu();
    let (mut took, message_bytes) = game.play(actions, &mut watches).await;
    let after = cpu();
    took.sort_unstable();
    let each = |spent: Duration| spent.as_secs_f64() * 1e6 / count(actions);
    Watched {
        store,
        watchers,
        actions,
        message_bytes,
        action_us: each(after.0 - before.0),
        unwatched_us: each(unwatched),
        redis_us: after
            .1
            .zip(before.1)
            .map(|(after, before)| each(after - before)),
        last_us: took[took.len() / 2].as_secs_f64() * 1e6,
        watcher_bytes: count(memory) / count(watchers),
    }
}

async fn connect(server: &Process) -> Channel {
    let endpoint = Endpoint::from_shared(format!("http://{}", server.address()));
    let connected = endpoint.expect("an address").connect().await;
    connected.expect("a connection")
}

struct Game {
    channel: Channel,
    client: GameServiceClient<Channel>,
    id: String,
    /// The seat with the pending decision.
    seat: u32,
    version: u64,
}

impl Game {
    async fn create(server: &Process) -> Self {
        let channel = connect(server).await;
        let mut client = GameServiceClient::new(channel.clone());
        let player = |name: &str| pb::Player {
            name: name.to_owned(),
            ..pb::Player::default()
        };
        let call = pb::CreateGameRequest {
            ruleset: String::from("dominion"),
            players: vec![player("Ada"), player("Bob")],
            ..Default::default()
        };
        let created = client.create_game(call).await.expect("a game").into_inner();
        let game = created.table.and_then(|table| table.game);
        let game = game.expect("its facts");
        Self {
            channel,
            client,
            id: game.game_id,
            seat: game.pending[0].seat,
            version: game.version,
        }
    }

    /// Ends this number of turns; after each, all watchers read the message. Returns the duration of each turn, and the
    /// size of a message.
    async fn play(
        &mut self,
        turns: usize,
        watches: &mut [Streaming<Bytes>],
    ) -> (Vec<Duration>, usize) {
        let (mut took, mut bytes) = (Vec::with_capacity(turns), 0);
        for _ in 0..turns {
            let kind = dominion::action::Kind::EndTurn(dominion::EndTurn::default());
            let kind = Some(kind);
            let end = pb::action::Ruleset::Dominion(dominion::Action { kind });
            let call = pb::ApplyActionRequest {
                game_id: self.id.clone(),
                seat: self.seat,
                action: Some(pb::Action { ruleset: Some(end) }),
                expected_version: self.version,
                show: Some(SHOW),
                ..Default::default()
            };
            let begun = Instant::now();
            let applied = self.client.apply_action(call).await.expect("an action");
            let table = applied.into_inner().table.expect("a table");
            let game = table.game.expect("its facts");
            (self.seat, self.version) = (game.pending[0].seat, game.version);
            let messages = join_all(watches.iter_mut().map(next)).await;
            took.push(begun.elapsed());
            bytes = messages.first().map_or(0, Bytes::len);
        }
        (took, bytes)
    }
}

async fn watch(channel: &Channel, game_id: &str) -> Streaming<Bytes> {
    let mut client = Grpc::new(channel.clone());
    client.ready().await.expect("a connection");
    let call = pb::WatchGameRequest {
        game_id: game_id.to_owned(),
        show: Some(SHOW),
        ..Default::default()
    };
    let call = Request::new(Bytes::from(call.encode_to_vec()));
    let path = PathAndQuery::from_static("/gamekeeper.v1.GameService/WatchGame");
    let watch = client.server_streaming(call, path, BytesCodec).await;
    let mut watch = watch.expect("a watch").into_inner();
    next(&mut watch).await;
    watch
}

async fn next(watch: &mut Streaming<Bytes>) -> Bytes {
    let message = timeout(SOON, watch.message()).await.expect("in time");
    message.expect("the watch goes on").expect("a message")
}

fn print(all: &[Watched]) {
    let mut rows = vec![row([
        "store",
        "watchers",
        "actions",
        "message B",
        "server us/action",
        "unwatched",
        "server us/message",
        "Redis us/action",
        "last watcher, p50 us",
        "server B/watcher",
    ])];
    for one in all {
        rows.push(vec![
            format!("{:?}", one.store).to_lowercase(),
            one.watchers.to_string(),
            one.actions.to_string(),
            one.message_bytes.to_string(),
            format!("{:.0}", one.action_us),
            format!("{:.0}", one.unwatched_us),
            format!("{:.1}", one.message_us()),
            one.redis_us
                .map_or(String::from("-"), |us| format!("{us:.0}")),
            format!("{:.0}", one.last_us),
            format!("{:.0}", one.watcher_bytes),
        ]);
    }
    table(&rows);
}
