//! The shares of the entries of a log that make no progress.

use super::*;

/// A log must not grow without limit while the game makes no progress, but what the game needs still happens.
#[tokio::test]
async fn pauses_have_an_end() {
    let process = TestServer::<Caylus>::new(&store());
    let game = process
        .create(2, clock(2, 3, 0, TimeoutAction::Fallback))
        .await;
    for _ in 0..table_life::MAX_NON_PROGRESS_ENTRIES {
        process
            .change_table(&game, TableRequest::Pause { seat: 0 })
            .await
            .unwrap();
        process
            .change_table(&game, TableRequest::Resume { seat: 0 })
            .await
            .unwrap();
    }
    assert_eq!(
        process
            .change_table_refused(&game, TableRequest::Pause { seat: 0 })
            .await,
        TableRefusal::EntryLimitReached
    );
    let late = process
        .set_clock(5_000)
        .change_table(&game, late(&game))
        .await
        .unwrap();
    let seat = late.pending[0].seat;
    let over = process
        .change_table(&game, TableRequest::Resign { seat })
        .await
        .unwrap();
    assert_eq!(over.end_reason(), EndReason::Resignation);
}

/// Requests of the seats leave entries for the owner, and a log of an earlier build without this reserve is still read.
#[tokio::test]
async fn the_seats_share_what_the_owner_leaves_them() {
    let process = TestServer::<Caylus>::new(&store());
    let options = TableOptions {
        pause_by_agreement: true,
        ..clock(60, 0, 0, TimeoutAction::Fallback)
    };
    let game = process.create(2, options).await;
    let of_seat = |seat| TableRequest::Pause { seat };
    let share = (table_life::MAX_NON_PROGRESS_ENTRIES - table_life::OWNER_RESERVED_ENTRIES) / 2;
    for seat in [1, 2] {
        for _ in 0..share {
            process.change_table(&game, of_seat(seat)).await.unwrap();
        }
        let refused = process.change_table_refused(&game, of_seat(seat)).await;
        assert!(
            matches!(refused, TableRefusal::QuotaUsed { max, .. } if max == share),
            "{refused}"
        );
    }
    for _ in 0..table_life::OWNER_RESERVED_ENTRIES {
        process.change_table(&game, of_seat(0)).await.unwrap();
        let resume = TableRequest::Resume { seat: 0 };
        process.change_table(&game, resume).await.unwrap();
    }
    let refused = process.change_table_refused(&game, of_seat(0)).await;
    assert_eq!(refused, TableRefusal::EntryLimitReached);
}

#[tokio::test]
async fn a_log_that_knew_no_shares_is_replayed() {
    let process = TestServer::<Caylus>::new(&store());
    let options = TableOptions {
        pause_by_agreement: true,
        ..clock(60, 0, 0, TimeoutAction::Fallback)
    };
    let game = process.create(2, options).await;
    let id = Uuid::try_parse(&game.game_id).unwrap();
    let game = process
        .games
        .lock_cached(&Caller::UNAUTHENTICATED, id)
        .await
        .unwrap();
    let event = TableEvent::Proposed {
        seat: Seat::FIRST,
        proposal: Proposal::Pause,
    };
    let mut table_life = game.table_life.clone();
    for version in 2..2 + u64::from(table_life::MAX_NON_PROGRESS_ENTRIES) {
        let table = table_life::Table {
            table_life: table_life.as_deref(),
            ..game.table()
        };
        let stamp = table_life::EntryStamp { version, at_ms: 0 };
        table_life = table_life::apply_table_event(table, &event, None, stamp)
            .unwrap()
            .1;
    }
}
