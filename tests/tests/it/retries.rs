//! A retried call is played once and gets the same response, on any process.

use gamekeeper_proto::gamekeeper::dominion::v1 as dominion;
use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_tests::dominion::{
    Client, SEEN, Table, ada_and_bob, assert_reason, choose, facts, players,
};
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::{KeyFiles, RED, bearing};
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
    // A process that has never seen the game reads the log back to the retried request.
    let third = Gamekeeperd::start(&flags);
    assert_eq!(played(third.games()).await, first);

    let other_body = v1::ApplyActionRequest {
        expected_version: 99,
        ..request.clone()
    };
    let reused = there.apply_action(other_body).await.unwrap_err();
    assert_reason(&reused, Code::InvalidArgument, "REQUEST_ID_REUSED");
}

/// Creates a game of the red tenant whose players may agree to a pause.
async fn with_a_clock(client: &mut Client) -> Table {
    let create = v1::CreateGameRequest {
        table: Some(v1::TableOptions {
            clock: Some(v1::ClockOptions {
                decision_seconds: 600,
                ..Default::default()
            }),
            pause_by_agreement: true,
            ..Default::default()
        }),
        ..ada_and_bob()
    };
    let created = client.create_game(bearing(RED, create)).await;
    Table::of(created.unwrap().into_inner())
}

/// **Idempotency keys** are scoped: a caller who guesses those of others can neither read their responses nor block
/// them.
#[tokio::test]
async fn a_request_id_belongs_to_its_seat() {
    let keys = KeyFiles::new();
    let server = keys.server(&["--store=memory"]);
    let mut client = server.games();
    let table = with_a_clock(&mut client).await;
    let game_id = &table.game.game_id;
    let mut seats = Vec::new();
    // The seats act in turn, and each uses the same request id for its first action.
    for _ in 0..12 {
        let look = v1::GetGameRequest {
            game_id: game_id.clone(),
            ..Default::default()
        };
        let response = client.get_game(bearing(RED, look)).await.unwrap();
        let seat = facts(response.into_inner().table).pending[0].seat;
        let token = table.token(seat);
        if seats.contains(&seat) {
            let end = end_of_turn(game_id, seat, "");
            client.apply_action(bearing(token, end)).await.unwrap();
            continue;
        }
        let end = end_of_turn(game_id, seat, "turn-2");
        let played = client.apply_action(bearing(token, end.clone())).await;
        let again = client.apply_action(bearing(token, end)).await;
        assert_eq!(again.unwrap().into_inner(), played.unwrap().into_inner());
        seats.push(seat);
    }
    seats.sort_unstable();
    assert_eq!(seats, [1, 2]);
}

/// Without a seat, the same body is another request.
#[tokio::test]
async fn a_request_id_of_a_seat_is_not_that_of_the_owner() {
    let keys = KeyFiles::new();
    let server = keys.server(&["--store=memory"]);
    let mut client = server.games();
    let table = with_a_clock(&mut client).await;
    let pause = || v1::PauseGameRequest {
        game_id: table.game.game_id.clone(),
        request_id: String::from("pause"),
        ..Default::default()
    };
    let mut asks = Vec::new();
    for seat in [1, 2] {
        let response = client.pause_game(bearing(table.token(seat), pause())).await;
        let game = response.unwrap().into_inner().game.unwrap();
        asks.push(game.proposal.unwrap().seat);
    }
    assert_eq!(asks, [1, 2]);
    let owner = client.pause_game(bearing(RED, pause())).await.unwrap();
    assert!(owner.into_inner().game.unwrap().paused);
}

fn end_of_turn(game_id: &str, seat: u32, request_id: &str) -> v1::ApplyActionRequest {
    let kind = dominion::action::Kind::EndTurn(dominion::EndTurn::default());
    let end = v1::action::Ruleset::Dominion(dominion::Action { kind: Some(kind) });
    v1::ApplyActionRequest {
        game_id: game_id.to_owned(),
        seat,
        action: Some(v1::Action { ruleset: Some(end) }),
        request_id: request_id.to_owned(),
        ..Default::default()
    }
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
    assert!(judged_table.view.is_some() && answer.entry.is_some());
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
