//! The stores: the same suite for each, and tests of each store's own features.

mod embedded;
mod embedded_damage;
mod packed_games;
mod redis;
mod redis_damage;
mod redis_damaged_rows;
mod redis_groups;
mod redis_keeping;
mod redis_kinds;
mod redis_log;
mod redis_lost;
mod redis_packing;
mod redis_rights;
mod redis_secured;
mod redis_upkeep;

use gamekeeper_store::contract;
use gamekeeper_store::contract::Subject;
use gamekeeper_store::feed::USUAL_FEED;
use gamekeeperd::stores::{StoreConfig, open};

#[tokio::test(flavor = "multi_thread")]
async fn the_memory_store_keeps_the_contract() {
    let store = open(StoreConfig::Memory(USUAL_FEED)).await.unwrap();
    contract::run_all(&Subject::single(store)).await;
}
