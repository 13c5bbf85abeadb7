//! Games that cannot be created, and games that do not exist.

use gamekeeper_proto::gamekeeper::caylus::v1 as caylus;
use gamekeeper_proto::gamekeeper::terra_mystica::v1 as terra_mystica;
use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_tests::dominion::{ada_and_bob, assert_reason, field_of, game_of, options};
use tonic::Code;
use tonic_types::StatusExt;

use super::{field, house, pb};

fn in_no_ruleset(ruleset: &str) -> v1::CreateGameRequest {
    v1::CreateGameRequest {
        ruleset: ruleset.to_owned(),
        ..ada_and_bob()
    }
}

#[tokio::test]
async fn a_malformed_game_is_not_created() {
    let house = house().await;
    let refused = async |call| house.client().create_game(call).await.unwrap_err();
    let cases = [
        ("players[1].name", game_of(&["Ada", " "])),
        ("players[0].name", game_of(&["A\u{7}a", "Bob"])),
        (
            "seed",
            v1::CreateGameRequest {
                seed: vec![1; 31],
                ..ada_and_bob()
            },
        ),
        ("ruleset", in_no_ruleset("")),
        ("ruleset", in_no_ruleset("chess")),
    ];
    for (expected, call) in cases {
        assert_eq!(field(&refused(call).await), expected);
    }
    let alone = refused(game_of(&["Ada"])).await;
    assert_reason(&alone, Code::InvalidArgument, "INVALID_PLAYER_COUNT");
    let kingdom = pb::options::Kingdom::Set(99);
    let requested = pb::Options {
        kingdom: Some(kingdom),
        ..Default::default()
    };
    let call = v1::CreateGameRequest {
        options: Some(options(requested)),
        ..ada_and_bob()
    };
    let unknown = refused(call).await;
    assert_reason(&unknown, Code::InvalidArgument, "INVALID_OPTION");
}

#[tokio::test]
async fn what_does_not_exist_is_not_found() {
    let house = house().await;
    let early = v1::GetGameRequest {
        at_version: 2,
        ..house.table.ask()
    };
    let early = house.client().get_game(early).await.unwrap_err();
    assert_reason(&early, Code::OutOfRange, "NO_SUCH_VERSION");
    for missing in ["nonsense", "018f0000-0000-7000-8000-000000000000"] {
        let ask = v1::GetGameRequest {
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
    let look = v1::GetGameRequest::default();
    let status = house.client().get_game(look).await.unwrap_err();
    assert_reason(&status, Code::InvalidArgument, "MALFORMED");
    assert_eq!(field_of(&status), "game_id");
}

/// Options of Terra Mystica with these factions.
fn with_factions(setup_mode: terra_mystica::SetupMode, factions: &[i32]) -> v1::CreateGameRequest {
    let requested = terra_mystica::Options {
        setup_mode: setup_mode.into(),
        factions: Some(terra_mystica::FactionList {
            factions: factions.to_vec(),
        }),
        ..Default::default()
    };
    v1::CreateGameRequest {
        options: Some(v1::Options {
            ruleset: Some(v1::options::Ruleset::TerraMystica(requested)),
        }),
        ..in_no_ruleset("terra_mystica")
    }
}

#[tokio::test]
async fn an_unknown_name_in_options_comes_with_its_path_and_what_was_sent() {
    let house = house().await;
    let custom = with_factions(terra_mystica::SetupMode::Custom, &[1, 99]);
    let status = house.client().create_game(custom).await.unwrap_err();
    assert_reason(&status, Code::InvalidArgument, "UNKNOWN_ID");
    let path = "options.terra_mystica.factions.factions[1]";
    let sentence = format!("`{path}` is 99, which names nothing in this game.");
    assert!(
        status
            .message()
            .starts_with(&sentence[..sentence.len() - 1])
    );
    let details = status.get_error_details();
    let metadata = &details.error_info().unwrap().metadata;
    assert_eq!((&*metadata["path"], &*metadata["value"]), (path, "99"));
    assert_eq!(field_of(&status), path);
}

/// A list that no game of this set-up takes is allowed no value.
#[tokio::test]
async fn factions_are_not_for_a_standard_game() {
    let house = house().await;
    let standard = with_factions(terra_mystica::SetupMode::Standard, &[1, 4]);
    let status = house.client().create_game(standard).await.unwrap_err();
    assert_reason(&status, Code::InvalidArgument, "INVALID_OPTION");
    let details = status.get_error_details();
    let allowed = &details.error_info().unwrap().metadata["allowed"];
    assert_eq!(allowed, "none, leave it out");
}

#[tokio::test]
async fn options_of_another_ruleset_make_no_game() {
    let house = house().await;
    let caylus = v1::options::Ruleset::Caylus(caylus::Options::default());
    let call = v1::CreateGameRequest {
        options: Some(v1::Options {
            ruleset: Some(caylus),
        }),
        ..ada_and_bob()
    };
    let status = house.client().create_game(call).await.unwrap_err();
    assert_reason(&status, Code::InvalidArgument, "MALFORMED");
    assert_eq!(field_of(&status), "options");
}

#[tokio::test]
async fn what_is_no_ruleset_has_no_catalogue() {
    let house = house().await;
    for ruleset in ["", "chess"] {
        let ask = v1::GetCatalogueRequest {
            ruleset: ruleset.to_owned(),
            known_revision: 0,
        };
        let status = house.server.rulesets().get_catalogue(ask).await;
        assert_eq!(field(&status.unwrap_err()), "ruleset", "{ruleset:?}");
    }
}
