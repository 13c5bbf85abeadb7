//! A packed game is exported, replayed and watched as before.

use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_store_embedded::EmbeddedConfig;
use gamekeeper_store_redis::{RedisConfig, RedisTopology};
use gamekeeper_tests::dominion::{SEEN, Table};
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::stored::in_redis;
use gamekeeperd::stores::{StoreConfig, open};
use tempfile::TempDir;
use tokio::time::sleep;
use uuid::Uuid;

#[tokio::test(flavor = "multi_thread")]
async fn nobody_notices_that_a_game_is_packed_in_redis() {
    let redis = RedisServer::start(&RedisOptions::new());
    let flags = [
        String::from("--store=redis"),
        format!("--redis={}", redis.address()),
    ];
    let config = RedisConfig {
        pack_after: Duration::ZERO,
        ..RedisConfig::new(RedisTopology::Single {
            address: redis.address(),
        })
    };
    let id = nobody_notices(&flags, StoreConfig::Redis(config)).await;
    let log = format!("gk:{{{id}}}:log");
    assert_eq!(redis.ask::<i64>(&["XLEN", &log]), 1, "it was not packed");
    let counted: Vec<String> = redis.ask(&["KEYS", "gk:{lists of *}:bytes"]);
    let counted: u64 = redis.ask(&["GET", &counted[0]]);
    let stored = in_redis(&redis);
    assert!(
        counted.abs_diff(stored) < stored / 10,
        "{counted} bytes are counted of {stored}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_notices_that_a_game_is_packed_on_disk() {
    let directory = TempDir::new().unwrap();
    let data = directory.path().join("games");
    let flags = [format!("--data-dir={}", data.display())];
    let config = EmbeddedConfig {
        pack_after: Duration::ZERO,
        ..EmbeddedConfig::new(&data)
    };
    nobody_notices(&flags, StoreConfig::Embedded(config)).await;
}

async fn nobody_notices(flags: &[String], packing: StoreConfig) -> Uuid {
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let mut server = Gamekeeperd::start(&flags);
    let mut client = server.games();
    let mut table = Table::begin(&mut client).await;
    table.play(&mut client, 10_000).await.unwrap();
    let before = responses(&server, &table).await;
    assert!(server.stop());

    let store = open(packing).await.unwrap();
    let id = Uuid::try_parse(&table.game.game_id).unwrap();
    for _ in 0..20 {
        store.load(id, None).await.unwrap().unwrap();
        store.ping().await.unwrap();
        sleep(Duration::from_millis(20)).await;
    }
    store.close().await.unwrap();
    drop(store);

    let server = Gamekeeperd::start(&flags);
    let after = responses(&server, &table).await;
    assert_eq!(before.len(), after.len());
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(before, after);
    }
    id
}

/// Returns all responses of a server about a game: its table at some versions, its events, its record, and a watch from
/// an early version.
async fn responses(server: &Gamekeeperd, table: &Table) -> Vec<String> {
    let mut client = server.games();
    let game_id = || table.game.game_id.clone();
    let last = table.game.version;
    let mut texts = Vec::new();
    for at_version in [0, 1, 17, last / 2, last - 1, last] {
        let ask = pb::GetGameRequest {
            game_id: game_id(),
            at_version,
            show: Some(SEEN),
            ..Default::default()
        };
        let response = client.get_game(ask).await.unwrap();
        texts.push(format!("{:?}", response.into_inner()));
    }
    for after_version in [0, 30, last - 1, last] {
        let ask = pb::ListEventsRequest {
            game_id: game_id(),
            after_version,
            page_size: 50,
            ..Default::default()
        };
        let response = client.list_events(ask).await.unwrap();
        texts.push(format!("{:?}", response.into_inner().entries));
    }
    let ask = pb::ExportGameRequest {
        game_id: game_id(),
        with_states: true,
        ..Default::default()
    };
    let mut record = client.export_game(ask).await.unwrap().into_inner();
    while let Some(part) = record.message().await.unwrap() {
        texts.push(format!("{part:?}"));
    }
    let ask = pb::WatchGameRequest {
        game_id: game_id(),
        after_version: 5,
        show: Some(SEEN),
        ..Default::default()
    };
    let mut watch = client.watch_game(ask).await.unwrap().into_inner();
    for _ in 5..last {
        let message = watch.message().await.unwrap().expect("the watch goes on");
        texts.push(format!("{message:?}"));
    }
    texts
}
