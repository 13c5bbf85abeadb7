//! An embedded store whose files were cut, deleted or changed.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use gamekeeper_tests::writing::{new_game, next_commit};
use gamekeeperd::store::{
    Commit, Committed, Created, EmbeddedConfig, GameId, GameStore, IndexRow, StoreError, Version,
};
use tempfile::TempDir;
use tokio::time::{sleep, timeout};
use uuid::Uuid;

use super::embedded::{check_game, config_in, files_in, len_of_data, open_in, try_open};

/// The number of games, and the length of each.
const GAMES: u128 = 58;
const LENGTH: Version = 12;

fn games() -> impl Iterator<Item = GameId> {
    (1..=GAMES).map(Uuid::from_u128)
}

/// All games, one after another.
async fn fill(directory: &Path) {
    let store = open_in(directory).await;
    for id in games() {
        assert_eq!(store.create(new_game(id)).await.unwrap(), Created::Done);
        for expected in 1..LENGTH {
            let answer = store.commit(&next_commit(id, expected)).await.unwrap();
            assert_eq!(answer, Committed::Done);
        }
    }
    store.close().await.unwrap();
}

fn journals(directory: &Path) -> Vec<PathBuf> {
    let mut files = files_in(&directory.join("games"));
    files.retain(|file| file.extension().is_some_and(|extension| extension == "jnl"));
    files
}

fn is_damaged<A>(answer: &Result<A, StoreError>) -> bool {
    matches!(answer, Err(StoreError::Damaged(_)))
}

/// The games reported as damaged; all others are complete.
async fn damaged(store: &dyn GameStore) -> BTreeSet<GameId> {
    let mut damaged = BTreeSet::new();
    for id in games() {
        if is_damaged(&store.load(id, None).await) {
            assert!(is_damaged(&store.log(id, 0, 9).await), "{id}");
            let next = next_commit(id, LENGTH);
            assert!(is_damaged(&store.commit(&next).await), "{id}");
            assert!(is_damaged(&store.create(new_game(id)).await), "{id}");
            damaged.insert(id);
        } else {
            check_game(store, id, LENGTH).await;
        }
    }
    let capacity = store.capacity();
    assert_eq!(capacity.damaged_games, damaged.len() as u64);
    damaged
}

#[tokio::test]
async fn a_deleted_journal_is_reported_by_its_games() {
    let directory = TempDir::new().unwrap();
    fill(directory.path()).await;
    for journal in journals(directory.path()) {
        std::fs::remove_file(journal).unwrap();
    }
    let store = open_in(directory.path()).await;
    assert_eq!(damaged(&*store).await.len(), 58);
    // A damaged game is deleted and recreated: then it works like any other.
    let id = Uuid::from_u128(7);
    assert!(store.delete(id).await.unwrap());
    assert_eq!(store.load(id, None).await.unwrap(), None);
    assert_eq!(store.create(new_game(id)).await.unwrap(), Created::Done);
    let other = Uuid::from_u128(100);
    assert_eq!(store.create(new_game(other)).await.unwrap(), Created::Done);
    store.close().await.unwrap();
    drop(store);
    // A restart does not forget the damage.
    let store = open_in(directory.path()).await;
    check_game(&*store, id, 1).await;
    check_game(&*store, other, 1).await;
    assert_eq!(store.capacity().damaged_games, 57);
}

#[tokio::test]
async fn a_journal_that_was_cut_is_reported_by_the_games_behind_the_cut() {
    let directory = TempDir::new().unwrap();
    fill(directory.path()).await;
    let [journal] = &journals(directory.path())[..] else {
        panic!("more than one journal");
    };
    let mut file = File::options()
        .read(true)
        .write(true)
        .open(journal)
        .unwrap();
    let len = len_of_data(&mut file);
    file.set_len(len / 3).unwrap();
    let store = open_in(directory.path()).await;
    let damaged = damaged(&*store).await;
    assert!((37..=40).contains(&damaged.len()), "{}", damaged.len());
    assert!(damaged.contains(&Uuid::from_u128(GAMES)));
    assert!(!damaged.contains(&Uuid::from_u128(1)));
}

/// Whichever bit of the journal flips, one game is damaged, and all others continue.
#[tokio::test]
async fn a_flipped_bit_in_a_journal_stops_one_game() {
    let original = TempDir::new().unwrap();
    fill(original.path()).await;
    let journal = journals(original.path()).remove(0);
    let len = len_of_data(&mut File::open(&journal).unwrap());
    // The journal begins with the creation of the tables, before the first game.
    for place in 1..8 {
        let directory = TempDir::new().unwrap();
        super::embedded::copy_sparsely(original.path(), directory.path());
        let journal = journals(directory.path()).remove(0);
        let mut bytes = std::fs::read(&journal).unwrap();
        let at = usize::try_from(len * place / 8).unwrap();
        bytes[at] ^= 1 << (place % 8);
        std::fs::write(&journal, &bytes).unwrap();
        let store = open_in(directory.path()).await;
        let damaged = damaged(&*store).await;
        assert_eq!(damaged.len(), 1, "bit at {at}: {damaged:?}");
        let kept = directory.path().join("games/damaged");
        assert_eq!(kept.read_dir().unwrap().count(), 1);
        let others = games().filter(|id| !damaged.contains(id));
        for id in others.take(3) {
            let answer = store.commit(&next_commit(id, LENGTH)).await.unwrap();
            assert_eq!(answer, Committed::Done);
        }
    }
}

/// Whatever happens to a list of files, it is restored from its copy, and no game is affected.
#[tokio::test]
async fn a_changed_list_of_files_touches_no_game() {
    let directory = TempDir::new().unwrap();
    let often = EmbeddedConfig {
        table_bytes: 1_024,
        ..config_in(directory.path())
    };
    let store = try_open(often).await.unwrap();
    for id in games() {
        assert_eq!(store.create(new_game(id)).await.unwrap(), Created::Done);
        for expected in 1..LENGTH {
            let answer = store.commit(&next_commit(id, expected)).await.unwrap();
            assert_eq!(answer, Committed::Done);
        }
    }
    // What is flushed after the last answer is copied within a second or two.
    for _ in 0..30 {
        store.ping().await.unwrap();
        sleep(Duration::from_millis(100)).await;
    }
    store.close().await.unwrap();
    drop(store);
    let mut changed = 0;
    for file in files_in(&directory.path().join("games/keyspaces")) {
        let name = file.file_name().unwrap().to_str().unwrap();
        if name == "current"
            || name
                .strip_prefix('v')
                .is_some_and(|n| n.parse::<u64>().is_ok())
        {
            let mut bytes = std::fs::read(&file).unwrap();
            let end = bytes.len() - 1;
            bytes[0] ^= 1;
            bytes[end / 2] ^= 8;
            bytes[end] ^= 64;
            std::fs::write(&file, &bytes).unwrap();
            changed += 1;
        }
    }
    assert!(changed >= 18, "{changed}");
    let store = open_in(directory.path()).await;
    assert!(damaged(&*store).await.is_empty());
}

/// Without the register, the stored data counts as complete, as in a directory of an older build.
#[tokio::test]
async fn without_a_register_what_is_kept_counts() {
    let directory = TempDir::new().unwrap();
    fill(directory.path()).await;
    let register = directory.path().join("games/register");
    std::fs::remove_file(&register).unwrap();
    let store = open_in(directory.path()).await;
    assert!(damaged(&*store).await.is_empty());
    let id = Uuid::from_u128(3);
    let next = next_commit(id, LENGTH);
    assert_eq!(store.commit(&next).await.unwrap(), Committed::Done);
    store.close().await.unwrap();
    drop(store);
    for journal in journals(directory.path()) {
        std::fs::remove_file(journal).unwrap();
    }
    let store = open_in(directory.path()).await;
    assert!(is_damaged(&store.load(id, None).await));
}

/// An access record that is older than the last answer would accept replaced tokens again.
#[tokio::test]
async fn a_lost_access_record_is_reported() {
    let directory = TempDir::new().unwrap();
    let id = Uuid::from_u128(1);
    let store = open_in(directory.path()).await;
    assert_eq!(store.create(new_game(id)).await.unwrap(), Created::Done);
    let journal = journals(directory.path()).remove(0);
    let len = len_of_data(&mut File::open(&journal).unwrap());
    let set = store.set_access(id, Bytes::new(), Bytes::from("replaced"), None, None);
    assert!(set.await.unwrap());
    store.close().await.unwrap();
    drop(store);
    let file = File::options().write(true).open(&journal).unwrap();
    file.set_len(len).unwrap();
    let store = open_in(directory.path()).await;
    assert!(is_damaged(&store.load(id, None).await));
}

/// Ends a game that has this many versions.
async fn finish(store: &Arc<dyn GameStore>, id: GameId, version: Version) {
    let last = Commit {
        row: Some(IndexRow {
            finished: true,
            ..new_game(id).row
        }),
        ..next_commit(id, version)
    };
    assert_eq!(store.commit(&last).await.unwrap(), Committed::Done);
}

#[tokio::test]
async fn finished_games_have_a_time_of_their_own() {
    let directory = TempDir::new().unwrap();
    let keeping = |keep| EmbeddedConfig {
        keep_finished: keep,
        ..config_in(directory.path())
    };
    let store = try_open(keeping(None)).await.unwrap();
    let [before, over, going] = [1, 2, 3].map(Uuid::from_u128);
    for id in [before, over, going] {
        assert_eq!(store.create(new_game(id)).await.unwrap(), Created::Done);
    }
    finish(&store, before, 1).await;
    store.ping().await.unwrap();
    store.close().await.unwrap();
    drop(store);

    let store = try_open(keeping(Some(Duration::from_secs(1))))
        .await
        .unwrap();
    finish(&store, over, 1).await;
    check_game(&*store, over, 2).await;
    let gone = async {
        while store.load(over, None).await.unwrap().is_some()
            || store.load(before, None).await.unwrap().is_some()
        {
            store.ping().await.unwrap();
            sleep(Duration::from_millis(100)).await;
        }
    };
    timeout(Duration::from_secs(30), gone).await.unwrap();
    check_game(&*store, going, 1).await;
}
