//! A Redis that lost its data: nothing is changed in it, and no game is reported as missing.

use std::time::Duration;

use bytes::Bytes;
use gamekeeper_store::{GameId, GameStore, ListFilter, StoreError};
use gamekeeper_store_redis::RedisStore;
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::writing::{head, new_game, next_commit};
use tokio::time::{sleep, timeout};
use uuid::Uuid;

use super::redis::{check_log, config_of, open_at, try_open};
use super::{created, grow};

/// Checks that every call reports that Redis has lost its data.
async fn says_so(store: &dyn GameStore, id: GameId) {
    let is_lost = |error| matches!(error, StoreError::Unavailable(why) if why.contains("lost"));
    let another = new_game(Uuid::now_v7());
    assert!(store.create(another).await.is_err_and(is_lost));
    assert!(store.commit(&next_commit(id, 3)).await.is_err_and(is_lost));
    for known_head in [None, Some(head(id, 3))] {
        assert!(store.load(id, known_head).await.is_err_and(is_lost));
    }
    assert!(store.log(id, 0, 9).await.is_err_and(is_lost));
    let all = ListFilter::default();
    assert!(store.list(&all, None, 9).await.is_err_and(is_lost));
    let access = || Bytes::from("access");
    let changed = store.set_access(id, Bytes::new(), access(), None, None);
    assert!(changed.await.is_err_and(is_lost));
    assert!(store.delete(id).await.is_err_and(is_lost));
    assert!(store.ping().await.is_err_and(is_lost));
}

/// The loss is noticed at once, not only by the next periodic check.
#[tokio::test(flavor = "multi_thread")]
async fn an_emptied_redis_takes_nothing_from_the_first_moment() {
    let server = RedisServer::start(&RedisOptions::new());
    let store = open_at(config_of(&server)).await;
    let other = open_at(config_of(&server)).await;
    let id = created(&*store).await;
    grow(&*store, id, 2..=3).await;
    for store in [&store, &other] {
        let missing = Uuid::now_v7();
        assert_eq!(store.load(missing, None).await.unwrap(), None);
        assert_eq!(store.log(missing, 0, 9).await.unwrap(), None);
    }
    let _: String = server.ask(&["FLUSHALL"]);
    says_so(&*store, id).await;
    says_so(&*other, id).await;
    assert_eq!(server.ask::<i64>(&["DBSIZE"]), 0);

    // One restarted server continues without the data; the other one has to be restarted too.
    let anew = open_at(config_of(&server)).await;
    let new = created(&*anew).await;
    anew.ping().await.unwrap();
    assert_eq!(anew.load(id, None).await.unwrap(), None);
    says_so(&*store, id).await;
    sleep(Duration::from_secs(3)).await;
    says_so(&*store, id).await;
    check_log(&*anew, new, 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_that_comes_back_without_its_data_takes_nothing_until_it_is_restored() {
    let mut server = RedisServer::start(&RedisOptions::new());
    let store = open_at(config_of(&server)).await;
    let id = created(&*store).await;
    grow(&*store, id, 2..=3).await;
    let keys: Vec<String> = server.ask(&["KEYS", "*"]);
    // A key whose time ends between the two commands is gone.
    let saved = keys.into_iter().filter_map(|key| {
        let value: Option<Vec<u8>> = server.ask(&["DUMP", &key]);
        Some((key, value?))
    });
    let saved: Vec<_> = saved.collect();
    server.kill();
    server.start_again();
    // The first calls may hit the broken connection.
    let back = async {
        while !store.load(id, None).await.is_err_and(
            |error| matches!(error, StoreError::Unavailable(why) if why.contains("lost")),
        ) {
            sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(Duration::from_secs(30), back).await.unwrap();
    says_so(&*store, id).await;

    for (key, value) in saved {
        server.ask_bytes::<String>(&[b"RESTORE", key.as_bytes(), b"0", &value, b"REPLACE"]);
    }
    let healthy = async {
        while store.ping().await.is_err() {
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(Duration::from_secs(30), healthy).await.unwrap();
    check_log(&*store, id, 3).await;
    grow(&*store, id, 4..=4).await;
}

/// Servers that start at the same moment agree on the epoch.
#[tokio::test(flavor = "multi_thread")]
async fn stores_that_open_together_share_an_empty_redis() {
    let server = RedisServer::start(&RedisOptions::new());
    let stores = (0..8).map(|_| open_at(config_of(&server)));
    let stores = futures_util::future::join_all(stores).await;
    for store in &stores {
        created(&**store).await;
    }
}

/// A layout is changed only by a command, and servers with different layouts never share a Redis.
#[tokio::test(flavor = "multi_thread")]
async fn a_redis_of_another_layout_is_left_alone() {
    let server = RedisServer::start(&RedisOptions::new());
    let layout = async || {
        RedisStore::storage_format(&config_of(&server))
            .await
            .unwrap()
    };
    assert_eq!(layout().await.stored, None);
    assert_eq!(server.ask::<i64>(&["DBSIZE"]), 0);
    let store = open_at(config_of(&server)).await;
    let id = created(&*store).await;
    let supported = layout().await.supported;
    assert_eq!(layout().await.stored, Some(supported));
    let another = (supported + 1).to_string();
    let _: String = server.ask(&["SET", "gk:epoch", &format!("{another} of another build")]);
    match try_open(config_of(&server)).await {
        Err(StoreError::Setup(why)) => {
            assert!(
                why.contains(&another) && why.contains("gamekeeperd migrate"),
                "{why}"
            );
        }
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("it opened"),
    }
    assert_eq!(layout().await.stored, Some(supported + 1));
    assert!(store.commit(&next_commit(id, 1)).await.is_err());
}
