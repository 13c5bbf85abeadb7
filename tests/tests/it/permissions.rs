//! Tokens, lists and deletion: permissions beyond the table in `who_may_call`.

use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_proto::gamekeeper::v1::{Viewer, ViewerKind};
use gamekeeper_tests::dominion::{SEEN, Table, ada_and_bob, assert_reason, field_of};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::{BLUE, KeyFiles, OPERATOR, RED, bearing, seat_holder};
use tonic::{Code, Status};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;
use tonic_reflection::pb::v1::ServerReflectionRequest;
use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;
use tonic_reflection::pb::v1::server_reflection_request::MessageRequest;

struct House {
    server: Gamekeeperd,
    table: Table,
    spectator: String,
    _keys: KeyFiles,
}

async fn house() -> House {
    let keys = KeyFiles::new();
    let server = keys.server(&["--store=memory"]);
    let create = bearing(RED, ada_and_bob());
    let created = server.games().create_game(create).await;
    let created = created.unwrap().into_inner();
    let spectator = created.tokens.clone().unwrap().spectator;
    House {
        server,
        table: Table::of(created),
        spectator,
        _keys: keys,
    }
}

impl House {
    async fn look(&self, token: &str, kind: ViewerKind, seat: u32) -> Result<(), Status> {
        let ask = v1::GetGameRequest {
            game_id: self.table.game.game_id.clone(),
            viewer: Some(Viewer {
                kind: kind.into(),
                seat,
            }),
            show: Some(SEEN),
            ..Default::default()
        };
        self.server
            .games()
            .get_game(bearing(token, ask))
            .await
            .map(drop)
    }
}

#[tokio::test]
async fn lists_have_what_their_reader_owns() {
    let house = house().await;
    for (token, count) in [(RED, 1), (BLUE, 0), (OPERATOR, 1)] {
        let ask = bearing(token, v1::ListGamesRequest::default());
        let listed = house.server.games().list_games(ask).await.unwrap();
        assert_eq!(listed.into_inner().games.len(), count, "{token}");
    }
}

#[tokio::test]
async fn a_new_token_leaves_the_old_ones_until_they_are_revoked() {
    let house = house().await;
    let mut access = house.server.access();
    let holder = || Some(seat_holder(&house.table.game.game_id, 1));
    let issue = || v1::IssueTokenRequest {
        holder: holder(),
        expire_time: None,
    };
    let old = house.table.token(1);
    let second = access.issue_token(bearing(RED, issue())).await.unwrap();
    let second = second.into_inner().token;
    for token in [old, &second] {
        house.look(token, ViewerKind::Seat, 1).await.unwrap();
    }
    // Revoking twice changes nothing more.
    for _ in 0..2 {
        let revoke = v1::RevokeTokensRequest { holder: holder() };
        access.revoke_tokens(bearing(RED, revoke)).await.unwrap();
    }
    for token in [old, &second] {
        let refused = house.look(token, ViewerKind::Seat, 1).await.unwrap_err();
        assert_reason(&refused, Code::Unauthenticated, "TOKEN_REPLACED");
    }
    let fresh = access.issue_token(bearing(RED, issue())).await.unwrap();
    let fresh = fresh.into_inner().token;
    house.look(&fresh, ViewerKind::Seat, 1).await.unwrap();
    // Other holders keep their tokens.
    let other = house.table.token(2);
    house.look(other, ViewerKind::Seat, 2).await.unwrap();
    let spectator = &house.spectator;
    let response = house.look(spectator, ViewerKind::Spectator, 0).await;
    response.unwrap();
}

#[tokio::test]
async fn what_is_wrong_with_a_holder_is_named() {
    let house = house().await;
    let seat = Some(seat_holder(&house.table.game.game_id, 3));
    for (holder, field) in [(seat, "holder.seat.seat"), (None, "holder")] {
        let issue = v1::IssueTokenRequest {
            holder: holder.clone(),
            expire_time: None,
        };
        let issued = house.server.access().issue_token(bearing(RED, issue)).await;
        assert_eq!(field_of(&issued.unwrap_err()), field);
        let revoke = v1::RevokeTokensRequest { holder };
        let revoked = house
            .server
            .access()
            .revoke_tokens(bearing(RED, revoke))
            .await;
        assert_eq!(field_of(&revoked.unwrap_err()), field);
    }
}

/// Health and reflection, which libraries provide, need no token either.
#[tokio::test]
async fn a_client_may_look_around_before_it_is_known() {
    let house = house().await;
    let mut health = HealthClient::new(house.server.channel());
    health.check(HealthCheckRequest::default()).await.unwrap();
    let mut reflection = ServerReflectionClient::new(house.server.channel());
    let ask = ServerReflectionRequest {
        host: String::new(),
        message_request: Some(MessageRequest::ListServices(String::new())),
    };
    let answers = reflection
        .server_reflection_info(tokio_stream::iter([ask]))
        .await;
    let answer = answers.unwrap().into_inner().message().await.unwrap();
    assert!(answer.is_some());
}

/// A caller who cannot see a game can delete it like a missing one, without any effect.
#[tokio::test]
async fn only_what_is_ones_own_is_deleted() {
    let house = house().await;
    let mut games = house.server.games();
    let delete = |token: &str| {
        let game_id = house.table.game.game_id.clone();
        bearing(
            token,
            v1::DeleteGameRequest {
                game_id,
                allow_missing: true,
            },
        )
    };
    let seat = games.delete_game(delete(house.table.token(1))).await;
    assert_reason(&seat.unwrap_err(), Code::PermissionDenied, "NOT_ALLOWED");
    games.delete_game(delete(BLUE)).await.unwrap();
    house.look(RED, ViewerKind::Spectator, 0).await.unwrap();
    games.delete_game(delete(RED)).await.unwrap();
    let gone = house.look(RED, ViewerKind::Spectator, 0).await;
    assert_reason(&gone.unwrap_err(), Code::NotFound, "NO_SUCH_GAME");
}
