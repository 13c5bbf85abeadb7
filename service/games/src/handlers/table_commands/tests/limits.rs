//! The limits of one game.

use pb::TimeoutClaim;

use super::*;
use crate::aggregate::game_limits::GameLimits;
use crate::handlers::system_commands::DueWork;

/// The maximum number of versions in these tests.
const VERSIONS: u64 = 20;

/// Returns a clock whose end the service notices by itself.
fn automatic() -> TableOptions {
    TableOptions {
        clock: Some(ClockOptions {
            decision_seconds: 60,
            claim: TimeoutClaim::Automatic.into(),
            ..ClockOptions::default()
        }),
        end_by_agreement: true,
        ..TableOptions::default()
    }
}

const fn end(seat: u32) -> TableRequest {
    TableRequest::End {
        seat,
        scored: false,
    }
}

fn assert_full<T>(refused: Result<T, ServiceError>, limit_name: &str) {
    match refused {
        Err(ServiceError::GameFull { limit, .. }) => assert_eq!(limit, limit_name),
        Err(problem) => panic!("{problem}"),
        Ok(_) => panic!("it was accepted"),
    }
}

#[tokio::test]
async fn a_full_game_is_told_in_time_and_waits_for_its_owner() {
    let limits = GameLimits {
        versions: VERSIONS,
        log_bytes: 0,
    };
    let store = store();
    let process = TestServer::<Caylus>::with_game_limits(&store, limits);
    let mut game = process.create(2, automatic()).await;
    while game.version < VERSIONS {
        let left = VERSIONS - game.version;
        assert_eq!(game.entries_left, (left <= VERSIONS / 10).then_some(left));
        game = process.play_first_legal(&game).await;
    }
    assert_eq!(game.entries_left, Some(0));
    // A process that has to load the game knows as much.
    let other = TestServer::<Caylus>::with_game_limits(&store, limits);
    assert_eq!(other.info(&game).await, game);
    let caller = Caller::UNAUTHENTICATED;
    let call = Box::new(other.first_legal_call(&game).await);
    assert_full(
        other.games.apply_action(&caller, call).await,
        "max_versions",
    );
    let seat = game.pending[0].seat;
    for request in [TableRequest::Resign { seat }, end(1), end(2)] {
        let refused = other.change_table(&game, request).await;
        assert_full(refused, "max_versions");
    }
    // Nobody is late: the clocks have no say any more.
    let id = Uuid::try_parse(&game.game_id).unwrap();
    process.set_clock(3_600_000);
    let due = process.games.due_work(&caller, id).await.unwrap();
    assert!(matches!(due, DueWork::Nothing));
    let over = process.change_table(&game, end(0)).await.unwrap();
    assert_eq!((over.version, over.entries_left), (VERSIONS + 1, None));
    assert_eq!(over.status(), pb::GameStatus::Finished);
}

/// A request that was played before the limit was reached is still answered when it is repeated.
#[tokio::test]
async fn a_repeated_request_is_answered_in_a_full_game() {
    let limits = GameLimits {
        versions: 2,
        log_bytes: 0,
    };
    let process = TestServer::<Caylus>::with_game_limits(&store(), limits);
    let game = process.create(2, automatic()).await;
    let pause = || TableRequest::Pause { seat: 0 };
    let paused = process.change_table_with_id(&game, pause(), "once").await;
    let again = process.change_table_with_id(&game, pause(), "once").await;
    assert_eq!(paused.unwrap(), again.unwrap());
    let resume = TableRequest::Resume { seat: 0 };
    assert_full(process.change_table(&game, resume).await, "max_versions");
}

/// The size of the log is that of its entries, whether the game was played, loaded from a snapshot or replayed.
#[tokio::test]
async fn the_bytes_of_a_log_are_limited_and_every_process_counts_the_same() {
    let limits = GameLimits {
        versions: 0,
        log_bytes: 4_000,
    };
    let store = store();
    let process = TestServer::<Caylus>::with_game_limits(&store, limits);
    let mut game = process.create(2, TableOptions::default()).await;
    let id = Uuid::try_parse(&game.game_id).unwrap();
    while game.entries_left != Some(0) {
        game = process.play_first_legal(&game).await;
    }
    let log = store.log(id, 0, 1_000).await.unwrap().unwrap();
    let size = |count: usize| -> usize { log[..count].iter().map(|entry| entry.bytes.len()).sum() };
    assert!(size(log.len()) >= 4_000 && size(log.len() - 1) < 4_000);
    assert!(log.len() > 17, "a snapshot was stored meanwhile");
    let other = TestServer::<Caylus>::with_game_limits(&store, limits);
    let loaded = other.games.lock_current(&Caller::UNAUTHENTICATED, id).await;
    let replayed = other.games.at_version(id, game.version).await.unwrap();
    let sizes = [loaded.unwrap().log_bytes, replayed.log_bytes];
    assert_eq!(sizes, [u64::try_from(size(log.len())).unwrap(); 2]);
    let call = Box::new(other.first_legal_call(&game).await);
    let refused = other
        .games
        .apply_action(&Caller::UNAUTHENTICATED, call)
        .await;
    assert_full(refused, "max_log_bytes");
}
