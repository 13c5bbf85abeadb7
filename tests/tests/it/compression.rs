//! Compressed requests and responses.

use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_tests::dominion::{ada_and_bob, facts, reason};
use gamekeeper_tests::server::Gamekeeperd;
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
