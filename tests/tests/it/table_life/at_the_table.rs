//! Games continue without players who left, on every store, and after servers were stopped and killed.

use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_tests::dominion::{Client, SEEN, ada_and_bob, assert_reason, facts, reason};
use gamekeeper_tests::tokens::{KeyFiles, RED, bearing, seat_holder};
use tokio::time::{sleep, timeout};
use tonic::Code;
use tonic_types::StatusExt;
use v1::table_event::{self, Kind};

use super::{Store, fill, game, info, resign};

/// Returns the events beyond the rules of an entry.
fn table_events(entry: &v1::LogEntry) -> Vec<Kind> {
    let events = entry.events.iter();
    let kinds = events.filter_map(|event| event.table.as_ref()?.kind.clone());
    kinds.collect()
}

/// Three players: one leaves, the others play on, the server is killed, the second one leaves, and the game is over.
#[expect(
    clippy::too_many_lines,
    reason = "one game, told from its beginning to its end"
)]
async fn goes_on(store: Store) {
    let mut server = store.server(&[]);
    let mut table = game(&server, "", &["Ada", "Bob", "Cyd"], None).await;
    let (mut client, mut games) = (server.games(), server.games());
    table.play(&mut client, 7).await.unwrap();
    let watch = v1::WatchGameRequest {
        game_id: table.game.game_id.clone(),
        after_version: table.game.version,
        show: Some(SEEN),
        ..Default::default()
    };
    let mut watch = client.watch_game(watch).await.unwrap().into_inner();

    let left = resign(&mut games, "", &table.game, 2, "leave")
        .await
        .unwrap();
    assert_eq!(
        (left.version, &left.resigned[..]),
        (table.game.version + 1, &[2][..])
    );
    let again = resign(&mut games, "", &table.game, 2, "leave")
        .await
        .unwrap();
    assert_eq!(again, left);
    let received = timeout(Duration::from_secs(20), watch.message()).await;
    let message = received.unwrap().unwrap().unwrap();
    assert_eq!(facts(message.table), left);
    let resigned = Kind::Resigned(table_event::Resigned { seat: 2 });
    assert_eq!(table_events(&message.entry.unwrap()), [resigned]);

    table.game = left;
    table.play(&mut client, 60).await.unwrap();
    let before = info(&mut games, "", &table.game).await;
    assert!(before.pending.iter().all(|pending| pending.seat != 2));
    if store.is_lasting() {
        server.kill();
        server = store.server(&[]);
        (client, games) = (server.games(), server.games());
        assert_eq!(info(&mut games, "", &table.game).await, before);
    }
    table.play(&mut client, 5).await.unwrap();

    let over = resign(&mut games, "", &table.game, 1, "").await.unwrap();
    assert_eq!(over.status(), v1::GameStatus::Finished);
    assert_eq!(over.end_reason(), v1::EndReason::Resignation);
    let ranks: Vec<(u32, u32)> = over.standings.iter().map(|s| (s.seat, s.rank)).collect();
    assert_eq!(ranks, [(3, 1), (1, 2), (2, 3)]);
    let late = resign(&mut games, "", &table.game, 3, "")
        .await
        .unwrap_err();
    assert_reason(&late, Code::FailedPrecondition, "GAME_OVER");
    let legal = v1::ListLegalActionsRequest {
        game_id: over.game_id.clone(),
        seat: 3,
        ..Default::default()
    };
    let legal = client.list_legal_actions(legal).await.unwrap().into_inner();
    assert!(legal.actions.is_empty() && legal.exhaustive);
    let log = v1::ListEventsRequest {
        game_id: over.game_id.clone(),
        after_version: over.version - 1,
        ..Default::default()
    };
    let log = client.list_events(log).await.unwrap().into_inner().entries;
    let resigned = Kind::Resigned(table_event::Resigned { seat: 1 });
    let reason = v1::EndReason::Resignation.into();
    let ended = Kind::Ended(table_event::Ended {
        reason,
        ..Default::default()
    });
    assert_eq!(table_events(&log[0]), [resigned, ended]);
    let last = log[0].events.last().unwrap();
    assert!(last.kind == "ended" && last.table.is_some());
}

#[tokio::test]
async fn a_game_goes_on_without_a_player_in_memory() {
    goes_on(Store::memory()).await;
}

#[tokio::test]
async fn a_game_goes_on_without_a_player_on_disk() {
    goes_on(Store::embedded()).await;
}

#[tokio::test]
async fn a_game_goes_on_without_a_player_in_redis() {
    goes_on(Store::redis()).await;
}

/// Two processes repeatedly get the same request at the same time: it is carried out once.
#[tokio::test]
async fn the_same_request_happens_once_on_every_process() {
    let store = Store::redis();
    let (one, other) = (store.server(&[]), store.server(&[]));
    let mut table = game(&one, "", &["Ada", "Bob", "Cyd"], None).await;
    for round in 0..10_u32 {
        let seat = round % 3 + 1;
        let (id, back) = (format!("round {round}"), format!("back {round}"));
        let (mut here, mut there) = (one.games(), other.games());
        let (first, second) = tokio::join!(
            resign(&mut here, "", &table.game, seat, &id),
            resign(&mut there, "", &table.game, seat, &id)
        );
        let left = first.unwrap();
        assert_eq!(second.unwrap(), left);
        assert_eq!(
            (left.version, &left.resigned[..]),
            (table.game.version + 1, &[seat][..])
        );
        let (first, second) = tokio::join!(
            fill(&mut here, "", &table.game, seat, &back),
            fill(&mut there, "", &table.game, seat, &back)
        );
        let back = first.unwrap();
        assert_eq!(second.unwrap(), back);
        assert_eq!(
            (back.version, &back.resigned[..]),
            (left.version + 1, &[][..])
        );
        table.game = back;
        table.play(&mut one.games(), 2).await.unwrap();
    }
}

/// With a clock of one second, an early claim is refused with the time left; later the fallback has answered.
#[tokio::test]
async fn time_runs_out() {
    let server = Store::memory().server(&[]);
    let options = v1::TableOptions {
        clock: Some(v1::ClockOptions {
            bank_seconds: 1,
            ..Default::default()
        }),
        ..Default::default()
    };
    let table = game(&server, "", &["Ada", "Bob"], Some(options)).await;
    let seat = table.game.pending[0].seat;
    let claim = v1::ClaimTimeoutRequest {
        game_id: table.game.game_id.clone(),
        seat,
        request_id: String::from("late"),
    };
    let mut games = server.games();
    let early = games.claim_timeout(claim.clone()).await.unwrap_err();
    assert_reason(&early, Code::FailedPrecondition, "NOT_DUE");
    let left = early.get_details_retry_info().unwrap().retry_delay.unwrap();
    assert!(left <= Duration::from_secs(1), "{left:?}");
    sleep(left).await;
    let claimed = games
        .claim_timeout(claim.clone())
        .await
        .unwrap()
        .into_inner();
    let game = claimed.game.clone().unwrap();
    assert_eq!((game.version, game.pending[0].seat), (2, 3 - seat));
    assert_eq!(
        games.claim_timeout(claim).await.unwrap().into_inner(),
        claimed
    );
}

/// A proposal to take back is answered with the wrong number and with the right one.
#[tokio::test]
async fn an_answer_names_its_proposal() {
    let server = Store::memory().server(&[]);
    let options = v1::TableOptions {
        take_back: v1::TakeBackPolicy::Agreed.into(),
        ..Default::default()
    };
    let mut table = game(&server, "", &["Ada", "Bob"], Some(options)).await;
    let mut games = server.games();
    table.play(&mut games, 5).await.unwrap();
    let ask = v1::TakeBackRequest {
        game_id: table.game.game_id.clone(),
        seat: 1,
        to_version: 2,
        ..Default::default()
    };
    let response = games.take_back(ask).await.unwrap().into_inner();
    let game = response.game.unwrap();
    let proposal = game.proposal.unwrap();
    assert_eq!((proposal.number, proposal.seat), (game.version, 1));
    assert_eq!((game.version, proposal.agreed.len()), (7, 0));
    let answer = |number| v1::AnswerProposalRequest {
        game_id: table.game.game_id.clone(),
        seat: 2,
        number,
        agrees: true,
        ..Default::default()
    };
    for other in [proposal.number - 1, proposal.number + 1] {
        let refused = games.answer_proposal(answer(other)).await.unwrap_err();
        assert_eq!(refused.code(), Code::FailedPrecondition, "{other}");
    }
    let to_none = games.answer_proposal(answer(0)).await.unwrap_err();
    assert_reason(&to_none, Code::FailedPrecondition, "NOT_ASKED");
    let agreed = games.answer_proposal(answer(proposal.number)).await;
    let agreed = agreed.unwrap().into_inner().game.unwrap();
    assert_eq!((agreed.version, agreed.proposal), (8, None));
    let late = games.answer_proposal(answer(proposal.number)).await;
    assert_eq!(late.unwrap_err().code(), Code::FailedPrecondition);
    let log = v1::ListEventsRequest {
        game_id: table.game.game_id.clone(),
        after_version: 6,
        ..Default::default()
    };
    let log = games.list_events(log).await.unwrap().into_inner().entries;
    let take_back = v1::proposal::TakeBack { to_version: 2 };
    let proposed = Kind::Proposed(table_event::Proposed {
        seat: 1,
        kind: Some(table_event::proposed::Kind::TakeBack(take_back)),
    });
    let taken_back = Kind::TakenBack(table_event::TakenBack {
        seat: 1,
        to_version: 2,
        agreed_by: 2,
    });
    assert_eq!(table_events(&log[0]), [proposed]);
    assert_eq!(table_events(&log[1]), [taken_back]);
}

/// Returns invalid table options, each with the field to blame.
fn senseless() -> [(&'static str, v1::TableOptions); 7] {
    let clock = |clock| v1::TableOptions {
        clock: Some(clock),
        ..Default::default()
    };
    let second = v1::ClockOptions {
        bank_seconds: 1,
        ..Default::default()
    };
    let year = 40_000_000;
    [
        ("table.clock", clock(v1::ClockOptions::default())),
        (
            "table.clock.bank_seconds",
            clock(v1::ClockOptions {
                bank_seconds: year,
                ..second
            }),
        ),
        (
            "table.clock.decision_seconds",
            clock(v1::ClockOptions {
                decision_seconds: year,
                ..second
            }),
        ),
        (
            "table.clock.increment_seconds",
            clock(v1::ClockOptions {
                increment_seconds: year,
                ..second
            }),
        ),
        (
            "table.clock.on_timeout",
            clock(v1::ClockOptions {
                on_timeout: 9,
                ..second
            }),
        ),
        (
            "table.take_back",
            v1::TableOptions {
                take_back: 9,
                ..Default::default()
            },
        ),
        (
            "table.pause_by_agreement",
            v1::TableOptions {
                pause_by_agreement: true,
                ..Default::default()
            },
        ),
    ]
}

/// Table options are checked at creation.
#[tokio::test]
async fn senseless_tables_are_refused() {
    let server = Store::memory().server(&[]);
    for (field, table) in senseless() {
        let create = v1::CreateGameRequest {
            table: Some(table),
            ..ada_and_bob()
        };
        let refused = server.games().create_game(create).await.unwrap_err();
        assert_reason(&refused, Code::InvalidArgument, "MALFORMED");
        let details = refused.get_error_details();
        assert_eq!(details.error_info().unwrap().metadata["field"], field);
    }
}

/// The tokens of a player who left are revoked when the seat is filled; the new player gets a token of their own.
#[tokio::test]
async fn whoever_fills_a_seat_needs_a_new_token() {
    let keys = KeyFiles::new();
    let server = keys.server(&["--store=memory"]);
    let mut games = server.games();
    let table = game(&server, RED, &["Ada", "Bob", "Cyd"], None).await;
    let old = table.token(2).to_owned();
    resign(&mut games, &old, &table.game, 2, "").await.unwrap();
    let fill = async |games: &mut Client| fill(games, RED, &table.game, 2, "fill").await;
    let filled = fill(&mut games).await.unwrap();
    assert!(filled.resigned.is_empty());
    let refused = resign(&mut games, &old, &table.game, 2, "")
        .await
        .unwrap_err();
    assert_eq!(reason(&refused).1, "TOKEN_REPLACED");
    let issue = v1::IssueTokenRequest {
        holder: Some(seat_holder(&table.game.game_id, 2)),
        expire_time: None,
    };
    let issued = server.access().issue_token(bearing(RED, issue)).await;
    let new = issued.unwrap().into_inner().token;
    // A repeated request gets the same response, and does not affect the new token.
    assert_eq!(fill(&mut games).await.unwrap(), filled);
    resign(&mut games, &new, &table.game, 2, "").await.unwrap();
}
