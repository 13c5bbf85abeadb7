//! Data in Redis that differs from what was stored.

use bytes::Bytes;
use gamekeeper_store::StoreError;
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::writing::next_commit;

use super::redis::{config_of, open_at};
use super::{created, grow};

/// Impossible data is reported, and affects nothing else.
#[tokio::test]
async fn damage_is_reported() {
    let server = RedisServer::start(&RedisOptions::new());
    let store = open_at(config_of(&server)).await;
    let damaged = async |words: &[&str]| {
        let id = created(&*store).await;
        grow(&*store, id, 2..=20).await;
        let key = format!("gk:{{{id}}}:");
        let words: Vec<String> = words.iter().map(|word| word.replace("gk:", &key)).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let _: redis::Value = server.ask(&words);
        let error = match store.load(id, None).await {
            Ok(_) => store.commit(&next_commit(id, 19)).await.err(),
            Err(error) => Some(error),
        };
        assert!(
            matches!(error, Some(StoreError::Damaged(_))),
            "{words:?}: {error:?}"
        );
    };
    damaged(&["SET", "gk:snapshot", "21:from the future"]).await;
    let loses = |version| {
        let number = format!("redis.call('XRANGE', KEYS[1], {version}, {version})[1][1]");
        format!("return redis.call('XDEL', KEYS[1], {number})")
    };
    damaged(&["EVAL", &loses(7), "1", "gk:log"]).await;
    damaged(&["EVAL", &loses(20), "1", "gk:log"]).await;
    let changes = "redis.call('DEL', KEYS[1]) return redis.call('XADD', KEYS[1], '1-5', 'e', 'x')";
    damaged(&["EVAL", changes, "1", "gk:log"]).await;
    damaged(&["SET", "gk:log", "not a stream"]).await;
    let renames = "local all = redis.call('XRANGE', KEYS[1], '-', '+') redis.call('DEL', KEYS[1]) \
        for i, entry in ipairs(all) do local name = i == 7 and 'z' or 'e' \
        redis.call('XADD', KEYS[1], entry[1], name, entry[2][2]) end return 1";
    damaged(&["EVAL", renames, "1", "gk:log"]).await;
}

/// A gap in a log is reported when the game is loaded, however far back it is.
#[tokio::test]
async fn a_gap_in_a_long_log_is_reported_at_load() {
    let server = RedisServer::start(&RedisOptions::new());
    let store = open_at(config_of(&server)).await;
    let id = created(&*store).await;
    grow(&*store, id, 2..=200).await;
    store.load(id, None).await.unwrap();
    let number: Vec<Vec<redis::Value>> =
        server.ask(&["XRANGE", &format!("gk:{{{id}}}:log"), "7", "7"]);
    let number: String = redis::from_redis_value(number[0][0].clone()).unwrap();
    let _: i64 = server.ask(&["XDEL", &format!("gk:{{{id}}}:log"), &number]);
    let loaded = store.load(id, None).await;
    assert!(matches!(loaded, Err(StoreError::Damaged(_))), "{loaded:?}");
}

/// A snapshot is only a shortcut: without it, the log is replayed.
#[tokio::test]
async fn a_snapshot_that_is_missing_or_damaged_comes_empty() {
    let server = RedisServer::start(&RedisOptions::new());
    let store = open_at(config_of(&server)).await;
    for damage in [vec!["DEL"], vec!["SET", "no version"]] {
        let id = created(&*store).await;
        grow(&*store, id, 2..=100).await;
        let key = format!("gk:{{{id}}}:snapshot");
        let mut words = vec![damage[0], key.as_str()];
        words.extend(&damage[1..]);
        let _: redis::Value = server.ask(&words);
        let loaded = store.load(id, None).await.unwrap().unwrap();
        let snapshot = loaded.snapshot.unwrap();
        assert_eq!((snapshot.version, snapshot.bytes), (100, Bytes::new()));
        assert_eq!(loaded.entries.len(), 64);
        assert_eq!(loaded.entries.last().unwrap().version, 100);
    }
}
