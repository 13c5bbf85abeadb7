use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use bytes::Bytes;
use gamekeeper_store::conformance::StoreHandles;
use gamekeeper_store::{GameId, GameStore, ListFilter, StoreError, Version, conformance};
use gamekeeper_store_embedded::EmbeddedConfig;
use gamekeeper_tests::server::binary;
use gamekeeper_tests::writing::{entry_bytes, head, new_game, next_commit, snapshot_bytes};
use gamekeeperd::stores::{StoreConfig, open};
use rand::RngExt;
use tempfile::TempDir;
use uuid::Uuid;

use super::{created, grow};
use crate::faults::rounds;

pub(super) fn config_in(directory: &Path) -> EmbeddedConfig {
    EmbeddedConfig::new(directory.join("games"))
}

pub(super) async fn try_open(config: EmbeddedConfig) -> Result<Arc<dyn GameStore>, StoreError> {
    open(StoreConfig::Embedded(config)).await
}

pub(super) async fn open_in(directory: &Path) -> Arc<dyn GameStore> {
    try_open(config_in(directory)).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_embedded_store_keeps_the_contract() {
    let directory = TempDir::new().unwrap();
    conformance::run_all(&StoreHandles::single(open_in(directory.path()).await)).await;
}

/// Without a cache, every page is read from the disk.
#[tokio::test(flavor = "multi_thread")]
async fn the_embedded_store_keeps_the_contract_from_its_files() {
    let directory = TempDir::new().unwrap();
    let config = EmbeddedConfig {
        cache_bytes: 0,
        ..config_in(directory.path())
    };
    conformance::run_all(&StoreHandles::single(try_open(config).await.unwrap())).await;
}

#[tokio::test]
async fn a_directory_has_one_user() {
    let directory = TempDir::new().unwrap();
    let store = open_in(directory.path()).await;
    let why = refusal(try_open(config_in(directory.path())).await);
    assert!(why.contains("another process"), "{why}");
    drop(store);
    open_in(directory.path()).await.ping().await.unwrap();
}

/// The command reports that it has nothing to do, and does not need a store.
#[tokio::test]
async fn migrate_says_that_there_is_nothing_to_migrate() {
    let directory = TempDir::new().unwrap();
    let migrate = |flags: &[&str]| {
        let mut command = Command::new(binary("gamekeeperd"));
        let data = format!("--data-dir={}", directory.path().join("games").display());
        let ended = command
            .arg("migrate")
            .args(flags)
            .arg(data)
            .output()
            .unwrap();
        let output = [ended.stdout, ended.stderr].concat();
        (
            ended.status.success(),
            String::from_utf8_lossy(&output).into_owned(),
        )
    };
    let (is_done, output) = migrate(&["--dry-run"]);
    assert!(
        is_done && output.contains("there is no store yet"),
        "{output}"
    );
    assert!(!directory.path().join("games").exists());
    let store = open_in(directory.path()).await;
    let (is_done, output) = migrate(&[]);
    assert!(!is_done && output.contains("another process"), "{output}");
    drop(store);
    for flags in [vec!["--dry-run"], vec![]] {
        let (is_done, output) = migrate(&flags);
        assert!(is_done && output.contains("nothing to migrate"), "{output}");
    }
}

/// Returns the reason why a store cannot be opened with its configuration.
fn refusal(opened: Result<Arc<dyn GameStore>, StoreError>) -> String {
    match opened {
        Err(StoreError::Setup(why)) => why,
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("it opened"),
    }
}

#[tokio::test]
async fn a_place_that_cannot_be_written_is_reported() {
    let directory = TempDir::new().unwrap();
    File::create(directory.path().join("games")).unwrap();
    let why = refusal(try_open(config_in(directory.path())).await);
    assert!(why.contains("games: "), "{why}");
    // Nobody can create a directory there, not even root.
    let why = refusal(try_open(EmbeddedConfig::new("/proc/games")).await);
    assert!(why.contains("/proc/games: "), "{why}");
}

#[tokio::test]
async fn a_disk_without_room_changes_nothing_and_still_reads() {
    let directory = TempDir::new().unwrap();
    let store = open_in(directory.path()).await;
    let id = created(&*store).await;
    store.close().await.unwrap();
    drop(store);

    let config = EmbeddedConfig {
        reserve_bytes: u64::MAX,
        ..config_in(directory.path())
    };
    let store = try_open(config).await.unwrap();
    let is_full = |error| matches!(error, StoreError::Full(_));
    assert!(
        store
            .create(new_game(Uuid::now_v7()))
            .await
            .is_err_and(is_full)
    );
    assert!(store.commit(&next_commit(id, 1)).await.is_err_and(is_full));
    assert!(
        store
            .set_access(id, Bytes::new(), Bytes::from("a"), None, None)
            .await
            .is_err_and(is_full)
    );
    assert!(store.ping().await.is_err_and(is_full));
    check_game(&*store, id, 1).await;
    assert!(store.delete(id).await.unwrap(), "deleting makes room");
}

#[tokio::test]
async fn what_was_answered_is_there_after_opening_again() {
    let directory = TempDir::new().unwrap();
    let store = open_in(directory.path()).await;
    let (id, deleted) = (created(&*store).await, created(&*store).await);
    grow(&*store, id, 2..=40).await;
    assert!(
        store
            .set_access(id, Bytes::new(), Bytes::from("a"), None, None)
            .await
            .unwrap()
    );
    assert!(store.delete(deleted).await.unwrap());
    drop(store);

    let store = open_in(directory.path()).await;
    check_game(&*store, id, 40).await;
    assert_eq!(
        store
            .load(id, Some(head(id, 40)))
            .await
            .unwrap()
            .unwrap()
            .access,
        "a"
    );
    assert_eq!(store.load(deleted, None).await.unwrap(), None);
    let listed = store.list(&ListFilter::default(), None, 10).await.unwrap();
    assert_eq!(listed.iter().map(|game| game.id).collect::<Vec<_>>(), [id]);
    grow(&*store, id, 41..=41).await;
}

#[tokio::test]
async fn a_closed_store_is_unavailable() {
    let directory = TempDir::new().unwrap();
    let store = open_in(directory.path()).await;
    store.close().await.unwrap();
    let answer = store.create(new_game(Uuid::now_v7())).await;
    assert!(matches!(answer, Err(StoreError::Unavailable(_))));
}

/// The number of times that the writer is killed.
const KILLS: u32 = 25;

/// The number of times that the writer is killed in a long trial.
const MANY_KILLS: u32 = 100;

/// Everything that the writer reported before it was killed is stored, and the store opens without repair.
#[tokio::test(flavor = "multi_thread")]
async fn a_kill_loses_nothing_that_was_answered() {
    let directory = TempDir::new().unwrap();
    let mut answered = BTreeMap::new();
    let kills = rounds(KILLS, MANY_KILLS);
    for round in 0..kills {
        let answers = gamekeeper_tests::chance::rng().random_range(1..600);
        let acknowledged = tokio::task::block_in_place(|| killed_writer(directory.path(), answers));
        for (id, version) in acknowledged {
            let newest = answered.entry(id).or_insert(version);
            *newest = version.max(*newest);
        }
        let store = open_in(directory.path()).await;
        for (id, version) in &answered {
            check_game(&*store, *id, *version).await;
        }
        let listed = store
            .list(&ListFilter::default(), None, usize::MAX)
            .await
            .unwrap();
        let listed: Vec<GameId> = listed.iter().map(|game| game.id).collect();
        assert!(
            answered.keys().all(|id| listed.contains(id)),
            "round {round}"
        );
    }
    assert!(
        answered.values().sum::<u64>() > 100 * u64::from(kills),
        "the writer hardly ran"
    );
}

/// Runs a writer, kills it soon after this number of answers, and returns what it had reported.
fn killed_writer(directory: &Path, answers: usize) -> Vec<(GameId, Version)> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_store_writer"))
        .arg(directory.join("games"))
        .arg("16")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap())
        .lines()
        .map_while(Result::ok);
    let mut acknowledged: Vec<String> = lines.by_ref().take(answers).collect();
    assert_eq!(acknowledged.len(), answers, "the writer stopped by itself");
    child.kill().unwrap();
    child.wait().unwrap();
    acknowledged.extend(lines);
    let read = |line: &String| {
        let (id, version) = line.split_once(' ')?;
        Some((Uuid::try_parse(id).ok()?, version.parse().ok()?))
    };
    acknowledged.iter().filter_map(read).collect()
}

/// Checks that the game is complete, and reaches at least this version.
async fn check_game(store: &dyn GameStore, id: GameId, least: Version) {
    let log = store.log(id, 0, usize::MAX).await.unwrap().unwrap();
    assert!(
        log.len() as Version >= least,
        "{id}: {} of {least} entries",
        log.len()
    );
    for (entry, version) in log.iter().zip(1..) {
        assert_eq!(entry.version, version);
        assert_eq!(
            entry.bytes,
            entry_bytes(id, version),
            "entry {version} of {id}"
        );
    }
    let cold = store.load(id, None).await.unwrap().unwrap();
    let snapshot = cold.snapshot.unwrap();
    assert_eq!(snapshot.bytes, snapshot_bytes(id, snapshot.version));
    assert_eq!(cold.entries.last(), log.last());
}
