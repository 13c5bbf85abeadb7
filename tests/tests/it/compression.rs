//! Compressed requests and responses.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_tests::balancer::{Balancer, Kind};
use gamekeeper_tests::dominion::{ada_and_bob, facts, reason};
use gamekeeper_tests::raw::framed;
use gamekeeper_tests::server::Gamekeeperd;
use prost::Message;
use tokio::time::timeout;
use tonic::Code;
use tonic::codec::CompressionEncoding;

const ENCODINGS: [CompressionEncoding; 2] = [CompressionEncoding::Gzip, CompressionEncoding::Zstd];

#[tokio::test]
async fn requests_are_read_and_large_answers_are_compressed() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let catalogue = || v1::GetCatalogueRequest {
        ruleset: String::from("dominion"),
        known_revision: 0,
    };
    let mut rulesets = server.rulesets();
    let plain = rulesets.get_catalogue(catalogue());
    let plain = plain.await.unwrap();
    assert_eq!(plain.metadata().get("grpc-encoding"), None);
    for encoding in ENCODINGS {
        let mut client = server
            .games()
            .send_compressed(encoding)
            .accept_compressed(encoding);
        let created = client
            .create_game(ada_and_bob())
            .await
            .unwrap()
            .into_inner();
        let game_id = facts(created.table).game_id;
        let mut rulesets = server
            .rulesets()
            .send_compressed(encoding)
            .accept_compressed(encoding);
        let answer = rulesets.get_catalogue(catalogue());
        let answer = answer.await.unwrap();
        let header = answer.metadata().get("grpc-encoding").unwrap();
        assert_eq!(header.to_str().unwrap(), encoding.to_string());
        assert_eq!(answer.get_ref(), plain.get_ref());
        // Streams are compressed as well, with messages of every size.
        let export = v1::ExportGameRequest {
            game_id: game_id.clone(),
            with_states: true,
            ..Default::default()
        };
        let mut parts = client.export_game(export).await.unwrap().into_inner();
        let mut count = 0;
        while parts.message().await.unwrap().is_some() {
            count += 1;
        }
        assert_eq!(count, 2);
        let info = client.get_game(v1::GetGameRequest {
            game_id,
            ..Default::default()
        });
        info.await.unwrap();
    }
}

/// A request that is small when compressed and large when unpacked.
#[tokio::test]
async fn a_request_that_would_become_too_large_is_refused() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    for encoding in ENCODINGS {
        let mut client = server.games().send_compressed(encoding);
        let large = v1::GetGameRequest {
            game_id: "x".repeat(10_000_000),
            ..Default::default()
        };
        let status = client.get_game(large).await.unwrap_err();
        let too_large = (Code::ResourceExhausted, String::from("MESSAGE_TOO_LARGE"));
        assert_eq!(reason(&status), too_large, "{status:?}");
    }
}

/// Makes a call with curl, and returns the number of bytes that arrived, and the decompressed body.
fn curl(address: &str, path: &str, media: &str, coding: &str, body: &[u8]) -> (usize, Vec<u8>) {
    let mut curl = Command::new("curl")
        .args([
            "-sS",
            "--compressed",
            "--data-binary",
            "@-",
            "-w",
            "\n%{size_download}",
        ])
        .args(["-H", &format!("content-type: {media}")])
        .args(["-H", &format!("accept-encoding: {coding}")])
        .arg(format!("http://{address}{path}"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("curl");
    curl.stdin.take().unwrap().write_all(body).unwrap();
    let mut output = curl.wait_with_output().unwrap().stdout;
    let end = output.iter().rposition(|byte| *byte == b'\n').unwrap();
    let size = String::from_utf8(output.split_off(end)).unwrap();
    (size.trim().parse().unwrap(), output)
}

const JSON: &str = "application/json";
const GRPC_WEB: &str = "application/grpc-web+proto";
const CODINGS: [&str; 3] = ["gzip", "br", "zstd"];

async fn game(server: &Gamekeeperd) -> String {
    let created = server.games().create_game(ada_and_bob()).await.unwrap();
    facts(created.into_inner().table).game_id
}

/// A page in a browser asks for the table with its drawing at every step.
#[tokio::test(flavor = "multi_thread")]
async fn pages_get_drawings_of_a_few_kilobytes() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let game_id = game(&server).await;
    let path = "/gamekeeper.v1.GameService/GetGame";
    let drawing = Some(v1::DrawingStyle::default());
    let show = Some(v1::Show {
        drawing,
        ..Default::default()
    });
    let ask = v1::GetGameRequest {
        game_id: game_id.clone(),
        show,
        ..Default::default()
    };
    let in_json = format!(r#"{{"gameId": "{game_id}", "show": {{"drawing": {{}}}}}}"#);
    for (media, body) in [
        (JSON, in_json.into_bytes()),
        (GRPC_WEB, framed(&ask.encode_to_vec()).to_vec()),
    ] {
        let (size, plain) = curl(server.address(), path, media, "identity", &body);
        assert!(size > 12_000 && size == plain.len(), "{media}: {size}");
        for coding in CODINGS {
            let (size, same) = curl(server.address(), path, media, coding, &body);
            assert!(same.len() == plain.len(), "{media} {coding}");
            assert!(3 * size < plain.len(), "{media} {coding}: {size}");
        }
    }
    // Small answers are sent as they are.
    let health = "/grpc.health.v1.Health/Check";
    let (size, plain) = curl(server.address(), health, JSON, "gzip", b"{}");
    assert!(size == plain.len() && size < 1_024, "{size}");
}

/// A message of a watch arrives when it is sent, although its stream is compressed.
#[tokio::test(flavor = "multi_thread")]
async fn compressed_streams_wait_for_nothing() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let game_id = game(&server).await;
    let nginx = Balancer::before(server.address(), Kind::Nginx);
    for address in [server.address(), nginx.address()] {
        for coding in ["identity", "gzip", "gzip, deflate, br, zstd"] {
            let mut curl = Command::new("curl")
                .args([
                    "-sSN",
                    "--compressed",
                    "-D",
                    "-",
                    "-d",
                    &format!(r#"{{"gameId": "{game_id}"}}"#),
                ])
                .args(["-H", "content-type: application/json"])
                .args(["-H", &format!("accept-encoding: {coding}")])
                .arg(format!(
                    "http://{address}/gamekeeper.v1.GameService/WatchGame"
                ))
                .stdout(Stdio::piped())
                .spawn()
                .expect("curl");
            let mut lines = BufReader::new(curl.stdout.take().unwrap()).lines();
            let read = tokio::task::spawn_blocking(move || {
                let head: Vec<String> = lines
                    .by_ref()
                    .map(Result::unwrap)
                    .take_while(|line| !line.is_empty())
                    .collect();
                (head.join("\n").to_lowercase(), lines.next())
            });
            let read = timeout(Duration::from_secs(20), read).await;
            curl.kill().unwrap();
            curl.wait().unwrap();
            let (head, table) = read.expect("at once").unwrap();
            assert!(
                table.unwrap().unwrap().contains(r#""table""#),
                "{address} {coding}"
            );
            assert_eq!(
                head.contains("content-encoding: gzip"),
                coding != "identity",
                "{head}"
            );
        }
    }
}
