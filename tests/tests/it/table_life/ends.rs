//! Games that end for a reason beyond the rules, pauses by agreement, and renamed players.

use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_tests::dominion::{Client, SEEN, Table, assert_reason, facts, game_of};
use tonic::{Code, Status};
use v1::table_event::Kind;

use super::{Store, act, game, info, resign};

fn agreeing() -> v1::TableOptions {
    v1::TableOptions {
        clock: Some(v1::ClockOptions {
            bank_seconds: 3_600,
            ..Default::default()
        }),
        take_back: v1::TakeBackPolicy::UnseenOrAgreed.into(),
        pause_by_agreement: true,
        end_by_agreement: true,
    }
}

async fn end(
    games: &mut Client,
    table: &Table,
    seat: u32,
    scored: bool,
) -> Result<v1::GameInfo, Status> {
    let ask = v1::EndGameRequest {
        game_id: table.game.game_id.clone(),
        seat,
        scored,
        ..Default::default()
    };
    Ok(games.end_game(ask).await?.into_inner().game.unwrap())
}

async fn pause(games: &mut Client, table: &Table, seat: u32) -> Result<v1::GameInfo, Status> {
    let ask = v1::PauseGameRequest {
        game_id: table.game.game_id.clone(),
        seat,
        ..Default::default()
    };
    Ok(games.pause_game(ask).await?.into_inner().game.unwrap())
}

async fn resume(games: &mut Client, table: &Table, seat: u32) -> Result<v1::GameInfo, Status> {
    let ask = v1::ResumeGameRequest {
        game_id: table.game.game_id.clone(),
        seat,
        ..Default::default()
    };
    Ok(games.resume_game(ask).await?.into_inner().game.unwrap())
}

async fn answer(
    games: &mut Client,
    table: &Table,
    (seat, number): (u32, u64),
    agrees: bool,
) -> Result<v1::GameInfo, Status> {
    let ask = v1::AnswerProposalRequest {
        game_id: table.game.game_id.clone(),
        seat,
        number,
        agrees,
        ..Default::default()
    };
    Ok(games.answer_proposal(ask).await?.into_inner().game.unwrap())
}

/// Returns the events of the last version.
async fn last_events(games: &mut Client, game: &v1::GameInfo) -> Vec<v1::Event> {
    let log = v1::ListEventsRequest {
        game_id: game.game_id.clone(),
        after_version: game.version - 1,
        show: Some(v1::Show {
            text: true,
            ..Default::default()
        }),
        ..Default::default()
    };
    let log = games.list_events(log).await.unwrap().into_inner();
    log.entries.into_iter().next_back().unwrap().events
}

/// Checks that every call on a finished game is refused with one reason, and that its view has no pending decision.
async fn is_over(games: &mut Client, table: &Table) {
    let game_id = table.game.game_id.clone();
    let act = v1::ApplyActionRequest {
        game_id: game_id.clone(),
        seat: 1,
        action: Some(gamekeeper_tests::dominion::action(
            gamekeeper_proto::gamekeeper::dominion::v1::action::Kind::EndTurn(Default::default()),
        )),
        ..Default::default()
    };
    let refused = games.apply_action(act).await.unwrap_err();
    assert_reason(&refused, Code::FailedPrecondition, "GAME_OVER");
    let refused = resign(games, "", &table.game, 2, "").await.unwrap_err();
    assert_reason(&refused, Code::FailedPrecondition, "GAME_OVER");
    let refused = end(games, table, 0, false).await.unwrap_err();
    assert_reason(&refused, Code::FailedPrecondition, "GAME_OVER");
    let look = v1::GetGameRequest {
        game_id,
        show: Some(SEEN),
        ..Default::default()
    };
    let response = games.get_game(look).await.unwrap().into_inner();
    assert!(response.seed_reveal.is_some());
    let table = response.table.unwrap();
    assert!(table.game.unwrap().pending.is_empty());
    let Some(v1::view::Ruleset::Dominion(view)) = table.view.unwrap().ruleset else {
        panic!("a view of Dominion");
    };
    assert_eq!(view.question, None);
}

#[tokio::test]
async fn the_owner_ends_a_game_without_a_result() {
    let server = Store::memory().server(&[]);
    let mut games = server.games();
    let mut table = game(&server, "", &["Ada", "Bob", "Cyd"], None).await;
    table.play(&mut games, 9).await.unwrap();
    let refused = end(&mut games, &table, 1, false).await.unwrap_err();
    assert_reason(&refused, Code::FailedPrecondition, "NOT_BY_AGREEMENT");
    let refused = end(&mut games, &table, 0, true).await.unwrap_err();
    assert_reason(&refused, Code::InvalidArgument, "MALFORMED");
    let over = end(&mut games, &table, 0, false).await.unwrap();
    assert_eq!(over.status(), v1::GameStatus::Finished);
    assert_eq!(over.end_reason(), v1::EndReason::Aborted);
    assert!(over.standings.is_empty() && over.pending.is_empty());
    let events = last_events(&mut games, &over).await;
    assert_eq!(events.len(), 1, "{events:?}");
    assert_eq!(events[0].kind, "ended");
    assert_eq!(events[0].text, "The game is ended without a result.");
    is_over(&mut games, &table).await;
}

#[tokio::test]
async fn players_agree_to_end_a_game_by_its_points() {
    let server = Store::memory().server(&[]);
    let mut games = server.games();
    let mut table = game(&server, "", &["Ada", "Bob", "Cyd"], Some(agreeing())).await;
    table.play(&mut games, 9).await.unwrap();
    let game = end(&mut games, &table, 1, true).await.unwrap();
    let proposal = game.proposal.unwrap();
    let wanted = v1::proposal::End { scored: true };
    assert_eq!(proposal.kind, Some(v1::proposal::Kind::End(wanted)));
    // One player declines, which voids the proposal.
    let number = proposal.number;
    let declined = answer(&mut games, &table, (2, number), false).await;
    assert_eq!(declined.unwrap().proposal, None);
    let refused = answer(&mut games, &table, (3, number), true).await;
    assert_reason(&refused.unwrap_err(), Code::FailedPrecondition, "NOT_ASKED");

    let game = end(&mut games, &table, 1, true).await.unwrap();
    let number = game.proposal.unwrap().number;
    let agreed = answer(&mut games, &table, (2, number), true).await.unwrap();
    assert_eq!(agreed.proposal.as_ref().unwrap().agreed, [2]);
    // Other players act meanwhile.
    table.game = agreed;
    table.play(&mut games, 1).await.unwrap();
    let over = answer(&mut games, &table, (3, number), true).await.unwrap();
    assert_eq!(over.end_reason(), v1::EndReason::Agreed);
    let scores: Vec<i32> = over.standings.iter().map(|one| one.score).collect();
    assert_eq!(scores.len(), 3);
    assert!(
        scores.iter().all(|score| *score >= 3),
        "{scores:?}: estates"
    );
    let events = last_events(&mut games, &over).await;
    let ended = events.last().unwrap().table.clone().unwrap().kind.unwrap();
    let Kind::Ended(ended) = ended else {
        panic!("{ended:?}");
    };
    assert_eq!((ended.agreed_by, ended.scored), (3, true));
    let sentence = &events.last().unwrap().text;
    assert!(
        sentence.starts_with("The players agree to end the game. "),
        "{sentence}"
    );
    let winner = over.standings[0].seat;
    let winner = &over.players[usize::try_from(winner).unwrap() - 1].name;
    assert!(sentence.contains(winner), "{sentence}");
    is_over(&mut games, &table).await;
}

#[tokio::test]
async fn players_agree_to_end_a_game_without_a_result() {
    let server = Store::memory().server(&[]);
    let mut games = server.games();
    let table = game(&server, "", &["Ada", "Bob", "Cyd"], Some(agreeing())).await;
    // The consent of a player who has left is not needed.
    resign(&mut games, "", &table.game, 3, "").await.unwrap();
    let refused = end(&mut games, &table, 3, false).await.unwrap_err();
    assert_reason(&refused, Code::FailedPrecondition, "HAS_LEFT");
    let game = end(&mut games, &table, 2, false).await.unwrap();
    let number = game.proposal.unwrap().number;
    let over = answer(&mut games, &table, (1, number), true).await.unwrap();
    assert_eq!(over.end_reason(), v1::EndReason::Agreed);
    assert_eq!((over.standings.len(), &over.resigned[..]), (0, &[3][..]));
    let events = last_events(&mut games, &over).await;
    let sentence = "The players agree to end the game without a result.";
    assert_eq!(events.last().unwrap().text, sentence);
    is_over(&mut games, &table).await;
}

#[tokio::test]
async fn players_agree_to_a_pause_and_any_of_them_ends_it() {
    let server = Store::memory().server(&[]);
    let mut games = server.games();
    let mut table = game(&server, "", &["Ada", "Bob"], Some(agreeing())).await;
    let refused = resume(&mut games, &table, 2).await.unwrap_err();
    assert_reason(&refused, Code::FailedPrecondition, "NOT_PAUSED");
    let game = pause(&mut games, &table, 1).await.unwrap();
    assert!(!game.paused);
    let number = game.proposal.unwrap().number;
    table.game = info(&mut games, "", &table.game).await;
    table.play(&mut games, 2).await.unwrap();
    let paused = answer(&mut games, &table, (2, number), true).await.unwrap();
    assert!(paused.paused && paused.proposal.is_none());
    let events = last_events(&mut games, &paused).await;
    assert_eq!(events[0].text, "Bob agrees, and the clocks are stopped.");
    let refused = pause(&mut games, &table, 2).await.unwrap_err();
    assert_reason(&refused, Code::FailedPrecondition, "PAUSED");
    let resumed = resume(&mut games, &table, 1).await.unwrap();
    assert!(!resumed.paused);
    let events = last_events(&mut games, &resumed).await;
    assert_eq!(events[0].text, "Ada lets the clocks run again.");
    assert_eq!(events[0].seat, 1);
}

/// A seat takes back at once what needs no consent; everything else becomes a proposal.
#[tokio::test]
async fn a_seat_takes_back_alone_what_nobody_saw() {
    let server = Store::memory().server(&[]);
    let mut games = server.games();
    let create = v1::CreateGameRequest {
        ruleset: String::from("caylus"),
        table: Some(agreeing()),
        ..game_of(&["Ada", "Bob"])
    };
    let created = games.create_game(create).await.unwrap().into_inner();
    let mut game = facts(created.table);
    let first = game.pending[0].seat;
    for _ in 0..2 {
        let seat = game.pending[0].seat;
        game = act(&mut games, &game, seat).await;
        let free = v1::FreeTakeBack {
            seat,
            to_versions: vec![game.version - 1],
        };
        assert_eq!(game.free_take_backs, [free]);
    }
    let back = |seat, to_version| v1::TakeBackRequest {
        game_id: game.game_id.clone(),
        seat,
        to_version,
        ..Default::default()
    };
    let alone = games.take_back(back(3 - first, 0)).await.unwrap();
    let alone = alone.into_inner().game.unwrap();
    assert_eq!((alone.version, alone.proposal), (4, None));
    let response = games.take_back(back(first, 1)).await.unwrap();
    let game = response.into_inner().game.unwrap();
    let wanted = v1::proposal::TakeBack { to_version: 1 };
    let kind = game.proposal.unwrap().kind;
    assert_eq!(kind, Some(v1::proposal::Kind::TakeBack(wanted)));
}

/// A new name appears in all sentences and boards, including those of the past, on every server.
#[tokio::test]
async fn names_change() {
    let store = Store::redis();
    let (server, other) = (store.server(&[]), store.server(&[]));
    let (mut games, mut there) = (server.games(), other.games());
    let mut table = game(&server, "", &["Ada", "Bob"], None).await;
    table.play(&mut games, 4).await.unwrap();
    let before = last_events(&mut there, &table.game).await;
    let rename = |name: &str| v1::UpdateGameRequest {
        game_id: table.game.game_id.clone(),
        players: [(1, name), (2, "Bob")]
            .map(|(seat, name)| v1::PlayerUpdate {
                seat,
                name: Some(name.to_owned()),
                user: None,
            })
            .to_vec(),
        ..Default::default()
    };
    for wrong in ["", " ", "two\nlines", &"x".repeat(65)] {
        let refused = games.update_game(rename(wrong)).await.unwrap_err();
        assert_reason(&refused, Code::InvalidArgument, "MALFORMED");
    }
    let renamed = games.update_game(rename("Lovelace")).await.unwrap();
    let renamed = renamed.into_inner().game.unwrap();
    assert_eq!(renamed.version, table.game.version);
    for games in [&mut games, &mut there] {
        let game = info(games, "", &table.game).await;
        let names: Vec<&str> = game.players.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["Lovelace", "Bob"]);
        let after = last_events(games, &table.game).await;
        let texts = |events: &[v1::Event]| {
            let texts = events.iter().map(|event| event.text.clone());
            texts.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(texts(&after), texts(&before).replace("Ada", "Lovelace"));
    }
    let over = end(&mut games, &table, 0, false).await.unwrap();
    assert_eq!(over.players[0].name, "Lovelace");
}

#[tokio::test]
async fn a_dry_run_creates_nothing() {
    let server = Store::memory().server(&[]);
    let mut games = server.games();
    let create = v1::CreateGameRequest {
        validate_only: true,
        request_id: String::from("once"),
        show: Some(SEEN),
        table: Some(agreeing()),
        ..game_of(&["Ada", "Bob"])
    };
    let planned = games
        .create_game(create.clone())
        .await
        .unwrap()
        .into_inner();
    assert_eq!((&planned.tokens, &planned.entry), (&None, &None));
    let facts = planned.table.unwrap().game.unwrap();
    assert_eq!((facts.game_id.as_str(), facts.version), ("", 0));
    let table = facts.table.unwrap();
    assert!(table.end_by_agreement && table.pause_by_agreement);
    assert_eq!(table.take_back(), v1::TakeBackPolicy::UnseenOrAgreed);
    let list = games.list_games(v1::ListGamesRequest::default()).await;
    assert!(list.unwrap().into_inner().games.is_empty());
    let alone = v1::CreateGameRequest {
        players: game_of(&["Ada"]).players,
        ..create.clone()
    };
    let refused = games.create_game(alone).await.unwrap_err();
    assert_reason(&refused, Code::InvalidArgument, "INVALID_PLAYER_COUNT");
    // A dry run does not use up the request id.
    let create = v1::CreateGameRequest {
        validate_only: false,
        ..create
    };
    let created = games.create_game(create).await.unwrap().into_inner();
    assert!(
        !gamekeeper_tests::dominion::facts(created.table)
            .game_id
            .is_empty()
    );
}
