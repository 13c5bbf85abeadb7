use std::sync::Arc;

use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeperd::store::contract::{self, Subject};
use gamekeeperd::store::{GameStore, RedisConfig, RedisTopology, StoreConfig, open};

fn config_of(server: &RedisServer) -> RedisConfig {
    RedisConfig::new(RedisTopology::Single {
        address: server.address(),
    })
}

async fn open_at(config: RedisConfig) -> Arc<dyn GameStore> {
    open(StoreConfig::Redis(config)).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_redis_store_keeps_the_contract() {
    let server = RedisServer::start(&RedisOptions::new());
    let one = open_at(config_of(&server)).await;
    let other = open_at(config_of(&server)).await;
    contract::run_all(&Subject { one, other }).await;
}
