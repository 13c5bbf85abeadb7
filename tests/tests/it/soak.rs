//! **Soak test** with everything at once: all attackers, three honest tenants, and servers that are killed. No call of
//! an honest tenant is refused because of a limit, nothing that was answered is lost, and nothing happens twice.
//!
//! `GAMEKEEPER_SOAK=1h` sets the duration; by default the test takes a few seconds.

use std::process::{Child, Command};
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use gamekeeper_store_redis::{RedisConfig, RedisTopology};
use gamekeeper_tests::fleet::Fleet;
use gamekeeper_tests::history::{Load, Memory, Recorder, check, read_logs, story};
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::server::built;
use gamekeeper_tests::tokens::{BLUE, KeyFiles, RED};
use gamekeeperd::stores::{StoreConfig, open};
use rand::RngExt;
use sha2::{Digest, Sha256};
use tokio::task::block_in_place;
use tokio::time::sleep;

/// The honest tenants beside the blue one. The red one attacks.
const GREEN: &str = "key-of-the-green-team";
const YELLOW: &str = "key-of-the-yellow-team";

/// The time between two kills, in milliseconds.
const KILLS: std::ops::Range<u64> = 4_000..12_000;

/// The duration of a usual run.
const SHORT: Duration = Duration::from_secs(15);

/// A program that attacks until this is dropped.
struct Attackers(Child);

impl Attackers {
    fn against(fleet: &Fleet) -> Self {
        let addresses = (0..fleet.size()).map(|member| fleet.proxy(member).address().to_owned());
        let addresses: Vec<_> = addresses.collect();
        let mut command = Command::new(built("gamekeeper-bench"));
        command.args(["attack", "--key", RED, "--addresses", &addresses.join(",")]);
        Self(
            command
                .spawn()
                .expect("build it first with cargo build --workspace --bins"),
        )
    }
}

impl Drop for Attackers {
    fn drop(&mut self) {
        let _gone = self.0.kill();
        let _gone = self.0.wait();
    }
}

fn time() -> Duration {
    let given = std::env::var("GAMEKEEPER_SOAK").ok();
    let given = given.map(|text| humantime::parse_duration(&text).expect("a time, such as 1h"));
    given.unwrap_or(SHORT)
}

#[tokio::test(flavor = "multi_thread")]
async fn attackers_take_nothing_from_honest_tenants() {
    let redis = RedisServer::start(&RedisOptions::new());
    let keys = KeyFiles::new();
    let hash = |key: &str| const_hex::encode(Sha256::digest(key));
    let mut tenants = std::fs::read_to_string(keys.file("tenants")).unwrap();
    tenants += &format!("green:{}\nyellow:{}\n", hash(GREEN), hash(YELLOW));
    std::fs::write(keys.file("tenants"), tenants).unwrap();
    // The honest tenants play as fast as they can, so they get the rate limits for this.
    let limits = keys.file("limits");
    let limits_of = |tenant: &str| format!("{tenant}: rate=100000 burst=100000\n");
    std::fs::write(&limits, ["blue", "green", "yellow"].map(limits_of).concat()).unwrap();
    let mut flags = keys.flags();
    flags.extend([
        "--store=redis".to_owned(),
        format!("--redis={}", redis.address()),
        format!("--tenant-limits-file={}", limits.display()),
    ]);
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let fleet = Arc::new(Fleet::start(2, &flags).await);
    let honest = [BLUE, GREEN, YELLOW].map(async |key| {
        let recorder = Arc::new(Recorder::default());
        Load::start(&fleet, &recorder, Memory::Keeps, key).await
    });
    let honest = join_all(honest).await;
    let attackers = Attackers::against(&fleet);
    let (begun, time) = (Instant::now(), time());
    let mut kills = 0;
    while begun.elapsed() < time {
        let pause = gamekeeper_tests::chance::rng().random_range(KILLS);
        sleep(Duration::from_millis(pause).min(time.saturating_sub(begun.elapsed()))).await;
        block_in_place(|| fleet.replace(kills % fleet.size()));
        kills += 1;
        for load in &honest {
            load.progress(1).await;
        }
    }
    drop(attackers);
    let address = redis.address();
    for load in honest {
        let history = load.finish().await;
        let topology = RedisTopology::Single {
            address: address.clone(),
        };
        let store = open(StoreConfig::Redis(RedisConfig::new(topology)))
            .await
            .unwrap();
        let logs = read_logs(&*store, &history.calls).await;
        store.close().await.unwrap();
        let (calls, records) = history.replay(&fleet, &logs).await;
        let flaws = check(&calls, &logs, &records, &[]);
        let story = story(&flaws, &calls, &logs);
        assert_eq!(flaws, [], "after {kills} kills\n{story}");
        let entries: usize = logs.values().map(Vec::len).sum();
        assert!(entries > 20, "hardly anything happened: {entries} entries");
    }
}
