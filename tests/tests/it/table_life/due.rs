//! Timers run without a caller, on whichever server is running, and once.

use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_tests::dominion::{Client, assert_reason};
use tokio::time::{Instant, sleep};
use tonic::Code;
use v1::table_event::Kind;

use super::{Store, game, info};

/// Returns table options with this time per decision, whose time-outs the server notices by itself.
fn automatic(seconds: u32) -> v1::TableOptions {
    v1::TableOptions {
        clock: Some(v1::ClockOptions {
            decision_seconds: seconds,
            claim: v1::TimeoutClaim::Automatic.into(),
            ..Default::default()
        }),
        pause_by_agreement: true,
        ..Default::default()
    }
}

/// Waits until the game is at this version.
async fn at_version(games: &mut Client, game: &v1::GameInfo, version: u64) -> v1::GameInfo {
    let patience = Instant::now() + Duration::from_secs(30);
    loop {
        let now = info(games, "", game).await;
        if now.version >= version {
            return now;
        }
        assert!(Instant::now() < patience, "{now:?}");
        sleep(Duration::from_millis(50)).await;
    }
}

fn ms(time: Option<prost_types::Timestamp>) -> i64 {
    let time = time.unwrap();
    time.seconds * 1_000 + i64::from(time.nanos) / 1_000_000
}

/// Checks that every entry answers a decision that was due, without a caller, and that no decision is answered twice.
async fn each_was_due(games: &mut Client, game: &v1::GameInfo) {
    let record = v1::ExportGameRequest {
        game_id: game.game_id.clone(),
        ..Default::default()
    };
    let mut record = games.export_game(record).await.unwrap().into_inner();
    let mut pending: Vec<v1::PendingDecision> = Vec::new();
    while let Some(message) = record.message().await.unwrap() {
        let Some(v1::export_game_response::Part::Version(version)) = message.part else {
            continue;
        };
        let entry = version.entry.unwrap();
        let kinds = entry
            .events
            .iter()
            .filter_map(|event| event.table.clone()?.kind);
        for kind in kinds {
            let Kind::TimedOut(late) = kind else { continue };
            assert_eq!(late.claimed_by, 0);
            let due = pending
                .iter()
                .find(|pending| pending.seat == late.seat)
                .unwrap();
            assert!(ms(entry.play_time) >= ms(due.due), "{entry:?} {due:?}");
        }
        pending = version.pending;
    }
}

/// Two servers look for due timers at the same time.
#[tokio::test]
async fn decisions_end_without_a_caller_on_two_servers() {
    let store = Store::redis();
    let (one, other) = (store.server(&[]), store.server(&[]));
    let (mut here, mut there) = (one.games(), other.games());
    let mut tables = Vec::new();
    for _ in 0..8 {
        tables.push(game(&one, "", &["Ada", "Bob"], Some(automatic(1))).await);
    }
    for table in &tables {
        let now = at_version(&mut there, &table.game, 3).await;
        let begun = ms(table.game.create_time);
        // Two decisions of a second each, and some seconds to find them.
        assert!(ms(now.update_time) - begun < 12_000, "{now:?}");
        each_was_due(&mut here, &table.game).await;
    }
}

/// No server was running when the time ran out; the next one handles it.
#[tokio::test]
async fn what_was_due_while_no_server_ran_is_done_later() {
    let store = Store::embedded();
    let mut server = store.server(&[]);
    let table = game(&server, "", &["Ada", "Bob"], Some(automatic(1))).await;
    server.kill();
    sleep(Duration::from_millis(1_200)).await;
    let server = store.server(&[]);
    at_version(&mut server.games(), &table.game, 2).await;
    each_was_due(&mut server.games(), &table.game).await;
}

/// Paused clocks and added time defer what is due.
#[tokio::test]
async fn what_is_not_due_any_more_is_not_done() {
    let server = Store::memory().server(&[]);
    let mut games = server.games();
    let paused = game(&server, "", &["Ada", "Bob"], Some(automatic(2))).await;
    let later = game(&server, "", &["Ada", "Bob"], Some(automatic(2))).await;
    let game_id = paused.game.game_id.clone();
    let ask = v1::PauseGameRequest {
        game_id,
        ..Default::default()
    };
    games.pause_game(ask).await.unwrap();
    let add = |seats: &[u32], seconds| v1::AddTimeRequest {
        game_id: later.game.game_id.clone(),
        seats: seats.to_vec(),
        time: Some(prost_types::Duration { seconds, nanos: 0 }),
        ..Default::default()
    };
    let seat = later.game.pending[0].seat;
    let added = games.add_time(add(&[], 3_600)).await.unwrap();
    let added = added.into_inner().game.unwrap();
    let due = |game: &v1::GameInfo| ms(game.pending[0].due);
    assert_eq!(due(&added) - due(&later.game), 3_600_000);
    assert!(added.clocks.iter().all(|clock| clock.bank_ms == 3_600_000));
    let more = games.add_time(add(&[seat], 60)).await.unwrap();
    let more = more.into_inner().game.unwrap();
    assert_eq!(due(&more) - due(&added), 60_000);
    for (seats, seconds) in [(&[1][..], 0), (&[1], -1), (&[1], 40_000_000)] {
        let refused = games.add_time(add(seats, seconds)).await.unwrap_err();
        assert_reason(&refused, Code::InvalidArgument, "MALFORMED");
    }
    let refused = games.add_time(add(&[3], 1)).await.unwrap_err();
    assert_reason(&refused, Code::InvalidArgument, "NO_SUCH_SEAT");
    sleep(Duration::from_secs(5)).await;
    assert_eq!(info(&mut games, "", &paused.game).await.version, 2);
    assert_eq!(info(&mut games, "", &later.game).await.version, 3);
}
