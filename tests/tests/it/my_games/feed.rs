//! The feed of a tenant: all changes in its games, resumed by a cursor.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_tests::dominion::{Table, facts};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::store::Store;
use gamekeeper_tests::tokens::{BLUE, KeyFiles, RED, bearing};
use pb::watch_games_response::Update;
use pb::{GameFilter, GameStatus, WatchGamesRequest, WatchGamesResponse};
use tokio::time::timeout;

use super::watch::{Messages, id, watch};
use super::{VIEW, asking_for, house, labels, new_table, seat_user, try_new_table};

/// Requests the feed of all games of a tenant.
pub(super) fn all() -> WatchGamesRequest {
    of(GameFilter::default())
}

pub(super) fn of(filter: GameFilter) -> WatchGamesRequest {
    WatchGamesRequest {
        filter: Some(filter),
        ..Default::default()
    }
}

/// Starts the feed shortly before this test changed anything.
fn since(call: WatchGamesRequest, begun: SystemTime) -> WatchGamesRequest {
    WatchGamesRequest {
        from_time: Some((begun - Duration::from_millis(500)).into()),
        ..call
    }
}

pub(super) async fn message(messages: &mut Messages) -> WatchGamesResponse {
    let next = timeout(Duration::from_secs(30), messages.message()).await;
    let message = next.expect("a message").unwrap().unwrap();
    assert!(!message.cursor.is_empty(), "every message has a cursor");
    message
}

/// Reads the next message with news.
async fn news(messages: &mut Messages) -> WatchGamesResponse {
    loop {
        let message = message(messages).await;
        if message.update.is_some() {
            return message;
        }
    }
}

/// Returns the content of a message: the game and its version, or 0 if the feed left the game.
fn reported(message: &WatchGamesResponse) -> (String, u64) {
    match message.update.clone().unwrap() {
        Update::Change(change) => {
            let game = facts(change.table);
            (game.game_id, game.version)
        }
        Update::Left(left) => (left.game_id, 0),
    }
}

async fn read_updates(messages: &mut Messages, count: usize) -> Vec<(String, u64)> {
    let mut updates = Vec::new();
    while updates.len() < count {
        updates.push(reported(&news(messages).await));
    }
    updates
}

/// Opens a stream and reads its first message, after which the stream is positioned.
async fn begun(server: &Gamekeeperd, token: &str, call: WatchGamesRequest) -> Messages {
    let mut messages = watch(server, token, call).await.unwrap();
    assert_eq!(message(&mut messages).await.update, None);
    messages
}

async fn delete(server: &Gamekeeperd, table: &Table) {
    let call = pb::DeleteGameRequest {
        game_id: id(table),
        ..Default::default()
    };
    let deleted = server.games().delete_game(bearing(RED, call)).await;
    deleted.unwrap();
}

async fn update(server: &Gamekeeperd, call: pb::UpdateGameRequest) {
    let updated = server.games().update_game(bearing(RED, call)).await;
    updated.unwrap();
}

/// On each store, changes of games that are missed while no stream is open (created, played, changed, ended, deleted)
/// are reported later, in the order of each game, from every cursor.
#[tokio::test(flavor = "multi_thread")]
async fn a_back_end_that_was_away_gets_all_that_it_missed() {
    let keys = KeyFiles::new();
    for store in [Store::memory(), Store::embedded(), Store::redis()] {
        let server = keys.server(&store.with(&[]));
        let start = {
            let mut messages = watch(&server, RED, all()).await.unwrap();
            message(&mut messages).await.cursor
        };
        let mut one = new_table(&server, RED, &["ada", "bob"]).await;
        let mut two = new_table(&server, RED, &["cyd", "dan"]).await;
        let _foreign = new_table(&server, BLUE, &["eve", "fay"]).await;
        one.pass(&mut server.games(), 3).await.unwrap();
        two.pass(&mut server.games(), 2).await.unwrap();
        let renamed = pb::UpdateGameRequest {
            game_id: id(&one),
            players: vec![seat_user(1, "gus")],
            ..Default::default()
        };
        update(&server, renamed).await;
        one.pass(&mut server.games(), 1).await.unwrap();
        let end = pb::EndGameRequest {
            game_id: id(&one),
            ..Default::default()
        };
        let ended = server.games().end_game(bearing(RED, end)).await;
        ended.unwrap();
        delete(&server, &two).await;

        let resumed = |cursor: &str| WatchGamesRequest {
            cursor: cursor.to_owned(),
            ..all()
        };
        let mut messages = watch(&server, RED, resumed(&start)).await.unwrap();
        let mut received = Vec::new();
        while received.last().map(reported) != Some((id(&two), 0)) {
            received.push(news(&mut messages).await);
        }
        let first: Vec<_> = received.iter().map(reported).collect();
        let of = |game: &Table| {
            let versions = first.iter().filter(|(game_id, _)| *game_id == id(game));
            versions.map(|(_, version)| *version).collect::<Vec<_>>()
        };
        assert_eq!(of(&one), [1, 2, 3, 4, 5, 6], "{store:?}");
        assert_eq!(of(&two), [0], "{store:?}: what is gone has no versions");
        let Some(Update::Change(last)) = &received[first.len() - 2].update else {
            panic!("the end of the first game");
        };
        assert_eq!(facts(last.table.clone()).status(), GameStatus::Finished);
        for (at, message) in received.iter().enumerate().take(first.len() - 1) {
            let mut again = watch(&server, RED, resumed(&message.cursor)).await.unwrap();
            is_covered(&mut again, &first[at + 1..]).await;
        }
    }
}

/// Checks that each expected version arrives, in order within each game. Others may arrive before.
async fn is_covered(messages: &mut Messages, expected: &[(String, u64)]) {
    let mut missing: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    for (game, version) in expected {
        missing.entry(game).or_default().push(*version);
    }
    while missing.values().any(|versions| !versions.is_empty()) {
        let (game, version) = reported(&news(messages).await);
        if let Some(versions) = missing.get_mut(&*game)
            && versions.first() == Some(&version)
        {
            versions.remove(0);
        }
    }
}

#[tokio::test]
async fn what_happens_is_told_as_it_happens() {
    let (server, _keys) = house();
    let show = pb::Show {
        events: true,
        text: true,
        ..VIEW
    };
    let call = WatchGamesRequest {
        show: Some(show),
        ..all()
    };
    let mut messages = begun(&server, RED, call).await;
    let mut table = new_table(&server, RED, &["ada", "bob"]).await;
    let began = news(&mut messages).await;
    assert_eq!(reported(&began), (id(&table), 1));
    let first = table.game.pending[0].seat;
    table.pass(&mut server.games(), 1).await.unwrap();
    let Some(Update::Change(change)) = news(&mut messages).await.update else {
        panic!("a turn");
    };
    let entry = change.entry.unwrap();
    assert_eq!((entry.version, entry.seat), (2, first));
    assert!(entry.events.iter().all(|event| !event.text.is_empty()));
    let shown = change.table.unwrap();
    let look = pb::GetGameRequest {
        game_id: id(&table),
        viewer: Some(pb::Viewer {
            kind: pb::ViewerKind::Spectator.into(),
            seat: 0,
        }),
        show: Some(VIEW),
        ..Default::default()
    };
    let spectator = server.games().get_game(bearing(RED, look)).await.unwrap();
    assert_eq!(
        Some(shown),
        spectator.into_inner().table,
        "spectators see as much"
    );
}

#[tokio::test]
async fn a_viewer_is_named_for_a_game() {
    let (server, _keys) = house();
    let begun = SystemTime::now();
    let tables = [
        new_table(&server, RED, &["ada", "bob"]).await,
        new_table(&server, RED, &["ada", "bob"]).await,
    ];
    let seat = pb::Viewer {
        kind: pb::ViewerKind::Seat.into(),
        seat: 2,
    };
    let named = pb::WatchedGame {
        game_id: id(&tables[1]),
        viewer: Some(seat),
        ..Default::default()
    };
    let call = WatchGamesRequest {
        games: vec![named],
        show: Some(VIEW),
        ..since(all(), begun)
    };
    let mut messages = watch(&server, RED, call).await.unwrap();
    for (table, kind) in tables
        .iter()
        .zip([pb::ViewerKind::Spectator, pb::ViewerKind::Seat])
    {
        let Some(Update::Change(change)) = news(&mut messages).await.update else {
            panic!("a game");
        };
        let shown = change.table.unwrap();
        assert_eq!(shown.game.unwrap().game_id, id(table));
        assert_eq!(shown.viewer.unwrap().kind(), kind);
    }
}

#[tokio::test]
async fn a_filter_selects_games_by_label_user_and_ruleset() {
    let (server, _keys) = house();
    let begun = SystemTime::now();
    let gold = asking_for(&["ada", "bob"], &[("league", "gold")]);
    let gold = try_new_table(&server, RED, gold).await.unwrap();
    let plain = new_table(&server, RED, &["bob", "cyd"]).await;
    let other = pb::CreateGameRequest {
        ruleset: String::from("kingsburg"),
        ..asking_for(&["ada", "eve"], &[])
    };
    let other = server.games().create_game(bearing(RED, other)).await;
    let other = other.unwrap();
    let other = facts(other.into_inner().table).game_id;
    let of_label = GameFilter {
        labels: labels(&[("league", "gold")]),
        ..Default::default()
    };
    let of_user = GameFilter {
        user: String::from("ada"),
        ..Default::default()
    };
    let of_ruleset = GameFilter {
        ruleset: String::from("dominion"),
        ..Default::default()
    };
    let (gold_id, plain_id) = (id(&gold), id(&plain));
    for (filter, expected) in [
        (of_label.clone(), vec![&gold_id]),
        (of_user, vec![&gold_id, &other]),
        (of_ruleset, vec![&gold_id, &plain_id]),
        (GameFilter::default(), vec![&gold_id, &plain_id, &other]),
    ] {
        let call = since(of(filter), begun);
        let mut messages = watch(&server, RED, call).await.unwrap();
        let expected: Vec<_> = expected.into_iter().map(|game| (game.clone(), 1)).collect();
        assert_eq!(read_updates(&mut messages, expected.len()).await, expected);
    }
    // A game appears with its label, and disappears with it.
    let mut messages = watch(&server, RED, since(of(of_label), begun))
        .await
        .unwrap();
    assert_eq!(read_updates(&mut messages, 1).await, [(gold_id, 1)]);
    let mut plain = plain;
    plain.pass(&mut server.games(), 1).await.unwrap();
    let label = pb::UpdateGameRequest {
        game_id: id(&plain),
        set_labels: labels(&[("league", "gold")]),
        ..Default::default()
    };
    update(&server, label).await;
    assert_eq!(read_updates(&mut messages, 1).await, [(id(&plain), 2)]);
    plain.pass(&mut server.games(), 1).await.unwrap();
    assert_eq!(read_updates(&mut messages, 1).await, [(id(&plain), 3)]);
    let unlabel = pb::UpdateGameRequest {
        game_id: id(&plain),
        remove_labels: vec![String::from("league")],
        ..Default::default()
    };
    update(&server, unlabel).await;
    assert_eq!(read_updates(&mut messages, 1).await, [(id(&plain), 0)]);
}

#[tokio::test]
async fn more_games_than_a_stream_may_name_are_followed() {
    let (server, _keys) = house();
    let mut messages = begun(&server, RED, all()).await;
    let mut games = Vec::new();
    for _ in 0..1_100 {
        games.push((id(&new_table(&server, RED, &["ada", "bob"]).await), 1));
    }
    assert_eq!(read_updates(&mut messages, games.len()).await, games);
}
