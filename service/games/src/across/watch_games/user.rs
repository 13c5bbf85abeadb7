//! The games of a user, read from the index.

use std::collections::HashSet;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_store::{GameId, ListFilter, WakeUps};

use super::request::MAX_GAMES;
use crate::heart::access::{Caller, Role, check_user};
use crate::heart::page::MAX_PAGE;
use crate::heart::problem::Problem;
use crate::heart::tags::{of_user, part, user_topic};
use crate::registry::Registry;

/// A user whose games are followed.
pub(super) struct User {
    pub(super) tenant: String,
    pub(super) name: String,
    pub(super) wake_ups: WakeUps,
}

impl Registry {
    /// Subscribes to the user whose games a request names. Returns `None` if it names no user.
    pub(super) async fn user_of(
        &self,
        caller: &Caller,
        call: &pb::WatchGamesRequest,
    ) -> Result<Option<User>, Problem> {
        if call.user.is_empty() {
            return Ok(None);
        }
        check_user(&call.user, "user")?;
        let tenant = match &caller.role {
            Role::Open => String::new(),
            Role::Tenant(tenant) => tenant.clone(),
            Role::User { tenant, user, .. } if *user == call.user => tenant.clone(),
            Role::User { .. } => {
                return Err(Problem::PermissionDenied("users follow their own games"));
            }
            Role::Operator | Role::Seat { .. } | Role::Spectator { .. } => {
                return Err(Problem::PermissionDenied(
                    "only tenants and users follow the games of a user",
                ));
            }
        };
        let name = call.user.clone();
        let topic = user_topic(&tenant, &name);
        // Subscribe before the first read, so that no change is missed.
        let wake_ups = self.shared().store.watch(topic).await?;
        Ok(Some(User {
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
    ) -> Result<HashSet<GameId>, Problem> {
        let filter = ListFilter {
            tenant: Some(tenant),
            lists: vec![part(&of_user(user), false)],
            finished: Some(false),
            ..ListFilter::default()
        };
        let (mut found, mut after) = (HashSet::new(), None);
        loop {
            let store = &self.shared().store;
            let page = store.page(&filter, after, MAX_PAGE).await?;
            found.extend(page.games.into_iter().map(|game| game.id));
            if found.len() > MAX_GAMES {
                return Err(Problem::Exhausted {
                    limit: "watched_games",
                    what: format!("this user has more than {MAX_GAMES} active games"),
                });
            }
            after = page.next;
            if after.is_none() {
                return Ok(found);
            }
        }
    }

    /// Returns those of these games at which the user has no seat. The other games are over or deleted, which their own
    /// changes report.
    pub(super) async fn without(
        &self,
        caller: &Caller,
        user: &str,
        games: Vec<GameId>,
    ) -> Result<Vec<GameId>, Problem> {
        let mut without = Vec::new();
        for id in games {
            match self.info(caller, id).await {
                Ok(info) if info.players.iter().all(|player| player.user != user) => {
                    without.push(id);
                }
                Ok(_) => {}
                // The changes of the game itself report this.
                Err(problem) if problem.is_of_game() => {}
                Err(problem) => return Err(problem),
            }
        }
        Ok(without)
    }

    async fn info(&self, caller: &Caller, id: GameId) -> Result<pb::GameInfo, Problem> {
        let (games, _) = self.games_of(caller, &id.to_string()).await?;
        games.info(caller, id).await
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use gamekeeper_rules::dominion::Dominion;
    use gamekeeper_store::{IndexRow, Lists, NewGame};
    use uuid::Uuid;

    use super::*;
    use crate::process::{Process, shared, store};

    #[tokio::test]
    async fn a_user_may_have_a_thousand_active_games() {
        let shared = shared(store());
        let registry = Registry::none(std::sync::Arc::clone(&shared));
        for number in 1..=1_001 {
            let row = IndexRow {
                tenant: String::from("red"),
                ruleset: String::from("dominion"),
                created_ms: 7,
                finished: false,
                lists: Some(Lists {
                    changed_ms: 7,
                    names: vec![part(&of_user("ada"), false)],
                    timed: Vec::new(),
                }),
            };
            let game = NewGame {
                id: Uuid::from_u128(number),
                row,
                entry: Bytes::from_static(b"entry"),
                past: Vec::new(),
                snapshot: Bytes::from_static(b"snapshot"),
                access: Bytes::new(),
                max_of_tenant: None,
            };
            shared.store.create(game).await.unwrap();
            if number == 1_000 {
                let all = registry.active_games("red".to_owned(), "ada").await;
                assert_eq!(all.unwrap().len(), 1_000);
            }
        }
        let many = registry.active_games("red".to_owned(), "ada").await;
        let limit = "watched_games";
        assert!(matches!(many, Err(Problem::Exhausted { limit: l, .. }) if l == limit));
    }

    #[tokio::test]
    async fn a_game_is_without_those_who_have_no_seat() {
        let process = Process::<Dominion>::over(&store());
        let caller = Caller::new(Role::Tenant(String::from("red")));
        let game = process.create_of(&caller, &["ada", "bob"]).await;
        let shared = std::sync::Arc::clone(&process.games.shared);
        let registry = Registry::none(shared).with::<Dominion>();
        let id = Uuid::try_parse(&game.game_id).unwrap();
        for (user, expected) in [("ada", vec![]), ("bob", vec![]), ("eve", vec![id])] {
            let gone = Uuid::from_u128(1);
            let without = registry.without(&caller, user, vec![id, gone]).await;
            assert_eq!(without.unwrap(), expected, "{user}");
        }
    }
}
