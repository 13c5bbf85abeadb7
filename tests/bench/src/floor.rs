//! The lower bound of Redis: the minimum that a commit has to do, and nothing else.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use redis::Script;

/// A script that compares the version, adds an entry, sometimes a snapshot, and wakes watchers. The script of the store
/// does this and more.
const COMMIT: &str = "
if redis.call('XLEN', KEYS[1]) ~= tonumber(ARGV[1]) then return 0 end
redis.call('XADD', KEYS[1], (ARGV[1] + 1) .. '-1', 'e', ARGV[2])
if ARGV[3] ~= '' then redis.call('SET', KEYS[2], ARGV[3]) end
redis.call('PUBLISH', KEYS[1], ARGV[1] + 1)
return 1";

/// The parameters of the commits to make.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The number of games that commit concurrently; each makes one commit at a time.
    pub games: usize,
    /// The size of an entry, in bytes.
    pub entry: usize,
    /// The size of a snapshot, in bytes. One is written with every 16th entry.
    pub snapshot: usize,
    /// The duration of the measurement.
    pub time: Duration,
}

/// Measures commits per second.
///
/// # Panics
/// If Redis does not respond as expected.
#[must_use]
pub fn commits_per_second(address: &str, plan: Plan) -> f64 {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let client = redis::Client::open(format!("redis://{address}")).expect("an address");
        let connection = client
            .get_multiplexed_async_connection()
            .await
            .expect("Redis");
        let commits = Arc::new(AtomicU64::new(0));
        let begun = Instant::now();
        let games = (0..plan.games).map(|_| {
            let (connection, commits) = (connection.clone(), Arc::clone(&commits));
            tokio::spawn(commit(connection, commits, plan, begun))
        });
        for game in games.collect::<Vec<_>>() {
            game.await.expect("a game goes on");
        }
        let commit_count = u32::try_from(commits.load(Ordering::Relaxed)).unwrap_or(u32::MAX);
        f64::from(commit_count) / begun.elapsed().as_secs_f64()
    })
}

async fn commit(
    mut connection: redis::aio::MultiplexedConnection,
    commits: Arc<AtomicU64>,
    plan: Plan,
    begun: Instant,
) {
    let id = rand::random::<u128>();
    let key = |name: &str| format!("gk:{{{id:x}}}:{name}");
    let script = Script::new(COMMIT);
    let (entry, snapshot) = (vec![7_u8; plan.entry], vec![7_u8; plan.snapshot]);
    let first: Result<String, _> = redis::cmd("XADD")
        .arg(key("log"))
        .arg("1-1")
        .arg("e")
        .arg(&entry)
        .query_async(&mut connection)
        .await;
    first.expect("a first entry");
    for version in 1_u64.. {
        if begun.elapsed() >= plan.time {
            return;
        }
        let mut call = script.prepare_invoke();
        call.key(key("log")).key(key("snapshot"));
        call.arg(version).arg(&entry);
        if version.is_multiple_of(16) {
            call.arg(&snapshot);
        } else {
            call.arg("");
        }
        let answer: i64 = call.invoke_async(&mut connection).await.expect("a commit");
        assert_eq!(answer, 1, "the entry is stored");
        commits.fetch_add(1, Ordering::Relaxed);
    }
}
