//! Lists by deadline: ordered, filtered by time, of a tenant or of one user, on every store.

use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_tests::dominion::{Table, reason};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::store::Store;
use gamekeeper_tests::tokens::{BLUE, KeyFiles, OPERATOR, RED, bearing};
use pb::{GameOrder, ListGamesRequest};
use tonic::{Code, Status};

use super::{ids, list, new_table};

/// Creates a game of Red with a clock and these users at its seats.
async fn timed(server: &Gamekeeperd, users: [&str; 2], seconds: u32) -> Table {
    let player = |(seat, user): (usize, &str)| pb::Player {
        name: format!("Player {seat}"),
        user: user.to_owned(),
        ..Default::default()
    };
    let clock = pb::ClockOptions {
        decision_seconds: seconds,
        ..Default::default()
    };
    let create = pb::CreateGameRequest {
        ruleset: String::from("dominion"),
        players: (1..).zip(users).map(player).collect(),
        table: Some(pb::TableOptions {
            clock: Some(clock),
            ..Default::default()
        }),
        ..Default::default()
    };
    let created = server.games().create_game(bearing(RED, create)).await;
    Table::of(created.unwrap().into_inner())
}

fn by_due() -> ListGamesRequest {
    ListGamesRequest {
        order: GameOrder::DueTime.into(),
        ..Default::default()
    }
}

fn of_user(user: &str) -> ListGamesRequest {
    let filter = pb::GameFilter {
        user: user.to_owned(),
        ..Default::default()
    };
    ListGamesRequest {
        filter: Some(filter),
        ..by_due()
    }
}

async fn pause(server: &Gamekeeperd, table: &Table) {
    let game_id = table.game.game_id.clone();
    let ask = pb::PauseGameRequest {
        game_id,
        ..Default::default()
    };
    server.games().pause_game(bearing(RED, ask)).await.unwrap();
}

async fn resume(server: &Gamekeeperd, table: &Table) {
    let game_id = table.game.game_id.clone();
    let ask = pb::ResumeGameRequest {
        game_id,
        ..Default::default()
    };
    server.games().resume_game(bearing(RED, ask)).await.unwrap();
}

/// Lists Red's games on both servers, which must agree.
async fn listed(servers: &[&Gamekeeperd], call: &ListGamesRequest) -> Vec<pb::GameInfo> {
    let mut all = Vec::new();
    for server in servers {
        all.push(list(server, RED, call).await.unwrap());
    }
    assert!(
        all.iter().all(|games| ids(games) == ids(&all[0])),
        "{call:?}"
    );
    all.swap_remove(0)
}

/// Reads the whole list by deadline, in pages of one game.
async fn page_by_page(server: &Gamekeeperd) -> Vec<String> {
    let (mut read, mut token) = (Vec::new(), String::new());
    loop {
        let call = ListGamesRequest {
            page_size: 1,
            page_token: token,
            ..by_due()
        };
        let page = server.games().list_games(bearing(RED, call)).await.unwrap();
        let page = page.into_inner();
        read.extend(page.games.into_iter().map(|game| game.game_id));
        token = page.next_page_token;
        if token.is_empty() {
            return read;
        }
    }
}

async fn lists_what_is_due(servers: &[&Gamekeeperd]) {
    let one = servers[0];
    let id = |table: &Table| table.game.game_id.clone();
    new_table(one, RED, &["ada", "bob"]).await;
    let hour = timed(one, ["ada", "bob"], 3_600).await;
    let day = timed(one, ["", ""], 86_400).await;
    let minute = timed(one, ["bob", "eve"], 60).await;
    let by = async |call: &ListGamesRequest| {
        let games = listed(servers, call).await;
        games
            .into_iter()
            .map(|game| game.game_id)
            .collect::<Vec<_>>()
    };
    assert_eq!(by(&by_due()).await, [id(&minute), id(&hour), id(&day)]);
    assert_eq!(by(&of_user("ada")).await, [id(&hour)]);
    assert_eq!(by(&of_user("bob")).await, [id(&minute), id(&hour)]);
    // A game with paused clocks is not due; after the pause it is due later than before.
    pause(one, &minute).await;
    assert_eq!(by(&by_due()).await, [id(&hour), id(&day)]);
    resume(servers[servers.len() - 1], &minute).await;
    assert_eq!(by(&by_due()).await, [id(&minute), id(&hour), id(&day)]);
    // Added time moves the deadline back.
    let more = pb::AddTimeRequest {
        game_id: id(&minute),
        time: Some(prost_types::Duration {
            seconds: 7_200,
            nanos: 0,
        }),
        ..Default::default()
    };
    one.games().add_time(bearing(RED, more)).await.unwrap();
    let all = listed(servers, &by_due()).await;
    assert_eq!(ids(&all), [id(&hour), id(&minute), id(&day)]);
    // Time filters cut the list; the first time is inclusive.
    let due = |at: usize| all[at].pending[0].due;
    let cut = |from_time, until_time| ListGamesRequest {
        from_time,
        until_time,
        ..by_due()
    };
    assert_eq!(by(&cut(due(1), None)).await, [id(&minute), id(&day)]);
    assert_eq!(by(&cut(None, due(1))).await, [id(&hour)]);
    assert_eq!(by(&cut(due(0), due(2))).await, [id(&hour), id(&minute)]);
    assert_eq!(page_by_page(one).await, ids(&all));
    // A finished game is not due, and nobody can list the games of others.
    let end = pb::EndGameRequest {
        game_id: id(&hour),
        ..Default::default()
    };
    one.games().end_game(bearing(RED, end)).await.unwrap();
    assert_eq!(by(&by_due()).await, [id(&minute), id(&day)]);
    let ada = KeyFiles::signed_user("red", "bob");
    let own_games = list(one, &ada, &by_due()).await.unwrap();
    assert_eq!(ids(&own_games), [id(&minute)]);
    assert_eq!(list(one, BLUE, &by_due()).await.unwrap(), []);
    let refused: Status = list(one, OPERATOR, &by_due()).await.unwrap_err();
    assert_eq!(
        reason(&refused),
        (Code::PermissionDenied, String::from("NOT_ALLOWED"))
    );
}

#[tokio::test]
async fn what_is_due_is_listed_in_memory() {
    let keys = KeyFiles::new();
    let server = keys.server_for_teams(&["--store=memory"]);
    lists_what_is_due(&[&server]).await;
}

#[tokio::test]
async fn what_is_due_is_listed_on_disk() {
    let (keys, store) = (KeyFiles::new(), Store::embedded());
    let server = keys.server_for_teams(&store.with(&[]));
    lists_what_is_due(&[&server]).await;
}

#[tokio::test]
async fn what_is_due_is_listed_in_redis() {
    let (keys, store) = (KeyFiles::new(), Store::redis());
    let [one, other] = [(); 2].map(|()| keys.server_for_teams(&store.with(&[])));
    lists_what_is_due(&[&one, &other]).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    lists_nothing_twice(&one).await;
}

/// Checks that a game is listed once, however often its deadline has moved.
async fn lists_nothing_twice(server: &Gamekeeperd) {
    let table = timed(server, ["joe", "kim"], 60).await;
    for _ in 0..5 {
        pause(server, &table).await;
        resume(server, &table).await;
    }
    let games = list(server, RED, &of_user("joe")).await.unwrap();
    assert_eq!(ids(&games), [table.game.game_id]);
}
