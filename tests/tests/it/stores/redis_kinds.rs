//! The lists of games by status and ruleset, while processes of an older build share the Redis: those do not
//! keep them.

use std::time::Duration;

use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::writing::{new_game, next_commit};
use gamekeeperd::store::{
    Commit, Committed, Created, GameId, GameStore, IndexRow, ListFilter, NewGame,
};
use redis::Value;
use tokio::time::{sleep, timeout};
use uuid::Uuid;

use super::redis::{config_of, created, open_at};

const WANTED: &str = "gk:terms:{terms}:wanted";
const SINCE: &str = "gk:terms:{terms}:kinds";
const WHOLE: &str = "gk:terms:{terms}:whole";

/// What a process of an older build says.
const OLDER: &str = "0 0 019ab000-0000-7000-8000-000000000000";

/// Later than any time of this century, as a score.
const NEVER: &str = "4102444800000";

/// A process of an older build comes, or goes.
fn older(server: &RedisServer, is_there: bool) {
    let words: &[&str] = if is_there {
        &["ZADD", WANTED, NEVER, OLDER]
    } else {
        &["ZREM", WANTED, OLDER]
    };
    let _changed: i64 = server.ask(words);
}

/// Takes all games out of the lists of kinds: those of older builds were never there.
fn unsort(server: &RedisServer) {
    let keys: Vec<String> = server.ask(&["KEYS", "gk:{kinds*"]);
    for key in keys {
        let _gone: i64 = server.ask(&["DEL", &key]);
    }
}

fn are_whole(server: &RedisServer) -> bool {
    let [since, whole] = [SINCE, WHOLE].map(|key| server.ask::<Value>(&["GET", key]));
    since != Value::Nil && since == whole
}

async fn until(what: &str, is_so: impl Fn() -> bool) {
    let waiting = async {
        while !is_so() {
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(Duration::from_secs(30), waiting).await.expect(what);
}

async fn listed(
    store: &dyn GameStore,
    finished: bool,
    tenant: Option<&str>,
    ruleset: Option<&str>,
) -> Vec<GameId> {
    let filter = ListFilter {
        tenant: tenant.map(str::to_owned),
        ruleset: ruleset.map(str::to_owned),
        finished: Some(finished),
        ..ListFilter::default()
    };
    let games = store.list(&filter, None, 100).await.unwrap();
    games.into_iter().map(|game| game.id).collect()
}

/// Every list of the status has this game alone.
async fn check(store: &dyn GameStore, finished: bool, id: GameId) {
    for tenant in [None, Some("writer")] {
        for ruleset in [None, Some("dominion")] {
            let found = listed(store, finished, tenant, ruleset).await;
            assert_eq!(found, [id], "{tenant:?} {ruleset:?}");
            let other = listed(store, !finished, tenant, ruleset).await;
            assert!(other.is_empty(), "{tenant:?} {ruleset:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_of_an_older_build_is_never_missing() {
    let server = RedisServer::start(&RedisOptions::new());
    let store = open_at(config_of(&server)).await;
    until("an empty Redis is whole", || are_whole(&server)).await;
    // The process knows.
    sleep(Duration::from_secs(3)).await;

    older(&server, true);
    let id = created(&*store).await;
    unsort(&server);
    check(&*store, false, id).await;
    until("it is noticed", || !are_whole(&server)).await;
    check(&*store, false, id).await;

    older(&server, false);
    until("all games are put there", || are_whole(&server)).await;
    sleep(Duration::from_secs(3)).await;
    check(&*store, false, id).await;
    let kept: i64 = server.ask(&["ZCARD", "gk:{kinds}:active dominion"]);
    assert_eq!(kept, 1);

    // A game that ends elsewhere is not in the lists of its end.
    older(&server, true);
    let row = IndexRow {
        finished: true,
        ..new_game(id).row
    };
    let last = Commit {
        row: Some(row),
        ..next_commit(id, 1)
    };
    assert_eq!(store.commit(&last).await.unwrap(), Committed::Done);
    sleep(Duration::from_millis(500)).await;
    unsort(&server);
    check(&*store, true, id).await;
    until("it is noticed again", || !are_whole(&server)).await;
    older(&server, false);
    until("all games are put there again", || are_whole(&server)).await;
    sleep(Duration::from_secs(3)).await;
    check(&*store, true, id).await;
    let kept: i64 = server.ask(&["ZCARD", "gk:{kinds}:over dominion"]);
    assert_eq!(kept, 1);
}

/// Whoever was alone and comes back cannot know what happened in between.
#[tokio::test(flavor = "multi_thread")]
async fn what_nobody_watched_is_looked_through_again() {
    let server = RedisServer::start(&RedisOptions::new());
    let store = open_at(config_of(&server)).await;
    until("an empty Redis is whole", || are_whole(&server)).await;
    store.close().await.unwrap();
    drop(store);
    // Another build had it meanwhile.
    let other = open_at(config_of(&server)).await;
    let id = created(&*other).await;
    other.close().await.unwrap();
    drop(other);
    unsort(&server);
    let store = open_at(config_of(&server)).await;
    check(&*store, false, id).await;
    until("all games are put there", || are_whole(&server)).await;
    sleep(Duration::from_secs(3)).await;
    check(&*store, false, id).await;
    let kept: i64 = server.ask(&["ZCARD", "gk:{kinds}:active dominion"]);
    assert_eq!(kept, 1);
}

/// Places of games that are gone leave the lists of kinds with those of all games.
#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_is_gone_leaves_no_place() {
    let server = RedisServer::start(&RedisOptions::new());
    let store = open_at(config_of(&server)).await;
    let id = created(&*store).await;
    let other = NewGame {
        id: Uuid::now_v7(),
        ..new_game(id)
    };
    assert_eq!(store.create(other.clone()).await.unwrap(), Created::Done);
    for key in ["log", "snapshot", "row"] {
        let _gone: i64 = server.ask(&["DEL", &format!("gk:{{{id}}}:{key}")]);
    }
    assert_eq!(listed(&*store, false, None, None).await, [other.id]);
    for list in ["gk:games", "gk:{kinds}:active dominion"] {
        let kept: i64 = server.ask(&["ZCARD", list]);
        assert_eq!(kept, 1, "{list}");
    }
    assert!(store.delete(other.id).await.unwrap());
    let keys: Vec<String> = server.ask(&["KEYS", "gk:{kinds*:*"]);
    // The stale place of the tenant is found when its list is read.
    let found = listed(&*store, false, Some("writer"), None).await;
    assert!(found.is_empty(), "{found:?}");
    let left: Vec<String> = server.ask(&["KEYS", "gk:{kinds*:*"]);
    assert!(keys.len() == 1 && left.is_empty(), "{keys:?} {left:?}");
}
