//! Actions that are malformed, or that the rules refuse.

use gamekeeper_proto::gamekeeper::caylus::v1 as caylus;
use gamekeeper_proto::gamekeeper::v1::{self, action::Ruleset};
use gamekeeper_tests::dominion::{assert_reason, field_of};
use tonic::Code;
use tonic_types::StatusExt;

use super::{buy, field, house, pb};

fn empty() -> v1::Action {
    v1::Action { ruleset: None }
}

fn of_dominion(action: pb::Action) -> v1::Action {
    v1::Action {
        ruleset: Some(Ruleset::Dominion(action)),
    }
}

#[tokio::test]
async fn a_malformed_action_names_its_field() {
    let house = house().await;
    let cases = [
        ("seat", house.action_but(|call| call.seat = 0)),
        ("seat", house.action_but(|call| call.seat = 6)),
        ("action", house.action_but(|call| call.action = None)),
        (
            "action",
            house.action_but(|call| call.action = Some(empty())),
        ),
        (
            "action.dominion.kind",
            house.action_but(|call| call.action = Some(of_dominion(pb::Action::default()))),
        ),
        (
            "request_id",
            house.action_but(|call| call.request_id = "x".repeat(65)),
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
    let buying = |card| house.action_but(|call| call.action = Some(buy(card)));
    let cases = [
        ("UNKNOWN_ID", "DOM-6.1", buying(99)),
        ("UNKNOWN_ID", "DOM-6.1", buying(0)),
        (
            "NOT_YOUR_TURN",
            "DOM-6.1",
            house.action_but(|call| call.seat = other),
        ),
        ("NOT_IN_SUPPLY", "DOM-6.10", buying(pb::Card::Witch.into())),
    ];
    for (code, rule, call) in cases {
        let status = house.refused(call).await;
        assert_reason(&status, Code::FailedPrecondition, code);
        let details = status.get_error_details();
        assert_eq!(details.error_info().unwrap().metadata["rule"], rule);
        let violation = &details.precondition_failure().unwrap().violations[0];
        assert_eq!(violation.subject, rule);
    }
}

/// The refusal of an unknown name contains the path of the field and the value that was sent.
#[tokio::test]
async fn an_unknown_name_comes_with_its_path_and_what_was_sent() {
    let house = house().await;
    let path = "action.dominion.buy_card.card";
    for (card, value, sentence) in [
        (99, "99", "is 99, which names nothing in this game."),
        (0, "", "is missing."),
    ] {
        let call = house.action_but(|call| call.action = Some(buy(card)));
        let status = house.refused(call).await;
        assert_eq!(status.message(), format!("`{path}` {sentence}"));
        let details = status.get_error_details();
        let metadata = &details.error_info().unwrap().metadata;
        assert_eq!((&*metadata["path"], &*metadata["value"]), (path, value));
    }
}

#[tokio::test]
async fn an_action_of_another_ruleset_is_no_action_of_the_game() {
    let house = house().await;
    let foreign = v1::Action {
        ruleset: Some(Ruleset::Caylus(caylus::Action {
            kind: Some(caylus::action::Kind::PlaceWorker(
                caylus::PlaceWorker::default(),
            )),
        })),
    };
    let call = house.action_but(|call| call.action = Some(foreign));
    let status = house.refused(call).await;
    assert_reason(&status, Code::InvalidArgument, "MALFORMED");
    assert_eq!(field_of(&status), "action");
}
