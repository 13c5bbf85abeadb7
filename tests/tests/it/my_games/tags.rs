//! Changes of users and labels are reported on a stream of many games, to callers with the permission to see them.

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_tests::dominion::Table;
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::store::Store;
use gamekeeper_tests::tokens::{KeyFiles, OPERATOR, RED, bearing};
use pb::WatchGamesRequest;
use pb::watch_games_response::Update;

use super::watch::{Messages, after, id, next, next_game_info, of_user, silent, table, watch};
use super::{VIEW, labels, new_table, seat_user, users};

async fn update(server: &Gamekeeperd, call: pb::UpdateGameRequest) {
    let answer = server.games().update_game(bearing(RED, call)).await;
    answer.unwrap();
}

fn labeled(table: &Table, pairs: &[(&str, &str)]) -> pb::UpdateGameRequest {
    pb::UpdateGameRequest {
        game_id: id(table),
        set_labels: labels(pairs),
        ..Default::default()
    }
}

fn seated(table: &Table, seat: u32, user: &str) -> pb::UpdateGameRequest {
    pb::UpdateGameRequest {
        game_id: id(table),
        players: vec![seat_user(seat, user)],
        ..Default::default()
    }
}

/// The streams of two callers who see users and labels, and of a seat, which sees neither.
struct Streams {
    of_user: Messages,
    of_operator: Messages,
    of_seat: Messages,
}

impl Streams {
    async fn open(server: &Gamekeeperd, table: &Table) -> Self {
        let call = WatchGamesRequest {
            show: Some(VIEW),
            ..of_user("ada")
        };
        let named = WatchGamesRequest {
            games: vec![after(table, 0)],
            ..Default::default()
        };
        let mut streams = Self {
            of_user: watch(server, RED, call).await.unwrap(),
            of_operator: watch(server, OPERATOR, named.clone()).await.unwrap(),
            of_seat: watch(server, table.token(1), named).await.unwrap(),
        };
        assert_eq!(streams.next_agreed_info().await.version, 1);
        let seat = next_game_info(&mut streams.of_seat).await;
        assert_eq!(seat.version, 1);
        streams
    }

    /// Reads the next change from the user's stream and the operator's, which must agree.
    async fn next_agreed_info(&mut self) -> pb::GameInfo {
        let change = table(&mut self.of_user).await;
        assert!(change.view.is_some(), "views were asked for");
        let game = change.game.unwrap();
        assert_eq!(next_game_info(&mut self.of_operator).await, game);
        game
    }
}

/// Makes changes on one server, and checks that another one reports them.
async fn changes_are_told(changes: &Gamekeeperd, tells: &Gamekeeperd) {
    let mut table = new_table(changes, RED, &["ada", "bob"]).await;
    let mut streams = Streams::open(tells, &table).await;
    let gold = labels(&[("league", "gold")]);
    update(changes, labeled(&table, &[("league", "gold")])).await;
    let game = streams.next_agreed_info().await;
    assert_eq!((game.version, &game.labels), (1, &gold));
    table.pass(&mut changes.games(), 1).await.unwrap();
    let played = streams.next_agreed_info().await;
    assert_eq!((played.version, &played.labels), (2, &gold));

    let other = pb::UpdateGameRequest {
        remove_labels: vec![String::from("league")],
        ..seated(&table, 2, "cyd")
    };
    // An update that changes nothing is not reported.
    update(changes, other.clone()).await;
    update(changes, other).await;
    let game = streams.next_agreed_info().await;
    assert_eq!((game.version, users(&game)), (2, vec!["ada", "cyd"]));
    assert_eq!(game.labels, labels(&[]));
    table.pass(&mut changes.games(), 1).await.unwrap();
    assert_eq!(streams.next_agreed_info().await.version, 3);

    // The seat's stream reports versions only.
    for version in [2, 3] {
        let game = next_game_info(&mut streams.of_seat).await;
        assert_eq!((game.version, users(&game)), (version, vec!["", ""]));
        assert_eq!(game.labels, labels(&[]));
    }
    silent(&mut streams.of_seat, 1).await;

    update(changes, seated(&table, 1, "")).await;
    let left = pb::GameLeft {
        game_id: id(&table),
        problem: None,
    };
    assert_eq!(next(&mut streams.of_user).await, Update::Left(left));
}

#[tokio::test]
async fn changes_of_users_and_labels_reach_watchers_in_memory() {
    let keys = KeyFiles::new();
    let server = keys.server(&["--store=memory", "--bookmark-every=1s"]);
    changes_are_told(&server, &server).await;
}

#[tokio::test]
async fn changes_of_users_and_labels_reach_watchers_on_disk() {
    let (keys, store) = (KeyFiles::new(), Store::embedded());
    let server = keys.server(&store.with(&["--bookmark-every=1s"]));
    changes_are_told(&server, &server).await;
}

#[tokio::test]
async fn changes_of_users_and_labels_reach_watchers_of_another_process() {
    let (keys, store) = (KeyFiles::new(), Store::redis());
    let begin = || keys.server(&store.with(&["--bookmark-every=1s"]));
    changes_are_told(&begin(), &begin()).await;
}

/// A resumed stream reports all missed versions first, and then the new users and labels.
#[tokio::test]
async fn a_stream_that_resumes_tells_versions_first() {
    let keys = KeyFiles::new();
    let server = keys.server(&["--store=memory"]);
    let mut table = new_table(&server, RED, &["ada", "bob"]).await;
    table.pass(&mut server.games(), 300).await.unwrap();
    let call = WatchGamesRequest {
        games: vec![after(&table, 1)],
        ..Default::default()
    };
    let mut messages = watch(&server, RED, call).await.unwrap();
    update(&server, labeled(&table, &[("league", "tin")])).await;
    let mut versions = Vec::new();
    let last = loop {
        let game = next_game_info(&mut messages).await;
        if versions.last() == Some(&game.version) {
            break game;
        }
        versions.push(game.version);
        if game.version == table.game.version && !game.labels.is_empty() {
            break game;
        }
    };
    assert_eq!(versions, (2..=table.game.version).collect::<Vec<_>>());
    assert_eq!(last.labels, labels(&[("league", "tin")]));
}
