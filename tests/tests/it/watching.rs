//! Watches of a game: the table first, then every version once and in order, also after a disconnect.

use std::time::{Duration, SystemTime};

use gamekeeper_proto::gamekeeper::v1::{self, GameInfo, Show};
use gamekeeper_tests::dominion::{Client, Table, assert_planned_end, assert_reason, reason};
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::store::Store;
use tokio::sync::oneshot;
use tokio::time::timeout;
use tonic::transport::Endpoint;
use tonic::{Code, Streaming};
use tonic_types::StatusExt;

/// Requests the parts that the watches of these tests show.
const ALL: Show = Show {
    view: true,
    events: true,
    text: true,
    board: None,
    components: false,
    drawing: None,
    amounts: false,
    anonymous: false,
    numbers: 0,
};

async fn next(stream: &mut Streaming<v1::WatchGameResponse>) -> v1::WatchGameResponse {
    let message = timeout(Duration::from_secs(30), stream.message())
        .await
        .expect("in time");
    message.unwrap().expect("the watch goes on")
}

/// Records the version of a message. Returns the facts of the game when it is over.
fn note(message: v1::WatchGameResponse, versions: &mut Vec<u64>) -> Option<GameInfo> {
    let Some(table) = message.table else {
        assert_eq!(Some(&message.version), versions.last());
        assert_eq!(message.entry, None);
        return None;
    };
    assert!(table.view.is_some());
    let game = table.game.expect("a game");
    assert_eq!(game.version, message.version);
    let Some(entry) = message.entry else {
        assert!(
            versions.is_empty(),
            "only the first watch begins with a table"
        );
        versions.extend(1..=game.version);
        return None;
    };
    assert_eq!(game.version, entry.version);
    assert!(entry.events.iter().all(|event| !event.text.is_empty()));
    versions.push(entry.version);
    game.pending.is_empty().then_some(game)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_watch_that_is_cut_is_resumed_on_another_process() {
    let store = Store::redis();
    let (one, other) = (store.server(&[]), store.server(&[]));
    let mut table = Table::begin(&mut one.games()).await;
    let game_id = table.game.game_id.clone();
    // A game takes less time than a connection, so it waits for its first watcher.
    let (watched, begin) = oneshot::channel();
    let playing = {
        let mut client = one.games();
        tokio::spawn(async move {
            begin.await.unwrap();
            table.play(&mut client, 10_000).await.unwrap();
            table.game
        })
    };
    let mut watched = Some(watched);

    let mut versions = Vec::new();
    let mut over = None;
    while over.is_none() {
        let server = if versions.len() % 2 == 0 {
            &other
        } else {
            &one
        };
        let ask = v1::WatchGameRequest {
            game_id: game_id.clone(),
            after_version: versions.last().copied().unwrap_or(0),
            show: Some(ALL),
            ..Default::default()
        };
        let mut watch = server.games().watch_game(ask).await.unwrap().into_inner();
        // Each watch is cut after seven messages.
        for _ in 0..7 {
            over = note(next(&mut watch).await, &mut versions);
            if let Some(watched) = watched.take() {
                watched.send(()).unwrap();
            }
            if over.is_some() {
                break;
            }
        }
    }
    let end = over.expect("the end of the game");
    let played = playing.await.unwrap();
    assert_eq!(end, played);
    assert_eq!(versions, (1..=played.version).collect::<Vec<u64>>());
}

#[tokio::test]
async fn an_idle_watch_shows_that_it_is_alive_and_a_stopping_server_ends_it() {
    let mut server =
        Gamekeeperd::start(&["--store=memory", "--bookmark-every=100ms", "--drain=5s"]);
    let table = Table::begin(&mut server.games()).await;
    let ask = v1::WatchGameRequest {
        game_id: table.game.game_id,
        after_version: 1,
        ..Default::default()
    };
    let mut watch = server.games().watch_game(ask).await.unwrap().into_inner();
    for _ in 0..3 {
        let mut message = next(&mut watch).await;
        is_now(message.server_time.take());
        let alive = v1::WatchGameResponse {
            version: 1,
            ..Default::default()
        };
        assert_eq!(message, alive);
    }
    let stopped = tokio::task::spawn_blocking(move || server.stop());
    let ended = loop {
        match watch.message().await {
            Ok(Some(_)) => {}
            Ok(None) => panic!("a watch does not end without a reason"),
            Err(status) => break status,
        }
    };
    assert_planned_end(&ended, "SHUTDOWN");
    assert!(stopped.await.unwrap(), "the server ends well");
}

/// Checks that this is the current time of the server, which runs on this machine.
pub(crate) fn is_now(time: Option<prost_types::Timestamp>) {
    let time = SystemTime::try_from(time.expect("the time of the server")).unwrap();
    let now = SystemTime::now();
    let apart = now.duration_since(time).or(time.duration_since(now));
    assert!(apart.unwrap() < Duration::from_secs(10), "{time:?}");
}

/// The caller may be gone without a word, so its deadline is kept by the server too.
#[tokio::test(flavor = "multi_thread")]
async fn a_deadline_ends_a_watch_on_the_server() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let game_id = Table::begin(&mut server.games()).await.game.game_id;
    let mut watch = tonic::Request::new(v1::WatchGameRequest {
        game_id,
        ..Default::default()
    });
    watch.set_timeout(Duration::from_secs(4));
    let mut stream = server.games().watch_game(watch).await.unwrap().into_inner();
    assert!(next(&mut stream).await.table.is_some());
    let ended = timeout(Duration::from_secs(30), stream.message()).await;
    let ended = ended.expect("in time").unwrap_err();
    assert_reason(&ended, Code::DeadlineExceeded, "DEADLINE");
}

/// Every response has the time of the server: those about games, those of streams, and refusals.
#[tokio::test]
async fn every_answer_has_the_time_of_the_server() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let table = Table::begin(&mut server.games()).await;
    let of = |headers: &tonic::metadata::MetadataMap| {
        let ms = headers
            .get("gamekeeper-time")
            .expect("the time of the server");
        let ms: i64 = ms.to_str().unwrap().parse().unwrap();
        is_now(Some(prost_types::Timestamp {
            seconds: ms / 1_000,
            nanos: 0,
        }));
    };
    let game_id = table.game.game_id;
    let ask = |game_id: &str| v1::GetGameRequest {
        game_id: game_id.to_owned(),
        ..Default::default()
    };
    of(server
        .games()
        .get_game(ask(&game_id))
        .await
        .unwrap()
        .metadata());
    let refused = server.games().get_game(ask("no game")).await.unwrap_err();
    of(refused.metadata());
    let watch = v1::WatchGameRequest {
        game_id,
        ..Default::default()
    };
    of(server.games().watch_game(watch).await.unwrap().metadata());
}

/// Opens a watch as soon as a slot is free.
async fn placed(
    client: &mut Client,
    ask: &v1::WatchGameRequest,
) -> Streaming<v1::WatchGameResponse> {
    let placed = async {
        loop {
            match client.watch_game(ask.clone()).await {
                Ok(watch) => return watch.into_inner(),
                Err(status) => assert_eq!(reason(&status).1, "LIMIT_EXCEEDED"),
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(Duration::from_secs(20), placed)
        .await
        .expect("a place")
}

/// A client that reads nothing (**slow consumer**) loses its slot and its buffered data. When it reads again, it gets
/// what was already sent, learns where to resume, and misses nothing.
#[tokio::test(flavor = "multi_thread")]
async fn a_watch_that_is_not_read_ends_and_can_be_resumed() {
    let flags = [
        "--store=memory",
        "--watch-patience=300ms",
        "--max-watches=1",
    ];
    let server = Gamekeeperd::start(&flags);
    let mut client = server.games();
    let mut table = Table::begin(&mut client).await;
    let game_id = table.game.game_id.clone();
    let ask = |after_version| v1::WatchGameRequest {
        game_id: game_id.clone(),
        after_version,
        show: Some(ALL),
        ..Default::default()
    };
    // A small window fills up soon.
    let small = Endpoint::from_shared(format!("http://{}", server.address())).unwrap();
    let small = small.initial_stream_window_size(65_535);
    let small = small.initial_connection_window_size(65_535);
    let mut reader = Client::new(server.noted(small.connect_lazy()));
    let mut watch = reader.watch_game(ask(0)).await.unwrap().into_inner();
    // More than fits in the window.
    table.pass(&mut client, 2_000).await.unwrap();

    // The only slot is free again while the first reader still sleeps.
    drop(placed(&mut client, &ask(1)).await);

    let mut versions = Vec::new();
    let ended = loop {
        match watch.message().await {
            Ok(message) => {
                note(message.unwrap(), &mut versions);
            }
            Err(status) => break status,
        }
    };
    assert_reason(&ended, Code::Unavailable, "WATCH_TOO_SLOW");
    let details = ended.get_error_details();
    let last = versions.last().unwrap().to_string();
    assert_eq!(details.error_info().unwrap().metadata["version"], last);

    let after = *versions.last().unwrap();
    let mut watch = placed(&mut reader, &ask(after)).await;
    while versions.last() < Some(&table.game.version) {
        note(next(&mut watch).await, &mut versions);
    }
    assert_eq!(versions, (1..=table.game.version).collect::<Vec<u64>>());
}

/// The store comes back without its newest versions, and others take their place. Neither an open watch nor a resumed
/// one continues with them as if nothing had happened.
#[tokio::test(flavor = "multi_thread")]
async fn a_watch_does_not_go_on_with_another_history() {
    let redis = RedisServer::start(&RedisOptions::new());
    let flags = ["--store=redis", &format!("--redis={}", redis.address())];
    let server = Gamekeeperd::start(&flags);
    let mut client = server.games();
    let mut table = Table::begin(&mut client).await;
    let game_id = table.game.game_id.clone();
    table.play(&mut client, 4).await.unwrap();
    let saved_table = table.clone();
    let log = format!("gk:{{{game_id}}}:log");
    let saved: Vec<u8> = redis.ask(&["DUMP", &log]);

    let ask = |after: Option<&GameInfo>| v1::WatchGameRequest {
        game_id: game_id.clone(),
        viewer: None,
        after_version: after.map_or(0, |game| game.version),
        after_time: after.and_then(|game| game.update_time),
        show: Some(ALL),
    };
    let mut watch = client
        .clone()
        .watch_game(ask(None))
        .await
        .unwrap()
        .into_inner();
    table.play(&mut client, 2).await.unwrap();
    let lost = table.game.clone();
    let mut versions = Vec::new();
    while versions.last() < Some(&lost.version) {
        note(next(&mut watch).await, &mut versions);
    }

    server_forgets(&redis, &log, &saved);
    let mut table = saved_table;
    // Enough time for the times of the versions to differ.
    tokio::time::sleep(Duration::from_millis(5)).await;
    table.play(&mut client, 2).await.unwrap();
    let first_read = table.game.clone();
    assert_eq!(first_read.version, lost.version);
    table.play(&mut client, 1).await.unwrap();

    let gone = (Code::OutOfRange, String::from("NO_SUCH_VERSION"));
    let ended = timeout(Duration::from_secs(30), watch.message())
        .await
        .unwrap();
    assert_eq!(reason(&ended.unwrap_err()), gone);
    let resumed = client.watch_game(ask(Some(&lost))).await;
    assert_eq!(reason(&resumed.unwrap_err()), gone);
    let mut resumed = client
        .watch_game(ask(Some(&first_read)))
        .await
        .unwrap()
        .into_inner();
    let mut versions = vec![first_read.version];
    note(next(&mut resumed).await, &mut versions);
    assert_eq!(versions, [first_read.version, table.game.version]);
}

/// Restores the log to a saved state.
fn server_forgets(redis: &RedisServer, log: &str, saved: &[u8]) {
    redis.ask_bytes::<String>(&[b"RESTORE", log.as_bytes(), b"0", saved, b"REPLACE"]);
}
