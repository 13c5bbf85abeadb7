//! Fault injection with many clients, several servers and one store: no answered change is lost, nothing is played
//! twice, and nobody sees time run backwards.
//!
//! `GAMEKEEPER_LONG_TRIALS=1` raises the counts.

use std::sync::Arc;
use std::time::Duration;

use gamekeeper_proto::gamekeeper::dominion::v1 as pb;
use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_store::GameStore;
use gamekeeper_store_embedded::EmbeddedConfig;
use gamekeeper_store_redis::{RedisConfig, RedisTopology};
use gamekeeper_tests::dominion::{Client, Table, action, ada_and_bob, facts};
use gamekeeper_tests::fleet::Fleet;
use gamekeeper_tests::history::{
    Break, Call, Load, Memory, Record, Recorder, Records, What, check, read_logs, story,
};
use gamekeeper_tests::proxy::{Proxy, Way};
use gamekeeper_tests::redis::{PRIMARY, RedisCluster, RedisOptions, RedisSentinels, RedisServer};
use gamekeeper_tests::tokens::{KeyFiles, RED};
use gamekeeperd::stores::{StoreConfig, open};
use rand::RngExt;
use tempfile::TempDir;
use tokio::task::block_in_place;
use tokio::time::sleep;
use tonic::{Code, Status};

/// Returns the number of rounds of a usual run or of a long trial.
pub(crate) fn rounds(usually: u32, long: u32) -> u32 {
    if std::env::var_os("GAMEKEEPER_LONG_TRIALS").is_some() {
        long
    } else {
        usually
    }
}

fn some(millis: std::ops::Range<u64>) -> Duration {
    Duration::from_millis(gamekeeper_tests::chance::rng().random_range(millis))
}

/// A load on several servers, and the calls that its clients record.
struct Trial {
    fleet: Arc<Fleet>,
    recorder: Arc<Recorder>,
    load: Load,
}

impl Trial {
    async fn start(servers: usize, flags: &[&str]) -> Trial {
        Trial::on(servers, flags, Memory::Keeps).await
    }

    async fn on(servers: usize, flags: &[&str], memory: Memory) -> Trial {
        Trial::of(servers, flags, memory, "").await
    }

    /// Starts the servers and a load that sends this key, or none if it is empty.
    async fn of(servers: usize, flags: &[&str], memory: Memory, key: &'static str) -> Trial {
        let fleet = Arc::new(Fleet::start(servers, flags).await);
        let recorder = Arc::new(Recorder::default());
        let load = Load::start(&fleet, &recorder, memory, key).await;
        load.progress(40).await;
        Trial {
            fleet,
            recorder,
            load,
        }
    }

    /// Compares the answered changes with the store, and returns the calls and the records. With an embedded store, the
    /// servers stop before it is opened.
    async fn finish(self, store: StoreConfig, breaks: &[Break]) -> (Vec<Call>, Records) {
        let history = self.load.finish().await;
        let store_is_ours = matches!(store, StoreConfig::Embedded(_));
        let calls = history.calls.len();
        if store_is_ours {
            self.fleet.kill();
        }
        let store: Arc<dyn GameStore> = open(store).await.unwrap();
        let logs = read_logs(&*store, &history.calls).await;
        store.close().await.unwrap();
        drop(store);
        for server in 0..self.fleet.size() {
            block_in_place(|| self.fleet.replace(server));
        }
        let (calls_and_replays, records) = history.replay(&self.fleet, &logs).await;
        let entries: usize = logs.values().map(Vec::len).sum();
        assert!(entries > 50, "hardly anything happened: {entries} entries");
        let flaws = check(&calls_and_replays, &logs, &records, breaks);
        let story = story(&flaws, &calls_and_replays, &logs);
        assert_eq!(
            flaws,
            [],
            "in {calls} calls, {entries} entries, with breaks {breaks:?}\n{story}"
        );
        (calls_and_replays, records)
    }
}

fn single(address: &str) -> StoreConfig {
    let address = address.to_owned();
    StoreConfig::Redis(RedisConfig::new(RedisTopology::Single { address }))
}

fn at_redis(address: &str) -> [String; 2] {
    ["--store=redis".into(), format!("--redis={address}")]
}

fn texts(flags: &[String]) -> Vec<&str> {
    flags.iter().map(String::as_str).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn three_servers_share_games_and_lose_nothing() {
    let redis = RedisServer::start(&RedisOptions::new());
    let trial = Trial::start(3, &texts(&at_redis(&redis.address()))).await;
    trial.load.everything().await;
    trial.load.progress(u64::from(rounds(300, 20_000))).await;
    trial.finish(single(&redis.address()), &[]).await;
}

/// All servers are repeatedly gone for longer than the configured minimum of an outage.
#[tokio::test(flavor = "multi_thread")]
async fn outages_are_charged_to_nobody_and_lose_nothing() {
    let redis = RedisServer::start(&RedisOptions::new());
    let mut flags = at_redis(&redis.address()).to_vec();
    flags.push(String::from("--outage-after=1s"));
    let trial = Trial::start(2, &texts(&flags)).await;
    for _ in 0..rounds(5, 60) {
        let changes = gamekeeper_tests::chance::rng().random_range(20..60);
        trial.load.progress(changes).await;
        block_in_place(|| trial.fleet.kill());
        sleep(some(1_300..2_500)).await;
        for member in 0..trial.fleet.size() {
            block_in_place(|| trial.fleet.replace(member));
        }
    }
    trial.load.progress(60).await;
    let (_, records) = trial.finish(single(&redis.address()), &[]).await;
    let outages: usize = records.values().map(Record::outages).sum();
    assert!(outages > 0, "no game had a clock that ran");
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_servers_lose_nothing() {
    let redis = RedisServer::start(&RedisOptions::new());
    let trial = Trial::start(3, &texts(&at_redis(&redis.address()))).await;
    for round in 0..rounds(8, 100) {
        trial
            .load
            .progress(gamekeeper_tests::chance::rng().random_range(1..40))
            .await;
        block_in_place(|| trial.fleet.replace(round as usize % trial.fleet.size()));
    }
    trial.finish(single(&redis.address()), &[]).await;
}

/// Seats and spectators repeatedly get new tokens. On every server, each token is valid until it is replaced.
#[tokio::test(flavor = "multi_thread")]
async fn tokens_that_are_replaced_under_faults_end_and_new_ones_hold() {
    let redis = RedisServer::start(&RedisOptions::new());
    let keys = KeyFiles::new();
    let flags: Vec<String> = keys
        .flags()
        .into_iter()
        .chain(at_redis(&redis.address()))
        .collect();
    let trial = Trial::of(2, &texts(&flags), Memory::Keeps, RED).await;
    for round in 0..rounds(4, 50) {
        trial
            .load
            .progress(gamekeeper_tests::chance::rng().random_range(1..40))
            .await;
        block_in_place(|| trial.fleet.replace(round as usize % trial.fleet.size()));
    }
    let (calls, _) = trial.finish(single(&redis.address()), &[]).await;
    for wanted in [true, false] {
        let is_one = |call: &Call| matches!(call.what, What::Presented { is_accepted, .. } if is_accepted == wanted);
        assert!(
            calls.iter().any(is_one),
            "tokens that held, and replaced ones"
        );
    }
}

/// Servers that are stopped during the load complete the calls in flight, and exit long before the drain time.
#[tokio::test(flavor = "multi_thread")]
async fn relieved_servers_lose_nothing_and_go_soon() {
    let redis = RedisServer::start(&RedisOptions::new());
    let mut flags = at_redis(&redis.address()).to_vec();
    flags.push("--drain=60s".into());
    let trial = Trial::start(2, &texts(&flags)).await;
    for round in 0..rounds(4, 50) {
        trial
            .load
            .progress(gamekeeper_tests::chance::rng().random_range(1..40))
            .await;
        let member = round as usize % trial.fleet.size();
        let (ended_well, took) = block_in_place(|| trial.fleet.relieve(member));
        assert!(ended_well && took < Duration::from_secs(30), "{took:?}");
    }
    trial.finish(single(&redis.address()), &[]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_server_with_an_embedded_store_loses_nothing() {
    let directory = TempDir::new().unwrap();
    let data = directory.path().join("games");
    let flags = [
        String::from("--store=embedded"),
        format!("--data-dir={}", data.display()),
    ];
    let trial = Trial::start(1, &texts(&flags)).await;
    for _ in 0..rounds(5, 100) {
        trial
            .load
            .progress(gamekeeper_tests::chance::rng().random_range(1..40))
            .await;
        block_in_place(|| trial.fleet.replace(0));
    }
    let store = StoreConfig::Embedded(EmbeddedConfig::new(&data));
    trial.finish(store, &[]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_redis_that_writes_first_loses_nothing() {
    let mut redis = RedisServer::start(&RedisOptions::new().with_append_only_file());
    let trial = Trial::start(2, &texts(&at_redis(&redis.address()))).await;
    for _ in 0..rounds(4, 100) {
        trial
            .load
            .progress(gamekeeper_tests::chance::rng().random_range(1..40))
            .await;
        redis.kill();
        sleep(some(0..300)).await;
        block_in_place(|| redis.start_again());
    }
    trial.finish(single(&redis.address()), &[]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_that_stands_still_loses_nothing() {
    let redis = RedisServer::start(&RedisOptions::new());
    let trial = Trial::start(2, &texts(&at_redis(&redis.address()))).await;
    for _ in 0..rounds(4, 50) {
        trial
            .load
            .progress(gamekeeper_tests::chance::rng().random_range(1..40))
            .await;
        redis.pause();
        // A long trial includes pauses that are longer than the servers wait.
        sleep(some(50..u64::from(rounds(600, 8_000)))).await;
        redis.resume();
    }
    trial.finish(single(&redis.address()), &[]).await;
}

/// Breaks connections repeatedly, in every mode of the proxy.
async fn disturb(proxy: &Proxy, load: &Load, rounds: u32) {
    for round in 0..rounds {
        load.progress(gamekeeper_tests::chance::rng().random_range(1..30))
            .await;
        match round % 4 {
            0 => proxy.cut(),
            1 => {
                proxy.set(Way::Stalled);
                sleep(some(10..400)).await;
            }
            2 => {
                proxy.set(Way::OneWay);
                sleep(some(1..200)).await;
            }
            _ => {
                proxy.set(Way::Closed);
                proxy.cut();
                sleep(some(1..200)).await;
            }
        }
        if round % 3 == 0 {
            proxy.cut();
        }
        proxy.set(Way::Open);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn broken_connections_to_servers_lose_nothing() {
    let redis = RedisServer::start(&RedisOptions::new());
    let trial = Trial::start(2, &texts(&at_redis(&redis.address()))).await;
    let (one, other) = (trial.fleet.proxy(0), trial.fleet.proxy(1));
    let rounds = rounds(8, 200);
    tokio::join!(
        disturb(one, &trial.load, rounds),
        disturb(other, &trial.load, rounds)
    );
    trial.finish(single(&redis.address()), &[]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn broken_connections_to_redis_lose_nothing() {
    let redis = RedisServer::start(&RedisOptions::new());
    let proxy = Proxy::before(&redis.address()).await;
    let trial = Trial::start(2, &texts(&at_redis(proxy.address()))).await;
    disturb(&proxy, &trial.load, rounds(8, 200)).await;
    trial.finish(single(&redis.address()), &[]).await;
}

/// Data that Redis had not saved when it died is lost. Nothing is built on it, and later answered changes are kept.
#[tokio::test(flavor = "multi_thread")]
async fn a_redis_that_forgets_its_last_minutes_goes_on_from_there() {
    let mut redis = RedisServer::start(&RedisOptions::new());
    let flags = at_redis(&redis.address());
    let trial = Trial::on(2, &texts(&flags), Memory::Forgets).await;
    let mut breaks = Vec::new();
    for _ in 0..rounds(3, 50) {
        let _: String = redis.ask(&["SAVE"]);
        let saved = trial.recorder.now();
        trial
            .load
            .progress(gamekeeper_tests::chance::rng().random_range(1..60))
            .await;
        let from = trial.recorder.now();
        redis.kill();
        block_in_place(|| redis.start_again());
        let until = trial.recorder.now();
        assert!(saved < from);
        breaks.push(Break { from, until });
        trial.load.progress(20).await;
    }
    trial.finish(single(&redis.address()), &breaks).await;
}

fn at_cluster(cluster: &RedisCluster) -> [String; 3] {
    [
        "--store=redis".into(),
        format!("--redis={}", cluster.addresses().join(",")),
        "--redis-topology=cluster".into(),
    ]
}

fn in_cluster(cluster: &RedisCluster) -> StoreConfig {
    let nodes = cluster.addresses();
    StoreConfig::Redis(RedisConfig::new(RedisTopology::Cluster { nodes }))
}

/// A primary that dies may lose the changes that it had not replicated, but nothing else.
#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_that_fails_over_loses_at_most_what_was_answered_last() {
    let mut cluster = block_in_place(RedisCluster::start);
    let flags = at_cluster(&cluster);
    let trial = Trial::on(2, &texts(&flags), Memory::Forgets).await;
    let mut breaks = Vec::new();
    for _ in 0..rounds(1, 20) {
        trial.load.progress(100).await;
        let from = trial.recorder.now();
        block_in_place(|| cluster.fail_over());
        let until = trial.recorder.now();
        breaks.push(Break { from, until });
        trial.load.progress(50).await;
    }
    trial.finish(in_cluster(&cluster), &breaks).await;
}

/// With a wait for replicas, nothing is lost.
#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_that_waits_for_its_replicas_fails_over_without_loss() {
    let mut cluster = block_in_place(RedisCluster::start);
    let mut flags = at_cluster(&cluster).to_vec();
    flags.push("--redis-wait-replicas=1".into());
    let trial = Trial::start(2, &texts(&flags)).await;
    for _ in 0..rounds(1, 20) {
        trial.load.progress(100).await;
        block_in_place(|| cluster.fail_over());
        trial.load.progress(50).await;
    }
    trial.finish(in_cluster(&cluster), &[]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sentinels_that_wait_for_the_replica_fail_over_without_loss() {
    let mut group = block_in_place(RedisSentinels::start);
    let sentinels = group.addresses();
    let flags = [
        "--store=redis".into(),
        format!("--redis={}", sentinels.join(",")),
        "--redis-topology=sentinel".into(),
        format!("--redis-primary={PRIMARY}"),
        "--redis-wait-replicas=1".into(),
    ];
    let trial = Trial::start(2, &texts(&flags)).await;
    for _ in 0..rounds(1, 20) {
        trial.load.progress(100).await;
        block_in_place(|| group.fail_over());
        trial.load.progress(50).await;
    }
    let primary = PRIMARY.to_owned();
    let topology = RedisTopology::Sentinel { sentinels, primary };
    let store = StoreConfig::Redis(RedisConfig::new(topology));
    trial.finish(store, &[]).await;
}

/// Returns whether the service reports that the store does not respond, or the caller's deadline has passed.
fn is_no_answer(status: &Status) -> bool {
    use Code::{Cancelled, DeadlineExceeded, Unavailable};
    matches!(status.code(), Unavailable | DeadlineExceeded | Cancelled)
}

/// An action that replicas do not have yet is never returned: neither to a caller that retries it, nor by a read or a
/// watch. A former primary has no replicas, so its data cannot be trusted.
#[tokio::test(flavor = "multi_thread")]
async fn what_replicas_do_not_have_is_returned_to_nobody() {
    let redis = RedisServer::start(&RedisOptions::new());
    let address = redis.address().replace(':', " ");
    let replica = RedisServer::start(&RedisOptions::new().set("replicaof", &address));
    let mut flags = at_redis(&redis.address()).to_vec();
    flags.push("--redis-wait-replicas=1".into());
    let fleet = Fleet::start(2, &texts(&flags)).await;
    let [mut one, mut other] = <[Client; 2]>::try_from(fleet.clients()).unwrap();
    let create = v1::CreateGameRequest {
        request_id: "the game".into(),
        ..ada_and_bob()
    };
    // Nothing is acknowledged until the replica is in sync.
    let created = loop {
        match one.create_game(create.clone()).await {
            Ok(created) => break created.into_inner(),
            Err(status) => assert!(is_no_answer(&status), "{status:?}"),
        }
    };
    let table = Table::of(created);
    let look = table.ask();
    let follow = v1::WatchGameRequest {
        game_id: table.game.game_id.clone(),
        after_version: table.game.version,
        ..Default::default()
    };
    let mut watch = other.watch_game(follow).await.unwrap().into_inner();
    let act = v1::ApplyActionRequest {
        game_id: table.game.game_id.clone(),
        seat: table.game.pending[0].seat,
        action: Some(action(pb::action::Kind::EndTurn(pb::EndTurn::default()))),
        request_id: "once".into(),
        ..Default::default()
    };

    replica.pause();
    let unknown = one.apply_action(act.clone()).await.unwrap_err();
    assert!(is_no_answer(&unknown), "{unknown:?}");
    for client in [&mut one, &mut other] {
        let again = client.apply_action(act.clone()).await.unwrap_err();
        assert!(is_no_answer(&again), "{again:?}");
        let looked = client.get_game(look.clone()).await.unwrap_err();
        assert!(is_no_answer(&looked), "{looked:?}");
    }
    let ended = watch.message().await.unwrap_err();
    assert!(is_no_answer(&ended), "{ended:?}");

    replica.resume();
    let played = loop {
        match other.apply_action(act.clone()).await {
            Ok(played) => break facts(played.into_inner().table),
            Err(status) => assert!(is_no_answer(&status), "{status:?}"),
        }
    };
    assert_eq!(played.version, table.game.version + 1);
    let shown = one.get_game(look).await.unwrap().into_inner().table;
    assert_eq!(facts(shown), played);
}
