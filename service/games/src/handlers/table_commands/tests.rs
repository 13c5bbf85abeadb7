//! Clocks at their limits, and take-backs. The tests set the time.

use gamekeeper_rules::caylus::Caylus;
use gamekeeper_rules::goofspiel::Goofspiel;
use gamekeeper_rules::mythotopia::Mythotopia;
use gamekeeper_rules::table_life::TableRefusal;
use pb::{ClockOptions, EndReason, TableOptions, TakeBackPolicy, TimeoutAction};
use prost_types::Timestamp;

use super::*;
use crate::aggregate::due::{due_bucket, minute_of};
use crate::authz::{Caller, Role};
use crate::metadata::GameMetadata;
use crate::test_server::{START_MS, TestServer, store};

fn clock(decision: u32, bank: u32, increment: u32, on_timeout: TimeoutAction) -> TableOptions {
    TableOptions {
        clock: Some(ClockOptions {
            decision_seconds: decision,
            bank_seconds: bank,
            increment_seconds: increment,
            on_timeout: on_timeout.into(),
            ..ClockOptions::default()
        }),
        ..Default::default()
    }
}

fn take_back(policy: TakeBackPolicy) -> TableOptions {
    TableOptions {
        take_back: policy.into(),
        ..Default::default()
    }
}

/// Returns the milliseconds since the game was created.
fn since_begin(time: Option<Timestamp>) -> Option<u64> {
    let time = time?;
    let ms = u64::try_from(time.seconds).unwrap() * 1_000;
    Some(ms + u64::try_from(time.nanos).unwrap() / 1_000_000 - START_MS)
}

fn due(game: &pb::GameInfo) -> Option<u64> {
    since_begin(game.pending[0].due)
}

fn late(game: &pb::GameInfo) -> TableRequest {
    let seat = game.pending[0].seat;
    TableRequest::ClaimTimeout { seat }
}

fn bank(game: &pb::GameInfo, seat: u32) -> u64 {
    let mut clocks = game.clocks.iter();
    clocks.find(|clock| clock.seat == seat).unwrap().bank_ms
}

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

#[tokio::test]
async fn own_actions_are_taken_back_as_long_as_nobody_else_acted() {
    let process = TestServer::<Caylus>::new(&store());
    let policy = take_back(TakeBackPolicy::Unseen);
    let options = TableOptions {
        take_back: policy.take_back,
        ..clock(60, 60, 5, TimeoutAction::Fallback)
    };
    let game = process.create(2, options).await;
    let (seat, before) = (game.pending[0].seat, process.view(&game).await);
    let acted = process.set_clock(10_000).play_first_legal(&game).await;
    assert_ne!(process.view(&game).await, before);
    let other = TableRequest::TakeBack {
        seat: acted.pending[0].seat,
        to_version: 1,
    };
    assert_eq!(
        process.change_table_refused(&game, other).await,
        TableRefusal::NothingToTakeBack
    );
    let mine = |to_version| TableRequest::TakeBack { seat, to_version };
    let back = process
        .set_clock(20_000)
        .change_table_with_id(&game, mine(0), "once")
        .await
        .unwrap();
    assert_eq!((back.version, back.pending[0].seat), (3, seat));
    assert_eq!(process.view(&game).await, before, "no trace but the entry");
    // The clock continues as if the action had never been played, and its increment is gone.
    assert_eq!(
        (due(&back), bank(&back, seat)),
        (due(&game), bank(&game, seat))
    );
    let again = process
        .change_table_with_id(&game, mine(0), "once")
        .await
        .unwrap();
    assert_eq!(again, back, "the same request is answered alike");
    assert_eq!(
        process.change_table_refused(&game, mine(1)).await,
        TableRefusal::NothingToTakeBack
    );

    let mut now = process.play_first_legal(&back).await;
    now = process.play_first_legal(&now).await;
    assert_eq!(
        process.change_table_refused(&game, mine(3)).await,
        TableRefusal::NothingToTakeBack
    );
    assert_eq!(process.info(&game).await, now);
}

/// Asserts that an answer is refused, since the seat has no open proposal with this number to answer.
async fn assert_nothing_to_answer(
    process: &TestServer<Caylus>,
    game: &pb::GameInfo,
    answer: TableRequest,
) {
    let refusal = process.change_table_refused(game, answer).await;
    assert!(
        matches!(refusal, TableRefusal::NoOpenProposal(_)),
        "{refusal}"
    );
}

#[tokio::test]
async fn everybody_must_agree_where_the_table_says_so() {
    let store = store();
    let process = TestServer::<Caylus>::new(&store);
    let game = process.create(3, take_back(TakeBackPolicy::Agreed)).await;
    let (seat, before) = (game.pending[0].seat, process.view(&game).await);
    let [second, third] = [1, 2].map(|step| (seat - 1 + step) % 3 + 1);
    let mut now = process.play_first_legal(&game).await;
    now = process.play_first_legal(&now).await;
    let to_version = 1;
    let take_back = TableRequest::TakeBack { seat, to_version };
    let waits = process
        .change_table(&game, take_back.clone())
        .await
        .unwrap();
    assert_eq!(waits.proposal.as_ref().unwrap().seat, seat);
    let first = waits.proposal.unwrap().number;
    assert_eq!(first, waits.version);
    let answer_to = |number, seat, agrees| TableRequest::AnswerProposal {
        seat,
        number,
        agrees,
    };
    let answer_request = |seat, agrees| answer_to(first, seat, agrees);
    assert_nothing_to_answer(&process, &game, answer_request(seat, true)).await;
    let void = process
        .change_table(&game, answer_request(second, false))
        .await
        .unwrap();
    assert_eq!(void.proposal, None);
    assert_nothing_to_answer(&process, &game, answer_request(third, true)).await;

    let again = process.change_table(&game, take_back).await.unwrap();
    // A late answer to the first proposal does not apply to the second.
    assert_nothing_to_answer(&process, &game, answer_request(third, true)).await;
    let number = again.proposal.unwrap().number;
    let answer_request = |seat, agrees| answer_to(number, seat, agrees);
    let one = process
        .change_table(&game, answer_request(third, true))
        .await
        .unwrap();
    assert_eq!(one.proposal.as_ref().unwrap().agreed, [third]);
    assert_ne!(process.view(&game).await, before);
    let back = process
        .change_table(&game, answer_request(second, true))
        .await
        .unwrap();
    assert_eq!((back.proposal.as_ref(), back.pending[0].seat), (None, seat));
    assert_eq!(process.view(&game).await, before);
    assert!(back.version > now.version, "versions go on");
    // A process with an empty cache reads the same from the log, and play continues.
    let fresh = TestServer::<Caylus>::new(&store);
    assert_eq!(fresh.info(&game).await, back);
    assert_eq!(
        fresh.play_first_legal(&back).await.version,
        back.version + 1
    );
}

#[tokio::test]
async fn plain_games_take_nothing_back() {
    let process = TestServer::<Caylus>::new(&store());
    let game = process.create(2, TableOptions::default()).await;
    let seat = game.pending[0].seat;
    process.play_first_legal(&game).await;
    for to_version in [0, 1, 2, u64::MAX] {
        let ask = TableRequest::TakeBack { seat, to_version };
        assert_eq!(
            process.change_table_refused(&game, ask).await,
            TableRefusal::NoTakeBack
        );
    }
}

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
    let event = propose(Seat::FIRST, Proposal::Pause);
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

#[test]
fn time_is_added_from_a_millisecond_to_a_year() {
    let add = |seconds, nanos| parse_added_time(Some(prost_types::Duration { seconds, nanos }));
    let year = 366 * 24 * 60 * 60;
    assert_eq!(add(0, 1_000_000), Ok(1));
    assert_eq!(add(0, 1_999_999), Ok(1));
    assert_eq!(add(year, 0), Ok(year.unsigned_abs() * 1_000));
    let refused = [
        (0, 999_999),
        (year, 1),
        (-1, 0),
        (i64::MAX, 0),
        (1, -1),
        (0, 1_000_000_000),
    ];
    for (seconds, nanos) in refused {
        assert_eq!(add(seconds, nanos).unwrap_err().field, "time");
    }
}
