//! The stores that an operator can choose from.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use gamekeeper_store::{GameStore, MemoryStore, StorageFormat, StoreError};
use gamekeeper_store_embedded::{EmbeddedConfig, EmbeddedStore};
use gamekeeper_store_redis::{RedisConfig, RedisStore};

/// The store to open, with its settings.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one of it, read once")]
pub enum StoreConfig {
    /// In the memory of this process, lost when it ends; for tests and self-play. The duration is the retention period
    /// of feeds.
    Memory(Duration),
    /// On the disk of this machine, for one process.
    Embedded(EmbeddedConfig),
    /// In a Redis that any number of processes share.
    Redis(RedisConfig),
}

/// Opens a store.
pub async fn open(config: StoreConfig) -> Result<Arc<dyn GameStore>, StoreError> {
    Ok(match config {
        StoreConfig::Memory(feed) => Arc::new(MemoryStore::with_feed(feed)),
        StoreConfig::Embedded(config) => Arc::new(EmbeddedStore::open(config).await?),
        StoreConfig::Redis(config) => Arc::new(RedisStore::open(config).await?),
    })
}

/// Returns the layout of a store, which is neither created nor changed.
///
/// # Errors
/// When the store cannot be reached, is in use, or is damaged.
pub async fn storage_format(config: StoreConfig) -> Result<StorageFormat, StoreError> {
    match config {
        StoreConfig::Memory(_) => Err(StoreError::Setup("--store memory keeps nothing".into())),
        StoreConfig::Embedded(config) => EmbeddedStore::storage_format(config).await,
        StoreConfig::Redis(config) => RedisStore::storage_format(&config).await,
    }
}

/// Checks the addresses and reads the files that [`open`] needs, without opening the store.
///
/// # Errors
/// Names the first file or address that cannot be used.
pub fn check(config: &StoreConfig) -> Result<(), StoreError> {
    match config {
        StoreConfig::Memory(_) => Ok(()),
        StoreConfig::Embedded(config) => check_directory(&config.directory),
        StoreConfig::Redis(config) => RedisStore::check(config),
    }
}

/// Checks that a folder exists, or can be created: tries it in the nearest folder that exists.
fn check_directory(wanted: &Path) -> Result<(), StoreError> {
    let unusable =
        |error: std::io::Error| Err(StoreError::Setup(format!("{}: {error}", wanted.display())));
    let mut nearest = wanted;
    while !nearest.exists() {
        nearest = match nearest.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            Some(_) | None => Path::new("."),
        };
    }
    let trial = nearest.join(format!(".gamekeeper-check-{}", std::process::id()));
    match std::fs::create_dir(&trial).and_then(|()| std::fs::remove_dir(&trial)) {
        Ok(()) => Ok(()),
        Err(error) => unusable(error),
    }
}
