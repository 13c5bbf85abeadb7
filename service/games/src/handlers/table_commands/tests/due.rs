//! Decisions that are due: bots, and clocks that the service ends by itself.

use super::*;

/// Returns options with five seconds for each decision, enforced by the service.
fn automatic() -> TableOptions {
    TableOptions {
        clock: Some(ClockOptions {
            decision_seconds: 5,
            claim: pb::TimeoutClaim::Automatic.into(),
            ..ClockOptions::default()
        }),
        ..TableOptions::default()
    }
}

/// Ends a late decision, as the service does.
async fn end_late<W: Wire>(process: &TestServer<W>, id: Uuid) {
    let operator = Caller::new(Role::Operator);
    match process.games.time_out_overdue(&operator, id).await {
        Ok(()) | Err(ServiceError::RefusedByTable(_)) => {}
        Err(problem) => panic!("{problem}"),
    }
}

/// The turn of a bot is listed under the minute in which it begins, however long another seat has thought before.
#[tokio::test]
async fn the_turn_of_a_bot_is_due_when_it_comes() {
    let store = store();
    let process = TestServer::<Caylus>::new(&store);
    let game = process.create(3, TableOptions::default()).await;
    let first = game.pending[0].seat;
    let game = process.play_first_legal(&game).await;
    let seat = 6 - first - game.pending[0].seat;
    process
        .change_table(&game, TableRequest::Resign { seat })
        .await
        .unwrap();
    let bot = Some(pb::Bot {
        policy: String::from("random"),
        ..Default::default()
    });
    process
        .change_table(&game, TableRequest::FillSeat { seat, bot })
        .await
        .unwrap();
    let hour = 3_600_000;
    let due = async || {
        let filter = gamekeeper_store::ListFilter {
            lists: vec![due_bucket(minute_of(START_MS + hour))],
            ..Default::default()
        };
        store.page(&filter, None, 10).await.unwrap().games.len()
    };
    assert_eq!(due().await, 0);
    let acted = process.set_clock(hour).play_first_legal(&game).await;
    assert_eq!(acted.pending[0].seat, seat);
    assert_eq!(due().await, 1);
}

/// A game that a player has abandoned does not go on without end, whatever other players or bots do, and does once the
/// player is back.
#[tokio::test]
async fn what_is_due_waits_for_somebody_in_the_end() {
    let process = TestServer::<Mythotopia>::new(&store());
    let game = process.create(2, automatic()).await;
    let id = Uuid::try_parse(&game.game_id).unwrap();
    let mut now = 0;
    let mut without_ada = async || {
        for _ in 0..8 * u32::from(table_life::MAX_MISSED_TIMEOUTS) {
            now += 5_000;
            let info = process.set_clock(now).info(&game).await;
            if info.pending[0].seat == 1 {
                end_late(&process, id).await;
            } else {
                process.play_first_legal(&info).await;
            }
        }
        process.info(&game).await
    };
    let idle = without_ada().await;
    assert_eq!(idle.status(), pb::GameStatus::Active);
    assert_eq!(without_ada().await.version, idle.version);
    let back = process.play_first_legal(&idle).await;
    assert!(without_ada().await.version > back.version);
}

/// When two processes act on the same timer, the store accepts one entry. Before the timer expires, neither acts.
#[tokio::test]
async fn what_is_due_happens_once() {
    let store = store();
    let (one, other) = (
        TestServer::<Caylus>::new(&store),
        TestServer::<Caylus>::new(&store),
    );
    let game = one.create(2, automatic()).await;
    let id = Uuid::try_parse(&game.game_id).unwrap();
    let due = async |process: &TestServer<Caylus>| {
        end_late(process, id).await;
        process.info(&game).await.version
    };
    assert_eq!(due(one.set_clock(4_999)).await, 1);
    assert_eq!(due(one.set_clock(5_000)).await, 2);
    assert_eq!(due(other.set_clock(5_001)).await, 2);
    let both = tokio::join!(due(one.set_clock(10_000)), due(other.set_clock(10_000)));
    assert_eq!(both, (3, 3));
    let more = TableRequest::AddTime {
        seats: Vec::new(),
        time: Some(prost_types::Duration {
            seconds: 60,
            nanos: 0,
        }),
    };
    one.change_table(&game, more).await.unwrap();
    assert_eq!(due(one.set_clock(15_000)).await, 4);
    assert_eq!(due(one.set_clock(75_000)).await, 5);
}
