//! **Fan-out** to many watchers of one game: the reads and encodings of the server grow with the number of kinds of
//! viewers, not with the number of watchers.

use std::time::Duration;

use bytes::Bytes;
use futures_util::future::join_all;
use gamekeeper_proto::BytesCodec;
use gamekeeper_proto::gamekeeper::v1::{self, Show, ViewerKind};
use gamekeeper_tests::dominion::{SEEN, Table, assert_reason};
use gamekeeper_tests::evidence::Channel;
use gamekeeper_tests::http::ask;
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::server::Gamekeeperd;
use prost::Message;
use tokio::time::timeout;
use tonic::client::Grpc;
use tonic::codegen::http::uri::PathAndQuery;
use tonic::{Code, Request, Streaming};

/// Maximum time until a message arrives.
const SOON: Duration = Duration::from_secs(60);

const ACTIONS: u32 = 20;

/// Builds the requests of three kinds of viewers.
fn kinds(game_id: &str) -> [v1::WatchGameRequest; 3] {
    let ask = v1::WatchGameRequest {
        game_id: game_id.to_owned(),
        ..Default::default()
    };
    let seat = v1::Viewer {
        kind: ViewerKind::Seat.into(),
        seat: 1,
    };
    [
        ask.clone(),
        v1::WatchGameRequest {
            viewer: Some(seat),
            show: Some(SEEN),
            ..ask.clone()
        },
        v1::WatchGameRequest {
            show: Some(Show {
                text: true,
                board: Some(v1::BoardStyle::default()),
                ..SEEN
            }),
            ..ask
        },
    ]
}

/// Opens a watch whose messages are not decoded.
async fn watch(channel: &Channel, path: &'static str, call: &impl Message) -> Streaming<Bytes> {
    let mut client = Grpc::new(channel.clone());
    client.ready().await.unwrap();
    let call = Request::new(Bytes::from(call.encode_to_vec()));
    let path = PathAndQuery::from_static(path);
    let watch = client.server_streaming(call, path, BytesCodec).await;
    let mut watch = watch.unwrap().into_inner();
    next(&mut watch).await;
    watch
}

async fn next(watch: &mut Streaming<Bytes>) -> Bytes {
    let message = timeout(SOON, watch.message()).await.expect("in time");
    message.unwrap().expect("the watch goes on")
}

/// Counts of the server's reads and encodings up to now.
#[derive(Clone, Copy, Debug)]
struct Work {
    reads: f64,
    encoded: f64,
    shared: f64,
}

impl Work {
    async fn of(server: &Gamekeeperd) -> Self {
        let (status, text) = ask(server.admin(), "GET", "/metrics", "").await;
        assert_eq!(status, 200);
        let sum = |name: &str, label: &str| -> f64 {
            let lines = text.lines().filter(|line| line.starts_with(name));
            let lines = lines.filter(|line| line.contains(label));
            let values = lines.map(|line| line.rsplit(' ').next().unwrap());
            values.map(|value| value.parse::<f64>().unwrap()).sum()
        };
        let store = "db_client_operation_duration_seconds_count";
        let messages = "gamekeeper_watch_messages_total";
        Self {
            reads: ["\"load\"", "\"log\""]
                .map(|name| sum(store, name))
                .iter()
                .sum(),
            encoded: sum(messages, "\"encoded\""),
            shared: sum(messages, "\"shared\""),
        }
    }

    fn since(self, before: Self) -> Self {
        Self {
            reads: self.reads - before.reads,
            encoded: self.encoded - before.encoded,
            shared: self.shared - before.shared,
        }
    }
}

/// Plays, and waits after each action until all watchers have received it. Watchers of one kind must get the same
/// bytes.
async fn play(server: &Gamekeeperd, table: &mut Table, kinds: &mut [Vec<Streaming<Bytes>>]) {
    let mut client = server.games();
    for _ in 0..ACTIONS {
        table.pass(&mut client, 1).await.unwrap();
        for watches in &mut *kinds {
            let messages = join_all(watches.iter_mut().map(next)).await;
            assert!(messages.iter().all(|message| *message == messages[0]));
        }
    }
}

fn server(more: &[&str]) -> Gamekeeperd {
    let flags = ["--admin-listen=127.0.0.1:0", "--bookmark-every=1h"];
    Gamekeeperd::start(&[&flags, more].concat())
}

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_watchers_cost_as_many_reads_as_one_and_as_many_messages_as_kinds() {
    let redis = RedisServer::start(&RedisOptions::new());
    let server = server(&["--store=redis", &format!("--redis={}", redis.address())]);
    let mut table = Table::begin(&mut server.games()).await;
    let channel = server.channel();
    let mut all = [Vec::new(), Vec::new(), Vec::new()];
    let path = "/gamekeeper.v1.GameService/WatchGame";
    for number in 0..200 {
        let call = &kinds(&table.game.game_id)[number % 3];
        all[number % 3].push(watch(&channel, path, call).await);
    }
    let before = Work::of(&server).await;
    play(&server, &mut table, &mut all).await;
    let work = Work::of(&server).await.since(before);
    let actions = f64::from(ACTIONS);
    assert!(work.reads <= actions, "{work:?}");
    let expected = (3.0 * actions, 197.0 * actions);
    assert_eq!((work.encoded, work.shared), expected, "{work:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_of_one_game_and_of_many_share_a_feed() {
    let server = server(&["--store=memory"]);
    let mut table = Table::begin(&mut server.games()).await;
    let channel = server.channel();
    let call = &kinds(&table.game.game_id)[1];
    let mut all = [Vec::new(), Vec::new()];
    let many = v1::WatchGamesRequest {
        games: vec![v1::WatchedGame {
            game_id: table.game.game_id.clone(),
            viewer: call.viewer,
            ..Default::default()
        }],
        show: call.show.clone(),
        ..Default::default()
    };
    for _ in 0..20 {
        let path = "/gamekeeper.v1.GameService/WatchGame";
        all[0].push(watch(&channel, path, call).await);
        let path = "/gamekeeper.v1.GameService/WatchGames";
        all[1].push(watch(&channel, path, &many).await);
    }
    let before = Work::of(&server).await;
    play(&server, &mut table, &mut all).await;
    let work = Work::of(&server).await.since(before);
    let actions = f64::from(ACTIONS);
    assert!(work.reads <= actions, "{work:?}");
    let expected = (2.0 * actions, 38.0 * actions);
    assert_eq!((work.encoded, work.shared), expected, "{work:?}");
    // The shared bytes can be decoded to the same table on both kinds of stream.
    table.pass(&mut server.games(), 1).await.unwrap();
    let [one_game, many_games] = all.each_mut().map(|watches| &mut watches[0]);
    let response = v1::WatchGameResponse::decode(next(one_game).await).unwrap();
    let response_of_many = v1::WatchGamesResponse::decode(next(many_games).await).unwrap();
    let Some(v1::watch_games_response::Update::Change(change)) = response_of_many.update else {
        panic!("no change");
    };
    assert!(
        response
            .table
            .as_ref()
            .is_some_and(|table| table.view.is_some())
    );
    assert_eq!(
        (response.table, response.entry),
        (change.table, change.entry)
    );
}

/// If the store fails, every watcher is notified, not only the first one.
#[tokio::test(flavor = "multi_thread")]
async fn every_watcher_hears_that_the_store_has_failed() {
    let redis = RedisServer::start(&RedisOptions::new());
    let address = format!("--redis={}", redis.address());
    let server = Gamekeeperd::start(&["--store=redis", &address, "--bookmark-every=500ms"]);
    let game_id = Table::begin(&mut server.games()).await.game.game_id;
    let mut client = server.games();
    let mut watches = Vec::new();
    for _ in 0..10 {
        let call = v1::WatchGameRequest {
            game_id: game_id.clone(),
            ..Default::default()
        };
        watches.push(client.watch_game(call).await.unwrap().into_inner());
    }
    drop(redis);
    for mut watch in watches {
        let ended = loop {
            match timeout(SOON, watch.message()).await.expect("in time") {
                Ok(message) => drop(message.expect("a reason for the end")),
                Err(status) => break status,
            }
        };
        assert_reason(&ended, Code::Unavailable, "STORE_UNAVAILABLE");
    }
}
