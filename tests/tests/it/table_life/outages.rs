//! The time of an **outage**, in which no server could be reached, is charged to nobody: the clocks move forward once.

use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_tests::cli::Cli;
use gamekeeper_tests::dominion::{Client, Table, assert_reason};
use gamekeeper_tests::server::Gamekeeperd;
use tokio::time::sleep;
use tonic::Code;
use v1::TimeoutClaim;
use v1::table_event::{Kind, TimeAdded};

use super::{Store, game, info, resign};

/// The minimum duration of an outage.
const SHORTEST: &str = "--outage-after=3s";

fn server(store: &Store) -> Gamekeeperd {
    store.server(&[SHORTEST])
}

/// Creates a game with this number of seconds for each decision.
async fn timed(server: &Gamekeeperd, decision_seconds: u32, claim: TimeoutClaim) -> Table {
    let clock = v1::ClockOptions {
        decision_seconds,
        claim: claim.into(),
        ..Default::default()
    };
    let table = v1::TableOptions {
        clock: Some(clock),
        ..Default::default()
    };
    game(server, "", &["Ada", "Bob"], Some(table)).await
}

/// Returns the entries of a game that credit outages to its clocks.
async fn given_back(games: &mut Client, game: &v1::GameInfo) -> Vec<TimeAdded> {
    let ask = v1::ListEventsRequest {
        game_id: game.game_id.clone(),
        ..Default::default()
    };
    let log = games.list_events(ask).await.unwrap().into_inner();
    let events = log.entries.into_iter().flat_map(|entry| entry.events);
    let kinds = events.filter_map(|event| event.table?.kind);
    kinds
        .filter_map(|kind| {
            if let Kind::TimeAdded(added) = kind {
                added.outage.then_some(added)
            } else {
                None
            }
        })
        .collect()
}

async fn claim(games: &mut Client, game: &v1::GameInfo) -> Result<v1::GameInfo, tonic::Status> {
    let ask = v1::ClaimTimeoutRequest {
        game_id: game.game_id.clone(),
        seat: game.pending[0].seat,
        ..Default::default()
    };
    Ok(games.claim_timeout(ask).await?.into_inner().game.unwrap())
}

async fn add_a_second(games: &mut Client, game: &v1::GameInfo) -> v1::GameInfo {
    let ask = v1::AddTimeRequest {
        game_id: game.game_id.clone(),
        time: Some(prost_types::Duration {
            seconds: 1,
            nanos: 0,
        }),
        ..Default::default()
    };
    games
        .add_time(ask)
        .await
        .unwrap()
        .into_inner()
        .game
        .unwrap()
}

fn due_ms(game: &v1::GameInfo) -> i64 {
    let due = game.pending[0].due.unwrap();
    due.seconds * 1_000 + i64::from(due.nanos) / 1_000_000
}

/// Nobody is late because the server was killed, whoever would have noticed it.
#[tokio::test]
async fn nobody_is_late_because_of_an_outage() {
    let store = Store::embedded();
    let mut killed = server(&store);
    let by_call = timed(&killed, 6, TimeoutClaim::ByCall).await.game;
    let automatic = timed(&killed, 6, TimeoutClaim::Automatic).await.game;
    // Enough time for the server to write another heartbeat.
    sleep(Duration::from_millis(800)).await;
    killed.kill();
    sleep(Duration::from_secs(8)).await;
    let server = server(&store);
    let mut games = server.games();
    let refused = claim(&mut games, &by_call).await.unwrap_err();
    assert_reason(&refused, Code::FailedPrecondition, "NOT_DUE");
    sleep(Duration::from_secs(2)).await;
    for game in [&by_call, &automatic] {
        let now = info(&mut games, "", game).await;
        assert_eq!(now.version, 2, "{now:?}");
        let given = given_back(&mut games, game).await;
        assert_eq!(given.len(), 1);
        assert_eq!(given[0].seats, [game.pending[0].seat]);
        let ms = i64::try_from(given[0].added_ms).unwrap();
        assert!((8_000..30_000).contains(&ms), "{ms}");
        assert_eq!(due_ms(&now) - due_ms(game), ms);
        assert_eq!(now.clocks, game.clocks, "the banks stay as they are");
    }
    // Afterwards their time runs out as if there had been no outage.
    sleep(Duration::from_secs(5)).await;
    claim(&mut games, &by_call).await.unwrap();
    let now = info(&mut games, "", &automatic).await;
    assert!(now.version > 2, "{now:?}");
    assert_eq!(given_back(&mut games, &automatic).await.len(), 1);
    // The record shows the outage too.
    resign(&mut games, "", &by_call, 1, "").await.unwrap();
    let cli = Cli::at(server.address());
    let record = cli.out(&format!("export {}", by_call.game_id));
    let verified = cli.run_with("verify -", &record);
    assert_eq!(verified.code, 0, "{}", verified.err);
}

/// While one of two servers can be reached, there is no outage. When both were away and come back, there was one.
#[tokio::test]
async fn one_server_that_is_away_is_no_outage() {
    let store = Store::redis();
    let (mut one, mut other) = (server(&store), server(&store));
    let table = timed(&one, 3_600, TimeoutClaim::ByCall).await.game;
    one.kill();
    sleep(Duration::from_secs(6)).await;
    one = server(&store);
    add_a_second(&mut one.games(), &table).await;
    add_a_second(&mut other.games(), &table).await;
    assert_eq!(given_back(&mut one.games(), &table).await, []);
    one.kill();
    other.kill();
    sleep(Duration::from_secs(6)).await;
    (one, other) = (server(&store), server(&store));
    let (mut here, mut there) = (one.games(), other.games());
    let all = futures_util::future::join_all([
        add_a_second(&mut here, &table),
        add_a_second(&mut there, &table),
    ]);
    let versions: Vec<u64> = all.await.iter().map(|game| game.version).collect();
    assert_eq!(versions.iter().max(), Some(&6), "{versions:?}");
    assert_eq!(given_back(&mut here, &table).await.len(), 1);
}
