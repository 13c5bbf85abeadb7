//! A seat cannot use up what the other seats and the owner need.

use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_tests::dominion::{Client, assert_reason};
use gamekeeper_tests::tokens::{KeyFiles, RED, bearing};
use tonic::{Code, Status};
use tonic_types::StatusExt;

use super::game;

async fn pause(games: &mut Client, token: &str, game: &v1::GameInfo) -> Result<(), Status> {
    let ask = v1::PauseGameRequest {
        game_id: game.game_id.clone(),
        ..Default::default()
    };
    games.pause_game(bearing(token, ask)).await.map(drop)
}

/// A seat that makes endless proposals stops neither the others nor the owner.
#[tokio::test]
async fn a_seat_has_its_share_of_proposals() {
    let keys = KeyFiles::new();
    let server = keys.server(&["--store=memory"]);
    let mut games = server.games();
    let options = v1::TableOptions {
        clock: Some(v1::ClockOptions {
            decision_seconds: 600,
            ..Default::default()
        }),
        pause_by_agreement: true,
        ..Default::default()
    };
    let names = ["Ada", "Bob", "Cyd", "Dan"];
    let table = game(&server, RED, &names, Some(options)).await;
    let mut accepted = 0;
    let refused = loop {
        if let Err(refused) = pause(&mut games, table.token(1), &table.game).await {
            break refused;
        }
        accepted += 1;
    };
    assert_reason(&refused, Code::FailedPrecondition, "TOO_MANY_ENTRIES");
    let details = refused.get_error_details();
    let metadata = &details.error_info().unwrap().metadata;
    assert_eq!((&*metadata["seat"], &*metadata["max"]), ("1", "200"));
    assert_eq!(accepted, 200, "four seats share 800");
    pause(&mut games, table.token(2), &table.game)
        .await
        .unwrap();
    pause(&mut games, RED, &table.game).await.unwrap();
}
