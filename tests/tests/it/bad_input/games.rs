//! Games that cannot be created, and games that do not exist.

use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_tests::dominion::{ada_and_bob, assert_reason, field_of, players};
use tonic::Code;
use tonic_types::StatusExt;

use super::{field, house, pb};

#[tokio::test]
async fn a_malformed_game_is_not_created() {
    let house = house().await;
    let create = |names: &[&str]| pb::CreateGameRequest {
        players: players(names),
        ..Default::default()
    };
    let refused = async |call| house.client().create_game(call).await.unwrap_err();
    let long = "x".repeat(65);
    let cases = [
        ("players[1].name", create(&["Ada", " "])),
        ("players[0].name", create(&[&long, "Bob"])),
        ("players[0].name", create(&["A\u{7}a", "Bob"])),
        (
            "seed",
            pb::CreateGameRequest {
                seed: vec![1; 31],
                ..ada_and_bob()
            },
        ),
        (
            "request_id",
            pb::CreateGameRequest {
                request_id: long.clone(),
                ..ada_and_bob()
            },
        ),
    ];
    for (expected, call) in cases {
        assert_eq!(field(&refused(call).await), expected);
    }
    let alone = refused(create(&["Ada"])).await;
    assert_reason(&alone, Code::InvalidArgument, "INVALID_PLAYER_COUNT");
    let kingdom = pb::options::Kingdom::Set(99);
    let options = Some(pb::Options {
        kingdom: Some(kingdom),
        ..Default::default()
    });
    let call = pb::CreateGameRequest {
        options,
        ..ada_and_bob()
    };
    let unknown = refused(call).await;
    assert_reason(&unknown, Code::InvalidArgument, "INVALID_OPTION");
}

#[tokio::test]
async fn what_does_not_exist_is_not_found() {
    let house = house().await;
    let early = pb::GetGameRequest {
        at_version: 2,
        ..house.table.ask()
    };
    let early = house.client().get_game(early).await.unwrap_err();
    assert_reason(&early, Code::OutOfRange, "NO_SUCH_VERSION");
    for missing in ["nonsense", "018f0000-0000-7000-8000-000000000000"] {
        let ask = pb::GetGameRequest {
            game_id: missing.to_owned(),
            ..Default::default()
        };
        let status = house.client().get_game(ask).await.unwrap_err();
        assert_reason(&status, Code::NotFound, "NO_SUCH_GAME");
        let details = status.get_error_details();
        assert_eq!(details.resource_info().unwrap().resource_name, missing);
    }
}

#[tokio::test]
async fn a_game_without_an_id_is_no_game() {
    let house = house().await;
    let look = pb::GetGameRequest::default();
    let looked = house.client().get_game(look).await.unwrap_err();
    let info = v1::GetGameInfoRequest::default();
    let info = house.server.games().get_game_info(info).await.unwrap_err();
    for status in [looked, info] {
        assert_reason(&status, Code::InvalidArgument, "MALFORMED");
        assert_eq!(field_of(&status), "game_id");
    }
}
