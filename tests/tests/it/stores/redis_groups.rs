//! Redis on several servers: a cluster, and a primary with sentinels.

use std::sync::Arc;
use std::time::Duration;

use gamekeeper_store::conformance::StoreHandles;
use gamekeeper_store::{GameStore, conformance};
use gamekeeper_store_redis::{RedisConfig, RedisTopology, ReplicaWait};
use gamekeeper_tests::redis::{PRIMARY, RedisCluster, RedisSentinels};
use gamekeeperd::stores::{StoreConfig, open};
use tokio::task::block_in_place;

use super::redis_upkeep::changed_lists_are_told_twice;

/// Maximum time for the contract's requirements to hold, which is generous for busy machines.
const PATIENT: Duration = Duration::from_secs(30);

fn patient(topology: RedisTopology) -> RedisConfig {
    RedisConfig {
        response_timeout: PATIENT,
        ..RedisConfig::new(topology)
    }
}

fn config_of(cluster: &RedisCluster) -> RedisConfig {
    patient(RedisTopology::Cluster {
        nodes: cluster.addresses(),
    })
}

fn sentinel_config_of(group: &RedisSentinels) -> RedisConfig {
    let sentinels = group.addresses();
    patient(RedisTopology::Sentinel {
        sentinels,
        primary: PRIMARY.to_owned(),
    })
}

fn waiting_for_a_replica(config: RedisConfig) -> RedisConfig {
    let wait = ReplicaWait {
        replicas: 1,
        timeout: PATIENT / 2,
    };
    RedisConfig {
        wait: Some(wait),
        ..config
    }
}

async fn open_at(config: RedisConfig) -> Arc<dyn GameStore> {
    open(StoreConfig::Redis(config)).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_keeps_the_contract() {
    let cluster = block_in_place(RedisCluster::start);
    for config in [
        config_of(&cluster),
        waiting_for_a_replica(config_of(&cluster)),
    ] {
        let one = open_at(config.clone()).await;
        let other = open_at(config).await;
        changed_lists_are_told_twice(&*one).await;
        conformance::run_all(&StoreHandles { one, other }).await;
    }
    // Games are spread over all nodes, and each is complete on one.
    for node in &cluster.nodes()[..3] {
        let keys: Vec<String> = node.ask(&["KEYS", "gk:{*"]);
        assert!(keys.iter().any(|key| key.ends_with(":log")), "{keys:?}");
        for log in keys.iter().filter(|key| key.ends_with(":log")) {
            assert!(keys.contains(&log.replace(":log", ":row")), "{log}");
            assert!(keys.contains(&log.replace(":log", ":snapshot")), "{log}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sentinels_keep_the_contract() {
    let group = block_in_place(RedisSentinels::start);
    for config in [
        sentinel_config_of(&group),
        waiting_for_a_replica(sentinel_config_of(&group)),
    ] {
        let one = open_at(config.clone()).await;
        let other = open_at(config).await;
        conformance::run_all(&StoreHandles { one, other }).await;
    }
}
