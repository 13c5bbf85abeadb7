//! Following a game: the table first, then every version once and in order, also after a cut.

use std::time::Duration;

use gamekeeper_proto::gamekeeper::dominion::v1 as pb;
use gamekeeper_proto::gamekeeper::v1::{GameInfo, ViewMode};
use gamekeeper_tests::dominion::{Table, players, reason};
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::server::Gamekeeperd;
use pb::watch_game_response::Update;
use tokio::time::timeout;
use tonic::{Code, Streaming};

async fn update(stream: &mut Streaming<pb::WatchGameResponse>) -> Update {
    let message = timeout(Duration::from_secs(10), stream.message())
        .await
        .expect("in time");
    message
        .unwrap()
        .expect("the watch goes on")
        .update
        .expect("an update")
}

/// Notes the versions of an update; gives the facts of the game when it is over.
fn note(update: Update, seen: &mut Vec<u64>) -> Option<GameInfo> {
    match update {
        Update::Start(start) => {
            assert!(seen.is_empty(), "only the first watch begins with a table");
            seen.extend(1..=start.game.expect("a game").version);
            None
        }
        Update::Version(version) => {
            let (game, logged) = (
                version.game.expect("a game"),
                version.logged.expect("events"),
            );
            assert_eq!(game.version, logged.version);
            assert!(version.view.is_some());
            assert!(logged.events.iter().all(|event| !event.text.is_empty()));
            seen.push(logged.version);
            game.pending.is_empty().then_some(game)
        }
        Update::Bookmark(bookmark) => {
            assert_eq!(Some(&bookmark.version), seen.last());
            None
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_watch_that_is_cut_is_resumed_on_another_process() {
    let redis = RedisServer::start(&RedisOptions::new());
    let flags = ["--store=redis", &format!("--redis={}", redis.address())];
    let (one, other) = (Gamekeeperd::start(&flags), Gamekeeperd::start(&flags));
    let create = pb::CreateGameRequest {
        players: players(&["Ada", "Bob"]),
        ..Default::default()
    };
    let mut table = Table::of(
        one.dominion()
            .create_game(create)
            .await
            .unwrap()
            .into_inner(),
    );
    let game_id = table.game.game_id.clone();
    let playing = {
        let mut client = one.dominion();
        tokio::spawn(async move {
            table.play(&mut client, 10_000).await.unwrap();
            table.game
        })
    };

    let mut seen = Vec::new();
    let mut over = None;
    while over.is_none() {
        let server = if seen.len() % 2 == 0 { &other } else { &one };
        let ask = pb::WatchGameRequest {
            game_id: game_id.clone(),
            after_version: seen.last().copied().unwrap_or(0),
            view_mode: ViewMode::Seat.into(),
            with_text: true,
            ..Default::default()
        };
        let mut watch = server
            .dominion()
            .watch_game(ask)
            .await
            .unwrap()
            .into_inner();
        // Cut after seven messages.
        for _ in 0..7 {
            over = note(update(&mut watch).await, &mut seen);
            if over.is_some() {
                break;
            }
        }
    }
    let end = over.expect("the end of the game");
    let played = playing.await.unwrap();
    assert_eq!(end, played);
    assert_eq!(seen, (1..=played.version).collect::<Vec<u64>>());
}

#[tokio::test]
async fn an_idle_watch_shows_that_it_is_alive_and_a_stopping_server_ends_it() {
    let mut server =
        Gamekeeperd::start(&["--store=memory", "--bookmark-every=100ms", "--drain=5s"]);
    let create = pb::CreateGameRequest {
        players: players(&["Ada", "Bob"]),
        ..Default::default()
    };
    let table = Table::of(
        server
            .dominion()
            .create_game(create)
            .await
            .unwrap()
            .into_inner(),
    );
    let ask = pb::WatchGameRequest {
        game_id: table.game.game_id,
        after_version: 1,
        ..Default::default()
    };
    let mut watch = server
        .dominion()
        .watch_game(ask)
        .await
        .unwrap()
        .into_inner();
    for _ in 0..3 {
        assert_eq!(
            update(&mut watch).await,
            Update::Bookmark(pb::WatchBookmark { version: 1 })
        );
    }
    let stopped = tokio::task::spawn_blocking(move || server.stop());
    let ended = loop {
        match watch.message().await {
            Ok(Some(_)) => {}
            Ok(None) => panic!("a watch does not end without a reason"),
            Err(status) => break status,
        }
    };
    assert_eq!(
        reason(&ended),
        (Code::Unavailable, String::from("GOING_AWAY"))
    );
    assert!(stopped.await.unwrap(), "the server ends well");
}
