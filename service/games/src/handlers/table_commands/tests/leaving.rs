//! Seats that leave and are filled again.

use super::*;

#[tokio::test]
async fn a_seat_that_left_is_answered_for_until_it_returns() {
    let store = store();
    let process = TestServer::<Caylus>::new(&store);
    let game = process.create(3, TableOptions::default()).await;
    let seat = game.pending[0].seat;
    let left = process
        .change_table_with_id(&game, TableRequest::Resign { seat }, "go")
        .await
        .unwrap();
    assert_eq!(left.resigned, [seat]);
    let again = process
        .change_table_with_id(&game, TableRequest::Resign { seat }, "go")
        .await
        .unwrap();
    assert_eq!(again, left);
    assert!(matches!(
        process
            .change_table_refused(&game, TableRequest::Resign { seat })
            .await,
        TableRefusal::HasLeft(_)
    ));
    let mut now = left;
    for _ in 0..40 {
        assert!(now.pending.iter().all(|decision| decision.seat != seat));
        now = process.play_first_legal(&now).await;
    }
    // A new process restores the same game from a snapshot and the log.
    let fresh = TestServer::<Caylus>::new(&store);
    assert_eq!(fresh.info(&game).await, now);
    let ask = TableRequest::FillSeat { seat, bot: None };
    let back = fresh.change_table(&game, ask.clone()).await.unwrap();
    assert!(back.resigned.is_empty());
    assert!(matches!(
        fresh.change_table_refused(&game, ask).await,
        TableRefusal::HasNotLeft(_)
    ));
    let mut now = back;
    for _ in 0..40 {
        if now.pending.iter().any(|decision| decision.seat == seat) {
            return;
        }
        now = fresh.play_first_legal(&now).await;
    }
    panic!("seat {seat} is never asked again");
}

/// The token that was issued stays valid when another process learns only now that the seat was filled again.
#[tokio::test]
async fn a_return_that_is_refused_revokes_no_token() {
    let store = store();
    let (one, behind) = (
        TestServer::<Caylus>::new(&store),
        TestServer::<Caylus>::new(&store),
    );
    let game = one.create(3, TableOptions::default()).await;
    let seat = game.pending[0].seat;
    let left = one
        .change_table(&game, TableRequest::Resign { seat })
        .await
        .unwrap();
    assert_eq!(behind.info(&game).await, left);
    let id = Uuid::try_parse(&game.game_id).unwrap();
    let back = TableRequest::FillSeat { seat, bot: None };
    one.change_table(&game, back.clone()).await.unwrap();
    let record = async || store.load(id, None).await.unwrap().unwrap().access;
    let handed_out = record().await;
    // Only the record differs: the game in the cache of the other process is older.
    let mut cached = behind
        .games
        .lock_cached(&Caller::UNAUTHENTICATED, id)
        .await
        .unwrap();
    assert_eq!(cached.version, left.version);
    cached.metadata = GameMetadata::from_bytes(&handed_out).unwrap();
    drop(cached);
    let refused = behind.change_table_refused(&game, back).await;
    assert!(matches!(refused, TableRefusal::HasNotLeft(_)), "{refused}");
    assert_eq!(record().await, handed_out);
}
