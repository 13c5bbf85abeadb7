//! Limits on the sizes of requests, pages and texts.

use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_tests::contract::{Method, Request, methods};
use gamekeeper_tests::dominion::{ada_and_bob, assert_reason, field_of, game_of, reason};
use gamekeeper_tests::raw::{call, framed};
use gamekeeper_tests::server::Gamekeeperd;
use tonic::Code;
use tonic_types::StatusExt;

use super::new_game;

fn method(name: &str) -> Method {
    let mut methods = methods().into_iter();
    let method = methods.find(|method| method.name == name);
    method.expect("a method")
}

#[tokio::test]
async fn a_request_of_64_kib_is_read_and_one_byte_more_is_not() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let mut channel = server.channel();
    let info = method("GetGame");
    // A field has a one-byte key and, at this size, a three-byte length.
    let ask = |bytes: usize| {
        let request = Request::default().text(&info, "game_id", &"x".repeat(bytes - 4));
        let request = request.into_bytes();
        assert_eq!(request.len(), bytes);
        framed(&request)
    };
    let read = call(&mut channel, &info, "", ask(65_536)).await.unwrap();
    assert_reason(&read.status, Code::NotFound, "NO_SUCH_GAME");
    let echo = read.status.get_error_details();
    assert_eq!(echo.resource_info().unwrap().resource_name, "x".repeat(64));
    let large = call(&mut channel, &info, "", ask(65_537)).await.unwrap();
    assert_reason(&large.status, Code::ResourceExhausted, "MESSAGE_TOO_LARGE");
    let details = large.status.get_error_details();
    let violations = &details.quota_failure().unwrap().violations;
    assert_eq!(violations[0].subject, "max_request_bytes");
}

#[tokio::test]
async fn pages_have_at_most_a_thousand_entries() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let mut channel = server.channel();
    let game_id = new_game(&server).await;
    for name in ["ListGames", "ListEvents", "ListLegalActions"] {
        let method = method(name);
        let ask = |size: u64| {
            let request = Request::default().text(&method, "game_id", &game_id);
            let request = request.number(&method, "seat", 1);
            framed(&request.number(&method, "page_size", size).into_bytes())
        };
        for (size, accepted) in [
            (0, true),
            (1, true),
            (1_000, true),
            // A larger page size means the maximum.
            (1_001, true),
            (i32::MAX as u64, true),
            // A negative number.
            (u64::MAX, false),
        ] {
            let answer = call(&mut channel, &method, "", ask(size)).await.unwrap();
            if accepted {
                assert_eq!(answer.status.code(), Code::Ok, "{name}, {size}");
                continue;
            }
            assert_eq!(
                reason(&answer.status),
                (Code::InvalidArgument, String::from("MALFORMED")),
                "{name}, {size}"
            );
            assert_eq!(field_of(&answer.status), "page_size");
        }
    }
}

#[tokio::test]
async fn texts_have_their_longest() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let named = |name: &str| game_of(&[name, "Bob"]);
    let identified = |id: &str| v1::CreateGameRequest {
        request_id: id.to_owned(),
        ..ada_and_bob()
    };
    let cases = [
        (named(&"\u{1f3b2}".repeat(64)), None),
        (named(&"\u{1f3b2}".repeat(65)), Some("players[0].name")),
        (identified(&"x".repeat(64)), None),
        (identified(&"x".repeat(65)), Some("request_id")),
        // The limit is in bytes, not characters.
        (identified(&"\u{e9}".repeat(32)), None),
        (identified(&"\u{e9}".repeat(33)), Some("request_id")),
    ];
    for (request, field) in cases {
        match (server.games().create_game(request).await, field) {
            (Ok(_), None) => {}
            (Err(status), Some(field)) => {
                assert_eq!(field_of(&status), field);
            }
            (answer, field) => panic!("{answer:?}, expected: {field:?}"),
        }
    }
}
