//! Clocks at their limits, and take-backs. The tests set the time.

use gamekeeper_rules::caylus::Caylus;
use gamekeeper_rules::goofspiel::Goofspiel;
use gamekeeper_rules::life::No;
use gamekeeper_rules::mythotopia::Mythotopia;
use pb::{ClockOptions, EndReason, TableOptions, TakeBackPolicy, TimeoutAction};
use prost_types::Timestamp;

use super::*;
use crate::heart::access::{Access, Caller, Role};
use crate::heart::due::{due_in, minute_of};
use crate::process::{BEGUN, Process, store};

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
    Some(ms + u64::try_from(time.nanos).unwrap() / 1_000_000 - BEGUN)
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
    let process = Process::<Caylus>::over(&store());
    let game = process
        .create(2, clock(2, 3, 1, TimeoutAction::Fallback))
        .await;
    let seat = game.pending[0].seat;
    assert_eq!(
        (since_begin(game.pending[0].since), due(&game)),
        (Some(0), Some(5_000))
    );
    let early = process.at(4_999).refused(&game, late(&game)).await;
    assert!(matches!(early, No::NotDue { left_ms: 1, .. }), "{early}");
    let claimed = process.at(5_000).ask(&game, late(&game)).await.unwrap();
    assert_eq!(claimed.version, 2);
    assert_ne!(claimed.pending[0].seat, seat, "the fallback passes");
    assert_eq!(bank(&claimed, seat), 0, "nothing is added for it");
    assert_eq!(due(&claimed), Some(10_000));
    let nothing = process
        .refused(&game, TableRequest::ClaimTimeout { seat })
        .await;
    assert!(matches!(nothing, No::OwesNothing(_)), "{nothing}");
}

#[tokio::test]
async fn whoever_is_late_and_acts_before_anybody_says_so_has_acted() {
    let process = Process::<Caylus>::over(&store());
    let game = process
        .create(2, clock(2, 3, 4, TimeoutAction::Resign))
        .await;
    let seat = game.pending[0].seat;
    let acted = process.at(60_000).act(&game).await;
    assert_eq!(bank(&acted, seat), 4_000);
    let refused = process
        .refused(&game, TableRequest::ClaimTimeout { seat })
        .await;
    assert!(matches!(refused, No::OwesNothing(_)), "{refused}");
    // Nothing is taken from the bank within the time for a decision.
    let other = acted.pending[0].seat;
    let again = process.at(61_999).act(&acted).await;
    assert_eq!(bank(&again, other), 7_000);
    let later = process.at(64_999).act(&again).await;
    assert_eq!(bank(&later, seat), 7_000, "one second beyond, four more");
}

#[tokio::test]
async fn processes_whose_clocks_are_a_second_apart_differ_by_a_second() {
    let store = store();
    let (behind, ahead) = (
        Process::<Caylus>::over(&store),
        Process::<Caylus>::over(&store),
    );
    let game = behind
        .create(2, clock(5, 0, 0, TimeoutAction::Fallback))
        .await;
    behind.at(4_000);
    assert!(matches!(
        behind.refused(&game, late(&game)).await,
        No::NotDue { left_ms: 1_000, .. }
    ));
    let claimed = ahead.at(5_000).ask(&game, late(&game)).await.unwrap();
    assert_eq!(since_begin(claimed.update_time), Some(5_000));
    assert_eq!(due(&claimed), Some(10_000));
    // Times never run backwards in a log: an entry of the process whose clock is behind is not dated earlier.
    assert!(matches!(
        behind.at(4_500).refused(&claimed, late(&claimed)).await,
        No::NotDue { left_ms: 5_000, .. }
    ));
    let acted = behind.act(&claimed).await;
    assert_eq!(since_begin(acted.update_time), Some(5_000));
    assert_eq!(due(&acted), Some(10_000));
    assert_eq!(ahead.info(&game).await, acted);
}

#[tokio::test]
async fn running_out_of_time_may_be_the_end() {
    let process = Process::<Caylus>::over(&store());
    let game = process
        .create(3, clock(0, 1, 0, TimeoutAction::Resign))
        .await;
    let first = game.pending[0].seat;
    let game = process.at(1_000).ask(&game, late(&game)).await.unwrap();
    assert_eq!(
        (&game.resigned[..], game.end_reason()),
        (&[first][..], EndReason::Unspecified)
    );
    let second = game.pending[0].seat;
    let over = process.at(2_000).ask(&game, late(&game)).await.unwrap();
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
        .refused(&over, TableRequest::Resign { seat: winner })
        .await;
    assert_eq!(refused, No::GameOver);
    // Another process, which reads everything from the store, agrees.
    assert_eq!(process.info(&game).await, over);
}

#[tokio::test]
async fn a_pause_stops_the_clocks() {
    let process = Process::<Caylus>::over(&store());
    let game = process
        .create(2, clock(2, 3, 0, TimeoutAction::Fallback))
        .await;
    let paused = process
        .at(4_000)
        .ask(&game, TableRequest::Pause { seat: 0 })
        .await
        .unwrap();
    assert_eq!((paused.paused, due(&paused)), (true, None));
    assert_eq!(
        process.at(99_000).refused(&paused, late(&game)).await,
        No::Paused
    );
    assert_eq!(
        process
            .refused(&paused, TableRequest::Pause { seat: 0 })
            .await,
        No::Paused
    );
    let resumed = process
        .at(100_000)
        .ask(&game, TableRequest::Resume { seat: 0 })
        .await
        .unwrap();
    assert_eq!((resumed.paused, due(&resumed)), (false, Some(101_000)));
    assert_eq!(
        process
            .refused(&game, TableRequest::Resume { seat: 0 })
            .await,
        No::NotPaused
    );
    let early = process.at(100_999).refused(&game, late(&game)).await;
    assert!(matches!(early, No::NotDue { left_ms: 1, .. }), "{early}");
    process.at(101_000).ask(&game, late(&game)).await.unwrap();
    let plain = process.create(2, TableOptions::default()).await;
    assert_eq!(
        process
            .refused(&plain, TableRequest::Pause { seat: 0 })
            .await,
        No::NoClock
    );
    assert_eq!(process.refused(&plain, late(&plain)).await, No::NoClock);
}

#[tokio::test]
async fn clocks_of_simultaneous_decisions_run_side_by_side() {
    let process = Process::<Goofspiel>::over(&store());
    let game = process
        .create(3, clock(10, 0, 0, TimeoutAction::Fallback))
        .await;
    assert_eq!(game.pending.len(), 3, "a secret bid of all");
    let acted = process.at(6_000).act(&game).await;
    assert_eq!(acted.pending.len(), 2);
    assert!(
        acted
            .pending
            .iter()
            .all(|owed| since_begin(owed.due) == Some(10_000))
    );
    let claimed = process.at(10_000).ask(&acted, late(&acted)).await.unwrap();
    assert_eq!(
        since_begin(claimed.pending[0].due),
        Some(10_000),
        "the last one is late too"
    );
}

#[tokio::test]
async fn own_actions_are_taken_back_as_long_as_nobody_else_acted() {
    let process = Process::<Caylus>::over(&store());
    let policy = take_back(TakeBackPolicy::Unseen);
    let options = TableOptions {
        take_back: policy.take_back,
        ..clock(60, 60, 5, TimeoutAction::Fallback)
    };
    let game = process.create(2, options).await;
    let (seat, before) = (game.pending[0].seat, process.view(&game).await);
    let acted = process.at(10_000).act(&game).await;
    assert_ne!(process.view(&game).await, before);
    let other = TableRequest::TakeBack {
        seat: acted.pending[0].seat,
        to_version: 1,
    };
    assert_eq!(process.refused(&game, other).await, No::NothingToTakeBack);
    let mine = |to_version| TableRequest::TakeBack { seat, to_version };
    let back = process
        .at(20_000)
        .named(&game, mine(0), "once")
        .await
        .unwrap();
    assert_eq!((back.version, back.pending[0].seat), (3, seat));
    assert_eq!(process.view(&game).await, before, "no trace but the entry");
    // The clock continues as if the action had never been played, and its increment is gone.
    assert_eq!(
        (due(&back), bank(&back, seat)),
        (due(&game), bank(&game, seat))
    );
    let again = process.named(&game, mine(0), "once").await.unwrap();
    assert_eq!(again, back, "the same request is answered alike");
    assert_eq!(process.refused(&game, mine(1)).await, No::NothingToTakeBack);

    let mut now = process.act(&back).await;
    now = process.act(&now).await;
    assert_eq!(process.refused(&game, mine(3)).await, No::NothingToTakeBack);
    assert_eq!(process.info(&game).await, now);
}

#[tokio::test]
async fn everybody_must_agree_where_the_table_says_so() {
    let store = store();
    let process = Process::<Caylus>::over(&store);
    let game = process.create(3, take_back(TakeBackPolicy::Agreed)).await;
    let (seat, before) = (game.pending[0].seat, process.view(&game).await);
    let [second, third] = [1, 2].map(|step| (seat - 1 + step) % 3 + 1);
    let mut now = process.act(&game).await;
    now = process.act(&now).await;
    let to_version = 1;
    let asked = TableRequest::TakeBack { seat, to_version };
    let waits = process.ask(&game, asked.clone()).await.unwrap();
    assert_eq!(waits.proposal.as_ref().unwrap().seat, seat);
    let first = waits.proposal.unwrap().number;
    assert_eq!(first, waits.version);
    let answer_to = |number, seat, agrees| TableRequest::AnswerProposal {
        seat,
        number,
        agrees,
    };
    let answer = |seat, agrees| answer_to(first, seat, agrees);
    assert!(matches!(
        process.refused(&game, answer(seat, true)).await,
        No::NotAsked(_)
    ));
    let void = process.ask(&game, answer(second, false)).await.unwrap();
    assert_eq!(void.proposal, None);
    assert!(matches!(
        process.refused(&game, answer(third, true)).await,
        No::NotAsked(_)
    ));

    let again = process.ask(&game, asked).await.unwrap();
    // A late answer to the first proposal does not apply to the second.
    assert!(matches!(
        process.refused(&game, answer(third, true)).await,
        No::NotAsked(_)
    ));
    let number = again.proposal.unwrap().number;
    let answer = |seat, agrees| answer_to(number, seat, agrees);
    let one = process.ask(&game, answer(third, true)).await.unwrap();
    assert_eq!(one.proposal.as_ref().unwrap().agreed, [third]);
    assert_ne!(process.view(&game).await, before);
    let back = process.ask(&game, answer(second, true)).await.unwrap();
    assert_eq!((back.proposal.as_ref(), back.pending[0].seat), (None, seat));
    assert_eq!(process.view(&game).await, before);
    assert!(back.version > now.version, "versions go on");
    // A process with an empty cache reads the same from the log, and play continues.
    let fresh = Process::<Caylus>::over(&store);
    assert_eq!(fresh.info(&game).await, back);
    assert_eq!(fresh.act(&back).await.version, back.version + 1);
}

#[tokio::test]
async fn plain_games_take_nothing_back() {
    let process = Process::<Caylus>::over(&store());
    let game = process.create(2, TableOptions::default()).await;
    let seat = game.pending[0].seat;
    process.act(&game).await;
    for to_version in [0, 1, 2, u64::MAX] {
        let ask = TableRequest::TakeBack { seat, to_version };
        assert_eq!(process.refused(&game, ask).await, No::NoTakeBack);
    }
}

#[tokio::test]
async fn a_seat_that_left_is_answered_for_until_it_returns() {
    let store = store();
    let process = Process::<Caylus>::over(&store);
    let game = process.create(3, TableOptions::default()).await;
    let seat = game.pending[0].seat;
    let left = process
        .named(&game, TableRequest::Resign { seat }, "go")
        .await
        .unwrap();
    assert_eq!(left.resigned, [seat]);
    let again = process
        .named(&game, TableRequest::Resign { seat }, "go")
        .await
        .unwrap();
    assert_eq!(again, left);
    assert!(matches!(
        process.refused(&game, TableRequest::Resign { seat }).await,
        No::HasLeft(_)
    ));
    let mut now = left;
    for _ in 0..40 {
        assert!(now.pending.iter().all(|owed| owed.seat != seat));
        now = process.act(&now).await;
    }
    // A new process restores the same game from a snapshot and the log.
    let fresh = Process::<Caylus>::over(&store);
    assert_eq!(fresh.info(&game).await, now);
    let ask = TableRequest::FillSeat { seat, bot: None };
    let back = fresh.ask(&game, ask.clone()).await.unwrap();
    assert!(back.resigned.is_empty());
    assert!(matches!(fresh.refused(&game, ask).await, No::HasNotLeft(_)));
    let mut now = back;
    for _ in 0..40 {
        if now.pending.iter().any(|owed| owed.seat == seat) {
            return;
        }
        now = fresh.act(&now).await;
    }
    panic!("seat {seat} is never asked again");
}

/// The token that was issued stays valid when another process learns only now that the seat was filled again.
#[tokio::test]
async fn a_return_that_is_refused_revokes_no_token() {
    let store = store();
    let (one, behind) = (
        Process::<Caylus>::over(&store),
        Process::<Caylus>::over(&store),
    );
    let game = one.create(3, TableOptions::default()).await;
    let seat = game.pending[0].seat;
    let left = one.ask(&game, TableRequest::Resign { seat }).await.unwrap();
    assert_eq!(behind.info(&game).await, left);
    let id = Uuid::try_parse(&game.game_id).unwrap();
    let back = TableRequest::FillSeat { seat, bot: None };
    one.ask(&game, back.clone()).await.unwrap();
    let record = async || store.load(id, None).await.unwrap().unwrap().access;
    let handed_out = record().await;
    // Only the record differs: the game in the cache of the other process is older.
    let mut cached = behind.games.open(&Caller::OPEN, id).await.unwrap();
    assert_eq!(cached.version, left.version);
    cached.access = Access::from_bytes(&handed_out).unwrap();
    drop(cached);
    let refused = behind.refused(&game, back).await;
    assert!(matches!(refused, No::HasNotLeft(_)), "{refused}");
    assert_eq!(record().await, handed_out);
}

/// A log must not grow without limit while the game makes no progress, but what the game needs still happens.
#[tokio::test]
async fn pauses_have_an_end() {
    let process = Process::<Caylus>::over(&store());
    let game = process
        .create(2, clock(2, 3, 0, TimeoutAction::Fallback))
        .await;
    for _ in 0..life::MAX_EXTRAS {
        process
            .ask(&game, TableRequest::Pause { seat: 0 })
            .await
            .unwrap();
        process
            .ask(&game, TableRequest::Resume { seat: 0 })
            .await
            .unwrap();
    }
    assert_eq!(
        process
            .refused(&game, TableRequest::Pause { seat: 0 })
            .await,
        No::TooManyEntries
    );
    let late = process.at(5_000).ask(&game, late(&game)).await.unwrap();
    let seat = late.pending[0].seat;
    let over = process
        .ask(&game, TableRequest::Resign { seat })
        .await
        .unwrap();
    assert_eq!(over.end_reason(), EndReason::Resignation);
}

/// Requests of the seats leave entries for the owner, and a log of an earlier build without this reserve is still read.
#[tokio::test]
async fn the_seats_share_what_the_owner_leaves_them() {
    let process = Process::<Caylus>::over(&store());
    let options = TableOptions {
        pause_by_agreement: true,
        ..clock(60, 0, 0, TimeoutAction::Fallback)
    };
    let game = process.create(2, options).await;
    let of_seat = |seat| TableRequest::Pause { seat };
    let share = (life::MAX_EXTRAS - life::EXTRAS_OF_OWNER) / 2;
    for seat in [1, 2] {
        for _ in 0..share {
            process.ask(&game, of_seat(seat)).await.unwrap();
        }
        let refused = process.refused(&game, of_seat(seat)).await;
        assert!(
            matches!(refused, No::ShareUsed { max, .. } if max == share),
            "{refused}"
        );
    }
    for _ in 0..life::EXTRAS_OF_OWNER {
        process.ask(&game, of_seat(0)).await.unwrap();
        let resume = TableRequest::Resume { seat: 0 };
        process.ask(&game, resume).await.unwrap();
    }
    let refused = process.refused(&game, of_seat(0)).await;
    assert_eq!(refused, No::TooManyEntries);
}

#[tokio::test]
async fn a_log_that_knew_no_shares_is_replayed() {
    let process = Process::<Caylus>::over(&store());
    let options = TableOptions {
        pause_by_agreement: true,
        ..clock(60, 0, 0, TimeoutAction::Fallback)
    };
    let game = process.create(2, options).await;
    let id = Uuid::try_parse(&game.game_id).unwrap();
    let game = process.games.open(&Caller::OPEN, id).await.unwrap();
    let deed = proposed(Seat::FIRST, Proposal::Pause);
    let mut life = game.life.clone();
    for version in 2..2 + u64::from(life::MAX_EXTRAS) {
        let table = life::Table {
            life: life.as_deref(),
            ..game.table()
        };
        let moment = life::Moment { version, at_ms: 0 };
        life = life::perform(table, &deed, None, moment).unwrap().1;
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
async fn end_late<W: Wire>(process: &Process<W>, id: Uuid) {
    let operator = Caller::new(Role::Operator);
    match process.games.end_late(&operator, id).await {
        Ok(()) | Err(Problem::Table(_)) => {}
        Err(problem) => panic!("{problem}"),
    }
}

/// The turn of a bot is listed under the minute in which it begins, however long another seat has thought before.
#[tokio::test]
async fn the_turn_of_a_bot_is_due_when_it_comes() {
    let store = store();
    let process = Process::<Caylus>::over(&store);
    let game = process.create(3, TableOptions::default()).await;
    let first = game.pending[0].seat;
    let game = process.act(&game).await;
    let seat = 6 - first - game.pending[0].seat;
    process
        .ask(&game, TableRequest::Resign { seat })
        .await
        .unwrap();
    let bot = Some(pb::Bot {
        policy: String::from("random"),
        max_think_time: None,
    });
    process
        .ask(&game, TableRequest::FillSeat { seat, bot })
        .await
        .unwrap();
    let hour = 3_600_000;
    let due = async || {
        let filter = gamekeeper_store::ListFilter {
            lists: vec![due_in(minute_of(BEGUN + hour))],
            ..Default::default()
        };
        store.page(&filter, None, 10).await.unwrap().games.len()
    };
    assert_eq!(due().await, 0);
    let acted = process.at(hour).act(&game).await;
    assert_eq!(acted.pending[0].seat, seat);
    assert_eq!(due().await, 1);
}

/// A game that a player has abandoned does not go on without end, whatever other players or bots do, and does once the
/// player is back.
#[tokio::test]
async fn what_is_due_waits_for_somebody_in_the_end() {
    let process = Process::<Mythotopia>::over(&store());
    let game = process.create(2, automatic()).await;
    let id = Uuid::try_parse(&game.game_id).unwrap();
    let mut now = 0;
    let mut without_ada = async || {
        for _ in 0..8 * u32::from(life::MAX_UNATTENDED) {
            now += 5_000;
            let info = process.at(now).info(&game).await;
            if info.pending[0].seat == 1 {
                end_late(&process, id).await;
            } else {
                process.act(&info).await;
            }
        }
        process.info(&game).await
    };
    let idle = without_ada().await;
    assert_eq!(idle.status(), pb::GameStatus::Active);
    assert_eq!(without_ada().await.version, idle.version);
    let back = process.act(&idle).await;
    assert!(without_ada().await.version > back.version);
}

/// When two processes act on the same timer, the store accepts one entry. Before the timer expires, neither acts.
#[tokio::test]
async fn what_is_due_happens_once() {
    let store = store();
    let (one, other) = (
        Process::<Caylus>::over(&store),
        Process::<Caylus>::over(&store),
    );
    let game = one.create(2, automatic()).await;
    let id = Uuid::try_parse(&game.game_id).unwrap();
    let due = async |process: &Process<Caylus>| {
        end_late(process, id).await;
        process.info(&game).await.version
    };
    assert_eq!(due(one.at(4_999)).await, 1);
    assert_eq!(due(one.at(5_000)).await, 2);
    assert_eq!(due(other.at(5_001)).await, 2);
    let both = tokio::join!(due(one.at(10_000)), due(other.at(10_000)));
    assert_eq!(both, (3, 3));
    let more = TableRequest::AddTime {
        seats: Vec::new(),
        time: Some(prost_types::Duration {
            seconds: 60,
            nanos: 0,
        }),
    };
    one.ask(&game, more).await.unwrap();
    assert_eq!(due(one.at(15_000)).await, 4);
    assert_eq!(due(one.at(75_000)).await, 5);
}

#[test]
fn time_is_added_from_a_millisecond_to_a_year() {
    let add = |seconds, nanos| added(Some(prost_types::Duration { seconds, nanos }));
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
