//! The stores that an operator can choose.

use std::sync::Arc;

use gamekeeper_store::{GameStore, Layout, MemoryStore, StoreError};
use gamekeeper_store_embedded::{EmbeddedConfig, EmbeddedStore};
use gamekeeper_store_redis::{RedisConfig, RedisStore};

/// Which store to open.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one of it, read once")]
pub enum StoreConfig {
    /// In the memory of this process, lost when it ends. For tests and self-play.
    Memory,
    /// On the disk of this machine, for one process.
    Embedded(EmbeddedConfig),
    /// In a Redis that any number of processes share.
    Redis(RedisConfig),
}

/// Opens a store.
pub async fn open(config: StoreConfig) -> Result<Arc<dyn GameStore>, StoreError> {
    Ok(match config {
        StoreConfig::Memory => Arc::new(MemoryStore::new()),
        StoreConfig::Embedded(config) => Arc::new(EmbeddedStore::open(config).await?),
        StoreConfig::Redis(config) => Arc::new(RedisStore::open(config).await?),
    })
}

/// The layout of a store, which is neither created nor changed.
///
/// # Errors
/// When the store cannot be reached, is in use, or is damaged.
pub async fn layout(config: StoreConfig) -> Result<Layout, StoreError> {
    match config {
        StoreConfig::Memory => Err(StoreError::Setup("--store memory keeps nothing".into())),
        StoreConfig::Embedded(config) => EmbeddedStore::layout(config).await,
        StoreConfig::Redis(config) => RedisStore::layout(&config).await,
    }
}

/// Checks the addresses and reads the files that [`open`] needs, without opening the store.
///
/// # Errors
/// Names the first file or address that cannot be used.
pub fn check(config: &StoreConfig) -> Result<(), StoreError> {
    match config {
        StoreConfig::Memory | StoreConfig::Embedded(_) => Ok(()),
        StoreConfig::Redis(config) => RedisStore::check(config),
    }
}
