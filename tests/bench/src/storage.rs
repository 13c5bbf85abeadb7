//! The number of bytes that games take in each store: the figures of `deploy/SIZING.md`.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use gamekeeper_rules::ruleset::{Applied, Ruleset, apply, create};
use gamekeeper_rules::table::encode;
use gamekeeper_store::{
    Commit, Committed, Created, GameId, GameStore, Head, IndexRow, NewGame, Version, sizes,
};
use gamekeeper_store_embedded::EmbeddedConfig;
use gamekeeper_store_redis::{RedisConfig, RedisTopology};
use gamekeeper_wire::Wire;
use gamekeeperd::stores::{StoreConfig, open};
use rand::RngExt;
use serde::Serialize;

use crate::play::Recording;
use crate::report::{row, table, write};
use crate::service::processes::Process;

/// The games that are stored for the measurement.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Plan {
    /// Different games of each ruleset
    #[arg(long, default_value_t = 8)]
    games: u64,
    /// How often each is stored
    #[arg(long, default_value_t = 64)]
    copies: u64,
    /// Actions of each game at most
    #[arg(long, default_value_t = 2_000)]
    max_moves: usize,
}

/// The storage of one game of a ruleset, in bytes.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Figures {
    versions: u64,
    /// The size of the entries alone.
    entries: u64,
    /// The size in Redis: of a game that has just begun, of one in progress, and of one that is finished and packed.
    redis_young: u64,
    redis: u64,
    redis_packed: u64,
    /// The size on disk once flushed to tables: before the game is packed, and after.
    embedded: u64,
    embedded_packed: u64,
    /// The time to open the store, per game, in microseconds.
    embedded_opens_us: u64,
}

/// The interval, in versions, at which a snapshot is stored.
const SNAPSHOT_EVERY: Version = 16;

/// The stored form of a game: the entries from version 1 on, and the snapshots.
struct Story {
    entries: Vec<Bytes>,
    snapshots: Vec<Bytes>,
}

/// Measures storage.
///
/// # Panics
/// If anything goes wrong.
pub fn run(plan: Plan) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let mut all = BTreeMap::new();
    gamekeeper_rules::of_each_ruleset!(R => { all.insert(R::INFO.id, runtime.block_on(of_ruleset::<R>(plan))); });
    let mut rows = vec![row([
        "ruleset",
        "versions",
        "entries B",
        "Redis, begun B",
        "Redis, going on B",
        "B/version",
        "Redis, packed B",
        "embedded B",
        "B/version",
        "embedded, packed B",
        "opens us",
    ])];
    for (id, figures) in &all {
        let per_version = |bytes: u64| (bytes / figures.versions.max(1)).to_string();
        rows.push(vec![
            (*id).to_owned(),
            figures.versions.to_string(),
            figures.entries.to_string(),
            figures.redis_young.to_string(),
            figures.redis.to_string(),
            per_version(figures.redis),
            figures.redis_packed.to_string(),
            figures.embedded.to_string(),
            per_version(figures.embedded),
            figures.embedded_packed.to_string(),
            figures.embedded_opens_us.to_string(),
        ]);
    }
    table(&rows);
    write("storage", &all);
}

async fn of_ruleset<W: Wire>(plan: Plan) -> Figures {
    let stories: Vec<Story> = (1..=plan.games)
        .map(|seed| Story::of::<W>(&Recording::new(seed, plan.max_moves)))
        .collect();
    figures(&stories, plan.copies, W::INFO.id).await
}

impl Story {
    fn of<W: Wire>(recording: &Recording<W>) -> Self {
        let mut game = create::<W>(&recording.options, recording.luck());
        let first = encode(&(&recording.options, &game.draws, &game.events));
        let mut story = Self {
            entries: vec![sealed(first, 64)],
            snapshots: vec![snapshot::<W>(&game)],
        };
        for (seat, action) in &recording.moves {
            let next = apply::<W>(&game.state, &game.chance, *seat, action).expect("it is legal");
            let parts = (seat, action, &next.automatic, &next.draws, &next.events);
            story.entries.push(sealed(encode(&parts), 0));
            story.snapshots.push(snapshot::<W>(&next));
            game = next;
        }
        story
    }
}

/// Adds the envelope of an entry to its body. Except for five bytes, the envelope is incompressible noise: the hash of
/// the request id, the fingerprint, the checksum, and in the first entry also seed and salt.
fn sealed(body: Vec<u8>, more: usize) -> Bytes {
    let mut bytes = body;
    bytes.extend([1, 1, 9, 9, 9]);
    let mut noise = vec![0; 24 + 8 + 4 + more];
    rand::rng().fill(&mut noise[..]);
    bytes.extend(noise);
    Bytes::from(bytes)
}

fn snapshot<W: Wire>(game: &Applied<W>) -> Bytes {
    let mut bytes = encode(&game.state);
    bytes.extend([7; 14]);
    Bytes::from(bytes)
}

async fn figures(stories: &[Story], copies: u64, ruleset: &str) -> Figures {
    let games = stories.len() as u64;
    let mean = |of: &dyn Fn(&Story) -> usize| stories.iter().map(of).sum::<usize>() as u64 / games;
    let redis = Process::redis(&[]);
    let address = redis.address().to_owned();
    let config = RedisConfig {
        pack_after: Duration::ZERO,
        ..RedisConfig::new(RedisTopology::Single {
            address: address.clone(),
        })
    };
    let store = open(StoreConfig::Redis(config)).await.expect("Redis");
    let used = || used_memory(&address);
    let begin = used();
    let ids = begun(&store, stories, copies, ruleset).await;
    let young = used() - begin;
    played(&store, stories, &ids, ruleset).await;
    let grown = used() - begin;
    finished(&store, stories, &ids, ruleset).await;
    let packed = settled(&used).await - begin;
    let all = games * copies;
    let on_disk = embedded(stories, copies, ruleset).await;
    Figures {
        versions: mean(&|story| story.entries.len()),
        entries: mean(&|story| story.entries.iter().map(Bytes::len).sum()),
        redis_young: young / all,
        redis: grown / all,
        redis_packed: packed / all,
        embedded: on_disk[0] / all,
        embedded_packed: on_disk[1] / all,
        embedded_opens_us: on_disk[2] / all,
    }
}

/// Measures the embedded store: the used bytes of the file before games are packed and after, and the duration of the
/// next start, in microseconds.
async fn embedded(stories: &[Story], copies: u64, ruleset: &str) -> [u64; 3] {
    let folder = tempfile::tempdir().expect("a folder");
    let config = |pack_after| EmbeddedConfig {
        pack_after,
        ..EmbeddedConfig::new(folder.path())
    };
    let opened = async |pack_after| {
        let config = StoreConfig::Embedded(config(pack_after));
        open(config).await.expect("a store")
    };
    let store = opened(Duration::MAX).await;
    let ids = begun(&store, stories, copies, ruleset).await;
    played(&store, stories, &ids, ruleset).await;
    finished(&store, stories, &ids, ruleset).await;
    let plain = used_in(&*store).await;
    store.close().await.expect("it closes");
    drop(store);
    let begun = Instant::now();
    let store = opened(Duration::ZERO).await;
    let opens = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
    for _ in 0..ids.len() {
        store.ping().await.expect("it works");
    }
    let packed = used_in(&*store).await;
    store.close().await.expect("it closes");
    [plain, packed, opens]
}

/// Returns the size of the pages that a backup uses. The file itself grows in steps that double, so that its length says little.
async fn used_in(store: &dyn GameStore) -> u64 {
    let folder = tempfile::tempdir().expect("a folder");
    let backup = store.backup(folder.path()).await.expect("a backup");
    let pages = redb::Database::open(backup.path).expect("a database");
    let stats = pages.begin_write().expect("a transaction").stats();
    let stats = stats.expect("figures");
    stats.allocated_pages() * stats.page_size() as u64
}

fn used_memory(address: &str) -> u64 {
    let client = redis::Client::open(format!("redis://{address}")).expect("an address");
    let mut connection = client.get_connection().expect("a connection");
    let info = redis::cmd("INFO").arg("memory").query(&mut connection);
    let text: String = info.expect("facts");
    let used = text
        .lines()
        .find_map(|line| line.strip_prefix("used_memory:"));
    used.and_then(|used| used.trim().parse().ok())
        .expect("a number")
}

/// Waits until the memory in use no longer shrinks, and returns it.
async fn settled(used: &impl Fn() -> u64) -> u64 {
    let mut last = used();
    loop {
        tokio::time::sleep(Duration::from_secs(2)).await;
        let now = used();
        if now * 1_000 >= last * 999 {
            return now;
        }
        last = now;
    }
}

fn row_of(ruleset: &str, finished: bool) -> IndexRow {
    IndexRow {
        tenant: String::from("a-tenant"),
        ruleset: ruleset.to_owned(),
        created_ms: 1_800_000_000_000,
        finished,
        lists: None,
    }
}

async fn begun(
    store: &Arc<dyn GameStore>,
    stories: &[Story],
    copies: u64,
    ruleset: &str,
) -> Vec<(GameId, usize)> {
    let mut ids = Vec::new();
    for _ in 0..copies {
        for (number, story) in stories.iter().enumerate() {
            let id = GameId::now_v7();
            let game = NewGame {
                id,
                row: row_of(ruleset, false),
                entry: story.entries[0].clone(),
                history: Vec::new(),
                snapshot: story.snapshots[0].clone(),
                access: Bytes::new(),
                tenant_limit: None,
                tenant_bytes: None,
            };
            assert_eq!(store.create(game).await.expect("kept"), Created::Done);
            ids.push((id, number));
        }
    }
    ids
}

/// Plays all actions but the last one.
async fn played(
    store: &Arc<dyn GameStore>,
    stories: &[Story],
    ids: &[(GameId, usize)],
    ruleset: &str,
) {
    let all = ids.chunks(32).map(|some| async move {
        for (id, number) in some {
            let story = &stories[*number];
            for at in 1..story.entries.len() - 1 {
                commit(store, story, *id, at, ruleset).await;
            }
        }
    });
    futures_util::future::join_all(all).await;
}

/// Plays the last action.
async fn finished(
    store: &Arc<dyn GameStore>,
    stories: &[Story],
    ids: &[(GameId, usize)],
    ruleset: &str,
) {
    for (id, number) in ids {
        let story = &stories[*number];
        commit(store, story, *id, story.entries.len() - 1, ruleset).await;
    }
}

/// Commits the entry at this index, whose version is one higher.
async fn commit(store: &Arc<dyn GameStore>, story: &Story, id: GameId, at: usize, ruleset: &str) {
    let version = at as Version + 1;
    let is_last = at + 1 == story.entries.len();
    let has_snapshot = is_last || version.is_multiple_of(SNAPSHOT_EVERY);
    let commit = Commit {
        id,
        tenant: String::from("a-tenant"),
        expected: Head::of(version - 1, &story.entries[at - 1]),
        entry: story.entries[at].clone(),
        log_bytes: story.entries[..=at]
            .iter()
            .map(|entry| sizes::bytes(entry.len()))
            .sum(),
        snapshot: has_snapshot.then(|| story.snapshots[at].clone()),
        row: is_last.then(|| row_of(ruleset, true)),
        access: None,
    };
    assert_eq!(store.commit(&commit).await.expect("kept"), Committed::Done);
}
