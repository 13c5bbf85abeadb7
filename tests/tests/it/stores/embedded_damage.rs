//! Damage to the file while no server runs is reported at the next start, or has no effect: no answer ever differs
//! silently.

use std::path::{Path, PathBuf};
use std::time::Duration;

use bytes::Bytes;
use gamekeeper_store::{
    Commit, Committed, Created, GameId, GameStore, Head, IndexRow, ListFilter, Lists, NewGame,
    StoreError, Version,
};
use gamekeeper_store_embedded::EmbeddedConfig;
use gamekeeper_tests::writing::{entry_bytes, new_game, next_commit};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use tempfile::TempDir;
use uuid::Uuid;

use super::embedded::{config_in, open_in, try_open};

/// The number of games, and the number of versions of each.
const GAMES: u128 = 24;
const LENGTH: Version = 40;

/// The size of a page, in bytes.
const PAGE: usize = 4_096;

/// The number of times that the file is damaged in each way.
const TRIALS: usize = 60;

fn games() -> impl Iterator<Item = GameId> {
    (1..=GAMES).map(Uuid::from_u128)
}

/// Builds the row of a game. Tenants, rulesets and named lists vary, and some games are over.
fn row_of(id: GameId, version: Version) -> IndexRow {
    let number = id.as_u128();
    IndexRow {
        tenant: format!("tenant {}", number % 3),
        ruleset: format!("ruleset {}", number % 2),
        finished: version == LENGTH && number.is_multiple_of(4),
        lists: Some(Lists {
            changed_ms: 1_790_000_000_000 + version,
            timed: Vec::new(),
            names: vec![format!("user {}", number % 5), "tagged".to_owned()],
        }),
        ..new_game(id).row
    }
}

/// Stores all games, one after another; the finished ones are packed.
async fn fill(directory: &Path) {
    let config = EmbeddedConfig {
        pack_after: Duration::ZERO,
        ..config_in(directory)
    };
    let store = try_open(config).await.unwrap();
    for id in games() {
        let game = NewGame {
            row: row_of(id, 1),
            access: Bytes::from(format!("access {id}")),
            ..new_game(id)
        };
        assert_eq!(store.create(game).await.unwrap(), Created::Done);
        for expected in 1..LENGTH {
            let next = Commit {
                row: Some(row_of(id, expected + 1)),
                ..next_commit(id, expected)
            };
            assert_eq!(store.commit(&next).await.unwrap(), Committed::Done);
        }
    }
    assert!(store.delete(Uuid::from_u128(GAMES)).await.unwrap());
    store.close().await.unwrap();
}

fn file_in(directory: &Path) -> PathBuf {
    directory.join("games/games.redb")
}

/// Returns all answers of the store: every game by every read, and every list.
async fn answers(store: &dyn GameStore) -> Vec<String> {
    let mut answers = Vec::new();
    for id in games() {
        let known_head = Head::of(LENGTH / 2, &entry_bytes(id, LENGTH / 2));
        answers.push(format!("{:?}", store.load(id, None).await));
        answers.push(format!("{:?}", store.load(id, Some(known_head)).await));
        answers.push(format!("{:?}", store.log(id, 0, usize::MAX).await));
    }
    for tenant in [None, Some("tenant 0"), Some("tenant 1"), Some("tenant 2")] {
        for ruleset in [None, Some("ruleset 0"), Some("ruleset 1")] {
            for finished in [None, Some(false), Some(true)] {
                for list in [None, Some("tagged"), Some("user 1"), Some("user 4")] {
                    let filter = ListFilter {
                        tenant: tenant.map(str::to_owned),
                        ruleset: ruleset.map(str::to_owned),
                        finished,
                        lists: list.into_iter().map(str::to_owned).collect(),
                        ..ListFilter::default()
                    };
                    let page = store.page(&filter, None, 100).await;
                    answers.push(format!("{filter:?}: {page:?}"));
                }
            }
        }
    }
    answers
}

/// The ways to damage a file.
#[derive(Clone, Copy, Debug)]
enum Damage {
    /// One bit is flipped.
    Flip,
    /// The file is truncated.
    Cut,
    /// A page is overwritten with zeros.
    Zero,
    /// A page has its earlier content: a write was lost.
    Stale,
    /// A page has the content of another page.
    Misplaced,
}

impl Damage {
    /// Damages a file, of which there is an earlier state. Returns a description of the damage.
    fn strike(self, file: &mut Vec<u8>, earlier: &[u8], luck: &mut SmallRng) -> String {
        let pages = file.len() / PAGE;
        let page = luck.random_range(0..pages);
        let at = page * PAGE;
        match self {
            Damage::Flip => {
                let at = luck.random_range(0..file.len());
                let bit = 1_u8 << luck.random_range(0..8);
                file[at] ^= bit;
                format!("{self:?} at {at}, bit {bit:#x}")
            }
            Damage::Cut => {
                let length = luck.random_range(0..file.len());
                file.truncate(length);
                format!("{self:?} to {length}")
            }
            Damage::Zero => {
                file[at..at + PAGE].fill(0);
                format!("{self:?} page {page}")
            }
            Damage::Stale => {
                let before = earlier.get(at..at + PAGE).unwrap_or(&[0; PAGE]);
                file[at..at + PAGE].copy_from_slice(before);
                format!("{self:?} page {page}")
            }
            Damage::Misplaced => {
                let from = luck.random_range(0..pages) * PAGE;
                file.copy_within(from..from + PAGE, at);
                format!("{self:?} page {page} from {}", from / PAGE)
            }
        }
    }
}

/// Damages a file repeatedly, and compares the answers with the truth. Returns how often damage was reported.
async fn try_damage(original: &[u8], earlier: &[u8], truth: &[String]) -> usize {
    let seed: u64 = gamekeeper_tests::chance::rng().random();
    let mut luck = SmallRng::seed_from_u64(seed);
    let mut reported = 0;
    for number in 0..TRIALS * 5 {
        let kinds = [
            Damage::Flip,
            Damage::Cut,
            Damage::Zero,
            Damage::Stale,
            Damage::Misplaced,
        ];
        let mut file = original.to_vec();
        let how = kinds[number % kinds.len()].strike(&mut file, earlier, &mut luck);
        let directory = TempDir::new().unwrap();
        std::fs::create_dir(directory.path().join("games")).unwrap();
        std::fs::write(directory.path().join("games/README.txt"), "").unwrap();
        std::fs::write(file_in(directory.path()), &file).unwrap();
        match try_open(config_in(directory.path())).await {
            Ok(store) => {
                let read = answers(&*store).await;
                let same = read
                    .iter()
                    .zip(truth)
                    .filter(|(answer, truth)| answer == truth);
                assert_eq!(same.count(), truth.len(), "seed {seed}: {how}");
            }
            Err(StoreError::Damaged(why)) => {
                assert!(why.contains("BACKUP.md"), "{why}");
                reported += 1;
            }
            Err(error) => panic!("seed {seed}: {how}: {error}"),
        }
    }
    reported
}

#[tokio::test(flavor = "multi_thread")]
async fn damage_is_found_out() {
    let directory = TempDir::new().unwrap();
    fill(directory.path()).await;
    let earlier = std::fs::read(file_in(directory.path())).unwrap();
    let store = open_in(directory.path()).await;
    let id = Uuid::from_u128(1);
    for expected in LENGTH..LENGTH + 9 {
        let next = Commit {
            row: Some(row_of(id, expected + 1)),
            ..next_commit(id, expected)
        };
        assert_eq!(store.commit(&next).await.unwrap(), Committed::Done);
    }
    let truth = answers(&*store).await;
    // The file as a kill leaves it, and as it is after the store was closed.
    let killed = std::fs::read(file_in(directory.path())).unwrap();
    store.close().await.unwrap();
    drop(store);
    let closed = std::fs::read(file_in(directory.path())).unwrap();
    for file in [closed, killed] {
        let reported = try_damage(&file, &earlier, &truth).await;
        assert!(reported > TRIALS, "only {reported} damages were found out");
    }
}
