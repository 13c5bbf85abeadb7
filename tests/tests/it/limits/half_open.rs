//! Calls that are never completed, and connections that send nothing. They use up resources only of their own client.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use futures_util::stream::{self, FuturesUnordered, StreamExt};
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_tests::certificates::tls_flags;
use gamekeeper_tests::dominion::assert_reason;
use gamekeeper_tests::evidence::Channel;
use gamekeeper_tests::http::ask;
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::{BLUE, RED, bearing};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tonic::client::Grpc;
use tonic::{Code, Request, Status, Streaming};
use tonic_health::pb::health_client::HealthClient;
use tonic_health::pb::{HealthCheckRequest, HealthCheckResponse};
use tonic_prost::ProstCodec;
use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;

use super::{SOON, eventually, exceeded, new_game, with_tokens};

/// Starts a call without completing it, and returns the status.
async fn half_open(channel: Channel, token: &str) -> Status {
    let endless = stream::once(async { pb::ListGamesRequest::default() }).chain(stream::pending());
    let request = if token.is_empty() {
        Request::new(endless)
    } else {
        bearing(token, endless)
    };
    let mut client = Grpc::new(channel);
    client.ready().await.unwrap();
    let path = "/gamekeeper.v1.GameService/ListGames".parse().unwrap();
    let codec = ProstCodec::<pb::ListGamesRequest, pb::ListGamesResponse>::default();
    let answer = client.client_streaming(request, path, codec).await;
    answer.map(drop).unwrap_err()
}

fn list(token: &str) -> Request<pb::ListGamesRequest> {
    bearing(token, pb::ListGamesRequest::default())
}

#[tokio::test]
async fn a_call_without_a_token_is_refused_before_it_is_whole() {
    let patient = "--request-timeout=300s";
    let (server, _keys) = with_tokens(&["--store=memory", "--max-in-flight=2", patient]);
    let attacker = server.channel();
    let calls = (0..200).map(|_| half_open(attacker.clone(), ""));
    let begun = Instant::now();
    let mut games = server.games();
    let (refused, ()) = tokio::join!(join_all(calls), async {
        for _ in 0..50 {
            games.list_games(list(RED)).await.unwrap();
        }
    });
    assert!(begun.elapsed() < Duration::from_secs(60), "nobody waited");
    for status in refused {
        assert_reason(&status, Code::Unauthenticated, "NO_TOKEN");
    }
}

#[tokio::test]
async fn calls_that_are_not_whole_take_no_place_and_end_in_time() {
    let flags = [
        "--store=memory",
        "--max-in-flight=2",
        "--request-timeout=1s",
        "--admin-listen=127.0.0.1:0",
    ];
    let server = Gamekeeperd::start(&flags);
    let attacker = server.channel();
    let mut calls: FuturesUnordered<_> = (0..100)
        .map(|_| tokio::spawn(half_open(attacker.clone(), "")))
        .collect();
    eventually("the calls have begun", || async {
        let (_, metrics) = ask(server.admin(), "GET", "/metrics", "").await;
        metrics
            .contains("gamekeeper_calls_arriving 100")
            .then_some(())
    })
    .await;
    for _ in 0..10 {
        new_game(&server).await;
    }
    while let Some(ended) = calls.next().await {
        assert_reason(&ended.unwrap(), Code::DeadlineExceeded, "DEADLINE");
    }
}

#[tokio::test]
async fn half_open_calls_of_a_token_count_against_that_token_alone() {
    let flags = [
        "--store=memory",
        "--max-in-flight=8",
        "--request-timeout=3s",
    ];
    let (server, _keys) = with_tokens(&flags);
    let attacker = server.channel();
    let mut calls: FuturesUnordered<_> = (0..20)
        .map(|_| tokio::spawn(half_open(attacker.clone(), RED)))
        .collect();
    for _ in 0..16 {
        let refused = calls.next().await.unwrap().unwrap();
        assert_eq!(exceeded(&refused).0, "max_in_flight");
    }
    for _ in 0..10 {
        server.games().list_games(list(BLUE)).await.unwrap();
    }
}

/// Opens a health watch, which never ends by itself.
async fn watched(channel: Channel) -> Result<Streaming<HealthCheckResponse>, Status> {
    let ask = HealthCheckRequest::default();
    let mut watch = HealthClient::new(channel).watch(ask).await?.into_inner();
    watch.message().await?;
    Ok(watch)
}

#[tokio::test]
async fn streams_that_need_no_token_are_few_of_an_address_and_end_in_time() {
    let flags = [
        "--store=memory",
        "--max-unauthenticated=18",
        "--deadline=3s",
    ];
    let (server, _keys) = with_tokens(&flags);
    // A stream of requests on which no request is ever sent.
    let mut reflection = ServerReflectionClient::new(server.channel())
        .server_reflection_info(stream::pending())
        .await
        .unwrap()
        .into_inner();
    let mut watches = Vec::new();
    for _ in 0..5 {
        watches.push(watched(server.channel()).await.unwrap());
    }
    let refused = watched(server.channel()).await.unwrap_err();
    assert_eq!(exceeded(&refused).0, "max_unauthenticated");
    // Calls are counted separately.
    for _ in 0..20 {
        let ask = pb::ListRulesetsRequest {};
        server.rulesets().list_rulesets(ask).await.unwrap();
        let ask = HealthCheckRequest::default();
        let mut health = HealthClient::new(server.channel());
        health.check(ask).await.unwrap();
    }
    let ended = reflection.message().await.unwrap_err();
    assert_reason(&ended, Code::DeadlineExceeded, "DEADLINE");
}

#[tokio::test]
async fn a_self_play_without_a_plan_ends_in_time() {
    let flags = [
        "--store=memory",
        "--max-self-plays=1",
        "--request-timeout=2s",
    ];
    let server = Gamekeeperd::start(&flags);
    let open = || async {
        let silent = stream::pending::<pb::SelfPlayRequest>();
        let answers = server.self_play().self_play(silent).await?;
        Ok::<_, Status>(answers.into_inner())
    };
    let mut first = open().await.unwrap();
    assert_eq!(exceeded(&open().await.unwrap_err()).0, "max_self_plays");
    let ended = first.message().await.unwrap_err();
    assert_reason(&ended, Code::DeadlineExceeded, "DEADLINE");
    eventually("a place is free again", || async { open().await.ok() }).await;
}

#[tokio::test]
async fn streams_that_need_no_token_have_places_of_their_own() {
    let flags = [
        "--store=memory",
        "--max-in-flight=2",
        "--max-unauthenticated=4",
    ];
    let (server, _keys) = with_tokens(&flags);
    let watch = || watched(server.channel());
    let first = watch().await.unwrap();
    let _second = watch().await.unwrap();
    assert_eq!(
        exceeded(&watch().await.unwrap_err()).0,
        "max_unauthenticated"
    );
    for _ in 0..10 {
        server.games().list_games(list(RED)).await.unwrap();
    }
    drop(first);
    eventually("a place is free again", || async { watch().await.ok() }).await;
}

/// Returns the settings in a server's first frame, with their numbers and values.
async fn announced(address: &str) -> Vec<(u16, u32)> {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let hello = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
    stream.write_all(hello).await.unwrap();
    let mut head = [0; 9];
    stream.read_exact(&mut head).await.unwrap();
    assert_eq!(head[3], 4, "a SETTINGS frame");
    let mut settings = vec![0; usize::from(head[2])];
    stream.read_exact(&mut settings).await.unwrap();
    let pair = |six: &[u8]| {
        (
            u16::from_be_bytes([six[0], six[1]]),
            u32::from_be_bytes([six[2], six[3], six[4], six[5]]),
        )
    };
    settings.chunks_exact(6).map(pair).collect()
}

#[tokio::test]
async fn a_connection_has_a_limit_of_concurrent_calls() {
    const MAX_CONCURRENT_STREAMS: u16 = 3;
    let server = Gamekeeperd::start(&["--store=memory"]);
    let usual = announced(server.address()).await;
    assert!(
        usual.contains(&(MAX_CONCURRENT_STREAMS, 1_000)),
        "{usual:?}"
    );
    let server = Gamekeeperd::start(&["--store=memory", "--max-streams=7"]);
    let few = announced(server.address()).await;
    assert!(few.contains(&(MAX_CONCURRENT_STREAMS, 7)), "{few:?}");
}

/// Returns whether the server closes this connection.
async fn is_ended(mut stream: TcpStream) -> bool {
    let mut rest = Vec::new();
    timeout(SOON, stream.read_to_end(&mut rest)).await.is_ok()
}

#[tokio::test]
async fn connections_that_say_nothing_are_ended() {
    let flags = [
        "--store=memory",
        "--handshake-timeout=1s",
        "--admin-listen=127.0.0.1:0",
    ];
    let server = Gamekeeperd::start(&flags);
    let begins: [&[u8]; 4] = [
        b"",
        b"PRI * HTTP/2.0\r\n",
        b"POST",
        b"POST /x HTTP/1.1\r\nhost: a\r\n",
    ];
    let silent = begins.map(|begin| async {
        let mut stream = TcpStream::connect(server.address()).await.unwrap();
        stream.write_all(begin).await.unwrap();
        is_ended(stream).await
    });
    assert_eq!(join_all(silent).await, [true; 4]);
    let (_, metrics) = ask(server.admin(), "GET", "/metrics", "").await;
    let line = r#"gamekeeper_connections_refused_total{reason="too_slow"}"#;
    assert!(metrics.contains(line), "{metrics}");
    new_game(&server).await;
}

/// A peer that vanished does not answer pings. The server waits 20 seconds for an answer.
#[tokio::test]
async fn a_peer_that_answers_nothing_is_hung_up_on() {
    let server = Gamekeeperd::start(&["--store=memory", "--keepalive=1s"]);
    let mut stream = TcpStream::connect(server.address()).await.unwrap();
    let hello = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
    stream.write_all(hello).await.unwrap();
    let begun = Instant::now();
    let ended = timeout(3 * SOON, is_closed(stream)).await;
    ended.expect("it is hung up on");
    let took = begun.elapsed();
    assert!(took > Duration::from_secs(15), "{took:?}: it had its time");
    new_game(&server).await;
}

/// Waits until the server closes this connection.
async fn is_closed(mut stream: TcpStream) {
    let mut rest = Vec::new();
    let _broken = stream.read_to_end(&mut rest).await;
}

#[tokio::test]
async fn a_handshake_of_tls_has_its_time_too() {
    let folder = tempfile::TempDir::new().unwrap();
    let [cert, key] = tls_flags(folder.path());
    let flags = ["--store=memory", "--handshake-timeout=1s", &cert, &key];
    let server = Gamekeeperd::start(&flags);
    // Three ways to begin: nothing, an incomplete ClientHello, and bytes that are not TLS.
    let begins: [&[u8]; 3] = [
        b"",
        b"\x16\x03\x01\x02\x00\x01\x00",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ];
    let silent = begins.map(|begin| async {
        let mut stream = TcpStream::connect(server.address()).await.unwrap();
        stream.write_all(begin).await.unwrap();
        is_ended(stream).await
    });
    assert_eq!(join_all(silent).await, [true; 3]);
}

#[tokio::test]
async fn strangers_make_room_for_callers_with_a_token() {
    let (server, _keys) = with_tokens(&["--store=memory", "--max-connections=6"]);
    let mut authenticated = server.games();
    authenticated.list_games(list(RED)).await.unwrap();
    let mut strangers = Vec::new();
    for _ in 0..40 {
        strangers.push(TcpStream::connect(server.address()).await.unwrap());
        authenticated.list_games(list(RED)).await.unwrap();
    }
    // Five connections stay beside BLUE's. Wait until the others are closed, so that none is left to be accepted: a
    // late one could evict BLUE before the call.
    let mut ended: FuturesUnordered<_> = strangers.into_iter().map(is_ended).collect();
    let left: Vec<bool> = ended.by_ref().take(35).collect().await;
    assert_eq!(left, [true; 35]);
    server.games().list_games(list(BLUE)).await.unwrap();
    assert_eq!(ended.next().await, Some(true), "one made room for BLUE");
}

#[tokio::test]
async fn operators_are_answered_when_no_more_files_can_be_opened() {
    let flags = [
        "--store=memory",
        "--workers=1",
        "--admin-listen=127.0.0.1:0",
    ];
    let server = Gamekeeperd::start_with_few_files(&flags, 64);
    let mut flood = Vec::new();
    for _ in 0..200 {
        flood.push(TcpStream::connect(server.address()).await.unwrap());
    }
    for _ in 0..5 {
        let answer = timeout(SOON, ask(server.admin(), "GET", "/metrics", "")).await;
        assert_eq!(answer.expect("in time").0, 200);
    }
    let log = server.log();
    let of_files = |line: &String| line.contains("limit of open files") && line.contains("WARN");
    assert!(log.iter().any(of_files), "{log:?}");
    new_game(&server).await;
}
