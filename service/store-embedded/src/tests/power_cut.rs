//! **Crash consistency**: after a power cut, writes that were not synced may be on the disk, or not, or in part.

use std::collections::BTreeMap;
use std::io;

use parking_lot::{Mutex, MutexGuard};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use redb::StorageBackend;

use super::*;
use crate::open::open_on;

/// The unit that a disk writes atomically, in bytes.
const SECTOR: usize = 512;

/// The number of power cuts.
const CUTS: u64 = 80;

/// An operation on the file since it was last synced.
#[derive(Clone, Debug)]
enum Unsynced {
    Length(usize),
    Bytes(usize, Vec<u8>),
}

/// A file in memory of which a power cut keeps the synced content and an arbitrary part of the rest.
#[derive(Debug, Default)]
struct Memory {
    now: Vec<u8>,
    synced: Vec<u8>,
    unsynced: Vec<Unsynced>,
    /// The number of further operations before the power goes off. Is `None` if it stays on.
    left: Option<u32>,
    is_off: bool,
}

#[derive(Clone, Debug, Default)]
struct FileUnderTest(Arc<Mutex<Memory>>);

fn apply(file: &mut Vec<u8>, change: &Unsynced) {
    match change {
        Unsynced::Length(length) => file.resize(*length, 0),
        Unsynced::Bytes(at, bytes) => {
            let end = at + bytes.len();
            if file.len() < end {
                file.resize(end, 0);
            }
            file[*at..end].copy_from_slice(bytes);
        }
    }
}

impl FileUnderTest {
    fn of(bytes: Vec<u8>) -> FileUnderTest {
        let file = FileUnderTest::default();
        file.0.lock().now.clone_from(&bytes);
        file.0.lock().synced = bytes;
        file
    }

    fn powered(&self) -> io::Result<MutexGuard<'_, Memory>> {
        let mut memory = self.0.lock();
        if memory.left == Some(0) {
            memory.is_off = true;
        }
        memory.left = memory.left.map(|left| left.saturating_sub(1));
        if memory.is_off {
            return Err(io::Error::other("the power is off"));
        }
        Ok(memory)
    }

    /// Returns a possible content of the disk after the power cut.
    fn left(&self, luck: &mut SmallRng) -> Vec<u8> {
        let memory = self.0.lock();
        let mut file = memory.synced.clone();
        // Changes of the length are kept or lost in order, sectors independently.
        let mut lengths = luck.random_range(0..=memory.unsynced.len());
        for change in &memory.unsynced {
            let is_length_kept = lengths > 0;
            lengths = lengths.saturating_sub(1);
            match change {
                Unsynced::Length(_) if is_length_kept => apply(&mut file, change),
                Unsynced::Length(_) => {}
                Unsynced::Bytes(at, bytes) => {
                    for (number, sector) in bytes.chunks(SECTOR).enumerate() {
                        let at = at + number * SECTOR;
                        if luck.random() && at + sector.len() <= file.len() {
                            apply(&mut file, &Unsynced::Bytes(at, sector.to_vec()));
                        }
                    }
                }
            }
        }
        file
    }
}

impl StorageBackend for FileUnderTest {
    fn len(&self) -> io::Result<u64> {
        Ok(self.powered()?.now.len() as u64)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let memory = self.powered()?;
        let at = usize::try_from(offset).unwrap();
        let bytes = memory.now.get(at..at + out.len());
        out.copy_from_slice(bytes.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        let mut memory = self.powered()?;
        let change = Unsynced::Length(usize::try_from(len).unwrap());
        apply(&mut memory.now, &change);
        memory.unsynced.push(change);
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        let mut memory = self.powered()?;
        memory.synced = memory.now.clone();
        memory.unsynced.clear();
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let mut memory = self.powered()?;
        let change = Unsynced::Bytes(usize::try_from(offset).unwrap(), data.to_vec());
        apply(&mut memory.now, &change);
        memory.unsynced.push(change);
        Ok(())
    }
}

fn on(file: &FileUnderTest, config: &EmbeddedConfig) -> EmbeddedStore {
    let disk = open_on(file.clone(), config);
    EmbeddedStore::on(disk.unwrap(), config).unwrap()
}

/// The acknowledged state before the power went off: the version of each game, `None` if its deletion was
/// acknowledged.
type Answered = Arc<Mutex<BTreeMap<GameId, Option<Version>>>>;

/// Plays games until the power goes off.
async fn play(store: Arc<EmbeddedStore>, file: FileUnderTest, number: u64, answered: Answered) {
    let note = |id, version| {
        let mut answered = answered.lock();
        answered.insert(id, version);
    };
    for game in 0.. {
        let id = Uuid::from_u128(u128::from(number << 32 | game));
        let created = store.create(new_game(id, b"a")).await;
        if !matches!(created, Ok(Created::Done)) || file.0.lock().is_off {
            return;
        }
        note(id, Some(1));
        for expected in 1..=game % 20 + 1 {
            let next = if expected == 20 {
                end(id, expected)
            } else {
                commit(id, expected)
            };
            let played = store.commit(&next).await;
            if played.is_err() || file.0.lock().is_off {
                return;
            }
            note(id, Some(expected + 1));
        }
        if game % 3 == 2 {
            // From now on the game may be gone.
            answered.lock().remove(&id);
            if store.delete(id).await.is_err() || file.0.lock().is_off {
                return;
            }
            note(id, None);
        }
    }
}

/// Checks that everything that was acknowledged is there, and that the lists agree with the games.
async fn check(store: &EmbeddedStore, answered: &BTreeMap<GameId, Option<Version>>, seed: u64) {
    for (id, version) in answered {
        let log = store.log(*id, 0, usize::MAX).await.unwrap();
        let Some(version) = version else {
            assert_eq!(log, None, "seed {seed}: a deleted game is back");
            continue;
        };
        let log = log.unwrap_or_else(|| panic!("seed {seed}: a game is gone"));
        assert!(
            log.len() as u64 >= *version,
            "seed {seed}: entries are gone"
        );
        let stored = log.iter().map(|entry| entry.bytes.clone());
        assert!(stored.eq((1..=log.len() as u64).map(entry)), "seed {seed}");
        assert!(store.load(*id, None).await.unwrap().is_some());
    }
    let all = store
        .list(&ListFilter::default(), None, usize::MAX)
        .await
        .unwrap();
    let listed_keys: usize = all
        .iter()
        .map(|game| gamekeeper_store::lists::index_keys(game.id, &game.row).len())
        .sum();
    assert_eq!(keys(store, LIST_INDEX).len(), listed_keys, "seed {seed}");
    let listed: BTreeSet<GameId> = all.iter().map(|game| game.id).collect();
    let existing = answered.iter().filter(|(_, version)| version.is_some());
    assert!(
        existing.into_iter().all(|(id, _)| listed.contains(id)),
        "seed {seed}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_power_cut_loses_nothing_that_was_answered() {
    let given = std::env::var("GAMEKEEPER_SEED").ok();
    let given = given.and_then(|seed| seed.parse().ok());
    let first = given.unwrap_or_else(|| rand::rng().random_range(0..u64::from(u32::MAX)));
    let mut entries = 0;
    for seed in first..first + CUTS {
        let mut luck = SmallRng::seed_from_u64(seed);
        let directory = tempfile::tempdir().unwrap();
        let config = EmbeddedConfig {
            pack_after: Duration::ZERO,
            // Pages are also written before the commit.
            cache_bytes: [0, 64 * 1024, 1024 * 1024][luck.random_range(0..3)],
            ..EmbeddedConfig::new(directory.path())
        };
        let answered = Answered::default();
        let mut file = FileUnderTest::default();
        // The second cut starts from the file that the first one left.
        for _ in 0..2 {
            let store = Arc::new(on(&file, &config));
            let before = answered.lock().clone();
            check(&store, &before, seed).await;
            file.0.lock().left = Some(luck.random_range(1..600));
            let begin = luck.random_range(0..1 << 20);
            let players = (begin..begin + 8).map(|number| {
                let (store, file) = (Arc::clone(&store), file.clone());
                tokio::spawn(play(store, file, number, Arc::clone(&answered)))
            });
            futures_util::future::join_all(players).await;
            file = FileUnderTest::of(file.left(&mut luck));
        }
        let store = on(&file, &config);
        let answered = answered.lock().clone();
        check(&store, &answered, seed).await;
        entries += answered.values().flatten().sum::<Version>();
    }
    assert!(entries > 10 * CUTS, "hardly anything was answered");
}
