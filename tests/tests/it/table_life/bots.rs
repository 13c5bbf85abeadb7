//! Bots at the table: any server of the store plays their seats.

use std::collections::BTreeSet;
use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_tests::dominion::{Client, assert_reason, facts, game_of};
use gamekeeper_tests::tokens::{KeyFiles, RED, bearing};
use tokio::time::{Instant, sleep};
use tonic::Code;
use tonic_types::StatusExt;

use super::{Store, act, info, resign};

/// Builds a request for a game of this ruleset with bots at these seats.
pub(super) fn with_bots(
    ruleset: &str,
    names: &[&str],
    bots: &[(u32, &str)],
) -> v1::CreateGameRequest {
    let mut create = game_of(names);
    ruleset.clone_into(&mut create.ruleset);
    for (seat, policy) in bots {
        let player = &mut create.players[usize::try_from(*seat).unwrap() - 1];
        player.bot = Some(bot(policy));
    }
    create
}

fn bot(policy: &str) -> v1::Bot {
    v1::Bot {
        policy: policy.to_owned(),
        max_think_time: Some(prost_types::Duration {
            seconds: 0,
            nanos: 20_000_000,
        }),
        ..Default::default()
    }
}

/// Waits until this holds for the game.
pub(super) async fn until(
    games: &mut Client,
    game: &v1::GameInfo,
    holds: impl Fn(&v1::GameInfo) -> bool,
) -> v1::GameInfo {
    let patience = Instant::now() + Duration::from_secs(60);
    loop {
        let now = info(games, "", game).await;
        if holds(&now) {
            return now;
        }
        assert!(Instant::now() < patience, "{now:?}");
        sleep(Duration::from_millis(20)).await;
    }
}

pub(super) fn over(game: &v1::GameInfo) -> bool {
    game.status() == v1::GameStatus::Finished
}

#[tokio::test]
async fn a_table_of_bots_plays_to_the_end_on_two_servers() {
    let store = Store::redis();
    let (one, other) = (store.server(&[]), store.server(&[]));
    let (mut here, mut there) = (one.games(), other.games());
    let create = with_bots("caylus", &["Ada", "Bob"], &[(1, "random"), (2, "kinds")]);
    let created = here.create_game(create).await.unwrap().into_inner();
    let game = facts(created.table);
    assert_eq!(game.players[0].bot.as_ref().unwrap().policy, "random");
    let end = until(&mut there, &game, over).await;
    assert_eq!(end.end_reason(), v1::EndReason::Rules);
    let log = v1::ListEventsRequest {
        game_id: game.game_id.clone(),
        page_size: 1_000,
        ..Default::default()
    };
    let log = here.list_events(log).await.unwrap().into_inner().entries;
    let actors: BTreeSet<u32> = log.iter().skip(1).map(|entry| entry.seat).collect();
    assert_eq!(actors, BTreeSet::from([1, 2]));
}

#[tokio::test]
async fn people_play_against_bots() {
    let server = Store::memory().server(&[]);
    let mut games = server.games();
    let bots = [(2, "bm-smithy1"), (3, "search")];
    let create = with_bots("dominion", &["Ada", "Bob", "Cyd"], &bots);
    let created = games.create_game(create).await.unwrap().into_inner();
    let mut game = facts(created.table);
    for _ in 0..12 {
        game = until(&mut games, &game, |game| game.pending[0].seat == 1).await;
        game = act(&mut games, &game, 1).await;
    }
    assert!(game.version > 12);
    // Bots agree to proposals of people.
    let ask = v1::EndGameRequest {
        game_id: game.game_id.clone(),
        ..Default::default()
    };
    games.end_game(ask).await.unwrap();
}

#[tokio::test]
async fn bots_agree_to_what_people_propose() {
    let store = Store::embedded();
    let server = store.server(&[]);
    let mut games = server.games();
    let create = v1::CreateGameRequest {
        table: Some(v1::TableOptions {
            take_back: v1::TakeBackPolicy::Agreed.into(),
            end_by_agreement: true,
            ..Default::default()
        }),
        ..with_bots(
            "caylus",
            &["Ada", "Bob", "Cyd"],
            &[(2, "random"), (3, "random")],
        )
    };
    let created = games.create_game(create).await.unwrap().into_inner();
    let mut game = facts(created.table);
    game = until(&mut games, &game, |game| game.pending[0].seat == 1).await;
    game = act(&mut games, &game, 1).await;
    game = until(&mut games, &game, |game| game.pending[0].seat == 1).await;
    let back = v1::TakeBackRequest {
        game_id: game.game_id.clone(),
        seat: 1,
        to_version: 1,
        ..Default::default()
    };
    games.take_back(back).await.unwrap();
    let version = game.version;
    let settled = |game: &v1::GameInfo| game.proposal.is_none() && game.version > version + 2;
    until(&mut games, &game, settled).await;
    let end = v1::EndGameRequest {
        game_id: game.game_id.clone(),
        seat: 1,
        scored: true,
        ..Default::default()
    };
    games.end_game(end).await.unwrap();
    let end = until(&mut games, &game, over).await;
    assert_eq!(end.end_reason(), v1::EndReason::Agreed);
    assert_eq!(end.standings.len(), 3);
}

#[tokio::test]
async fn a_bot_takes_a_seat_that_was_left() {
    let keys = KeyFiles::new();
    let server = keys.server(&["--store=memory"]);
    let mut games = server.games();
    let create = with_bots("dominion", &["Ada", "Bob", "Cyd"], &[(3, "random")]);
    let created = games.create_game(bearing(RED, create)).await.unwrap();
    let created = created.into_inner();
    let tokens = created.tokens.unwrap();
    let seats: Vec<u32> = tokens.seats.iter().map(|token| token.seat).collect();
    assert_eq!(seats, [1, 2], "a bot needs no token");
    let game = facts(created.table);
    resign(&mut games, RED, &game, 2, "").await.unwrap();
    let fill = v1::FillSeatRequest {
        game_id: game.game_id.clone(),
        seat: 2,
        bot: Some(bot("greedy")),
        ..Default::default()
    };
    let filled = games.fill_seat(bearing(RED, fill)).await.unwrap();
    let filled = filled.into_inner().game.unwrap();
    assert!(filled.resigned.is_empty());
    assert_eq!(filled.players[1].bot, Some(bot("greedy")));
}

/// A bot's seat can get another player at any time, in games of two as well, where a resignation would end the game.
#[tokio::test]
async fn a_bot_is_replaced() {
    let server = Store::memory().server(&[]);
    let mut games = server.games();
    let create = with_bots("kingsburg", &["Ada", "Bob"], &[(2, "random")]);
    let created = games.create_game(create).await.unwrap().into_inner();
    let game = facts(created.table);
    let fill = |seat, bot| v1::FillSeatRequest {
        game_id: game.game_id.clone(),
        seat,
        bot,
        ..Default::default()
    };
    let person = games.fill_seat(fill(1, Some(bot("greedy")))).await;
    assert_reason(
        &person.unwrap_err(),
        Code::FailedPrecondition,
        "HAS_NOT_LEFT",
    );
    let filled = games.fill_seat(fill(2, Some(bot("greedy")))).await.unwrap();
    assert_eq!(
        filled.into_inner().game.unwrap().players[1].bot,
        Some(bot("greedy"))
    );
    let filled = games.fill_seat(fill(2, None)).await.unwrap();
    assert_eq!(filled.into_inner().game.unwrap().players[1].bot, None);
    // Nobody but people plays now.
    let mut now = info(&mut games, "", &game).await;
    for _ in 0..6 {
        let seat = now.pending[0].seat;
        let next = act(&mut games, &now, seat).await;
        assert_eq!(next.version, now.version + 1);
        now = next;
    }
}

#[tokio::test]
async fn bots_that_do_not_exist_are_refused() {
    let server = Store::memory().server(&[]);
    let mut games = server.games();
    let create = with_bots("dominion", &["Ada", "Bob"], &[(2, "best")]);
    let refused = games.create_game(create).await.unwrap_err();
    assert_reason(&refused, Code::InvalidArgument, "MALFORMED");
    let details = refused.get_error_details();
    let field = &details.error_info().unwrap().metadata["field"];
    assert_eq!(field, "players[1].bot.policy");
}
