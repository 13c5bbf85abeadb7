//! A retried call is played once and gets the same answer, on any process.

use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_tests::dominion::{
    Client, SEEN, Table, ada_and_bob, assert_reason, choose, facts, players,
};
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::server::Gamekeeperd;
use tonic::Code;

async fn next_action(
    client: &mut Client,
    table: &Table,
    request_id: &str,
) -> v1::ApplyActionRequest {
    let game_id = table.game.game_id.clone();
    let seat = table.game.pending[0].seat;
    let ask = v1::ListLegalActionsRequest {
        game_id: game_id.clone(),
        seat,
        ..Default::default()
    };
    let legal = client.list_legal_actions(ask).await.unwrap().into_inner();
    v1::ApplyActionRequest {
        game_id,
        seat,
        action: Some(choose(&legal.actions)),
        request_id: request_id.to_owned(),
        show: Some(v1::Show { text: true, ..SEEN }),
        ..Default::default()
    }
}

#[tokio::test]
async fn the_same_request_is_played_once_on_every_process_and_after_seventy_actions() {
    let redis = RedisServer::start(&RedisOptions::new());
    let flags = ["--store=redis", &format!("--redis={}", redis.address())];
    let (one, other) = (Gamekeeperd::start(&flags), Gamekeeperd::start(&flags));
    let (mut here, mut there) = (one.games(), other.games());
    let mut table = Table::begin(&mut here).await;
    let request = next_action(&mut here, &table, "the same").await;
    let played = async |mut client: Client| {
        let answer = client.apply_action(request.clone()).await;
        answer.unwrap().into_inner()
    };
    let first = played(here.clone()).await;
    table.game = facts(first.table.clone());
    assert_eq!(played(there.clone()).await, first);

    table.play(&mut here, 70).await.unwrap();
    assert_eq!(played(there.clone()).await, first);
    // A process that has never seen the game reads the log far enough back.
    let third = Gamekeeperd::start(&flags);
    assert_eq!(played(third.games()).await, first);

    let other_body = v1::ApplyActionRequest {
        expected_version: 99,
        ..request.clone()
    };
    let reused = there.apply_action(other_body).await.unwrap_err();
    assert_reason(&reused, Code::InvalidArgument, "REQUEST_ID_REUSED");
}

#[tokio::test]
async fn a_game_is_created_once() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let mut client = server.games();
    let create = v1::CreateGameRequest {
        request_id: String::from("a game"),
        ..ada_and_bob()
    };
    let first = client
        .create_game(create.clone())
        .await
        .unwrap()
        .into_inner();
    let mut table = Table::of(first.clone());
    table.play(&mut client, 5).await.unwrap();
    assert_eq!(
        client
            .create_game(create.clone())
            .await
            .unwrap()
            .into_inner(),
        first
    );

    let other = v1::CreateGameRequest {
        players: players(&["Ada", "Eve"]),
        ..create
    };
    let reused = client.create_game(other).await.unwrap_err();
    assert_reason(&reused, Code::InvalidArgument, "REQUEST_ID_REUSED");
}

#[tokio::test]
async fn a_stale_version_is_refused_and_judging_alone_changes_nothing() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let mut client = server.games();
    let mut table = Table::begin(&mut client).await;
    let judged = v1::ApplyActionRequest {
        validate_only: true,
        ..next_action(&mut client, &table, "judge").await
    };
    let answer = client
        .apply_action(judged.clone())
        .await
        .unwrap()
        .into_inner();
    let judged_table = answer.table.unwrap();
    assert_eq!((judged_table.view, answer.entry), (None, None));
    assert_eq!(judged_table.game.as_ref(), Some(&table.game));

    table.play(&mut client, 1).await.unwrap();
    assert_eq!(table.game.version, 2, "judging played nothing");
    let stale = v1::ApplyActionRequest {
        expected_version: 1,
        request_id: String::new(),
        ..judged
    };
    let stale = client.apply_action(stale).await.unwrap_err();
    assert_reason(&stale, Code::Aborted, "STALE_VERSION");
}
