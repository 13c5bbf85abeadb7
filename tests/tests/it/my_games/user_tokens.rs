//! Tokens of users, which are valid for every seat of the user while it is the user's. The permissions of users are
//! tested in `who_may_call.rs`.

use std::time::Duration;

use bytes::Bytes;
use gamekeeper_proto::gamekeeper::dominion::v1 as dominion;
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_tests::contract::{Method, Request, methods};
use gamekeeper_tests::dominion::{SEEN, Table, action, assert_reason, facts, reason};
use gamekeeper_tests::raw::{call, framed};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::store::Store;
use gamekeeper_tests::tokens::{KeyFiles, bearing};
use pb::watch_games_response::Update;
use pb::{Viewer, ViewerKind};
use prost::Message;
use tokio::time::timeout;
use tonic::{Code, Status};

use super::watch::{after, change, id, next, watch};
use super::{VIEW, asking_for, ids, list, new_table, seat_user, try_new_table, users};
use crate::isolation::{MISSING, without};

/// Returns a token of the tenant.
fn green() -> String {
    KeyFiles::signed("green")
}

/// Returns a token of a user of the tenant.
fn user(name: &str) -> String {
    KeyFiles::signed_user("green", name)
}

fn house() -> (Gamekeeperd, KeyFiles) {
    let keys = KeyFiles::new();
    let server = keys.server_for_teams(&["--store=memory", "--bookmark-every=200ms"]);
    (server, keys)
}

async fn look(server: &Gamekeeperd, token: &str, table: &Table) -> Result<pb::Table, Status> {
    let ask = pb::GetGameRequest {
        game_id: id(table),
        show: Some(VIEW),
        ..Default::default()
    };
    let response = server.games().get_game(bearing(token, ask)).await?;
    Ok(response.into_inner().table.unwrap())
}

/// Returns the seat whose view a table shows.
fn seat_of(table: &pb::Table) -> u32 {
    let view = table.view.as_ref().unwrap().ruleset.as_ref().unwrap();
    let pb::view::Ruleset::Dominion(view) = view else {
        panic!("{view:?}");
    };
    let mut players = view.players.iter();
    let index = players.position(|player| player.hand.is_some());
    u32::try_from(index.unwrap()).unwrap() + 1
}

async fn end_turn(
    server: &Gamekeeperd,
    token: &str,
    table: &Table,
    seat: u32,
) -> Result<(), Status> {
    let end = dominion::action::Kind::EndTurn(dominion::EndTurn::default());
    let act = pb::ApplyActionRequest {
        game_id: id(table),
        seat,
        action: Some(action(end)),
        ..Default::default()
    };
    let acted = server.games().apply_action(bearing(token, act)).await;
    acted.map(drop)
}

async fn reseat(server: &Gamekeeperd, table: &Table, seat: u32, name: &str) {
    let update = pb::UpdateGameRequest {
        game_id: id(table),
        players: vec![seat_user(seat, name)],
        ..Default::default()
    };
    let updated = server.games().update_game(bearing(&green(), update)).await;
    updated.unwrap();
}

fn is_missing(status: &Status) {
    assert_reason(status, Code::NotFound, "NO_SUCH_GAME");
}

fn denied() -> (Code, String) {
    (Code::PermissionDenied, String::from("NOT_ALLOWED"))
}

/// Builds a request about the seat with the pending decision, or for the table as this seat sees it.
fn about(method: &Method, table: &Table) -> Bytes {
    let (game_id, seat) = (&table.game.game_id, table.game.pending[0].seat);
    let viewer = Viewer {
        kind: ViewerKind::Seat.into(),
        seat,
    };
    let end_turn = action(dominion::action::Kind::EndTurn(dominion::EndTurn::default()));
    let request = Request::about(method, game_id, seat, &end_turn.encode_to_vec())
        .bytes(method, "viewer", &viewer.encode_to_vec())
        .bytes(method, "show", &SEEN.encode_to_vec());
    framed(&request.into_bytes())
}

/// Returns the methods about one game.
fn about_games() -> Vec<Method> {
    let methods = methods().into_iter();
    methods
        .filter(|method| method.field("game_id").or(method.field("holder")).is_some())
        .collect()
}

/// For a user, games of other users and of other tenants look like missing ones, whatever the request contains.
#[tokio::test]
async fn a_game_without_the_user_looks_like_a_missing_one() {
    let (server, _keys) = house();
    let mut channel = server.channel();
    let others = [
        new_table(&server, &green(), &["bob", ""]).await,
        new_table(&server, &KeyFiles::signed("teal"), &["ada", "bob"]).await,
    ];
    let mut missing = new_table(&server, &green(), &["ada", "bob"]).await;
    missing.game.game_id = String::from(MISSING);
    for method in about_games() {
        for table in &others {
            let mut answers = Vec::new();
            for requested in [table, &missing] {
                let mut game = table.game.clone();
                game.game_id.clone_from(&requested.game.game_id);
                let tokens = Vec::new();
                let request = about(&method, &Table { game, tokens });
                let answer = call(&mut channel, &method, &user("ada"), request).await;
                answers.push(without(&answer.unwrap(), &requested.game.game_id));
            }
            assert_eq!(answers[0], answers[1], "{}", method.name);
            assert_eq!(answers[0].0, Code::NotFound, "{}", method.name);
        }
        let mut answers = Vec::new();
        for requested_id in [&id(&others[0]), MISSING] {
            // The request names the game alone, although most methods need more.
            let request = Request::default();
            let request = request.text(&method, "game_id", requested_id).into_bytes();
            let request = framed(&request);
            let answer = call(&mut channel, &method, &user("ada"), request).await;
            answers.push(without(&answer.unwrap(), requested_id));
        }
        assert_eq!(answers[0], answers[1], "{}", method.name);
    }
}

#[tokio::test]
async fn a_user_lists_their_own_games() {
    let (server, _keys) = house();
    let call = asking_for(&["ada", "bob"], &[("league", "gold")]);
    let own_table = try_new_table(&server, &green(), call).await.unwrap();
    new_table(&server, &green(), &["bob", "eve"]).await;
    new_table(&server, &KeyFiles::signed("teal"), &["ada", "bob"]).await;
    let ada = user("ada");
    let filter = |user: &str, awaiting_user: &str| pb::GameFilter {
        user: user.to_owned(),
        awaiting_user: awaiting_user.to_owned(),
        ..Default::default()
    };
    let of = |filter| pb::ListGamesRequest {
        filter: Some(filter),
        ..Default::default()
    };
    for allowed_filter in [filter("", ""), filter("ada", "")] {
        let games = list(&server, &ada, &of(allowed_filter)).await.unwrap();
        assert_eq!(ids(&games), [id(&own_table)]);
        assert_eq!(users(&games[0]), ["ada", ""], "their own seat alone");
        assert!(games[0].labels.is_empty());
    }
    let pending = own_table.game.pending[0].seat;
    for (seat, name) in [(1, "ada"), (2, "bob")] {
        let awaited = list(&server, &user(name), &of(filter("", name)))
            .await
            .unwrap();
        let expected = awaited
            .iter()
            .filter(|game| game.game_id == id(&own_table))
            .count();
        assert_eq!(expected == 1, seat == pending, "{name}");
    }
    let labeled = pb::GameFilter {
        labels: super::labels(&[("league", "gold")]),
        ..Default::default()
    };
    for refused_filter in [filter("bob", ""), filter("", "bob"), labeled] {
        let refused = list(&server, &ada, &of(refused_filter)).await.unwrap_err();
        assert_eq!(reason(&refused), denied());
    }
}

#[tokio::test]
async fn a_user_reads_several_games() {
    let (server, _keys) = house();
    let own_table = new_table(&server, &green(), &["ada", "bob"]).await;
    let ada = user("ada");
    let batch = pb::BatchGetGamesRequest {
        games: [id(&own_table), String::from(MISSING)]
            .map(|game_id| pb::GameQuery {
                game_id,
                viewer: None,
            })
            .to_vec(),
        show: Some(VIEW),
    };
    let response = server.games().batch_get_games(bearing(&ada, batch)).await;
    let results = response.unwrap().into_inner().results;
    let Some(pb::game_result::Result::Table(table)) = &results[0].result else {
        panic!("{results:?}");
    };
    assert_eq!(seat_of(table), 1);
}

/// Without a viewer in the request, a user sees the table from their first seat; they can name any of their seats.
#[tokio::test]
async fn a_user_looks_and_acts_from_each_of_their_seats() {
    let (server, _keys) = house();
    let table = new_table(&server, &green(), &["ada", "bob", "bob"]).await;
    assert_eq!(
        seat_of(&look(&server, &user("bob"), &table).await.unwrap()),
        2
    );
    let from = async |seat| {
        let viewer = Viewer {
            kind: ViewerKind::Seat.into(),
            seat,
        };
        let ask = pb::GetGameRequest {
            game_id: id(&table),
            viewer: Some(viewer),
            show: Some(VIEW),
            ..Default::default()
        };
        let response = server.games().get_game(bearing(&user("bob"), ask)).await?;
        Ok::<_, Status>(seat_of(&response.into_inner().table.unwrap()))
    };
    for seat in [2, 3] {
        assert_eq!(from(seat).await.unwrap(), seat);
    }
    assert_eq!(reason(&from(1).await.unwrap_err()), denied());
    let events = pb::ListEventsRequest {
        game_id: id(&table),
        ..Default::default()
    };
    let response = server
        .games()
        .list_events(bearing(&user("bob"), events))
        .await;
    assert!(!response.unwrap().into_inner().entries.is_empty());
    let mut game = table.game.clone();
    for _ in 0..3 {
        let seat = game.pending[0].seat;
        let name = ["ada", "bob", "bob"][usize::try_from(seat).unwrap() - 1];
        let other = if name == "ada" { "bob" } else { "ada" };
        let refused = end_turn(&server, &user(other), &table, seat).await;
        assert_eq!(reason(&refused.unwrap_err()), denied());
        end_turn(&server, &user(name), &table, seat).await.unwrap();
        game = facts(Some(look(&server, &user("ada"), &table).await.unwrap()));
    }
    assert_eq!(game.version, 4);
}

/// A user loses a seat and another one gets it, at once and in every process, whatever the process has cached.
#[tokio::test]
async fn a_seat_is_lost_and_taken_at_once() {
    let (keys, store) = (KeyFiles::new(), Store::redis());
    let [one, other] = [(); 2].map(|()| keys.server_for_teams(&store.with(&[])));
    let table = new_table(&one, &green(), &["ada", "bob"]).await;
    for server in [&one, &other] {
        look(server, &user("ada"), &table).await.unwrap();
        is_missing(&look(server, &user("eve"), &table).await.unwrap_err());
    }
    let seat = table.game.pending[0].seat;
    let left = ["ada", "bob"][usize::try_from(seat).unwrap() - 1];
    reseat(&one, &table, seat, "eve").await;
    for server in [&other, &one] {
        is_missing(
            &end_turn(server, &user(left), &table, seat)
                .await
                .unwrap_err(),
        );
        is_missing(&look(server, &user(left), &table).await.unwrap_err());
        let listed = list(server, &user(left), &pb::ListGamesRequest::default()).await;
        assert_eq!(listed.unwrap(), []);
    }
    end_turn(&other, &user("eve"), &table, seat).await.unwrap();
    let shown = look(&one, &user("eve"), &table).await.unwrap();
    assert_eq!(seat_of(&shown), seat);
}

/// A user who resigned and was replaced loses all access to the game.
#[tokio::test]
async fn a_substitute_takes_the_seat_from_its_user() {
    let (server, _keys) = house();
    let table = new_table(&server, &green(), &["ada", "bob", "eve"]).await;
    let mut own_messages = watch(&server, &user("ada"), Default::default())
        .await
        .unwrap();
    assert_eq!(change(&mut own_messages).await, (id(&table), 1));
    let resign = pb::ResignRequest {
        game_id: id(&table),
        seat: 1,
        ..Default::default()
    };
    let resigned = server.games().resign(bearing(&user("ada"), resign)).await;
    resigned.unwrap();
    look(&server, &user("ada"), &table)
        .await
        .expect("they may still look");
    assert_eq!(change(&mut own_messages).await, (id(&table), 2));
    let fill = pb::FillSeatRequest {
        game_id: id(&table),
        seat: 1,
        ..Default::default()
    };
    let filled = server.games().fill_seat(bearing(&green(), fill)).await;
    let filled = filled.unwrap().into_inner().game.unwrap();
    assert_eq!(users(&filled), ["", "bob", "eve"]);
    is_missing(&look(&server, &user("ada"), &table).await.unwrap_err());
    let listed = list(&server, &user("ada"), &pb::ListGamesRequest::default()).await;
    assert_eq!(listed.unwrap(), []);
    let Update::Left(left) = next(&mut own_messages).await else {
        panic!("shows what was played later");
    };
    assert_eq!(left.game_id, id(&table));
    look(&server, &user("bob"), &table).await.unwrap();
}

#[tokio::test]
async fn streams_of_a_user_follow_their_seats() {
    let (server, _keys) = house();
    let table = new_table(&server, &green(), &["ada", "bob"]).await;
    let ask = pb::WatchGameRequest {
        game_id: id(&table),
        show: Some(VIEW),
        ..Default::default()
    };
    let one = server.games().watch_game(bearing(&user("ada"), ask)).await;
    let mut one = one.unwrap().into_inner();
    let first = one.message().await.unwrap().unwrap();
    assert_eq!(seat_of(&first.table.unwrap()), 1);
    let named = pb::WatchGamesRequest {
        games: vec![after(&table, 0)],
        show: Some(VIEW),
        ..Default::default()
    };
    let mut named = watch(&server, &user("ada"), named).await.unwrap();
    let mut own_messages = watch(&server, &user("ada"), Default::default())
        .await
        .unwrap();
    for messages in [&mut named, &mut own_messages] {
        assert_eq!(change(messages).await, (id(&table), 1));
    }
    // The seat goes to another user.
    reseat(&server, &table, 1, "bob").await;
    is_over_for(&mut named, &table).await;
    is_over_for(&mut own_messages, &table).await;
    let ended = async {
        loop {
            match one.message().await {
                Ok(Some(pb::WatchGameResponse { table: None, .. })) => {}
                Ok(shown) => panic!("{shown:?}"),
                Err(status) => return status,
            }
        }
    };
    is_missing(&timeout(Duration::from_secs(20), ended).await.unwrap());
    // New games appear on the user's stream when the user gets a seat.
    reseat(&server, &table, 2, "ada").await;
    assert_eq!(change(&mut own_messages).await, (id(&table), 1));
    let more = new_table(&server, &green(), &["eve", "ada"]).await;
    assert_eq!(change(&mut own_messages).await, (id(&more), 1));
    let seat = table.game.pending[0].seat;
    let name = ["bob", "ada"][usize::try_from(seat).unwrap() - 1];
    end_turn(&server, &user(name), &table, seat).await.unwrap();
    assert_eq!(change(&mut own_messages).await, (id(&table), 2));
}

async fn is_over_for(messages: &mut super::watch::Messages, table: &Table) {
    let Update::Left(left) = next(messages).await else {
        panic!("shows a game that was left");
    };
    assert_eq!(left.game_id, id(table));
    assert_eq!(left.problem.unwrap().reason, "NO_SUCH_GAME");
}
