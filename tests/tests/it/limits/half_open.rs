//! Calls that are never whole, and connections that say nothing: they take from nobody but whoever
//! makes them.

use std::convert::Infallible;
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::future::join_all;
use futures_util::stream::FuturesUnordered;
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_tests::dominion::reason;
use gamekeeper_tests::http::ask;
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::{BLUE, RED, bearing};
use http_body_util::StreamBody;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tonic::body::Body;
use tonic::codegen::Service;
use tonic::codegen::http::Request;
use tonic::transport::Channel;
use tonic::{Code, Status};

use super::{SOON, eventually, exceeded, new_game, with_tokens};

/// Begins a call, with the first bytes of a message, and never ends it. How it was answered.
async fn half_open(mut channel: Channel, token: &str) -> Status {
    let begin = http_body_util::combinators::BoxBody::new(StreamBody::new(
        futures_util::stream::iter([Ok::<_, Infallible>(hyper_frame())])
            .chain(futures_util::stream::pending()),
    ));
    let mut request = Request::post("http://any/gamekeeper.v1.GamesService/ListGames")
        .header("content-type", "application/grpc")
        .header("te", "trailers");
    if !token.is_empty() {
        request = request.header("authorization", format!("Bearer {token}"));
    }
    let request = request.body(Body::new(begin)).unwrap();
    std::future::poll_fn(|context| channel.poll_ready(context))
        .await
        .unwrap();
    let answer = channel.call(request).await.unwrap();
    Status::from_header_map(answer.headers()).expect("a status")
}

fn hyper_frame() -> http_body_util::combinators::Frame<Bytes> {
    http_body_util::combinators::Frame::data(Bytes::from_static(&[0, 0]))
}
