//! `WatchGames`: many games on one stream, without gaps or duplicates.

use std::collections::BTreeMap;
use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_tests::dominion::{Table, facts, reason};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::store::Store;
use gamekeeper_tests::tokens::{BLUE, KeyFiles, RED, bearing};
use pb::watch_games_response::Update;
use pb::{GameStatus, WatchGamesRequest, WatchedGame};
use tokio::time::timeout;
use tonic::{Code, Status, Streaming};

use super::backend::Backend;
use super::{VIEW, house, new_table, seat_user};
use crate::watching::is_now;

pub(super) type Messages = Streaming<pb::WatchGamesResponse>;

pub(super) async fn watch(
    server: &Gamekeeperd,
    token: &str,
    call: WatchGamesRequest,
) -> Result<Messages, Status> {
    let answers = server.games().watch_games(bearing(token, call)).await?;
    Ok(answers.into_inner())
}

pub(super) fn of_user(user: &str) -> WatchGamesRequest {
    WatchGamesRequest {
        user: user.to_owned(),
        ..Default::default()
    }
}

pub(super) fn after(table: &Table, after_version: u64) -> WatchedGame {
    WatchedGame {
        game_id: table.game.game_id.clone(),
        after_version,
        ..Default::default()
    }
}

/// Reads the next message with news.
pub(super) async fn next(messages: &mut Messages) -> Update {
    let news = async {
        loop {
            if let Some(news) = messages.message().await.unwrap().unwrap().update {
                return news;
            }
        }
    };
    timeout(Duration::from_secs(30), news).await.expect("news")
}

pub(super) async fn change(messages: &mut Messages) -> (String, u64) {
    let game = next_game_info(messages).await;
    (game.game_id, game.version)
}

/// Returns the public facts of the next change.
pub(super) async fn next_game_info(messages: &mut Messages) -> pb::GameInfo {
    facts(Some(table(messages).await))
}

/// Returns the table of the next change.
pub(super) async fn table(messages: &mut Messages) -> pb::Table {
    match next(messages).await {
        Update::Change(change) => change.table.unwrap(),
        Update::Left(left) => panic!("{left:?}"),
    }
}

/// Checks that the next message is a bookmark without news, with this number of games.
pub(super) async fn silent(messages: &mut Messages, games: u32) {
    let next = timeout(Duration::from_secs(30), messages.message()).await;
    let mut message = next.unwrap().unwrap().unwrap();
    is_now(message.server_time.take());
    let alive = pb::WatchGamesResponse {
        games,
        ..Default::default()
    };
    assert_eq!(message, alive);
}

pub(super) fn id(table: &Table) -> String {
    table.game.game_id.clone()
}

#[tokio::test]
async fn named_games_are_followed_version_by_version() {
    let (server, _keys) = house();
    let mut client = server.games();
    let mut one = new_table(&server, RED, &["ada", "bob"]).await;
    let two = new_table(&server, RED, &["", ""]).await;
    one.pass(&mut client, 4).await.unwrap();
    let missing = WatchedGame {
        game_id: String::from("00000000-0000-4000-8000-000000000000"),
        ..Default::default()
    };
    let foreign = new_table(&server, BLUE, &["ada", "bob"]).await;
    let call = WatchGamesRequest {
        games: vec![
            after(&one, 2),
            after(&two, 0),
            missing.clone(),
            after(&foreign, 0),
        ],
        ..Default::default()
    };
    let mut messages = watch(&server, RED, call).await.unwrap();
    let (mut versions, mut gone) = (BTreeMap::<String, Vec<u64>>::new(), Vec::new());
    for _ in 0..6 {
        match next(&mut messages).await {
            Update::Change(change) => {
                assert_eq!(change.entry, None, "nobody asked for events");
                let table = change.table.unwrap();
                assert_eq!(table.view, None, "nobody asked for views");
                let game = table.game.unwrap();
                versions.entry(game.game_id).or_default().push(game.version);
            }
            Update::Left(left) => {
                assert_eq!(left.problem.unwrap().reason, "NO_SUCH_GAME");
                gone.push(left.game_id);
            }
        }
    }
    let expected = [(id(&one), vec![3, 4, 5]), (id(&two), vec![1])];
    assert_eq!(versions, BTreeMap::from(expected));
    gone.sort_unstable();
    let mut expected = vec![missing.game_id, id(&foreign)];
    expected.sort_unstable();
    assert_eq!(gone, expected);
}

#[tokio::test]
async fn a_deleted_game_is_left_and_the_stream_goes_on() {
    let (server, _keys) = house();
    let mut client = server.games();
    let mut one = new_table(&server, RED, &["ada", "bob"]).await;
    let mut two = new_table(&server, RED, &["", ""]).await;
    let call = WatchGamesRequest {
        games: vec![after(&one, 1), after(&two, 1)],
        ..Default::default()
    };
    let mut messages = watch(&server, RED, call).await.unwrap();
    two.pass(&mut client, 1).await.unwrap();
    assert_eq!(change(&mut messages).await, (id(&two), 2));
    one.pass(&mut client, 1).await.unwrap();
    assert_eq!(change(&mut messages).await, (id(&one), 2));
    let delete = pb::DeleteGameRequest {
        game_id: id(&two),
        ..Default::default()
    };
    let deleted = server.games().delete_game(bearing(RED, delete)).await;
    deleted.unwrap();
    let Update::Left(left) = next(&mut messages).await else {
        panic!("a game that is gone is left");
    };
    assert_eq!(left.game_id, id(&two));
    assert!(left.problem.is_some());
    one.pass(&mut client, 1).await.unwrap();
    assert_eq!(change(&mut messages).await, (id(&one), 3));
}

#[tokio::test]
async fn the_games_of_a_user_come_and_go() {
    let (keys, brief) = (KeyFiles::new(), "--bookmark-every=1s");
    let server = keys.server(&["--store=memory", brief]);
    let mut client = server.games();
    let mut one = new_table(&server, RED, &["ada", "bob"]).await;
    let other = new_table(&server, RED, &["bob", "cyd"]).await;
    let foreign = new_table(&server, BLUE, &["ada", "bob"]).await;
    let mut messages = watch(&server, RED, of_user("ada")).await.unwrap();
    assert_eq!(change(&mut messages).await, (id(&one), 1));
    silent(&mut messages, 1).await;
    one.pass(&mut client, 1).await.unwrap();
    assert_eq!(change(&mut messages).await, (id(&one), 2));
    let mut two = new_table(&server, RED, &["cyd", "ada"]).await;
    assert_eq!(change(&mut messages).await, (id(&two), 1), "a new one");
    let update = async |table: &Table, seat, user: &str| {
        let call = pb::UpdateGameRequest {
            game_id: id(table),
            players: vec![seat_user(seat, user)],
            ..Default::default()
        };
        server
            .games()
            .update_game(bearing(RED, call))
            .await
            .unwrap();
    };
    update(&other, 2, "ada").await;
    assert_eq!(change(&mut messages).await, (id(&other), 1), "a new seat");
    update(&one, 1, "eve").await;
    let left = pb::GameLeft {
        game_id: id(&one),
        problem: None,
    };
    assert_eq!(next(&mut messages).await, Update::Left(left));
    one.pass(&mut client, 1).await.unwrap();
    two.play(&mut client, 2_000).await.unwrap();
    let end = two.game.version;
    for version in 2..=end {
        let game = next_game_info(&mut messages).await;
        assert_eq!(
            (&*game.game_id, game.version),
            (&*two.game.game_id, version)
        );
        let is_over = game.status == i32::from(GameStatus::Finished);
        assert_eq!(is_over, version == end);
    }
    // The other games are over, left or of another tenant.
    loop {
        let message = messages.message().await.unwrap().unwrap();
        assert_eq!(message.update, None);
        if message.games == 1 {
            break;
        }
    }
    drop(foreign);
}

#[tokio::test]
async fn views_are_those_of_the_users_seat() {
    let (server, _keys) = house();
    let tables = [
        new_table(&server, RED, &["ada", "bob"]).await,
        new_table(&server, RED, &["bob", "ada"]).await,
    ];
    let call = WatchGamesRequest {
        show: Some(VIEW),
        ..of_user("ada")
    };
    let mut messages = watch(&server, RED, call).await.unwrap();
    for _ in &tables {
        let reported = table(&mut messages).await;
        let game_id = reported.game.as_ref().unwrap().game_id.clone();
        let seat = if game_id == id(&tables[0]) { 1 } else { 2 };
        let look = pb::GetGameRequest {
            game_id,
            show: Some(VIEW),
            viewer: Some(pb::Viewer {
                kind: pb::ViewerKind::Seat.into(),
                seat,
            }),
            ..Default::default()
        };
        let alone = server.games().get_game(bearing(RED, look)).await;
        assert_eq!(Some(reported), alone.unwrap().into_inner().table);
    }
    // A seat can follow only its own game, with its own view.
    let named = WatchGamesRequest {
        games: vec![WatchedGame {
            viewer: Some(pb::Viewer {
                kind: pb::ViewerKind::Seat.into(),
                seat: 1,
            }),
            ..after(&tables[0], 0)
        }],
        show: Some(VIEW),
        ..Default::default()
    };
    let token = tables[0].token(1);
    let mut own_messages = watch(&server, token, named).await.unwrap();
    let reported = table(&mut own_messages).await;
    assert!(reported.view.is_some());
    assert_eq!(
        reported.game.unwrap().players[0].user,
        "",
        "users are not told to seats"
    );
}

#[tokio::test]
async fn a_stream_has_bounds() {
    let (server, _keys) = house();
    let table = new_table(&server, RED, &["ada", "bob"]).await;
    let failed = async |token: &str, call| reason(&watch(&server, token, call).await.unwrap_err());
    let malformed = (Code::InvalidArgument, String::from("MALFORMED"));
    let twice = WatchGamesRequest {
        games: vec![after(&table, 0), after(&table, 1)],
        ..Default::default()
    };
    for wrong in [
        WatchGamesRequest::default(),
        twice,
        of_user(&"x".repeat(65)),
    ] {
        assert_eq!(failed(RED, wrong).await, malformed);
    }
    let mut nobody = watch(&server, RED, of_user("nobody")).await.unwrap();
    silent(&mut nobody, 0).await;
    let ahead = WatchGamesRequest {
        games: vec![after(&table, 7)],
        ..Default::default()
    };
    let mut ahead = watch(&server, RED, ahead).await.unwrap();
    let Update::Left(left) = next(&mut ahead).await else {
        panic!("there is no such version");
    };
    assert_eq!(left.problem.unwrap().reason, "NO_SUCH_VERSION");
}

/// Kills servers while ten games are played, and checks that each version arrives once.
async fn nothing_is_missed(store: Store) {
    let keys = KeyFiles::new();
    let begin = || keys.server(&store.with(&[]));
    let mut server = begin();
    let mut tables = Vec::new();
    for _ in 0..10 {
        tables.push(new_table(&server, RED, &["ada", "bob"]).await);
    }
    let mut backend = Backend::default();
    for round in 1..=3_u64 {
        let mut messages = watch(&server, RED, backend.ask()).await.unwrap();
        let mut client = server.games();
        let play = async {
            for turn in 0..4 {
                for table in &mut tables {
                    table.pass(&mut client, 1).await.unwrap();
                }
                if turn == 1 {
                    tokio::task::yield_now().await;
                }
            }
        };
        let version_count = usize::try_from(round).unwrap() * 40 - 25;
        let ((), ()) = tokio::join!(play, backend.read(&mut messages, version_count));
        server.kill();
        backend.read(&mut messages, usize::MAX).await;
        server = begin();
    }
    let mut messages = watch(&server, RED, backend.ask()).await.unwrap();
    assert_eq!(backend.versions_by_game.len(), tables.len());
    backend.read_whole(&mut messages, tables.len(), 13).await;
}

#[tokio::test]
async fn nothing_is_missed_of_games_on_disk_when_servers_are_killed() {
    nothing_is_missed(Store::embedded()).await;
}

#[tokio::test]
async fn nothing_is_missed_of_games_in_redis_when_servers_are_killed() {
    nothing_is_missed(Store::redis()).await;
}

#[tokio::test]
async fn what_another_server_plays_is_reported() {
    let (keys, store) = (KeyFiles::new(), Store::redis());
    let flags = store.with(&["--bookmark-every=60s"]);
    let (plays, tells) = (keys.server(&flags), keys.server(&flags));
    let mut messages = watch(&tells, RED, of_user("ada")).await.unwrap();
    silent(&mut messages, 0).await;
    let mut table = new_table(&plays, RED, &["ada", "bob"]).await;
    assert_eq!(change(&mut messages).await, (id(&table), 1));
    table.pass(&mut plays.games(), 3).await.unwrap();
    for version in 2..=4 {
        assert_eq!(change(&mut messages).await, (id(&table), version));
    }
}
