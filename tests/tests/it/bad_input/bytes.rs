//! Calls that cannot be decoded, and calls that take too long.

use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_proto::{EncodedMessage, raw};
use gamekeeper_tests::contract::Method;
use gamekeeper_tests::dominion::{Table, assert_reason};
use gamekeeper_tests::raw::{call, framed};
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::server::Gamekeeperd;
use prost::Message;
use prost_types::DescriptorProto;
use tonic::{Code, Request, Status};

use super::{House, house};

#[tokio::test]
async fn a_call_that_takes_too_long_ends_at_its_deadline() {
    let redis = RedisServer::start(&RedisOptions::new());
    let address = format!("--redis={}", redis.address());
    let server = Gamekeeperd::start(&["--store=redis", &address, "--deadline=300ms"]);
    let ask = Table::begin(&mut server.games()).await.ask();
    redis.pause();
    let late = server.games().get_game(ask.clone()).await.unwrap_err();
    redis.resume();
    assert_reason(&late, Code::DeadlineExceeded, "DEADLINE");
    server.games().get_game(ask).await.unwrap();
}

/// Sends a message to a method that expects another type.
async fn sent<M: Message + 'static>(house: &House, method: &str, message: M) -> Status {
    let mut client = tonic::client::Grpc::new(house.server.channel());
    client.ready().await.unwrap();
    let path = format!("/gamekeeper.v1.GameService/{method}");
    let codec = tonic_prost::ProstCodec::<M, v1::ApplyActionResponse>::default();
    let request = Request::new(message);
    let answer = client.unary(request, path.parse().unwrap(), codec).await;
    answer.unwrap_err()
}

#[tokio::test]
async fn bytes_that_are_no_message_are_the_callers_fault() {
    let house = house().await;
    // The fields of another message are decoded as far as they are known; the rest is skipped.
    let other = v1::GetGameRequest {
        game_id: String::from("abc"),
        ..Default::default()
    };
    let status = sent(&house, "ApplyAction", other).await;
    assert_reason(&status, Code::NotFound, "NO_SUCH_GAME");
    let unreadable = raw::ApplyActionRequest {
        game_id: house.table.game.game_id.clone(),
        seat: 1,
        action: Some(raw::Action {
            ruleset: Some(raw::action::Ruleset::Dominion(EncodedMessage::from(vec![
                0xff,
            ]))),
        }),
        ..Default::default()
    };
    let status = sent(&house, "ApplyAction", unreadable).await;
    assert_reason(&status, Code::InvalidArgument, "MALFORMED_MESSAGE");
}

/// A missing method is refused with a message and a reason, in a service that exists and in one that
/// does not.
#[tokio::test]
async fn an_unknown_method_is_refused_with_its_reason() {
    let house = house().await;
    for service in [
        "gamekeeper.v1.GameService",
        "gamekeeper.v1.AccessService",
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
        assert_reason(&status, Code::Unimplemented, "UNKNOWN_METHOD");
        assert_eq!(status.message(), "there is no such method");
    }
}
