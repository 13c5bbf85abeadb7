//! Durable actions per second of the embedded store alone, and the cost of loads, of a start and of each action.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use gamekeeper_store::{
    Commit, Committed, Created, GameId, GameStore, Head, IndexRow, Lists, NewGame, Version, sizes,
};
use gamekeeper_store_embedded::EmbeddedConfig;
use gamekeeperd::stores::{StoreConfig, open};
use rand::{Rng, RngExt, SeedableRng};
use rustix::time::{ClockId, clock_gettime};

use crate::report::{row, table, write};

/// The size of the database and the load of the measurement.
#[derive(Clone, Debug, clap::Args)]
pub struct Plan {
    /// Stored games
    #[arg(long, default_value_t = 20_000)]
    games: u64,
    /// Games that are played at once
    #[arg(long, value_delimiter = ',', default_values = ["1", "16", "64", "256"])]
    writers: Vec<u64>,
    /// How long each time, in seconds
    #[arg(long, default_value_t = 4)]
    seconds: u64,
    /// Bytes of an entry
    #[arg(long, default_value_t = 150)]
    entry: usize,
    /// Named lists of each game. 0: an action leaves the row as it is
    #[arg(long, value_delimiter = ',', default_values = ["0", "8"])]
    lists: Vec<usize>,
}

/// The interval, in versions, at which a snapshot is stored.
const SNAPSHOT_EVERY: Version = 16;

/// The number of loads that are timed.
const LOADS: u32 = 20_000;

/// A stored game and its newest entry.
struct Played {
    id: GameId,
    head: Head,
}

/// Measures the store on disk.
///
/// # Panics
/// If anything goes wrong.
pub fn run(plan: &Plan) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let mut rows = vec![row([
        "named lists",
        "at once",
        "actions/s",
        "CPU us",
        "p50 us",
        "p99 us",
        "B/action",
        "warm load us",
        "cold load us",
        "opens ms",
    ])];
    for lists in &plan.lists {
        for writers in &plan.writers {
            rows.push(runtime.block_on(measured(plan, *lists, *writers)));
        }
    }
    table(&rows);
    write("disk", &rows);
}

async fn opened(folder: &Path) -> Arc<dyn GameStore> {
    let config = StoreConfig::Embedded(EmbeddedConfig::new(folder));
    open(config).await.expect("a store")
}

async fn measured(plan: &Plan, lists: usize, writers: u64) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let store = opened(folder.path()).await;
    let mut games = stored(&store, plan, lists).await;
    let bytes = size_of(folder.path());
    let (worked, begun) = (worked(), Instant::now());
    let until = begun + Duration::from_secs(plan.seconds);
    let share = games.len() / usize::try_from(writers).expect("a number");
    let action_count = Arc::new(AtomicU64::new(0));
    let mut playing = Vec::new();
    for _ in 0..writers {
        let some = games.split_off(games.len() - share);
        let (store, action_count, entry) =
            (Arc::clone(&store), Arc::clone(&action_count), plan.entry);
        playing.push(tokio::spawn(async move {
            play(&*store, some, lists, entry, until, &action_count).await
        }));
    }
    let (mut times, mut played) = (Vec::new(), Vec::new());
    for playing in playing {
        let (some, took) = playing.await.expect("a player");
        played.extend(some);
        times.extend(took);
    }
    let actions = action_count.load(Ordering::Relaxed);
    let took = begun.elapsed();
    let cpu = (self::worked() - worked).as_secs_f64() * 1e6 / figure(actions);
    times.sort_unstable();
    let at = |share: usize| times[times.len() * share / 100].as_micros().to_string();
    let grown = size_of(folder.path()).saturating_sub(bytes);
    let warm = loads(&*store, &played, true).await;
    let cold = loads(&*store, &played, false).await;
    drop(store);
    let begun = Instant::now();
    drop(opened(folder.path()).await);
    let opens = begun.elapsed().as_millis().to_string();
    vec![
        lists.to_string(),
        writers.to_string(),
        format!("{:.0}", figure(actions) / took.as_secs_f64()),
        format!("{cpu:.1}"),
        at(50),
        at(99),
        (grown / actions).to_string(),
        format!("{warm:.2}"),
        format!("{cold:.2}"),
        opens,
    ]
}

async fn stored(store: &Arc<dyn GameStore>, plan: &Plan, lists: usize) -> Vec<Played> {
    let mut games = Vec::new();
    let ids: Vec<u64> = (0..plan.games).collect();
    for some in ids.chunks(256) {
        let created = some.iter().map(|number| async {
            let entry = noise(plan.entry);
            let head = Head::of(1, &entry);
            let id = GameId::now_v7();
            let game = NewGame {
                id,
                row: row_of(*number, lists, 0),
                entry,
                history: Vec::new(),
                snapshot: noise(1_000),
                access: noise(200),
                tenant_limit: None,
                tenant_bytes: None,
            };
            assert_eq!(store.create(game).await.expect("kept"), Created::Done);
            Played { id, head }
        });
        games.extend(futures_util::future::join_all(created).await);
    }
    games
}

/// Plays these games in turns until the time is up. Returns the games, and the duration of each action.
async fn play(
    store: &dyn GameStore,
    mut games: Vec<Played>,
    lists: usize,
    entry: usize,
    until: Instant,
    action_count: &AtomicU64,
) -> (Vec<Played>, Vec<Duration>) {
    let mut took = Vec::new();
    for at in (0..games.len()).cycle() {
        let begun = Instant::now();
        if begun >= until {
            break;
        }
        let game = &mut games[at];
        let next = noise(entry);
        let head = Head::of(game.head.version + 1, &next);
        let commit = Commit {
            id: game.id,
            tenant: String::from("a-tenant"),
            expected: game.head,
            // All entries have the same length.
            log_bytes: head.version * sizes::bytes(entry),
            entry: next,
            snapshot: head
                .version
                .is_multiple_of(SNAPSHOT_EVERY)
                .then(|| noise(1_000)),
            row: (lists > 0).then(|| row_of(at as u64, lists, head.version)),
            access: None,
        };
        let answer = store.commit(&commit).await.expect("kept");
        assert_eq!(answer, Committed::Done);
        took.push(begun.elapsed());
        game.head = head;
        action_count.fetch_add(1, Ordering::Relaxed);
    }
    (games, took)
}

/// Measures a load, in microseconds.
async fn loads(store: &dyn GameStore, games: &[Played], is_warm: bool) -> f64 {
    let begun = Instant::now();
    for at in 0..LOADS as usize {
        let game = &games[at * 7 % games.len()];
        let known_head = is_warm.then_some(game.head);
        let loaded = store.load(game.id, known_head).await.expect("read");
        assert_eq!(loaded.expect("a game").snapshot.is_none(), is_warm);
    }
    begun.elapsed().as_secs_f64() * 1e6 / f64::from(LOADS)
}

/// Builds the row of a game. Each game has some lists of its own, like those of its users.
fn row_of(number: u64, lists: usize, changed: Version) -> IndexRow {
    let name = |list: usize| match list {
        0 => String::from("tagged"),
        list => format!("user {}", number / 8 * 8 + list as u64),
    };
    IndexRow {
        tenant: String::from("a-tenant"),
        ruleset: String::from("dominion"),
        created_ms: 1_800_000_000_000 + number,
        finished: false,
        lists: (lists > 0).then(|| Lists {
            changed_ms: 1_800_000_000_000 + 1_000 * changed,
            timed: Vec::new(),
            names: (0..lists).map(name).collect(),
        }),
    }
}

fn noise(len: usize) -> Bytes {
    let mut bytes = vec![0; len];
    rand::rngs::SmallRng::seed_from_u64(rand::rng().random()).fill_bytes(&mut bytes);
    Bytes::from(bytes)
}

/// Returns the processor time of all threads up to now.
fn worked() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    let nanos = u32::try_from(time.tv_nsec).unwrap_or(0);
    Duration::new(seconds, nanos)
}

fn size_of(path: &Path) -> u64 {
    use std::os::unix::fs::MetadataExt;
    let about = path.metadata().expect("a file");
    if about.is_file() {
        // Counts blocks instead of lengths, because files may be sparse.
        return about.blocks() * 512;
    }
    let entries = path.read_dir().expect("a folder");
    entries.flatten().map(|entry| size_of(&entry.path())).sum()
}

#[expect(clippy::cast_precision_loss, reason = "figures for people")]
fn figure(count: u64) -> f64 {
    count as f64
}
