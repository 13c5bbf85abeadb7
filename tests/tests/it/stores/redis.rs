use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use gamekeeper_store::conformance::StoreHandles;
use gamekeeper_store::{
    Commit, Committed, Created, GameId, GameStore, Head, IndexRow, ListFilter, ListedGame, NewGame,
    StoreError, Version, conformance,
};
use gamekeeper_store_redis::{Eviction, RedisConfig, RedisTopology, ReplicaWait};
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::writing::{entry_bytes, head, new_game, next_commit};
use gamekeeperd::stores::{StoreConfig, open};
use tokio::time::{sleep, timeout};
use uuid::Uuid;

use super::{created, grow};

pub(super) fn config_of(server: &RedisServer) -> RedisConfig {
    RedisConfig::new(RedisTopology::Single {
        address: server.address(),
    })
}

pub(super) async fn try_open(config: RedisConfig) -> Result<Arc<dyn GameStore>, StoreError> {
    open(StoreConfig::Redis(config)).await
}

pub(super) async fn open_at(config: RedisConfig) -> Arc<dyn GameStore> {
    try_open(config).await.unwrap()
}

/// Opens a store that applies its retention time at once, and waits until it has. During this pass over the lists, it
/// removes old entries of games that are not stored; the games of these tests are created in the past.
pub(super) async fn open_settled(server: &RedisServer, config: RedisConfig) -> Arc<dyn GameStore> {
    let given = || server.ask::<Option<String>>(&["GET", "gk:terms:{terms}:given"]);
    let (before, config) = (
        given(),
        RedisConfig {
            settle: Duration::ZERO,
            ..config
        },
    );
    let store = open_at(config).await;
    let settling = async {
        while given() == before {
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(Duration::from_secs(30), settling)
        .await
        .expect("the retention time is applied");
    store
}

/// Checks that the log is complete and ends at exactly this version.
pub(super) async fn check_log(store: &dyn GameStore, id: GameId, newest: Version) {
    let log = store.log(id, 0, usize::MAX).await.unwrap().unwrap();
    let logged: Vec<_> = log
        .into_iter()
        .map(|entry| (entry.version, entry.bytes))
        .collect();
    let expected: Vec<_> = (1..=newest)
        .map(|version| (version, entry_bytes(id, version)))
        .collect();
    assert_eq!(logged, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_redis_store_keeps_the_contract() {
    let server = RedisServer::start(&RedisOptions::new());
    let one = open_at(config_of(&server)).await;
    let other = open_at(config_of(&server)).await;
    conformance::run_all(&StoreHandles { one, other }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_redis_store_keeps_the_contract_when_games_expire() {
    let server = RedisServer::start(&RedisOptions::new());
    let expiring = RedisConfig {
        expire_games: Some(Duration::from_secs(3_600)),
        ..config_of(&server)
    };
    let one = open_at(expiring.clone()).await;
    let other = open_at(expiring).await;
    conformance::run_all(&StoreHandles { one, other }).await;
}

#[tokio::test]
async fn an_evicting_redis_is_refused_unless_allowed() {
    let server = RedisServer::start(&RedisOptions::new().set("maxmemory-policy", "allkeys-lru"));
    match try_open(config_of(&server)).await {
        Err(StoreError::Setup(why)) => assert!(why.contains("allkeys-lru"), "{why}"),
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("it opened"),
    }
    let allowing = RedisConfig {
        eviction: Eviction::Allow,
        ..config_of(&server)
    };
    open_at(allowing).await.ping().await.unwrap();
}

#[tokio::test]
async fn an_absent_redis_is_unavailable() {
    let mut server = RedisServer::start(&RedisOptions::new());
    let config = config_of(&server);
    server.kill();
    assert!(matches!(
        try_open(config).await,
        Err(StoreError::Unavailable(_))
    ));
}

#[tokio::test]
async fn a_game_expires_some_time_after_its_last_entry() {
    let server = RedisServer::start(&RedisOptions::new());
    let config = RedisConfig {
        expire_games: Some(Duration::from_secs(4)),
        ..config_of(&server)
    };
    let store = open_at(config).await;
    let id = created(&*store).await;
    assert!(
        store
            .set_access(id, Bytes::new(), Bytes::from("a"), None, None)
            .await
            .unwrap()
    );
    // Each entry comes well before the expiry, and the last one long after the first expiry time.
    for version in 2..=5 {
        sleep(Duration::from_millis(1_200)).await;
        grow(&*store, id, version..=version).await;
    }
    assert_eq!(store.load(id, None).await.unwrap().unwrap().access, "a");
    let gone = async {
        while store.load(id, None).await.unwrap().is_some() {
            sleep(Duration::from_millis(100)).await;
        }
    };
    timeout(Duration::from_secs(30), gone).await.unwrap();
    assert_eq!(
        store.commit(&next_commit(id, 5)).await.unwrap(),
        Committed::Missing
    );
    assert_eq!(
        store.list(&ListFilter::default(), None, 10).await.unwrap(),
        []
    );
    let left: Vec<String> = server.ask(&["KEYS", &format!("gk:{{{id}}}*")]);
    assert_eq!(
        left,
        Vec::<String>::new(),
        "the row and the access record go with the log"
    );
}

#[tokio::test]
async fn games_that_do_not_expire_stay_forever() {
    let server = RedisServer::start(&RedisOptions::new());
    let store = open_at(config_of(&server)).await;
    let id = created(&*store).await;
    grow(&*store, id, 2..=20).await;
    let mut keys: Vec<String> = server.ask(&["KEYS", "*"]);
    // The keys of the game, the lists that contain it, and the bytes of its tenant. Feeds expire on their own.
    keys.retain(|key| key.starts_with("gk:{") && !key.ends_with(":feed"));
    assert_eq!(keys.len(), 12, "{keys:?}");
    for key in keys {
        assert_eq!(server.ask::<i64>(&["PTTL", &key]), -1, "{key}");
    }
}

#[tokio::test]
async fn a_full_redis_refuses_and_changes_nothing() {
    let server = RedisServer::start(&RedisOptions::new());
    let store = open_at(config_of(&server)).await;
    let id = created(&*store).await;
    let _: String = server.ask(&["CONFIG", "SET", "maxmemory", "1mb"]);
    let is_full = |error| matches!(error, StoreError::Full(_));
    assert!(store.commit(&next_commit(id, 1)).await.is_err_and(is_full));
    assert!(
        store
            .create(new_game(Uuid::now_v7()))
            .await
            .is_err_and(is_full)
    );
    check_log(&*store, id, 1).await;
    let _: String = server.ask(&["CONFIG", "SET", "maxmemory", "0"]);
    grow(&*store, id, 2..=3).await;
    check_log(&*store, id, 3).await;
}

#[tokio::test]
async fn forgotten_scripts_are_sent_again() {
    let server = RedisServer::start(&RedisOptions::new());
    let store = open_at(config_of(&server)).await;
    let id = created(&*store).await;
    for version in 2..=4 {
        let _: String = server.ask(&["SCRIPT", "FLUSH"]);
        grow(&*store, id, version..=version).await;
    }
    check_log(&*store, id, 4).await;
}

/// Answered changes survive a kill if Redis writes before it answers. The store reconnects by itself, and watchers
/// wake.
#[tokio::test(flavor = "multi_thread")]
async fn a_redis_that_comes_back_is_used_again() {
    let mut server = RedisServer::start(&RedisOptions::new().with_append_only_file());
    let store = open_at(config_of(&server)).await;
    let other = open_at(config_of(&server)).await;
    let id = created(&*store).await;
    grow(&*store, id, 2..=20).await;
    let mut watcher = store.watch(id).await.unwrap();
    watcher.borrow_and_update();

    server.kill();
    let answer = store.commit(&next_commit(id, 20)).await;
    assert!(
        matches!(
            answer,
            Err(StoreError::Unavailable(_) | StoreError::OutcomeUnknown(_))
        ),
        "{answer:?}"
    );
    assert!(store.load(id, None).await.is_err());
    assert!(store.ping().await.is_err());
    server.start_again();

    let back = async {
        while store.ping().await.is_err() || other.ping().await.is_err() {
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(Duration::from_secs(30), back).await.unwrap();
    check_log(&*store, id, 20).await;
    timeout(Duration::from_secs(30), watcher.changed())
        .await
        .unwrap()
        .unwrap();
    grow(&*other, id, 21..=22).await;
    let heard = watcher.wait_for(|heard| *heard >= 22);
    timeout(Duration::from_secs(30), heard)
        .await
        .unwrap()
        .unwrap();
}

/// A commit without an answer may have been made; after a retry it is made exactly once.
#[tokio::test(flavor = "multi_thread")]
async fn an_unanswered_commit_can_be_sent_again() {
    let server = RedisServer::start(&RedisOptions::new());
    let hasty = RedisConfig {
        response_timeout: Duration::from_secs(2),
        ..config_of(&server)
    };
    let store = open_at(hasty).await;
    let id = created(&*store).await;
    grow(&*store, id, 2..=3).await;
    server.pause();
    let answer = store.commit(&next_commit(id, 3)).await;
    assert!(
        matches!(answer, Err(StoreError::OutcomeUnknown(_))),
        "{answer:?}"
    );
    server.resume();
    grow(&*store, id, 4..=6).await;
    check_log(&*store, id, 6).await;
}

/// If Redis has lost an answered entry and another one took its place, nothing is appended to the lost one, and a
/// process that had cached it learns of the other one.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_built_on_an_entry_that_was_lost() {
    let server = RedisServer::start(&RedisOptions::new());
    let one = open_at(config_of(&server)).await;
    let other = open_at(config_of(&server)).await;
    let id = created(&*one).await;
    grow(&*one, id, 2..=6).await;
    let log = format!("gk:{{{id}}}:log");
    let saved: Vec<u8> = server.ask(&["DUMP", &log]);
    grow(&*one, id, 7..=7).await;
    assert_eq!(
        one.load(id, Some(head(id, 7)))
            .await
            .unwrap()
            .unwrap()
            .entries,
        []
    );

    // As after a restart, the last entry is missing, and another process is the first to continue. In a cluster or
    // behind a proxy, this can happen without a broken connection.
    server.ask_bytes::<String>(&[b"RESTORE", log.as_bytes(), b"0", &saved, b"REPLACE"]);
    let rival = Commit {
        entry: Bytes::from("another"),
        ..next_commit(id, 6)
    };
    assert_eq!(other.commit(&rival.clone()).await.unwrap(), Committed::Done);

    let newer = vec![];
    let answer = one.commit(&next_commit(id, 7)).await.unwrap();
    assert_eq!(
        answer,
        Committed::Conflict { newer },
        "it was judged on what was lost"
    );
    let loaded = one.load(id, Some(head(id, 7))).await.unwrap().unwrap();
    assert!(
        loaded.snapshot.is_some(),
        "what was known does not hold any more"
    );
    assert_eq!(loaded.entries[6].bytes, rival.entry);
    // The commit is refused even if the log has grown past the entry, and even in a task that started before the
    // reload.
    let onward = |version, before: &Bytes| Commit {
        expected: Head::of(version, before),
        ..next_commit(id, version)
    };
    let next = onward(7, &rival.entry);
    assert_eq!(other.commit(&next.clone()).await.unwrap(), Committed::Done);
    for version in [7, 8] {
        let stale = onward(version, &Bytes::from("what was lost"));
        let newer = vec![];
        assert_eq!(
            one.commit(&stale).await.unwrap(),
            Committed::Conflict { newer }
        );
    }
    let next = onward(8, &next.entry);
    assert_eq!(one.commit(&next).await.unwrap(), Committed::Done);
    assert_eq!(one.log(id, 0, 100).await.unwrap().unwrap().len(), 9);
}

/// With a wait for replicas, an answer means that they have the change and everything that the answer shows.
#[tokio::test(flavor = "multi_thread")]
async fn a_commit_can_wait_for_replicas() {
    let server = RedisServer::start(&RedisOptions::new());
    let replica = RedisServer::start(
        &RedisOptions::new().set("replicaof", &server.address().replace(':', " ")),
    );
    let wait = ReplicaWait {
        replicas: 1,
        timeout: Duration::from_secs(1),
    };
    let config = RedisConfig {
        wait: Some(wait),
        ..config_of(&server)
    };
    let store = open_at(config.clone()).await;
    let waits = |error| matches!(error, StoreError::OutcomeUnknown(_));

    // Nothing is acknowledged until the replica is in sync.
    let id = Uuid::now_v7();
    let begun = async {
        while store.create(new_game(id)).await.is_err_and(waits) {
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(Duration::from_secs(30), begun).await.unwrap();
    let log = format!("gk:{{{id}}}:log");
    for version in 2..=50 {
        grow(&*store, id, version..=version).await;
        assert_eq!(replica.ask::<Version>(&["XLEN", &log]), version);
    }
    let other = open_at(config).await;
    replica.pause();
    assert!(store.commit(&next_commit(id, 50)).await.is_err_and(waits));
    // It is neither returned nor confirmed on a connection that wrote nothing.
    let is_unknown = |error| matches!(error, StoreError::Unavailable(_));
    assert!(other.commit(&next_commit(id, 50)).await.is_err_and(waits));
    assert!(other.load(id, None).await.is_err_and(is_unknown));
    let known_head = Some(head(id, 50));
    assert!(other.load(id, known_head).await.is_err_and(is_unknown));
    assert!(other.log(id, 50, 10).await.is_err_and(is_unknown));
    replica.resume();
    let caught_up = async { while store.commit(&next_commit(id, 50)).await.is_err_and(waits) {} };
    timeout(Duration::from_secs(30), caught_up).await.unwrap();
    grow(&*store, id, 52..=52).await;
    check_log(&*store, id, 52).await;
    conformance::run_all(&StoreHandles { one: store, other }).await;
}

/// A primary that is configured to require replicas, and has none, changes nothing and reports it at once.
#[tokio::test]
async fn a_primary_without_its_replicas_changes_nothing() {
    let server = RedisServer::start(&RedisOptions::new());
    let store = open_at(config_of(&server)).await;
    let id = created(&*store).await;
    let wants = |replicas: &str| {
        server.ask::<String>(&["CONFIG", "SET", "min-replicas-to-write", replicas]);
    };
    wants("1");
    let refuses = |error| matches!(error, StoreError::Unavailable(_));
    assert!(store.commit(&next_commit(id, 1)).await.is_err_and(refuses));
    let another = new_game(Uuid::now_v7());
    assert!(store.create(another).await.is_err_and(refuses));
    check_log(&*store, id, 1).await;
    wants("0");
    grow(&*store, id, 2..=3).await;
    check_log(&*store, id, 3).await;
}

/// The lists become **eventually consistent** with the games, without any call.
#[tokio::test(flavor = "multi_thread")]
async fn lists_mend_themselves() {
    let server = RedisServer::start(&RedisOptions::new());
    let store = open_at(config_of(&server)).await;
    let id = created(&*store).await;
    let list = async || store.list(&ListFilter::default(), None, 10).await.unwrap();
    let game = ListedGame {
        id,
        row: new_game(id).row,
    };
    assert_eq!(list().await, std::slice::from_ref(&game));

    let lists: Vec<String> = server.ask(&["KEYS", "gk:{lists*}:games"]);
    for list in lists {
        let _: i64 = server.ask(&["DEL", &list]);
    }
    assert_eq!(list().await, []);
    store.load(id, None).await.unwrap();
    let mended = async {
        while list().await.is_empty() {
            sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(Duration::from_secs(30), mended).await.unwrap();
    assert_eq!(list().await, [game]);

    // The index entry of a lost game is removed when the list is read if it is old, and kept if it is recent.
    let young_ms = 32_000_000_000_000;
    let young = IndexRow {
        created_ms: young_ms,
        ..new_game(id).row
    };
    let young = NewGame {
        row: young,
        ..new_game(Uuid::now_v7())
    };
    assert_eq!(store.create(young.clone()).await.unwrap(), Created::Done);
    for lost in [id, young.id] {
        let key = format!("gk:{{{lost}}}");
        let _: i64 = server.ask(&["DEL", &format!("{key}:log"), &format!("{key}:row")]);
    }
    assert_eq!(server.ask::<i64>(&["ZCARD", "gk:{lists}:games"]), 2);
    assert_eq!(list().await, []);
    assert_eq!(server.ask::<i64>(&["ZCARD", "gk:{lists}:games"]), 1);
}
