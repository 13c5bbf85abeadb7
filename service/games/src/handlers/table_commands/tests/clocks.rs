//! Clocks at their limits, and pauses.

use super::*;

#[tokio::test]
async fn a_seat_is_late_to_the_millisecond() {
    let process = TestServer::<Caylus>::new(&store());
    let game = process
        .create(2, clock(2, 3, 1, TimeoutAction::Fallback))
        .await;
    let seat = game.pending[0].seat;
    assert_eq!(
        (since_begin(game.pending[0].since), due(&game)),
        (Some(0), Some(5_000))
    );
    let early = process
        .set_clock(4_999)
        .change_table_refused(&game, late(&game))
        .await;
    assert!(
        matches!(early, TableRefusal::NotOverdue { left_ms: 1, .. }),
        "{early}"
    );
    let claimed = process
        .set_clock(5_000)
        .change_table(&game, late(&game))
        .await
        .unwrap();
    assert_eq!(claimed.version, 2);
    assert_ne!(claimed.pending[0].seat, seat, "the fallback passes");
    assert_eq!(bank(&claimed, seat), 0, "nothing is added for it");
    assert_eq!(due(&claimed), Some(10_000));
    let nothing = process
        .change_table_refused(&game, TableRequest::ClaimTimeout { seat })
        .await;
    assert!(
        matches!(nothing, TableRefusal::NoPendingDecision(_)),
        "{nothing}"
    );
}

#[tokio::test]
async fn whoever_is_late_and_acts_before_anybody_says_so_has_acted() {
    let process = TestServer::<Caylus>::new(&store());
    let game = process
        .create(2, clock(2, 3, 4, TimeoutAction::Resign))
        .await;
    let seat = game.pending[0].seat;
    let acted = process.set_clock(60_000).play_first_legal(&game).await;
    assert_eq!(bank(&acted, seat), 4_000);
    let refused = process
        .change_table_refused(&game, TableRequest::ClaimTimeout { seat })
        .await;
    assert!(
        matches!(refused, TableRefusal::NoPendingDecision(_)),
        "{refused}"
    );
    // Nothing is taken from the bank within the time for a decision.
    let other = acted.pending[0].seat;
    let again = process.set_clock(61_999).play_first_legal(&acted).await;
    assert_eq!(bank(&again, other), 7_000);
    let later = process.set_clock(64_999).play_first_legal(&again).await;
    assert_eq!(bank(&later, seat), 7_000, "one second beyond, four more");
}

#[tokio::test]
async fn processes_whose_clocks_are_a_second_apart_differ_by_a_second() {
    let store = store();
    let (behind, ahead) = (
        TestServer::<Caylus>::new(&store),
        TestServer::<Caylus>::new(&store),
    );
    let game = behind
        .create(2, clock(5, 0, 0, TimeoutAction::Fallback))
        .await;
    behind.set_clock(4_000);
    assert!(matches!(
        behind.change_table_refused(&game, late(&game)).await,
        TableRefusal::NotOverdue { left_ms: 1_000, .. }
    ));
    let claimed = ahead
        .set_clock(5_000)
        .change_table(&game, late(&game))
        .await
        .unwrap();
    assert_eq!(since_begin(claimed.update_time), Some(5_000));
    assert_eq!(due(&claimed), Some(10_000));
    // Times never run backwards in a log: an entry of the process whose clock is behind is not dated earlier.
    assert!(matches!(
        behind
            .set_clock(4_500)
            .change_table_refused(&claimed, late(&claimed))
            .await,
        TableRefusal::NotOverdue { left_ms: 5_000, .. }
    ));
    let acted = behind.play_first_legal(&claimed).await;
    assert_eq!(since_begin(acted.update_time), Some(5_000));
    assert_eq!(due(&acted), Some(10_000));
    assert_eq!(ahead.info(&game).await, acted);
}

#[tokio::test]
async fn running_out_of_time_may_be_the_end() {
    let process = TestServer::<Caylus>::new(&store());
    let game = process
        .create(3, clock(0, 1, 0, TimeoutAction::Resign))
        .await;
    let first = game.pending[0].seat;
    let game = process
        .set_clock(1_000)
        .change_table(&game, late(&game))
        .await
        .unwrap();
    assert_eq!(
        (&game.resigned[..], game.end_reason()),
        (&[first][..], EndReason::Unspecified)
    );
    let second = game.pending[0].seat;
    let over = process
        .set_clock(2_000)
        .change_table(&game, late(&game))
        .await
        .unwrap();
    assert_eq!(over.end_reason(), EndReason::Abandoned);
    let ranks: Vec<u32> = over
        .standings
        .iter()
        .map(|standing| standing.seat)
        .collect();
    let winner = 6 - first - second;
    assert_eq!(ranks, [winner, second, first]);
    assert!(over.pending.is_empty());
    let refused = process
        .change_table_refused(&over, TableRequest::Resign { seat: winner })
        .await;
    assert_eq!(refused, TableRefusal::GameOver);
    // Another process, which reads everything from the store, agrees.
    assert_eq!(process.info(&game).await, over);
}

#[tokio::test]
async fn a_pause_stops_the_clocks() {
    let process = TestServer::<Caylus>::new(&store());
    let game = process
        .create(2, clock(2, 3, 0, TimeoutAction::Fallback))
        .await;
    let paused = process
        .set_clock(4_000)
        .change_table(&game, TableRequest::Pause { seat: 0 })
        .await
        .unwrap();
    assert_eq!((paused.paused, due(&paused)), (true, None));
    assert_eq!(
        process
            .set_clock(99_000)
            .change_table_refused(&paused, late(&game))
            .await,
        TableRefusal::Paused
    );
    assert_eq!(
        process
            .change_table_refused(&paused, TableRequest::Pause { seat: 0 })
            .await,
        TableRefusal::Paused
    );
    let resumed = process
        .set_clock(100_000)
        .change_table(&game, TableRequest::Resume { seat: 0 })
        .await
        .unwrap();
    assert_eq!((resumed.paused, due(&resumed)), (false, Some(101_000)));
    assert_eq!(
        process
            .change_table_refused(&game, TableRequest::Resume { seat: 0 })
            .await,
        TableRefusal::NotPaused
    );
    let early = process
        .set_clock(100_999)
        .change_table_refused(&game, late(&game))
        .await;
    assert!(
        matches!(early, TableRefusal::NotOverdue { left_ms: 1, .. }),
        "{early}"
    );
    process
        .set_clock(101_000)
        .change_table(&game, late(&game))
        .await
        .unwrap();
    let plain = process.create(2, TableOptions::default()).await;
    assert_eq!(
        process
            .change_table_refused(&plain, TableRequest::Pause { seat: 0 })
            .await,
        TableRefusal::NoClock
    );
    assert_eq!(
        process.change_table_refused(&plain, late(&plain)).await,
        TableRefusal::NoClock
    );
}

#[tokio::test]
async fn clocks_of_simultaneous_decisions_run_side_by_side() {
    let process = TestServer::<Goofspiel>::new(&store());
    let game = process
        .create(3, clock(10, 0, 0, TimeoutAction::Fallback))
        .await;
    assert_eq!(game.pending.len(), 3, "a secret bid of all");
    let acted = process.set_clock(6_000).play_first_legal(&game).await;
    assert_eq!(acted.pending.len(), 2);
    assert!(
        acted
            .pending
            .iter()
            .all(|decision| since_begin(decision.due) == Some(10_000))
    );
    let claimed = process
        .set_clock(10_000)
        .change_table(&acted, late(&acted))
        .await
        .unwrap();
    assert_eq!(
        since_begin(claimed.pending[0].due),
        Some(10_000),
        "the last one is late too"
    );
}
