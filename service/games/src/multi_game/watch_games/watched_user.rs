//! The games of a user, read from the index.

use std::collections::HashSet;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_store::{ChangeReceiver, GameId, ListFilter};

use super::request::MAX_GAMES;
use crate::authz::{Caller, Role};
use crate::errors::ServiceError;
use crate::index::index_keys::{status_key, user_key, user_topic};
use crate::metadata::check_user;
use crate::registry::Registry;
use crate::requests::page::MAX_PAGE;

/// A user whose games are followed.
pub(super) struct WatchedUser {
    pub(super) tenant: String,
    pub(super) name: String,
    pub(super) wake_ups: ChangeReceiver,
}

impl Registry {
    /// Subscribes to the user whose games a request names. Returns `None` if it names no user.
    pub(super) async fn resolve_user(
        &self,
        caller: &Caller,
        call: &pb::WatchGamesRequest,
    ) -> Result<Option<WatchedUser>, ServiceError> {
        if call.user.is_empty() {
            return Ok(None);
        }
        check_user(&call.user, "user")?;
        let tenant = match &caller.role {
            Role::AuthDisabled => String::new(),
            Role::Tenant(tenant) => tenant.clone(),
            Role::User { tenant, user, .. } if *user == call.user => tenant.clone(),
            Role::User { .. } => {
                return Err(ServiceError::PermissionDenied(
                    "users follow their own games",
                ));
            }
            Role::Operator | Role::Seat { .. } | Role::Spectator { .. } => {
                return Err(ServiceError::PermissionDenied(
                    "only tenants and users follow the games of a user",
                ));
            }
        };
        let name = call.user.clone();
        let topic = user_topic(&tenant, &name);
        // Subscribe before the first read, so that no change is missed.
        let wake_ups = self.shared().store.watch(topic).await?;
        Ok(Some(WatchedUser {
            tenant,
            name,
            wake_ups,
        }))
    }

    /// Returns the active games of a user.
    pub(super) async fn active_games(
        &self,
        tenant: String,
        user: &str,
    ) -> Result<HashSet<GameId>, ServiceError> {
        let filter = ListFilter {
            tenant: Some(tenant),
            lists: vec![status_key(&user_key(user), false)],
            finished: Some(false),
            ..ListFilter::default()
        };
        let (mut active, mut after) = (HashSet::new(), None);
        loop {
            let store = &self.shared().store;
            let page = store.page(&filter, after, MAX_PAGE).await?;
            active.extend(page.games.into_iter().map(|game| game.id));
            if active.len() > MAX_GAMES {
                return Err(ServiceError::LimitReached {
                    limit: "watched_games",
                    what: format!("this user has more than {MAX_GAMES} active games"),
                });
            }
            after = page.next;
            if after.is_none() {
                return Ok(active);
            }
        }
    }

    /// Returns those of these games at which the user has no seat. The other games are over or deleted, which their own
    /// changes report.
    pub(super) async fn games_without_user(
        &self,
        caller: &Caller,
        user: &str,
        games: Vec<GameId>,
    ) -> Result<Vec<GameId>, ServiceError> {
        let mut gone = Vec::new();
        for id in games {
            match self.game_info(caller, id).await {
                Ok(info) if info.players.iter().all(|player| player.user != user) => {
                    gone.push(id);
                }
                Ok(_) => {}
                // The changes of the game itself report this.
                Err(problem) if problem.is_game_scoped() => {}
                Err(problem) => return Err(problem),
            }
        }
        Ok(gone)
    }

    async fn game_info(&self, caller: &Caller, id: GameId) -> Result<pb::GameInfo, ServiceError> {
        let (service, _) = self.resolve_game(caller, &id.to_string()).await?;
        service.info(caller, id).await
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use gamekeeper_rules::dominion::Dominion;
    use gamekeeper_store::{IndexRow, Lists, NewGame};
    use uuid::Uuid;

    use super::*;
    use crate::test_server::{TestServer, shared, store};

    #[tokio::test]
    async fn a_user_may_have_a_thousand_active_games() {
        let shared = shared(store());
        let registry = Registry::empty(std::sync::Arc::clone(&shared));
        for number in 1..=1_001 {
            let row = IndexRow {
                tenant: String::from("red"),
                ruleset: String::from("dominion"),
                created_ms: 7,
                finished: false,
                lists: Some(Lists {
                    changed_ms: 7,
                    names: vec![status_key(&user_key("ada"), false)],
                    timed: Vec::new(),
                }),
            };
            let game = NewGame {
                id: Uuid::from_u128(number),
                row,
                entry: Bytes::from_static(b"entry"),
                history: Vec::new(),
                snapshot: Bytes::from_static(b"snapshot"),
                access: Bytes::new(),
                tenant_limit: None,
                tenant_bytes: None,
            };
            shared.store.create(game).await.unwrap();
            if number == 1_000 {
                let all = registry.active_games("red".to_owned(), "ada").await;
                assert_eq!(all.unwrap().len(), 1_000);
            }
        }
        let many = registry.active_games("red".to_owned(), "ada").await;
        let limit = "watched_games";
        assert!(matches!(many, Err(ServiceError::LimitReached { limit: l, .. }) if l == limit));
    }

    #[tokio::test]
    async fn a_game_is_without_those_who_have_no_seat() {
        let process = TestServer::<Dominion>::new(&store());
        let caller = Caller::new(Role::Tenant(String::from("red")));
        let game = process.create_with_users(&caller, &["ada", "bob"]).await;
        let shared = std::sync::Arc::clone(&process.games.context);
        let registry = Registry::empty(shared).with_ruleset::<Dominion>();
        let id = Uuid::try_parse(&game.game_id).unwrap();
        for (user, expected) in [("ada", vec![]), ("bob", vec![]), ("eve", vec![id])] {
            let gone = Uuid::from_u128(1);
            let without = registry
                .games_without_user(&caller, user, vec![id, gone])
                .await;
            assert_eq!(without.unwrap(), expected, "{user}");
        }
    }
}
