//! HTTP/1.1 as load balancers speak it: connections that carry many calls, some of which are refused.

use std::process::Command;
use std::time::{Duration, Instant};

use gamekeeper_tests::certificates::tls_flags;
use gamekeeper_tests::http1::{Http1, Response, head};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::{KeyFiles, RED};
use tokio::time::{sleep, timeout};

pub(super) const LIST: &str = "/gamekeeper.v1.GameService/ListGames";
const HEALTH: &str = "/grpc.health.v1.Health/Check";
const JSON: &str = "content-type: application/json\r\n";

/// Maximum time for everything that happens at once.
pub(super) const SOON: Duration = Duration::from_secs(20);

/// Sends a request in two parts, so that it may be answered before its body has arrived.
async fn call(connection: &mut Http1, path: &str, headers: &str, body: &str) -> Response {
    let head = head(path, headers, body.len());
    connection.send(head).await.unwrap();
    sleep(Duration::from_millis(20)).await;
    connection.send(body).await.unwrap();
    timeout(SOON, connection.response())
        .await
        .expect("in time")
        .unwrap()
}

#[tokio::test]
async fn a_refused_call_leaves_its_connection_to_the_next() {
    let keys = KeyFiles::new();
    let server = keys.server(&["--store=memory"]);
    let token = format!("{JSON}authorization: Bearer {RED}\r\n");
    let long = format!("{{\"x\": \"{}\"}}", "a".repeat(60_000));
    let web = "content-type: application/grpc-web+proto\r\n";
    let mut connection = Http1::connect(server.address()).await.unwrap();
    for (path, headers, body, status) in [
        (LIST, JSON, "{}", 401),
        (LIST, JSON, &*long, 401),
        (
            LIST,
            &format!("{JSON}authorization: Bearer wrong\r\n"),
            &*long,
            401,
        ),
        (LIST, "", &*long, 415),
        (LIST, "content-type: text/plain\r\n", &*long, 415),
        (LIST, "content-type: application/grpc\r\n", &*long, 400),
        ("/gamekeeper.v1.GameService/Win", JSON, &*long, 501),
        (
            "/gamekeeper.v1.SelfPlayService/SelfPlay",
            &token,
            &*long,
            501,
        ),
        (
            LIST,
            &format!("{token}content-encoding: gzip\r\n"),
            &*long,
            501,
        ),
        // The body of these was read.
        (LIST, &token, &*long, 400),
        (LIST, &token, "{", 400),
        (LIST, web, "nonsense", 200),
    ] {
        let answer = call(&mut connection, path, headers, body).await;
        assert_eq!(answer.status, status, "{path} {headers}: {answer:?}");
        assert_eq!(
            answer.header("connection"),
            None,
            "{path} {headers}: {answer:?}"
        );
        let next = call(&mut connection, LIST, &token, "{}").await;
        assert_eq!(next.status, 200, "after {path} {headers}: {next:?}");
    }
    // A body in chunks has no length.
    let head = format!(
        "POST {LIST} HTTP/1.1\r\nhost: localhost\r\n{JSON}transfer-encoding: chunked\r\n\r\n"
    );
    for _ in 0..3 {
        connection.send(&head).await.unwrap();
        assert_eq!(connection.response().await.unwrap().status, 401);
        connection.send("5\r\nhello\r\n0\r\n\r\n").await.unwrap();
    }
    assert_eq!(call(&mut connection, LIST, &token, "{}").await.status, 200);
}

#[tokio::test]
async fn a_body_that_is_too_long_to_drop_ends_the_connection_after_the_answer() {
    let keys = KeyFiles::new();
    let server = keys.server(&["--store=memory"]);
    let mut connection = Http1::connect(server.address()).await.unwrap();
    connection.send(head(LIST, JSON, 1_000_000)).await.unwrap();
    sleep(Duration::from_millis(50)).await;
    // More than the buffers of the system hold before somebody reads.
    let sent = timeout(SOON, connection.send(vec![b' '; 1_000_000])).await;
    sent.expect("in time").unwrap();
    let answer = connection.response().await.unwrap();
    assert_eq!(
        (answer.status, answer.header("connection")),
        (401, Some("close"))
    );
    assert_eq!(
        timeout(SOON, connection.closed()).await.unwrap().unwrap(),
        0
    );

    // The same without a length, and of a client that waits to be asked for the body.
    let mut connection = Http1::connect(server.address()).await.unwrap();
    let chunked = format!(
        "POST {LIST} HTTP/1.1\r\nhost: localhost\r\n{JSON}transfer-encoding: chunked\r\n\r\n"
    );
    connection.send(chunked).await.unwrap();
    assert_eq!(connection.response().await.unwrap().status, 401);
    let chunk = format!("10000\r\n{}\r\n", " ".repeat(0x10000));
    let _closed = connection.send(chunk.repeat(3)).await;
    assert_eq!(
        timeout(SOON, connection.closed())
            .await
            .unwrap()
            .unwrap_or_default(),
        0
    );
    let mut connection = Http1::connect(server.address()).await.unwrap();
    let expect = format!("{JSON}expect: 100-continue\r\n");
    connection.send(head(LIST, &expect, 10)).await.unwrap();
    let answer = connection.response().await.unwrap();
    assert_eq!(
        (answer.status, answer.header("connection")),
        (401, Some("close"))
    );

    // A client that sends nothing of what it has announced.
    let mut connection = Http1::connect(server.address()).await.unwrap();
    let begun = Instant::now();
    connection.send(head(LIST, JSON, 10)).await.unwrap();
    assert_eq!(connection.response().await.unwrap().status, 401);
    assert_eq!(
        timeout(SOON, connection.closed()).await.unwrap().unwrap(),
        0
    );
    assert!(
        begun.elapsed() < Duration::from_secs(8),
        "{:?}",
        begun.elapsed()
    );
}

#[tokio::test]
async fn connections_stay_open_between_calls_and_say_how_long() {
    let flags = [
        "--store=memory",
        "--handshake-timeout=1s",
        "--http1-idle-timeout=4s",
    ];
    let server = Gamekeeperd::start(&flags);
    let mut connections = Vec::new();
    for _ in 0..3 {
        let mut connection = Http1::connect(server.address()).await.unwrap();
        let answer = call(&mut connection, HEALTH, JSON, "{}").await;
        assert_eq!(
            (answer.status, answer.header("keep-alive")),
            (200, Some("timeout=4"))
        );
        connections.push(connection);
    }
    let last = call(
        &mut connections[0],
        HEALTH,
        &format!("{JSON}connection: close\r\n"),
        "{}",
    )
    .await;
    assert_eq!((last.status, last.header("keep-alive")), (200, None));
    sleep(Duration::from_millis(2_500)).await;
    let answer = call(&mut connections[1], HEALTH, JSON, "{}").await;
    assert_eq!(answer.status, 200, "longer than a handshake");
    // Headers that have begun have less time.
    let mut begun = connections.pop().unwrap();
    let since = Instant::now();
    begun.send("POST /x HTTP/1.1\r\nhost: a\r\n").await.unwrap();
    assert_eq!(timeout(SOON, begun.closed()).await.unwrap().unwrap(), 0);
    assert!(
        since.elapsed() < Duration::from_secs(3),
        "{:?}",
        since.elapsed()
    );
    let idle = connections.pop().unwrap();
    assert_eq!(timeout(SOON, idle.closed()).await.unwrap().unwrap(), 0);
    assert!(
        since.elapsed() >= Duration::from_millis(3_500),
        "{:?}",
        since.elapsed()
    );
}

/// Without a token the service keeps little of what it has not answered.
#[tokio::test]
async fn long_headers_are_refused() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let headers = |length| format!("{JSON}x-long: {}\r\n", "a".repeat(length));
    for (length, status) in [(15_000, 200), (17_000, 431), (390_000, 431)] {
        let mut connection = Http1::connect(server.address()).await.unwrap();
        connection
            .send(head(HEALTH, &headers(length), 2))
            .await
            .unwrap();
        let _closed = connection.send("{}").await;
        let answer = timeout(SOON, connection.response()).await.unwrap().unwrap();
        assert_eq!(answer.status, status, "{length}");
    }
}

/// Clients with TLS choose the protocol before the first byte (ALPN).
#[tokio::test(flavor = "multi_thread")]
async fn tls_offers_both_protocols() {
    let folder = tempfile::TempDir::new().unwrap();
    let [cert, key] = tls_flags(folder.path());
    let server = Gamekeeperd::start(&["--store=memory", &cert, &key]);
    let url = format!("https://{}{LIST}", server.address());
    for (flags, version) in [
        (&["--http1.1"][..], "1.1"),
        (&["--http2"], "2"),
        (&["--no-alpn"], "1.1"),
    ] {
        let curl = Command::new("curl")
            .args(["-sSk", "-d", "{}", "-H", "content-type: application/json"])
            .args(["-w", "\n%{http_version} %{http_code}"])
            .args(flags)
            .arg(&url)
            .output()
            .expect("curl");
        let output = String::from_utf8(curl.stdout).unwrap();
        let last = output.lines().last().unwrap();
        assert_eq!(last, format!("{version} 200"), "{flags:?}: {output}");
    }
}
