use std::sync::Arc;

use gamekeeperd::store::contract::{self, Subject};
use gamekeeperd::store::{EmbeddedConfig, GameStore, StoreConfig, StoreError, open};
use tempfile::TempDir;

async fn open_in(directory: &TempDir) -> Arc<dyn GameStore> {
    let config = EmbeddedConfig::new(directory.path().join("games"));
    open(StoreConfig::Embedded(config)).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_embedded_store_keeps_the_contract() {
    let directory = TempDir::new().unwrap();
    contract::run_all(&Subject::single(open_in(&directory).await)).await;
}

#[tokio::test]
async fn a_directory_has_one_user() {
    let directory = TempDir::new().unwrap();
    let store = open_in(&directory).await;
    let config = EmbeddedConfig::new(directory.path().join("games"));
    match open(StoreConfig::Embedded(config)).await {
        Err(StoreError::Setup(why)) => assert!(why.contains("another process"), "{why}"),
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("two stores in one directory"),
    }
    drop(store);
    open_in(&directory).await.ping().await.unwrap();
}
