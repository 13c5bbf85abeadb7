//! The lists of games by status and ruleset.

use gamekeeper_store::{Created, GameId, GameStore, IndexRow, ListFilter, NewGame};
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::writing::new_game;
use uuid::Uuid;

use super::redis::{config_of, open_at};
use super::{created, finish};

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

/// Checks that every list of the status contains this game alone.
async fn check(store: &dyn GameStore, finished: bool, id: GameId) {
    for tenant in [None, Some("writer")] {
        for ruleset in [None, Some("dominion")] {
            let listed_ids = listed(store, finished, tenant, ruleset).await;
            assert_eq!(listed_ids, [id], "{tenant:?} {ruleset:?}");
            let other = listed(store, !finished, tenant, ruleset).await;
            assert!(other.is_empty(), "{tenant:?} {ruleset:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_ends_changes_its_lists() {
    let server = RedisServer::start(&RedisOptions::new());
    let store = open_at(config_of(&server)).await;
    let id = created(&*store).await;
    check(&*store, false, id).await;
    finish(&*store, id, 1).await;
    check(&*store, true, id).await;
}

/// A repeated creation that is refused later moves no index entry.
#[tokio::test(flavor = "multi_thread")]
async fn a_refused_creation_leaves_the_places_of_the_game() {
    let server = RedisServer::start(&RedisOptions::new());
    let store = open_at(config_of(&server)).await;
    let id = created(&*store).await;
    let game = new_game(id);
    let later = NewGame {
        row: IndexRow {
            created_ms: game.row.created_ms + 60_000,
            finished: true,
            ..game.row.clone()
        },
        entry: b"another game".as_slice().into(),
        ..game
    };
    assert_eq!(store.create(later).await.unwrap(), Created::Exists);
    check(&*store, false, id).await;
}

/// Entries of games that are gone leave the lists by status and ruleset together with those of all games.
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
    let all = store.list(&ListFilter::default(), None, 100).await.unwrap();
    assert_eq!(all.len(), 1);
    for ruleset in [None, Some("dominion")] {
        assert_eq!(listed(&*store, false, None, ruleset).await, [other.id]);
    }
    for list in ["gk:{lists}:games", "gk:{lists}:active dominion"] {
        let count: i64 = server.ask(&["ZCARD", list]);
        assert_eq!(count, 1, "{list}");
    }
    assert!(store.delete(other.id).await.unwrap());
    // Stale entries of the tenant are found when its lists are read.
    for ruleset in [None, Some("dominion")] {
        let listed_ids = listed(&*store, false, Some("writer"), ruleset).await;
        assert!(listed_ids.is_empty(), "{listed_ids:?}");
    }
    let left: Vec<String> = server.ask(&["KEYS", "gk:{lists*:active*"]);
    assert!(left.is_empty(), "{left:?}");
}
