//! Games in Redis whose row is damaged or missing, although their log is complete.

use std::time::Duration;

use gamekeeper_store::{Created, GameId, GameStore, ListFilter, Lists, NewGame, StoreError};
use gamekeeper_store_redis::RedisConfig;
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::writing::new_game;
use redis::Value;
use tokio::time::{sleep, timeout};
use uuid::Uuid;

use super::redis::{check_log, config_of, open_at, open_settled};

/// The contents that may replace a row: no key, a text that is no row, or a row of an unknown format.
const DAMAGES: [Option<&str>; 3] = [None, Some("nonsense"), Some("\u{9}\u{1}of another time")];

/// A time long ago, so that stale index entries are removed at once.
const LONG_AGO: u64 = 1_600_000_000_000;

/// Creates a game in a named list, and returns its id.
async fn listed(store: &dyn GameStore) -> GameId {
    let mut game = NewGame {
        tenant_limit: Some(5),
        ..new_game(Uuid::now_v7())
    };
    game.row.created_ms = LONG_AGO;
    game.row.lists = Some(Lists {
        changed_ms: LONG_AGO,
        timed: Vec::new(),
        names: vec!["u:Ada".into()],
    });
    assert_eq!(store.create(game.clone()).await.unwrap(), Created::Done);
    game.id
}

fn key(id: GameId, part: &str) -> String {
    format!("gk:{{{id}}}:{part}")
}

/// Replaces the row of a game, and returns the previous one.
fn spoil(server: &RedisServer, id: GameId, damage: Option<&str>) -> Vec<u8> {
    let row = key(id, "row");
    let before: Vec<u8> = server.ask(&["GET", &row]);
    let _done: Value = match damage {
        Some(damage) => server.ask(&["SET", &row, damage]),
        None => server.ask(&["DEL", &row]),
    };
    before
}

/// Returns filters for every kind of list that contains games.
fn filters() -> Vec<ListFilter> {
    let tenant = || Some(String::from("writer"));
    let of_tenant = ListFilter {
        tenant: tenant(),
        ..ListFilter::default()
    };
    let active = ListFilter {
        finished: Some(false),
        ..ListFilter::default()
    };
    let of_ruleset = ListFilter {
        ruleset: Some("dominion".into()),
        ..active.clone()
    };
    let [active_of_tenant, rare] = [&active, &of_ruleset].map(|of_all| ListFilter {
        tenant: tenant(),
        ..of_all.clone()
    });
    let named = ListFilter {
        lists: vec!["u:Ada".into()],
        ..of_tenant.clone()
    };
    let of_all = [ListFilter::default(), active, of_ruleset];
    let of_tenant = [of_tenant, active_of_tenant, rare, named];
    of_all.into_iter().chain(of_tenant).collect()
}

/// Checks that every list has these games and no others.
async fn check(store: &dyn GameStore, expected: &[GameId]) {
    for filter in filters() {
        let games = store.list(&filter, None, 100).await.unwrap();
        let mut listed_ids: Vec<_> = games.into_iter().map(|game| game.id).collect();
        listed_ids.sort_unstable();
        assert_eq!(listed_ids, expected, "{filter:?}");
    }
}

/// Counts the entries of all lists.
fn index_size(server: &RedisServer) -> i64 {
    let lists = lists(server, "gk:{lists*}:*").into_iter();
    lists.map(|list| server.ask::<i64>(&["ZCARD", &list])).sum()
}

/// Returns the keys of this pattern, without those of the bytes that tenants store, which stand beside their lists.
fn lists(server: &RedisServer, pattern: &str) -> Vec<String> {
    let mut keys: Vec<String> = server.ask(&["KEYS", pattern]);
    keys.retain(|key| !key.ends_with(":bytes"));
    keys
}

/// Makes a process sweep the lists now, and waits until it has.
async fn swept(server: &RedisServer) {
    // An entry of a game that does not exist, in the list that the sweep visits last.
    let nobody = Uuid::nil();
    let named: Vec<String> = server.ask(&["KEYS", "gk:{lists of *}:list:*"]);
    let [list] = &named[..] else {
        panic!("{named:?}");
    };
    let list = list.as_bytes();
    let _added: i64 = server.ask_bytes(&[b"ZADD", list, b"0", nobody.as_bytes()]);
    let _gone: i64 = server.ask(&["DEL", "gk:tidied"]);
    let is_there =
        || server.ask_bytes::<Value>(&[b"ZSCORE", list, nobody.as_bytes()]) != Value::Nil;
    let gone = async {
        while is_there() {
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(Duration::from_secs(30), gone)
        .await
        .expect("a sweep");
}

/// Neither a read of a list nor the hourly sweep removes a game that only lacks its row.
#[tokio::test(flavor = "multi_thread")]
async fn a_game_without_a_readable_row_keeps_its_places() {
    let server = RedisServer::start(&RedisOptions::new());
    let store = open_at(config_of(&server)).await;
    let mut games = Vec::new();
    for _ in 0..4 {
        games.push(listed(&*store).await);
    }
    let whole = index_size(&server);
    let spoiled = games.iter().zip(DAMAGES);
    let rows: Vec<_> = spoiled
        .map(|(id, damage)| (*id, spoil(&server, *id, damage)))
        .collect();
    check(&*store, &games[3..]).await;
    swept(&server).await;
    check(&*store, &games[3..]).await;
    assert_eq!(index_size(&server), whole);
    for (id, row) in &rows {
        let row_key = key(*id, "row");
        let _done: Value = server.ask_bytes(&[b"SET", row_key.as_bytes(), row]);
    }
    check(&*store, &games).await;
    for id in games {
        check_log(&*store, id, 1).await;
    }
}

/// Members that no build wrote hide no game, however many they are, and no sweep gets stuck behind them.
#[tokio::test(flavor = "multi_thread")]
async fn members_that_are_not_places_are_skipped() {
    let server = RedisServer::start(&RedisOptions::new());
    let store = open_at(config_of(&server)).await;
    let games = [listed(&*store).await, listed(&*store).await];
    let keys = ["gk:tenants", "gk:{lists*"];
    let keys = keys.map(|pattern| lists(&server, pattern));
    for list in keys.concat() {
        add_foreign(&server, &list, 1_000);
    }
    check(&*store, &games).await;
    let whole = index_size(&server);
    swept(&server).await;
    check(&*store, &games).await;
    assert_eq!(index_size(&server), whole);
    // There are more of them than one page examines.
    add_foreign(&server, "gk:{lists}:games", 5_000);
    for limit in [1, 10, 98, 1_000] {
        let page = store.page(&ListFilter::default(), None, limit).await;
        assert!(matches!(page, Err(StoreError::Damaged(_))), "{page:?}");
    }
}

/// Adds members to a list that are read before those of any game.
fn add_foreign(server: &RedisServer, list: &str, count: usize) {
    let is_sorted_by_time = list.starts_with("gk:{lists") && !list.ends_with('}');
    let score: &[u8] = if is_sorted_by_time {
        b"1900000000000"
    } else {
        b"0"
    };
    let member = |number: usize| [b"\xf0 foreign ", number.to_string().as_bytes()].concat();
    let members: Vec<Vec<u8>> = (0..count).map(member).collect();
    let members = members.iter().flat_map(|member| [score, member]);
    let words: Vec<&[u8]> = [b"ZADD", list.as_bytes()]
        .into_iter()
        .chain(members)
        .collect();
    let _added: i64 = server.ask_bytes(&words);
}

/// Operators learn of such games from the log, even if nobody reads a list.
#[tokio::test(flavor = "multi_thread")]
async fn a_sweep_names_the_games_that_it_leaves_out() {
    let redis = RedisServer::start(&RedisOptions::new());
    let store = open_at(config_of(&redis)).await;
    let mut games = Vec::new();
    for damage in DAMAGES {
        let id = listed(&*store).await;
        spoil(&redis, id, damage);
        games.push(id.to_string());
    }
    let whole = listed(&*store).await.to_string();
    store.close().await.unwrap();
    drop(store);
    let at = format!("--redis={}", redis.address());
    let server = Gamekeeperd::start(&["--store=redis", &at]);
    swept(&redis).await;
    let log = server.log();
    let names = |id: &String| log.iter().any(|line| line.contains(id));
    assert!(games.iter().all(names) && !names(&whole), "{log:#?}");
    // The entry that marks the end of the sweep is one of a game, although the game does not exist.
    let foreign = |line: &String| line.contains("members that are not games");
    assert!(!log.iter().any(foreign), "{log:#?}");
}

/// A deleted game leaves the lists whatever its row said, and its tenant gets the quota back.
#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_game_leaves_the_lists_whatever_its_row_said() {
    let server = RedisServer::start(&RedisOptions::new());
    let store = open_at(config_of(&server)).await;
    for damage in DAMAGES {
        for _ in 0..5 {
            let id = listed(&*store).await;
            spoil(&server, id, damage);
            assert!(store.delete(id).await.unwrap());
        }
        check(&*store, &[]).await;
        assert_eq!(index_size(&server), 0, "{damage:?}");
    }
}

/// The longest retention time applies to a game that may or may not be over.
#[tokio::test(flavor = "multi_thread")]
async fn a_game_without_a_readable_row_is_kept_as_long_as_any() {
    let server = RedisServer::start(&RedisOptions::new());
    let config = |after| RedisConfig {
        expire_games: after,
        settle: Duration::ZERO,
        ..config_of(&server)
    };
    let store = open_settled(&server, config(Some(Duration::from_secs(60)))).await;
    let mut games = Vec::new();
    for damage in DAMAGES {
        let id = listed(&*store).await;
        spoil(&server, id, damage);
        games.push(id);
    }
    let times = || -> Vec<i64> {
        let of = |id: &GameId| ["log", "snapshot"].map(|part| key(*id, part));
        let keys = games.iter().flat_map(of);
        keys.map(|key| server.ask(&["PTTL", &key])).collect()
    };
    assert!(times().iter().all(|time| *time > 0));
    store.close().await.unwrap();
    drop(store);
    let _store = open_at(config(None)).await;
    let lasting = async {
        while times().iter().any(|time| *time != -1) {
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(Duration::from_secs(30), lasting).await.unwrap();
}
