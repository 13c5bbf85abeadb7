//! Outages and clocks. The tests set the time.

use super::*;
use crate::handlers::system_commands::DueWork;

/// Returns options with a time bank of 100 seconds.
fn bank_of_100() -> TableOptions {
    TableOptions {
        clock: Some(ClockOptions {
            bank_seconds: 100,
            ..ClockOptions::default()
        }),
        ..TableOptions::default()
    }
}

/// Writes a heartbeat of a process at this time.
async fn beat(process: &TestServer<Caylus>, ms: u64) {
    let outages = &process.set_clock(ms).games.context.outages;
    outages.heartbeat(START_MS + ms).await.unwrap();
}

/// The clocks stand still while no process serves. Whoever acts first afterwards, the outage is credited to the game
/// before that, and only once.
#[tokio::test]
async fn an_outage_is_charged_to_nobody_by_any_process() {
    let store = store();
    let one = TestServer::<Caylus>::with_outages(&store);
    let other = TestServer::<Caylus>::with_outages(&store);
    beat(&one, 0).await;
    let game = one.create(2, bank_of_100()).await;
    let idle = one.create(2, bank_of_100()).await;
    beat(&one, 20_000).await;
    // No process serves for 980 seconds.
    let early = other
        .set_clock(1_000_000)
        .change_table_refused(&game, late(&game))
        .await;
    assert!(
        matches!(
            early,
            TableRefusal::NotOverdue {
                left_ms: 80_000,
                ..
            }
        ),
        "{early}"
    );
    let early = one
        .set_clock(1_000_001)
        .change_table_refused(&game, late(&game))
        .await;
    assert!(
        matches!(
            early,
            TableRefusal::NotOverdue {
                left_ms: 79_999,
                ..
            }
        ),
        "{early}"
    );
    beat(&one, 1_040_000).await;
    let claimed = one
        .set_clock(1_080_000)
        .change_table(&game, late(&game))
        .await
        .unwrap();
    assert_eq!(
        claimed.version, 3,
        "the time that was given back, and the claim"
    );
    // The seat that acts is charged for 50 seconds, and not for the outage among them.
    let acted = other.set_clock(1_030_000).play_first_legal(&idle).await;
    assert_eq!(acted.version, 3);
    assert_eq!(bank(&acted, idle.pending[0].seat), 50_000);
    assert_eq!(
        other.play_first_legal(&acted).await.version,
        4,
        "there is nothing more to give back"
    );
}

/// An outage during a pause needs no credit, since the clocks stood still anyway.
#[tokio::test]
async fn an_outage_in_a_pause_gives_nothing_back() {
    let process = TestServer::<Caylus>::with_outages(&store());
    beat(&process, 0).await;
    let game = process.create(2, bank_of_100()).await;
    let pause = TableRequest::Pause { seat: 0 };
    process
        .set_clock(10_000)
        .change_table(&game, pause)
        .await
        .unwrap();
    beat(&process, 20_000).await;
    beat(&process, 500_000).await;
    let resume = TableRequest::Resume { seat: 0 };
    let resumed = process
        .set_clock(500_000)
        .change_table(&game, resume)
        .await
        .unwrap();
    let due = Timestamp {
        seconds: i64::try_from(START_MS / 1_000 + 590).unwrap(),
        nanos: 0,
    };
    assert_eq!((resumed.version, resumed.pending[0].due), (3, Some(due)));
}

/// The service credits an outage without a call.
#[tokio::test]
async fn the_service_gives_an_outage_back_by_itself() {
    let process = TestServer::<Caylus>::with_outages(&store());
    beat(&process, 0).await;
    let game = process.create(2, bank_of_100()).await;
    let id = Uuid::try_parse(&game.game_id).unwrap();
    beat(&process, 20_000).await;
    // No process serves for 980 seconds.
    beat(&process, 1_000_000).await;
    let caller = Caller::UNAUTHENTICATED;
    let due = async || process.games.due_work(&caller, id).await.unwrap();
    assert!(matches!(due().await, DueWork::CreditOutage));
    for _ in 0..2 {
        process.games.credit_outages(&caller, id).await.unwrap();
        let back = process.info(&game).await;
        let due = Timestamp {
            seconds: i64::try_from(START_MS / 1_000 + 1_080).unwrap(),
            nanos: 0,
        };
        assert_eq!((back.version, back.pending[0].due), (2, Some(due)));
    }
    assert!(matches!(due().await, DueWork::Nothing));
}
