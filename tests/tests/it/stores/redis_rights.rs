//! A Redis whose user lacks a permission: a server does not start, a running one is not ready, and no call leaves half
//! of a change behind.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use gamekeeper_store::{
    Commit, Committed, Created, GameId, GameStore, IndexRow, Lists, StoreError,
};
use gamekeeper_store_redis::{RedisConfig, RedisPassword};
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::writing::{new_game, next_commit};
use tokio::time::{sleep, timeout};
use uuid::Uuid;

use super::redis::{config_of, open_at, try_open};
use super::redis_secured::acl_user;

/// A Redis with the user that the page tells operators to create.
struct Guarded {
    redis: RedisServer,
}

impl Guarded {
    fn start() -> Guarded {
        let redis = RedisServer::start(&RedisOptions::new());
        let guarded = Guarded { redis };
        guarded.set(acl_user());
        guarded
    }

    /// Changes the permissions of the user.
    fn set(&self, rules: &str) {
        let name = rules.split(' ').next().unwrap();
        assert_eq!(name, "gamekeeper");
        self.redis.set_user(rules);
    }

    fn config(&self) -> RedisConfig {
        RedisConfig {
            username: Some("gamekeeper".into()),
            password: Some(RedisPassword::Value("open-sesame".into())),
            ..config_of(&self.redis)
        }
    }

    /// Returns the log, the row and the access record of a game.
    fn of_game(&self, id: GameId) -> [Vec<u8>; 3] {
        ["log", "row", "access"].map(|part| {
            let key = format!("gk:{{{id}}}:{part}");
            let dump: Option<Vec<u8>> = self.redis.ask(&["DUMP", &key]);
            dump.unwrap_or_default()
        })
    }
}

/// Returns the commands that the page lists.
fn commands() -> impl Iterator<Item = &'static str> {
    acl_user()
        .split(' ')
        .filter_map(|word| word.strip_prefix('+'))
}

#[tokio::test]
async fn each_right_that_is_missing_is_named_at_the_start() {
    let guarded = Guarded::start();
    drop(open_at(guarded.config()).await);
    for command in commands() {
        guarded.set(&format!("gamekeeper -{command}"));
        match try_open(guarded.config()).await {
            Err(StoreError::Setup(why)) => {
                assert!(why.contains(&format!("+{command}")), "{command}: {why}");
            }
            Err(error) => panic!("{command}: {error}"),
            Ok(_) => panic!("it opens without +{command}"),
        }
        guarded.set(&format!("gamekeeper +{command}"));
    }
    for (rules, named) in [
        ("gamekeeper resetkeys ~gk:{*", "gk:tenants"),
        ("gamekeeper resetkeys %R~gk:* ~gk:tenants", "+xadd on gk:"),
        ("gamekeeper ~gk:* resetchannels", "+publish on gk:"),
    ] {
        guarded.set(rules);
        match try_open(guarded.config()).await {
            Err(StoreError::Setup(why)) => assert!(why.contains(named), "{rules}: {why}"),
            Err(error) => panic!("{rules}: {error}"),
            Ok(_) => panic!("it opens with {rules}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_right_that_is_taken_away_is_seen() {
    let guarded = Guarded::start();
    let store = open_at(guarded.config()).await;
    let until = async |is_so: &dyn Fn(&Result<(), StoreError>) -> bool| {
        let waiting = async {
            while !is_so(&store.ping().await) {
                sleep(Duration::from_millis(20)).await;
            }
        };
        timeout(Duration::from_secs(30), waiting).await.unwrap();
    };
    for command in ["xadd", "eval", "zadd", "publish", "set", "subscribe"] {
        guarded.set(&format!("gamekeeper -{command}"));
        let named = format!("+{command}");
        until(&|ping| matches!(ping, Err(StoreError::Unavailable(why)) if why.contains(&named)))
            .await;
        guarded.set(&format!("gamekeeper +{command}"));
        until(&Result::is_ok).await;
    }
}

/// A change of one game, which can be retried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    Create,
    End,
    SetAccess,
    Delete,
}

impl Change {
    async fn make(self, store: &Arc<dyn GameStore>, id: GameId) -> Result<bool, StoreError> {
        let game = new_game(id);
        match self {
            Change::Create => {
                let created = store.create(game).await?;
                Ok(created == Created::Done)
            }
            Change::End => {
                let row = IndexRow {
                    finished: true,
                    ..game.row
                };
                let end = Commit {
                    snapshot: Some(Bytes::from("the end")),
                    row: Some(row),
                    ..next_commit(id, 1)
                };
                Ok(store.commit(&end).await? == Committed::Done)
            }
            Change::SetAccess => {
                let lists = Lists {
                    changed_ms: 9,
                    timed: Vec::new(),
                    names: vec!["mine".into()],
                };
                let row = IndexRow {
                    lists: Some(lists),
                    ..game.row
                };
                let access = Bytes::from("access");
                store
                    .set_access(id, Bytes::new(), access, None, Some(row))
                    .await
            }
            Change::Delete => store.delete(id).await,
        }
    }
}

/// An error means that nothing or everything was changed, as it says, and a retry completes the change.
#[tokio::test(flavor = "multi_thread")]
async fn no_right_that_is_missing_leaves_half_of_a_change() {
    let guarded = Guarded::start();
    let store = open_at(guarded.config()).await;
    let changes = [
        Change::Create,
        Change::End,
        Change::SetAccess,
        Change::Delete,
    ];
    for change in changes {
        let id = Uuid::now_v7();
        if change != Change::Create {
            assert!(Change::Create.make(&store, id).await.unwrap());
        }
        let before = guarded.of_game(id);
        assert!(change.make(&store, id).await.unwrap());
        let after = guarded.of_game(id);
        assert_ne!(before, after);
        for command in commands().filter(|command| !["ping", "info"].contains(command)) {
            settled(&store).await;
            let _: i64 = guarded.redis.ask(&["DEL", &format!("gk:{{{id}}}:log")]);
            let others = ["snapshot", "row", "access"];
            for part in others {
                let _: i64 = guarded.redis.ask(&["DEL", &format!("gk:{{{id}}}:{part}")]);
            }
            if change != Change::Create {
                assert!(Change::Create.make(&store, id).await.unwrap());
            }
            assert_eq!(guarded.of_game(id), before);
            guarded.set(&format!("gamekeeper -{command}"));
            let answer = change.make(&store, id).await;
            guarded.set(&format!("gamekeeper +{command}"));
            let now = guarded.of_game(id);
            let what = format!("{change:?} without +{command}: {answer:?}");
            match answer {
                Ok(is_done) => assert!(is_done && now == after, "{what}"),
                Err(StoreError::OutcomeUnknown(_)) => {
                    assert!(now == before || now == after, "{what}");
                }
                Err(_) => assert_eq!(now, before, "{what}"),
            }
            settled(&store).await;
            if change != Change::Delete {
                let is_done = change.make(&store, id).await.unwrap();
                // If the record already equals the new one, another process may have written it.
                let is_late = change == Change::SetAccess && now == after;
                assert_eq!(is_done, !is_late, "{what}");
                assert_eq!(guarded.of_game(id), after, "{what}");
            }
        }
    }
}

/// Waits until a check that saw the missing permission was followed by a successful one.
async fn settled(store: &Arc<dyn GameStore>) {
    let healthy = async {
        while store.ping().await.is_err() {
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(Duration::from_secs(30), healthy).await.unwrap();
}
