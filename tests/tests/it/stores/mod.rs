//! The stores: the same suite for each, and tests of each store's own features.

mod embedded;
mod embedded_damage;
mod packed_games;
mod redis;
mod redis_commands;
mod redis_damage;
mod redis_damaged_rows;
mod redis_groups;
mod redis_keeping;
mod redis_kinds;
mod redis_log;
mod redis_lost;
mod redis_moved;
mod redis_packing;
mod redis_rights;
mod redis_rollback;
mod redis_secured;
mod redis_sentinels;
mod redis_upkeep;

use gamekeeper_store::conformance;
use gamekeeper_store::conformance::StoreHandles;
use gamekeeper_store::feed::DEFAULT_FEED_RETENTION;
use gamekeeper_store::{Committed, Created, GameId, GameStore, Version};
use gamekeeper_tests::writing::{last_commit, new_game, next_commit};
use gamekeeperd::stores::{StoreConfig, open};
use uuid::Uuid;

#[tokio::test(flavor = "multi_thread")]
async fn the_memory_store_keeps_the_contract() {
    let store = open(StoreConfig::Memory(DEFAULT_FEED_RETENTION))
        .await
        .unwrap();
    conformance::run_all(&StoreHandles::single(store)).await;
}

/// Creates a game.
async fn created(store: &dyn GameStore) -> GameId {
    let id = Uuid::now_v7();
    assert_eq!(store.create(new_game(id)).await.unwrap(), Created::Done);
    id
}

/// Adds these versions to a game.
async fn grow(store: &dyn GameStore, id: GameId, versions: std::ops::RangeInclusive<Version>) {
    for version in versions {
        assert_eq!(
            store.commit(&next_commit(id, version - 1)).await.unwrap(),
            Committed::Done
        );
    }
}

/// Ends a game that has this number of versions.
async fn finish(store: &dyn GameStore, id: GameId, versions: Version) {
    let ended = store.commit(&last_commit(id, versions)).await;
    assert_eq!(ended.unwrap(), Committed::Done);
}
