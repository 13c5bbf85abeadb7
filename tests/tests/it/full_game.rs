//! A whole game of two seats with different tokens. The server is killed in the middle and restarted, and the game
//! is finished and exported.

use gamekeeper_proto::gamekeeper::v1::{self, GameStatus};
use gamekeeper_tests::dominion::{Table, ada_and_bob, assert_reason, facts};
use gamekeeper_tests::redis::RedisOptions;
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::store::Store;
use gamekeeper_tests::tokens::{KeyFiles, OPERATOR, RED, bearing};
use tonic::Code;
use v1::export_game_response::Part;

#[tokio::test]
async fn a_game_survives_a_killed_server_on_the_embedded_store() {
    play_through_a_kill(Store::embedded()).await;
}

#[tokio::test]
async fn a_game_survives_a_killed_server_on_redis() {
    let options = RedisOptions::new().with_append_only_file();
    play_through_a_kill(Store::redis_with(&options)).await;
}

async fn play_through_a_kill(store: Store) {
    let keys = KeyFiles::new();
    let mut server = keys.server(&store.with(&[]));
    let mut client = server.games();
    let create = v1::CreateGameRequest {
        request_id: String::from("one game"),
        ..ada_and_bob()
    };
    let created = client
        .create_game(bearing(RED, create))
        .await
        .unwrap()
        .into_inner();
    let mut table = Table::of(created);
    assert_ne!(table.token(1), table.token(2));
    table.play(&mut client, 57).await.unwrap();
    assert_eq!(table.game.version, 58);

    server.kill();
    let server = keys.server(&store.with(&[]));
    let mut client = server.games();
    let ask = table.ask();
    let response = client
        .get_game(bearing(table.token(2), ask))
        .await
        .unwrap()
        .into_inner();
    assert_eq!(facts(response.table), table.game, "nothing was lost");

    let secret = export(&server, table.token(1), &table).await.unwrap_err();
    assert_reason(&secret, Code::FailedPrecondition, "GAME_NOT_OVER");
    let unfinished = export(&server, OPERATOR, &table).await.unwrap();
    assert_eq!(
        unfinished.len(),
        1 + 58,
        "a header and every version, no seed"
    );

    table.play(&mut client, 10_000).await.unwrap();
    assert_eq!(table.game.status(), GameStatus::Finished);
    assert_eq!(table.game.standings.len(), 2);
    let record = export(&server, table.token(1), &table).await.unwrap();
    check_record(&record, &table);
}

async fn export(
    server: &Gamekeeperd,
    token: &str,
    table: &Table,
) -> Result<Vec<Part>, tonic::Status> {
    let ask = v1::ExportGameRequest {
        game_id: table.game.game_id.clone(),
        with_states: true,
        ..Default::default()
    };
    let mut stream = server
        .games()
        .export_game(bearing(token, ask))
        .await?
        .into_inner();
    let mut parts = Vec::new();
    while let Some(response) = stream.message().await? {
        parts.extend(response.part);
    }
    Ok(parts)
}

fn check_record(record: &[Part], table: &Table) {
    let [Part::Header(header), versions @ .., Part::End(end)] = record else {
        panic!("a header, versions, and the seed: {} parts", record.len());
    };
    assert_eq!(header.game.as_ref(), Some(&table.game));
    let mut last = 0;
    for part in versions {
        let Part::Version(version) = part else {
            panic!("{part:?}")
        };
        let number = version.entry.as_ref().unwrap().version;
        assert_eq!(number, last + 1);
        assert_eq!(version.action.is_some(), number > 1);
        assert!(version.state.is_some() && version.fingerprint.len() == 16);
        last = number;
    }
    assert_eq!(last, table.game.version);
    let reveal = end.seed_reveal.as_ref().unwrap();
    assert_eq!((reveal.salt.len(), reveal.seed.len()), (32, 32));
}
