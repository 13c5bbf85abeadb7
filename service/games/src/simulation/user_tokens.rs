//! Concurrent processes issue and revoke tokens of users.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::future::join_all;
use gamekeeper_rules::table::decode;
use gamekeeper_store::clock::now_ms;
use gamekeeper_store::{GameStore, MemoryStore};

use super::faults::FaultInjector;
use super::faulty_store::FaultyStore;
use super::rng::SimRng;
use crate::authz::UserTokens;
use crate::hashed_id::hashed_id;

/// Returns how many users of a tenant the store counts.
async fn counted(store: &MemoryStore, tenant: &str) -> u32 {
    let note = store.kv_get(hashed_id(&[b"token counts", tenant.as_bytes()]));
    let days: BTreeMap<u64, u32> = decode(&note.await.unwrap()).unwrap();
    days.values().sum()
}

#[tokio::test(start_paused = true)]
async fn whoever_loses_a_race_counts_no_user() {
    let seed = rand::random();
    let (store, dice, sky) = (
        Arc::new(MemoryStore::new()),
        SimRng::new(seed),
        FaultInjector::without_faults(),
    );
    let processes = [(); 3].map(|()| {
        let store = FaultyStore::over(&store, &dice, &sky, None);
        UserTokens::new(Arc::new(store))
    });
    let users: Vec<String> = (0..20).map(|number| number.to_string()).collect();
    for until_ms in [1, 5].map(|days| now_ms() + days * 24 * 60 * 60 * 1_000) {
        for user in &users {
            let issued = processes
                .each_ref()
                .map(|tokens| tokens.issue(("red", user), until_ms, None));
            for issued in join_all(issued).await {
                issued.unwrap();
            }
        }
        assert_eq!(counted(&store, "red").await, 20, "seed {seed}");
    }
    for user in &users {
        let revoked = processes
            .each_ref()
            .map(|tokens| tokens.revoke("red", user));
        for revoked in join_all(revoked).await {
            revoked.unwrap();
        }
    }
    assert_eq!(counted(&store, "red").await, 0, "seed {seed}");
}
