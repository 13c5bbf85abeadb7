//! Invalid requests are refused with the name of the field, and change nothing.

use gamekeeper_proto::gamekeeper::dominion::v1 as pb;
use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_tests::contract::Method;
use gamekeeper_tests::dominion::{Client, Table, players, reason};
use gamekeeper_tests::raw::{call, framed};
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::server::Gamekeeperd;
use pb::action::Kind;
use prost_types::DescriptorProto;
use tonic::{Code, Request, Status};
use tonic_types::StatusExt;

struct House {
    server: Gamekeeperd,
    table: Table,
}

async fn house() -> House {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let create = pb::CreateGameRequest {
        players: players(&["Ada", "Bob"]),
        ..Default::default()
    };
    let created = server
        .dominion()
        .create_game(create)
        .await
        .unwrap()
        .into_inner();
    House {
        server,
        table: Table::of(created),
    }
}

impl House {
    fn client(&self) -> Client {
        self.server.dominion()
    }

    /// An action that is well formed: the seat that has to act buys a Copper.
    fn action(&self) -> pb::ApplyActionRequest {
        pb::ApplyActionRequest {
            game_id: self.table.game.game_id.clone(),
            seat: self.table.game.pending[0].seat,
            action: Some(buy(pb::Card::Copper.into())),
            ..Default::default()
        }
    }

    async fn refused(&self, call: pb::ApplyActionRequest) -> Status {
        let status = self.client().apply_action(call).await.unwrap_err();
        let ask = v1::GetGameInfoRequest {
            game_id: self.table.game.game_id.clone(),
        };
        let now = self
            .server
            .games()
            .get_game_info(ask)
            .await
            .unwrap()
            .into_inner()
            .game;
        assert_eq!(
            now,
            Some(self.table.game.clone()),
            "a failed call changes nothing"
        );
        status
    }
}

fn buy(card: i32) -> pb::Action {
    pb::Action {
        kind: Some(Kind::BuyCard(pb::BuyCard { card })),
    }
}

/// The field named by the refusal of a malformed request, or of a seat that the table does not have.
fn field(status: &Status) -> String {
    let (code, reason) = reason(status);
    assert_eq!(code, Code::InvalidArgument, "{status:?}");
    let details = status.get_error_details();
    let info = details.error_info().unwrap();
    if reason == "NO_SUCH_SEAT" {
        assert!(info.metadata.contains_key("seat"), "{status:?}");
        assert!(info.metadata["field"].ends_with("seat"), "{status:?}");
    } else {
        assert_eq!(reason, "MALFORMED", "{status:?}");
    }
    details
        .bad_request()
        .expect("a BadRequest")
        .field_violations[0]
        .field
        .clone()
}

#[tokio::test]
async fn a_malformed_action_names_its_field() {
    let house = house().await;
    let cases = [
        (
            "seat",
            pb::ApplyActionRequest {
                seat: 0,
                ..house.action()
            },
        ),
        (
            "seat",
            pb::ApplyActionRequest {
                seat: 6,
                ..house.action()
            },
        ),
        (
            "action",
            pb::ApplyActionRequest {
                action: None,
                ..house.action()
            },
        ),
        (
            "action.kind",
            pb::ApplyActionRequest {
                action: Some(pb::Action { kind: None }),
                ..house.action()
            },
        ),
        (
            "view_mode",
            pb::ApplyActionRequest {
                view_mode: 99,
                ..house.action()
            },
        ),
        (
            "request_id",
            pb::ApplyActionRequest {
                request_id: "x".repeat(65),
                ..house.action()
            },
        ),
    ];
    for (expected, call) in cases {
        assert_eq!(field(&house.refused(call).await), expected);
    }
}

#[tokio::test]
async fn what_the_rules_refuse_carries_their_code() {
    let house = house().await;
    let other = 3 - house.action().seat;
    let cases = [
        (
            "UNKNOWN_ID",
            "DOM-6.1",
            pb::ApplyActionRequest {
                action: Some(buy(99)),
                ..house.action()
            },
        ),
        (
            "UNKNOWN_ID",
            "DOM-6.1",
            pb::ApplyActionRequest {
                action: Some(buy(0)),
                ..house.action()
            },
        ),
        (
            "NOT_YOUR_TURN",
            "DOM-6.1",
            pb::ApplyActionRequest {
                seat: other,
                ..house.action()
            },
        ),
        (
            "NOT_IN_SUPPLY",
            "DOM-6.10",
            pb::ApplyActionRequest {
                action: Some(buy(pb::Card::Witch.into())),
                ..house.action()
            },
        ),
    ];
    for (code, rule, call) in cases {
        let status = house.refused(call).await;
        assert_eq!(reason(&status), (Code::FailedPrecondition, code.to_owned()));
        let details = status.get_error_details();
        assert_eq!(details.error_info().unwrap().metadata["rule"], rule);
        assert_eq!(
            details.precondition_failure().unwrap().violations[0].subject,
            rule
        );
    }
}

#[tokio::test]
async fn a_malformed_game_is_not_created() {
    let house = house().await;
    let create = |names: &[&str]| pb::CreateGameRequest {
        players: players(names),
        ..Default::default()
    };
    let long = "x".repeat(65);
    let cases = [
        ("players[1].name", create(&["Ada", " "])),
        ("players[0].name", create(&[&long, "Bob"])),
        ("players[0].name", create(&["A\u{7}a", "Bob"])),
        (
            "seed",
            pb::CreateGameRequest {
                seed: vec![1; 31],
                ..create(&["Ada", "Bob"])
            },
        ),
        (
            "request_id",
            pb::CreateGameRequest {
                request_id: long.clone(),
                ..create(&["Ada", "Bob"])
            },
        ),
    ];
    for (expected, call) in cases {
        assert_eq!(
            field(&house.client().create_game(call).await.unwrap_err()),
            expected
        );
    }
    let alone = house
        .client()
        .create_game(create(&["Ada"]))
        .await
        .unwrap_err();
    assert_eq!(
        reason(&alone),
        (Code::InvalidArgument, String::from("INVALID_PLAYER_COUNT"))
    );
    let kingdom = pb::options::Kingdom::Set(99);
    let options = Some(pb::Options {
        kingdom: Some(kingdom),
        ..Default::default()
    });
    let call = pb::CreateGameRequest {
        options,
        ..create(&["Ada", "Bob"])
    };
    let unknown = house.client().create_game(call).await.unwrap_err();
    assert_eq!(
        reason(&unknown),
        (Code::InvalidArgument, String::from("INVALID_OPTION"))
    );
}

#[tokio::test]
async fn meaningless_queries_name_their_field() {
    let house = house().await;
    let game_id = house.table.game.game_id.clone();
    let viewer = |kind, seat| Some(v1::Viewer { kind, seat });
    let looks = [
        ("viewer.kind", viewer(99, 0)),
        ("viewer.seat", viewer(v1::ViewerKind::Seat.into(), 0)),
        ("viewer.seat", viewer(v1::ViewerKind::Spectator.into(), 1)),
    ];
    for (expected, viewer) in looks {
        let ask = pb::GetGameRequest {
            game_id: game_id.clone(),
            viewer,
            ..Default::default()
        };
        assert_eq!(
            field(&house.client().get_game(ask).await.unwrap_err()),
            expected
        );
    }
}

#[tokio::test]
async fn boards_of_impossible_widths_are_refused() {
    let house = house().await;
    let game_id = house.table.game.game_id.clone();
    for columns in [1, 39, 401, u32::MAX] {
        let with_board = Some(v1::BoardStyle {
            columns,
            colored: false,
        });
        let look = pb::GetGameRequest {
            game_id: game_id.clone(),
            with_board,
            ..Default::default()
        };
        let watch = pb::WatchGameRequest {
            game_id: game_id.clone(),
            with_board,
            ..Default::default()
        };
        let act = pb::ApplyActionRequest {
            game_id: game_id.clone(),
            seat: house.table.game.pending[0].seat,
            action: Some(pb::Action {
                kind: Some(pb::action::Kind::EndTurn(pb::EndTurn::default())),
            }),
            with_board,
            ..Default::default()
        };
        let mut client = house.client();
        let refusals = [
            client.get_game(look).await.unwrap_err(),
            client.watch_game(watch).await.unwrap_err(),
            client.apply_action(act).await.unwrap_err(),
        ];
        for refusal in refusals {
            assert_eq!(field(&refusal), "with_board.columns");
        }
    }
}

#[tokio::test]
async fn meaningless_lists_name_their_field() {
    let house = house().await;
    let game_id = house.table.game.game_id.clone();
    let legal = |page_size: i32, page_token: &str, detail| pb::ListLegalActionsRequest {
        game_id: game_id.clone(),
        seat: 1,
        page_size,
        page_token: page_token.to_owned(),
        detail,
        ..Default::default()
    };
    let lists = [
        ("page_size", legal(-1, "", 0)),
        (
            "kinds[1]",
            pb::ListLegalActionsRequest {
                kinds: ["buyCard", "buy_cards"].map(String::from).to_vec(),
                ..legal(0, "", 0)
            },
        ),
        ("page_token", legal(0, "nonsense", 0)),
        ("page_token", legal(0, "0-0", 0)),
        ("detail", legal(0, "", 99)),
        (
            "seat",
            pb::ListLegalActionsRequest {
                seat: 5,
                ..legal(0, "", 0)
            },
        ),
    ];
    for (expected, ask) in lists {
        assert_eq!(
            field(&house.client().list_legal_actions(ask).await.unwrap_err()),
            expected
        );
    }
}

#[tokio::test]
async fn what_does_not_exist_is_not_found() {
    let house = house().await;
    let game_id = house.table.game.game_id.clone();
    let early = pb::GetGameRequest {
        game_id: game_id.clone(),
        at_version: 2,
        ..Default::default()
    };
    let early = house.client().get_game(early).await.unwrap_err();
    assert_eq!(
        reason(&early),
        (Code::OutOfRange, String::from("NO_SUCH_VERSION"))
    );
    for missing in ["nonsense", "018f0000-0000-7000-8000-000000000000"] {
        let ask = pb::GetGameRequest {
            game_id: missing.to_owned(),
            ..Default::default()
        };
        let status = house.client().get_game(ask).await.unwrap_err();
        assert_eq!(
            reason(&status),
            (Code::NotFound, String::from("NO_SUCH_GAME"))
        );
        assert_eq!(
            status
                .get_error_details()
                .resource_info()
                .unwrap()
                .resource_name,
            missing
        );
    }
}

#[tokio::test]
async fn a_message_that_is_too_large_is_refused_with_its_reason() {
    let house = house().await;
    let many = pb::Action {
        kind: Some(Kind::PlayTreasures(pb::PlayTreasures {
            cards: vec![1; 70_000],
        })),
    };
    let large = pb::ApplyActionRequest {
        action: Some(many),
        ..house.action()
    };
    let large = house.refused(large).await;
    assert_eq!(
        reason(&large),
        (Code::ResourceExhausted, String::from("MESSAGE_TOO_LARGE"))
    );
}

#[tokio::test]
async fn a_call_that_takes_too_long_ends_at_its_deadline() {
    let redis = RedisServer::start(&RedisOptions::new());
    let address = format!("--redis={}", redis.address());
    let server = Gamekeeperd::start(&["--store=redis", &address, "--deadline=300ms"]);
    let create = pb::CreateGameRequest {
        players: players(&["Ada", "Bob"]),
        ..Default::default()
    };
    let created = server.dominion().create_game(create).await.unwrap();
    let ask = pb::GetGameRequest {
        game_id: Table::of(created.into_inner()).game.game_id,
        ..Default::default()
    };
    redis.pause();
    let late = server.dominion().get_game(ask.clone()).await.unwrap_err();
    redis.resume();
    assert_eq!(
        reason(&late),
        (Code::DeadlineExceeded, String::from("DEADLINE"))
    );
    server.dominion().get_game(ask).await.unwrap();
}

#[tokio::test]
async fn bytes_that_are_no_message_are_the_callers_fault() {
    let house = house().await;
    let mut client = tonic::client::Grpc::new(house.server.channel());
    client.ready().await.unwrap();
    let path = "/gamekeeper.dominion.v1.DominionService/ApplyAction"
        .parse()
        .unwrap();
    // The fields of another message: known ones are read, the rest is skipped.
    let other = v1::GetGameInfoRequest {
        game_id: String::from("abc"),
    };
    let codec =
        tonic_prost::ProstCodec::<v1::GetGameInfoRequest, pb::ApplyActionResponse>::default();
    let status = client
        .unary(Request::new(other), path, codec)
        .await
        .unwrap_err();
    assert_eq!(
        reason(&status),
        (Code::NotFound, String::from("NO_SUCH_GAME"))
    );

    client.ready().await.unwrap();
    let path = "/gamekeeper.dominion.v1.DominionService/ApplyAction"
        .parse()
        .unwrap();
    let wrong = v1::Player {
        seat: 7,
        name: String::from("a text where a number belongs"),
        ..v1::Player::default()
    };
    let codec = tonic_prost::ProstCodec::<v1::Player, pb::ApplyActionResponse>::default();
    let status = client
        .unary(Request::new(wrong), path, codec)
        .await
        .unwrap_err();
    assert_eq!(
        reason(&status),
        (Code::InvalidArgument, String::from("MALFORMED_MESSAGE"))
    );

    client.ready().await.unwrap();
    let path = "/gamekeeper.dominion.v1.DominionService/Cheat"
        .parse()
        .unwrap();
    let codec = tonic_prost::ProstCodec::<v1::Player, pb::ApplyActionResponse>::default();
    let status = client
        .unary(Request::new(v1::Player::default()), path, codec)
        .await
        .unwrap_err();
    assert_eq!(
        reason(&status),
        (Code::Unimplemented, String::from("UNKNOWN_METHOD"))
    );
}

#[tokio::test]
async fn a_game_without_an_id_is_no_game() {
    let house = house().await;
    let look = pb::GetGameRequest::default();
    let looked = house.client().get_game(look).await.unwrap_err();
    let info = v1::GetGameInfoRequest::default();
    let info = house.server.games().get_game_info(info).await.unwrap_err();
    for status in [looked, info] {
        assert_eq!(
            reason(&status),
            (Code::InvalidArgument, String::from("MALFORMED"))
        );
        let details = status.get_error_details();
        let field = &details.bad_request().unwrap().field_violations[0].field;
        assert_eq!(field, "game_id");
    }
}

/// A missing method is refused with a message and a reason, in a service that exists and in one that
/// does not.
#[tokio::test]
async fn an_unknown_method_is_refused_with_its_reason() {
    let house = house().await;
    for service in [
        "gamekeeper.dominion.v1.DominionService",
        "gamekeeper.v1.TableService",
        "no.Service",
    ] {
        let method = Method {
            service: service.to_owned(),
            name: String::from("Cheat"),
            input: DescriptorProto::default(),
            streams: false,
        };
        let mut channel = house.server.channel();
        let answer = call(&mut channel, &method, "", framed(b""));
        let status = answer.await.unwrap().status;
        assert_eq!(
            reason(&status),
            (Code::Unimplemented, String::from("UNKNOWN_METHOD")),
            "{service}"
        );
        assert_eq!(status.message(), "there is no such method");
    }
}
