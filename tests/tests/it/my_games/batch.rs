//! `BatchGetGames`: each game is returned as it would be on its own.

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_tests::dominion::{Table, field_of, reason};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::{BLUE, RED, bearing};
use pb::game_result::Result as Found;
use pb::{GameQuery, Show, Viewer, ViewerKind};
use tonic::{Code, Status};

use super::{VIEW, house};

async fn new_table(server: &Gamekeeperd, token: &str) -> Table {
    super::new_table(server, token, &["ada", "bob"]).await
}

fn query(game_id: &str) -> GameQuery {
    GameQuery {
        game_id: game_id.to_owned(),
        viewer: None,
    }
}

fn as_seat(game_id: &str, seat: u32) -> GameQuery {
    let kind = ViewerKind::Seat.into();
    GameQuery {
        viewer: Some(Viewer { kind, seat }),
        ..query(game_id)
    }
}

async fn batch(
    server: &Gamekeeperd,
    token: &str,
    games: Vec<GameQuery>,
    show: Option<Show>,
) -> Result<Vec<pb::GameResult>, Status> {
    let call = pb::BatchGetGamesRequest { games, show };
    let answer = server.games().batch_get_games(bearing(token, call)).await?;
    Ok(answer.into_inner().results)
}

fn error_of(result: &pb::GameResult) -> (i32, &str) {
    match result.result.as_ref().unwrap() {
        Found::Table(table) => panic!("{table:?}"),
        Found::Problem(problem) => (problem.code, &problem.reason),
    }
}

fn field_in(result: &pb::GameResult) -> &str {
    match result.result.as_ref().unwrap() {
        Found::Problem(problem) => &problem.metadata["field"],
        Found::Table(table) => panic!("{table:?}"),
    }
}

fn table_of(result: &pb::GameResult) -> &pb::Table {
    match result.result.as_ref().unwrap() {
        Found::Table(table) => table,
        Found::Problem(problem) => panic!("{problem:?}"),
    }
}

#[tokio::test]
async fn each_game_is_answered_as_if_it_were_asked_for_alone() {
    let (server, _keys) = house();
    let mut ours = Vec::new();
    for _ in 0..3 {
        ours.push(new_table(&server, RED).await);
    }
    let foreign = new_table(&server, BLUE).await;
    let mut client = server.games();
    ours[1].pass(&mut client, 2).await.unwrap();
    // The response to a seat lacks the fields that only the owner of the game gets.
    for (player, user) in ours[1].game.players.iter_mut().zip(["ada", "bob"]) {
        user.clone_into(&mut player.user);
    }
    let missing = "00000000-0000-4000-8000-000000000000";
    let ids = [
        ours[2].game.game_id.as_str(),
        missing,
        ours[1].game.game_id.as_str(),
        foreign.game.game_id.as_str(),
        "no game",
        "",
        ours[2].game.game_id.as_str(),
    ];
    let games = ids.map(query).to_vec();
    let results = batch(&server, RED, games, None).await.unwrap();
    let game_ids: Vec<&str> = results.iter().map(|result| &*result.game_id).collect();
    assert_eq!(game_ids, ids);
    for (at, table) in [(0, &ours[2]), (2, &ours[1]), (6, &ours[2])] {
        let returned = table_of(&results[at]);
        assert_eq!(returned.game.as_ref(), Some(&table.game));
        assert_eq!(returned.view, None, "nobody asked for views");
    }
    let not_found = (Code::NotFound.into(), "NO_SUCH_GAME");
    for at in [1, 3, 4] {
        assert_eq!(error_of(&results[at]), not_found, "{}", ids[at]);
    }
    let malformed = (Code::InvalidArgument.into(), "MALFORMED");
    assert_eq!(error_of(&results[5]), malformed);
    assert_eq!(field_in(&results[5]), "games[5].game_id");
}

/// The field that an error of one game names is a path in the request that was sent.
#[tokio::test]
async fn an_error_of_one_game_leads_to_its_field() {
    let (server, _keys) = house();
    let table = new_table(&server, RED).await;
    let game_id = &table.game.game_id;
    let games = vec![query(game_id), as_seat(game_id, 0), as_seat(game_id, 9)];
    let results = batch(&server, RED, games, None).await.unwrap();
    assert!(table_of(&results[0]).game.is_some());
    for at in [1, 2] {
        assert_eq!(error_of(&results[at]).1, "NO_SUCH_SEAT");
        assert_eq!(field_in(&results[at]), format!("games[{at}].viewer.seat"));
    }
}

#[tokio::test]
async fn views_are_those_of_the_viewer_of_each_game() {
    let (server, _keys) = house();
    let tables = [new_table(&server, RED).await, new_table(&server, RED).await];
    let [one, two] = [&tables[0].game.game_id, &tables[1].game.game_id];
    let games = vec![as_seat(one, 1), as_seat(two, 2), query(one)];
    let results = batch(&server, RED, games, Some(VIEW)).await.unwrap();
    for (result, game_id, seat) in [(&results[0], one, 1), (&results[1], two, 2)] {
        let look = pb::GetGameRequest {
            game_id: game_id.clone(),
            viewer: as_seat(game_id, seat).viewer,
            show: Some(VIEW),
            ..Default::default()
        };
        let alone = server.games().get_game(bearing(RED, look)).await;
        let alone = alone.unwrap().into_inner().table;
        assert_eq!(Some(table_of(result)), alone.as_ref());
        assert!(table_of(result).view.is_some());
    }
    assert!(table_of(&results[2]).view.is_some(), "a spectator's");
}

#[tokio::test]
async fn a_batch_has_bounds() {
    let (server, _keys) = house();
    let table = new_table(&server, RED).await;
    let many = |count| vec![query(&table.game.game_id); count];
    let results = batch(&server, RED, many(100), Some(VIEW)).await;
    assert_eq!(results.unwrap().len(), 100);
    for count in [0, 101] {
        let failed = batch(&server, RED, many(count), None).await;
        let status = failed.unwrap_err();
        let malformed = (Code::InvalidArgument, String::from("MALFORMED"));
        assert_eq!(reason(&status), malformed, "{count}");
        assert_eq!(field_of(&status), "games");
    }
}

/// Clients accept messages of 4 MiB by default. Games that no longer fit are named, and can be asked for.
#[tokio::test]
async fn an_answer_is_no_larger_than_clients_accept() {
    let (server, _keys) = house();
    // A table whose drawing is large.
    let caylus = pb::CreateGameRequest {
        ruleset: String::from("caylus"),
        ..super::asking_for(&["ada", "bob"], &[])
    };
    let table = super::try_new_table(&server, RED, caylus).await.unwrap();
    let show = Show {
        drawing: Some(pb::DrawingStyle::default()),
        board: Some(pb::BoardStyle::default()),
        text: true,
        ..VIEW
    };
    let games = vec![query(&table.game.game_id); 100];
    let alone = batch(
        &server,
        RED,
        vec![query(&table.game.game_id)],
        Some(show.clone()),
    );
    let alone = table_of(&alone.await.unwrap()[0]).clone();
    let mut missing = games.len();
    let mut calls = 0;
    while missing > 0 {
        let results = batch(&server, RED, games[..missing].to_vec(), Some(show.clone())).await;
        let results = results.unwrap();
        assert_eq!(results.len(), missing);
        let is_answered = |result: &&pb::GameResult| matches!(result.result, Some(Found::Table(_)));
        let answered = results.iter().take_while(is_answered).count();
        assert!(answered > 0);
        for result in &results[..answered] {
            assert_eq!(table_of(result), &alone);
        }
        for result in &results[answered..] {
            assert_eq!(
                error_of(result),
                (Code::ResourceExhausted.into(), "ANSWER_FULL")
            );
        }
        missing -= answered;
        calls += 1;
    }
    assert!(
        calls > 1,
        "one table has {} bytes",
        prost::Message::encoded_len(&alone)
    );
}
