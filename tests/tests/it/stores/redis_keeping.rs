//! **Retention**: how long Redis stores games, and the refusal of a Redis that evicts keys.

use std::time::Duration;

use gamekeeper_store::{GameId, StoreError};
use gamekeeper_store_redis::{Eviction, RedisConfig};
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::waiting::until;
use gamekeeper_tests::writing::{new_game, next_commit};
use tokio::time::sleep;
use uuid::Uuid;

use super::redis::{check_log, config_of, open_at, open_settled};
use super::{created, finish, grow};

const NOW: Duration = Duration::ZERO;

fn expiring(server: &RedisServer, after: Duration) -> RedisConfig {
    RedisConfig {
        expire_games: Some(after),
        settle: NOW,
        ..config_of(server)
    }
}

fn lasting(server: &RedisServer) -> RedisConfig {
    RedisConfig {
        settle: NOW,
        ..config_of(server)
    }
}

/// Returns the time to live of a game's keys, as Redis reports it: -1 for no limit, -2 for no such key.
fn times(server: &RedisServer, id: GameId) -> [i64; 3] {
    ["log", "snapshot", "row"].map(|key| server.ask(&["PTTL", &format!("gk:{{{id}}}:{key}")]))
}

#[tokio::test(flavor = "multi_thread")]
async fn expiry_that_is_taken_away_loses_no_game() {
    let server = RedisServer::start(&RedisOptions::new());
    let before = open_settled(&server, expiring(&server, Duration::from_secs(20))).await;
    let (played, idle) = (created(&*before).await, created(&*before).await);
    grow(&*before, played, 2..=4).await;
    assert!(times(&server, played).iter().all(|time| *time > 0));
    before.close().await.unwrap();
    drop(before);

    let after = open_at(lasting(&server)).await;
    grow(&*after, played, 5..=7).await;
    assert_eq!(times(&server, played), [-1; 3]);
    until("the game that nobody plays lasts", async || {
        times(&server, idle) == [-1; 3]
    })
    .await;
    assert_eq!(times(&server, played), [-1; 3]);
    check_log(&*after, played, 7).await;
    check_log(&*after, idle, 1).await;
}

/// The longest setting among the running processes applies.
#[tokio::test(flavor = "multi_thread")]
async fn of_different_settings_the_longest_holds() {
    let server = RedisServer::start(&RedisOptions::new());
    let lasting = open_settled(&server, lasting(&server)).await;
    let hasty = open_at(expiring(&server, Duration::from_millis(500))).await;
    let id = created(&*hasty).await;
    for version in 2..=7 {
        let store = if version % 2 == 0 { &hasty } else { &lasting };
        grow(&**store, id, version..=version).await;
        assert_eq!(times(&server, id), [-1; 3]);
    }
    sleep(Duration::from_secs(1)).await;
    check_log(&*hasty, id, 7).await;

    lasting.close().await.unwrap();
    until("the game follows the setting that is left", async || {
        hasty.load(id, None).await.unwrap().is_none()
    })
    .await;
}

/// A process of another build may announce a setting that this build cannot parse.
#[tokio::test(flavor = "multi_thread")]
async fn a_setting_that_cannot_be_read_counts_as_no_limit() {
    const WANTED: &str = "gk:terms:{terms}:wanted";
    const UNKNOWN: &str = "500 soon somebody";
    let server = RedisServer::start(&RedisOptions::new());
    let _new: i64 = server.ask(&["ZADD", WANTED, "4102444800000", UNKNOWN]);
    let store = open_settled(&server, expiring(&server, Duration::from_secs(600))).await;
    let id = created(&*store).await;
    grow(&*store, id, 2..=3).await;
    assert_eq!(times(&server, id), [-1; 3]);
    let _gone: i64 = server.ask(&["ZREM", WANTED, UNKNOWN]);
    until("the game has its time", async || {
        times(&server, id).iter().all(|time| *time > 500_000)
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn expiry_that_is_given_reaches_games_that_nobody_plays() {
    let server = RedisServer::start(&RedisOptions::new());
    let before = open_settled(&server, lasting(&server)).await;
    let id = created(&*before).await;
    before.close().await.unwrap();
    let _after = open_at(expiring(&server, Duration::from_secs(600))).await;
    until("the game has its time", async || {
        times(&server, id).iter().all(|time| *time > 500_000)
    })
    .await;
}

/// A commit renews the retention time of the whole game, but never to a time in the past.
#[tokio::test(flavor = "multi_thread")]
async fn a_game_keeps_its_time_after_every_action() {
    const TIME: i64 = 640_000;
    /// Maximum time between setting and checking, and for a process to set the retention time of all games.
    const SLOW: i64 = 30_000;
    let server = RedisServer::start(&RedisOptions::new());
    let store = open_settled(&server, expiring(&server, Duration::from_secs(640))).await;
    let id = created(&*store).await;
    let is_new = || {
        let times = times(&server, id);
        times
            .iter()
            .all(|time| (TIME - SLOW..=TIME + TIME / 64).contains(time))
    };
    for version in 2..=5 {
        grow(&*store, id, version..=version).await;
        assert!(is_new(), "{:?}", times(&server, id));
    }
    for other in [TIME / 2, TIME - 2 * SLOW, TIME + 2 * SLOW, 10 * TIME] {
        for key in ["log", "snapshot", "row"] {
            let key = format!("gk:{{{id}}}:{key}");
            let _: i64 = server.ask(&["PEXPIRE", &key, &other.to_string()]);
        }
        let version = store.load(id, None).await.unwrap().unwrap();
        let version = version.entries.last().unwrap().version + 1;
        grow(&*store, id, version..=version).await;
        assert!(is_new(), "{other}: {:?}", times(&server, id));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn finished_games_have_a_time_of_their_own() {
    let server = RedisServer::start(&RedisOptions::new());
    let store = open_settled(&server, lasting(&server)).await;
    let old = created(&*store).await;
    finish(&*store, old, 1).await;
    store.close().await.unwrap();
    let config = RedisConfig {
        expire_finished: Some(Duration::from_secs(60)),
        ..lasting(&server)
    };
    let store = open_at(config).await;
    let (over, going) = (created(&*store).await, created(&*store).await);
    finish(&*store, over, 1).await;
    grow(&*store, going, 2..=3).await;
    let is_short = |id| {
        times(&server, id)
            .iter()
            .all(|time| (1..=61_000).contains(time))
    };
    assert!(is_short(over));
    until("a game that was over before", async || is_short(old)).await;
    assert_eq!(times(&server, going), [-1; 3]);
}

/// Entries of expired games leave the lists even if nobody reads the lists.
#[tokio::test(flavor = "multi_thread")]
async fn lists_are_rid_of_expired_games() {
    let server = RedisServer::start(&RedisOptions::new());
    let store = open_settled(&server, expiring(&server, Duration::from_millis(300))).await;
    for _ in 0..5 {
        created(&*store).await;
    }
    sleep(Duration::from_millis(400)).await;
    let lists = || server.ask::<Vec<String>>(&["KEYS", "gk:{lists*}:*"]);
    // The bytes that a tenant stores stand beside its lists.
    assert_eq!(lists().len(), 7);
    let _: i64 = server.ask(&["DEL", "gk:tidied"]);
    until("the lists are empty", async || lists().is_empty()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_that_is_set_to_evict_takes_no_changes() {
    let server = RedisServer::start(&RedisOptions::new());
    let store = open_at(config_of(&server)).await;
    let allowing = RedisConfig {
        eviction: Eviction::Allow,
        ..config_of(&server)
    };
    let allowing = open_at(allowing).await;
    let id = created(&*store).await;
    let set = |policy: &str| server.ask::<String>(&["CONFIG", "SET", "maxmemory-policy", policy]);
    set("allkeys-lru");
    until("it is seen", async || store.ping().await.is_err()).await;
    let refused =
        |answer| matches!(answer, StoreError::Unavailable(why) if why.contains("allkeys-lru"));
    assert!(store.ping().await.is_err_and(refused));
    assert!(store.commit(&next_commit(id, 1)).await.is_err_and(refused));
    let another = new_game(Uuid::now_v7());
    assert!(store.create(another).await.is_err_and(refused));
    check_log(&*store, id, 1).await;
    grow(&*allowing, id, 2..=2).await;
    allowing.ping().await.unwrap();
    set("noeviction");
    until("it is seen again", async || store.ping().await.is_ok()).await;
    grow(&*store, id, 3..=3).await;
}
