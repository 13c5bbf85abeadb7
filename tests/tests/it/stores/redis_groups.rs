//! Redis on several servers: a cluster, and a primary with sentinels.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use futures_util::future::join_all;
use gamekeeper_tests::redis::{PRIMARY, RedisCluster, RedisSentinels};
use gamekeeper_tests::writing::{entry_bytes, new_game, next_commit};
use gamekeeperd::store::contract::{self, Subject};
use gamekeeperd::store::{
    Committed, GameId, GameStore, RedisConfig, RedisTopology, ReplicaWait, StoreConfig, StoreError,
    Version, open,
};
use tokio::task::block_in_place;
use tokio::time::{sleep, timeout};
use uuid::Uuid;

fn config_of(cluster: &RedisCluster) -> RedisConfig {
    RedisConfig::new(RedisTopology::Cluster {
        nodes: cluster.addresses(),
    })
}

fn sentinel_config_of(group: &RedisSentinels) -> RedisConfig {
    let sentinels = group.addresses();
    RedisConfig::new(RedisTopology::Sentinel {
        sentinels,
        primary: PRIMARY.to_owned(),
    })
}

fn waiting_for_a_replica(config: RedisConfig) -> RedisConfig {
    let wait = ReplicaWait {
        replicas: 1,
        timeout: Duration::from_secs(1),
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
        contract::run_all(&Subject { one, other }).await;
    }
    // Games lie on all nodes, and each lies whole on one.
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
        contract::run_all(&Subject { one, other }).await;
    }
}

/// What was answered after waiting for the replica is there when the replica has taken over.
#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_fails_over_without_losing_what_the_replica_has() {
    let mut cluster = block_in_place(RedisCluster::start);
    let store = open_at(waiting_for_a_replica(config_of(&cluster))).await;
    let load = Load::start(&store).await;
    block_in_place(|| cluster.fail_over());
    load.finish(&store).await;
}

/// The same with sentinels.
#[tokio::test(flavor = "multi_thread")]
async fn sentinels_fail_over_without_losing_what_the_replica_has() {
    let mut group = block_in_place(RedisSentinels::start);
    let store = open_at(waiting_for_a_replica(sentinel_config_of(&group))).await;
    let load = Load::start(&store).await;
    block_in_place(|| group.fail_over());
    load.finish(&store).await;
}

/// How many games grow while something fails.
const GAMES: usize = 24;

/// How many commits there are to be before the failure, and again after it.
const COMMITS: u64 = 20 * GAMES as u64;

/// Games that grow until they are told to stop.
struct Load {
    progress: Arc<Progress>,
    games: Vec<tokio::task::JoinHandle<(GameId, Version)>>,
}

#[derive(Default)]
struct Progress {
    is_over: AtomicBool,
    commits: AtomicU64,
}

impl Load {
    async fn start(store: &Arc<dyn GameStore>) -> Load {
        let progress = Arc::new(Progress::default());
        let grow = |_| tokio::spawn(grow(Arc::clone(store), Arc::clone(&progress)));
        let games = (0..GAMES).map(grow).collect();
        progress.wait_for(COMMITS).await;
        Load { progress, games }
    }

    /// Lets the games grow a little more, on whatever there is now, and compares.
    async fn finish(self, store: &Arc<dyn GameStore>) {
        self.progress
            .wait_for(self.progress.commits.load(Ordering::Relaxed) + COMMITS)
            .await;
        self.progress.is_over.store(true, Ordering::Relaxed);
        let games = timeout(Duration::from_secs(60), join_all(self.games))
            .await
            .unwrap();
        for game in games {
            let (id, version) = game.unwrap();
            let log = store.log(id, 0, usize::MAX).await.unwrap().unwrap();
            let found: Vec<_> = log.into_iter().map(|entry| entry.bytes).collect();
            let expected: Vec<_> = (1..=version)
                .map(|version| entry_bytes(id, version))
                .collect();
            assert_eq!(found, expected, "{id}");
        }
    }
}

impl Progress {
    async fn wait_for(&self, commits: u64) {
        let reached = async {
            while self.commits.load(Ordering::Relaxed) < commits {
                sleep(Duration::from_millis(20)).await;
            }
        };
        timeout(Duration::from_secs(60), reached).await.unwrap();
    }
}

/// Sends every commit until it is done.
async fn grow(store: Arc<dyn GameStore>, progress: Arc<Progress>) -> (GameId, Version) {
    let id = Uuid::new_v8(rand::random());
    while is_open(&store.create(new_game(id)).await) {}
    let mut version = 1;
    while !progress.is_over.load(Ordering::Relaxed) {
        let answer = loop {
            match store.commit(next_commit(id, version)).await {
                answer if is_open(&answer) => sleep(Duration::from_millis(20)).await,
                answer => break answer.unwrap(),
            }
        };
        assert_eq!(answer, Committed::Done, "{id} after {version}");
        version += 1;
        progress.commits.fetch_add(1, Ordering::Relaxed);
    }
    (id, version)
}

/// Is it to be sent again?
fn is_open<A>(answer: &Result<A, StoreError>) -> bool {
    match answer {
        Ok(_) => false,
        Err(StoreError::Unavailable(_) | StoreError::OutcomeUnknown(_)) => true,
        Err(error) => panic!("{error}"),
    }
}
