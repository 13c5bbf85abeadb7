//! Permissions. For what belongs to others, see `isolation`.

use bytes::Bytes;
use gamekeeper_proto::gamekeeper::dominion::v1 as pb;
use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_proto::gamekeeper::v1::{Viewer, ViewerKind};
use gamekeeper_tests::contract::{Method, Request, methods};
use gamekeeper_tests::dominion::{
    SEEN, Table, action, ada_and_bob, assert_reason, field_of, reason,
};
use gamekeeper_tests::raw::{call, framed};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::{BLUE, KeyFiles, OPERATOR, RED, bearing, seat_holder};
use pb::action::Kind;
use prost::Message;
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

    async fn act(&self, token: &str, seat: u32) -> Result<(), Status> {
        let act = v1::ApplyActionRequest {
            game_id: self.table.game.game_id.clone(),
            seat,
            action: Some(action(Kind::BuyCard(pb::BuyCard { card: 0 }))),
            ..Default::default()
        };
        self.server
            .games()
            .apply_action(bearing(token, act))
            .await
            .map(drop)
    }
}

fn denied() -> (Code, String) {
    (Code::PermissionDenied, String::from("NOT_ALLOWED"))
}

/// What the owner of a game, the seat that must act, the other seat, a spectator and an operator get: the answer (`y`),
/// a refusal of what the game does not allow them at this time (`p`), or a refusal because they have no permission (`n`).
const RIGHTS: [(&str, &str); 20] = [
    ("AddTime", "pnnnp"),
    ("AnswerProposal", "ppnnn"),
    ("ApplyAction", "yynnn"),
    ("ClaimTimeout", "pppnn"),
    ("DeleteGame", "ynnny"),
    ("EndGame", "ppnnn"),
    ("ExportGame", "pppny"),
    ("FillSeat", "pnnnp"),
    ("ForkGame", "yppny"),
    ("GetGame", "yynny"),
    ("IssueToken", "ynnny"),
    ("ListEvents", "yynny"),
    ("ListLegalActions", "yynny"),
    ("PauseGame", "ppnnn"),
    ("Resign", "yynnn"),
    ("ResumeGame", "ppnnn"),
    ("RevokeTokens", "ynnny"),
    ("TakeBack", "ppnnn"),
    ("UpdateGame", "ynnny"),
    ("WatchGame", "yynny"),
];

/// A request about the seat that must act, or as it sees the table.
fn about(method: &Method, table: &Table) -> Bytes {
    let (game_id, seat) = (&table.game.game_id, table.game.pending[0].seat);
    let viewer = Viewer {
        kind: ViewerKind::Seat.into(),
        seat,
    };
    let end_turn = action(Kind::EndTurn(pb::EndTurn::default()));
    let second = prost_types::Duration {
        seconds: 1,
        nanos: 0,
    };
    let request = Request::default()
        .text(method, "game_id", game_id)
        .number(method, "seat", seat.into())
        .number(method, "number", 1)
        .bytes(method, "time", &second.encode_to_vec())
        .bytes(method, "action", &end_turn.encode_to_vec())
        .bytes(method, "viewer", &viewer.encode_to_vec())
        .bytes(method, "show", &SEEN.encode_to_vec())
        .bytes(
            method,
            "holder",
            &seat_holder(game_id, seat).encode_to_vec(),
        );
    framed(&request.into_bytes())
}

#[tokio::test]
async fn everybody_has_the_rights_that_are_theirs() {
    let house = house().await;
    let mut channel = house.server.channel();
    let about_games = |method: &Method| {
        let names_one = method.field("game_id").or(method.field("holder"));
        names_one.is_some()
    };
    let methods: Vec<_> = methods().into_iter().filter(about_games).collect();
    assert_eq!(methods.len(), RIGHTS.len());
    for method in methods {
        let row = RIGHTS.iter().find(|(name, _)| *name == method.name);
        let (_, rights) = row.unwrap_or_else(|| panic!("who may call {}?", method.name));
        let mut found = String::new();
        for caller in 0..rights.len() {
            let mut games = house.server.games();
            let created = games.create_game(bearing(RED, ada_and_bob())).await;
            let created = created.unwrap().into_inner();
            let spectator = created.tokens.clone().unwrap().spectator;
            let table = Table::of(created);
            let seat = table.game.pending[0].seat;
            let (own, other) = (table.token(seat), table.token(3 - seat));
            let token = [RED, own, other, &spectator, OPERATOR][caller];
            let answer = call(&mut channel, &method, token, about(&method, &table)).await;
            let status = answer.unwrap().status;
            let code = status.code();
            found.push(if code == Code::Ok {
                'y'
            } else if code == Code::FailedPrecondition {
                'p'
            } else {
                assert_eq!(reason(&status), denied(), "{}", method.name);
                'n'
            });
        }
        assert_eq!(found, *rights, "{}", method.name);
    }
}

#[tokio::test]
async fn a_seat_acts_and_looks_for_itself_alone() {
    let house = house().await;
    let (one, two) = (house.table.token(1), house.table.token(2));
    house.look(one, ViewerKind::Seat, 1).await.unwrap();
    house.look(one, ViewerKind::Unspecified, 0).await.unwrap();
    house.look(one, ViewerKind::Spectator, 0).await.unwrap();
    assert_eq!(
        reason(&house.look(one, ViewerKind::Seat, 2).await.unwrap_err()),
        denied()
    );
    assert_eq!(
        reason(&house.look(one, ViewerKind::Operator, 0).await.unwrap_err()),
        denied()
    );
    assert_eq!(reason(&house.act(two, 1).await.unwrap_err()), denied());
    let (code, _) = reason(&house.act(two, 2).await.unwrap_err());
    assert_eq!(
        code,
        Code::FailedPrecondition,
        "its own action is judged by the rules"
    );
}

#[tokio::test]
async fn tenants_spectators_and_operators_have_their_own_rights() {
    let house = house().await;
    house.look(RED, ViewerKind::Seat, 2).await.unwrap();
    assert_eq!(
        reason(&house.look(RED, ViewerKind::Operator, 0).await.unwrap_err()),
        denied()
    );
    house
        .look(&house.spectator, ViewerKind::Spectator, 0)
        .await
        .unwrap();
    assert_eq!(
        reason(
            &house
                .look(&house.spectator, ViewerKind::Seat, 1)
                .await
                .unwrap_err()
        ),
        denied()
    );
    assert_eq!(
        reason(&house.act(&house.spectator, 1).await.unwrap_err()),
        denied()
    );
    house.look(OPERATOR, ViewerKind::Operator, 0).await.unwrap();
    assert_eq!(reason(&house.act(OPERATOR, 1).await.unwrap_err()), denied());
    let list = |token: &str| {
        let mut games = house.server.games();
        let ask = bearing(token, v1::ListGamesRequest::default());
        async move {
            games
                .list_games(ask)
                .await
                .map(|answer| answer.into_inner().games.len())
        }
    };
    assert_eq!(list(RED).await.unwrap(), 1);
    assert_eq!(list(BLUE).await.unwrap(), 0);
    assert_eq!(list(OPERATOR).await.unwrap(), 1);
    assert_eq!(
        reason(&list(house.table.token(1)).await.unwrap_err()),
        denied()
    );
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
    // Again and again: nothing else happens.
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
    // Others keep theirs.
    let other = house.table.token(2);
    house.look(other, ViewerKind::Seat, 2).await.unwrap();
    let spectator = &house.spectator;
    let seen = house.look(spectator, ViewerKind::Spectator, 0).await;
    seen.unwrap();
}

/// The public facts are for everybody with a token of the game, whomever it is for.
#[tokio::test]
async fn whoever_may_know_of_a_game_may_read_its_public_facts() {
    let house = house().await;
    let tokens = [
        house.table.token(1),
        house.table.token(2),
        &house.spectator,
        RED,
        OPERATOR,
    ];
    for token in tokens {
        let ask = bearing(token, house.table.ask());
        let seen = house.server.games().get_game(ask).await;
        let table = seen.unwrap().into_inner().table.unwrap();
        assert_eq!((table.view, &*table.board), (None, ""), "{token}");
    }
}

#[tokio::test]
async fn a_deleted_game_is_gone() {
    let house = house().await;
    let delete = v1::DeleteGameRequest {
        game_id: house.table.game.game_id.clone(),
        ..Default::default()
    };
    house
        .server
        .games()
        .delete_game(bearing(RED, delete))
        .await
        .unwrap();
    let gone = house.look(RED, ViewerKind::Spectator, 0).await.unwrap_err();
    assert_reason(&gone, Code::NotFound, "NO_SUCH_GAME");
}

#[tokio::test]
async fn a_client_may_look_around_before_it_is_known() {
    let house = house().await;
    let mut rulesets = house.server.rulesets();
    let catalogue = v1::GetCatalogueRequest {
        ruleset: String::from("dominion"),
        known_revision: 0,
    };
    let catalogue = rulesets.get_catalogue(catalogue).await.unwrap();
    assert!(catalogue.into_inner().catalogue.is_some());
    let rulesets = rulesets.list_rulesets(v1::ListRulesetsRequest {}).await;
    assert!(!rulesets.unwrap().into_inner().rulesets.is_empty());
    let mut health = HealthClient::new(house.server.channel());
    health.check(HealthCheckRequest::default()).await.unwrap();
    let mut reflection = ServerReflectionClient::new(house.server.channel());
    let ask = ServerReflectionRequest {
        host: String::new(),
        message_request: Some(MessageRequest::ListServices(String::new())),
    };
    let ask = tokio_stream::iter([ask]);
    let mut answers = reflection
        .server_reflection_info(ask)
        .await
        .unwrap()
        .into_inner();
    assert!(answers.message().await.unwrap().is_some());
    // Nothing else.
    let mut games = house.server.games();
    let listed = games.list_games(v1::ListGamesRequest::default()).await;
    let no_token = (Code::Unauthenticated, String::from("NO_TOKEN"));
    assert_eq!(reason(&listed.unwrap_err()), no_token);
}

#[tokio::test]
async fn a_game_can_be_deleted_again() {
    let house = house().await;
    let mut games = house.server.games();
    let delete = |allow_missing| v1::DeleteGameRequest {
        game_id: house.table.game.game_id.clone(),
        allow_missing,
    };
    // A caller that may see a game but not delete it gets a refusal.
    let seat = games
        .delete_game(bearing(house.table.token(1), delete(true)))
        .await;
    assert_eq!(reason(&seat.unwrap_err()), denied());
    games
        .delete_game(bearing(BLUE, delete(true)))
        .await
        .unwrap();
    house.look(RED, ViewerKind::Spectator, 0).await.unwrap();
    games
        .delete_game(bearing(RED, delete(false)))
        .await
        .unwrap();
    let missing = games.delete_game(bearing(RED, delete(false))).await;
    assert_reason(&missing.unwrap_err(), Code::NotFound, "NO_SUCH_GAME");
    games.delete_game(bearing(RED, delete(true))).await.unwrap();
}

#[tokio::test]
async fn tokens_are_for_seats_that_are_at_the_table() {
    let house = house().await;
    let mut access = house.server.access();
    for seat in [0, 3, 77, u32::MAX] {
        let holder = || Some(seat_holder(&house.table.game.game_id, seat));
        let issue = v1::IssueTokenRequest {
            holder: holder(),
            expire_time: None,
        };
        let revoke = v1::RevokeTokensRequest { holder: holder() };
        let refusals = [
            access.issue_token(bearing(RED, issue)).await.unwrap_err(),
            access
                .revoke_tokens(bearing(RED, revoke))
                .await
                .unwrap_err(),
        ];
        for status in refusals {
            assert_reason(&status, Code::InvalidArgument, "NO_SUCH_SEAT");
            assert_eq!(field_of(&status), "holder.seat.seat");
        }
    }
    let nobody = v1::IssueTokenRequest::default();
    let status = access.issue_token(bearing(RED, nobody)).await.unwrap_err();
    assert_reason(&status, Code::InvalidArgument, "MALFORMED");
    assert_eq!(field_of(&status), "holder");
}
