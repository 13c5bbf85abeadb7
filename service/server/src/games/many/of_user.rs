//! The games of a user: what the lists say, and what has changed since.

use std::collections::HashSet;
use std::sync::Arc;

use gamekeeper_proto::gamekeeper::v1 as pb;

use super::{Followed, MOST_GAMES, Many, Sight, is_of_game};
use crate::auth::{Caller, check_user};
use crate::games::Registry;
use crate::games::page::LARGEST_PAGE;
use crate::games::tagged::{active_of, user_topic};
use crate::problem::Problem;
use crate::store::{GameId, ListFilter, WakeUps};

/// A user whose games are followed.
pub(super) struct User {
    tenant: String,
    name: String,
    pub(super) wake_ups: WakeUps,
}

impl Many {
    /// Looks which games the user has, follows new ones, and leaves those that are the user's no more.
    pub(super) async fn look(&mut self) -> Result<(), Problem> {
        let Some(User { tenant, name, .. }) = &self.user else {
            return Ok(());
        };
        let (tenant, name) = (tenant.clone(), name.clone());
        let registry = Arc::clone(&self.registry);
        let found = registry.active_games(tenant, &name).await?;
        let sight = if self.with_views {
            Sight::OfUser(name.clone())
        } else {
            Sight::Facts
        };
        for id in &found {
            if !self.followed.contains_key(id) {
                // One that ended and is still listed is gone on with, not begun again.
                let (after_version, after_time) = self.told.get(id).copied().unwrap_or_default();
                self.follow(Followed {
                    id: *id,
                    after_version,
                    after_time,
                    sight: sight.clone(),
                });
            }
        }
        let missing = self.followed.keys().filter(|id| !found.contains(id));
        let missing: Vec<GameId> = missing.copied().collect();
        let bearer = self.bearer.clone();
        for id in registry.without(&bearer, &name, missing).await? {
            if let Some(handle) = self.followed.remove(&id) {
                handle.abort();
                self.told.remove(&id);
                self.left.push(id);
            }
        }
        let followed = &self.followed;
        self.told
            .retain(|id, _| followed.contains_key(id) || found.contains(id));
        Ok(())
    }
}

impl Registry {
    /// The user whose games a call asks for, if it does.
    pub(super) async fn user_of(
        &self,
        caller: &Caller,
        call: &pb::WatchGamesRequest,
    ) -> Result<Option<User>, Problem> {
        if call.user.is_empty() {
            return Ok(None);
        }
        check_user(&call.user, "user")?;
        let tenant = match caller {
            Caller::Open => String::new(),
            Caller::Tenant(tenant) => tenant.clone(),
            Caller::Operator | Caller::Seat { .. } | Caller::Spectator { .. } => {
                return Err(Problem::PermissionDenied(
                    "only tenants follow the games of their users",
                ));
            }
        };
        let name = call.user.clone();
        let topic = user_topic(&tenant, &name);
        // Wake-ups first: what comes from now on is heard of.
        let wake_ups = self.house().store.watch(topic).await?;
        Ok(Some(User {
            tenant,
            name,
            wake_ups,
        }))
    }

    /// The active games of a user.
    async fn active_games(&self, tenant: String, user: &str) -> Result<HashSet<GameId>, Problem> {
        let filter = ListFilter {
            tenant: Some(tenant),
            lists: vec![active_of(user)],
            finished: Some(false),
            ..ListFilter::default()
        };
        let (mut found, mut after) = (HashSet::new(), None);
        loop {
            let store = &self.house().store;
            let page = store.page(&filter, after, LARGEST_PAGE).await?;
            found.extend(page.games.into_iter().map(|game| game.id));
            if found.len() > MOST_GAMES {
                return Err(Problem::Exhausted {
                    limit: "watched_games",
                    what: format!("this user has more than {MOST_GAMES} active games"),
                });
            }
            after = page.next;
            if after.is_none() {
                return Ok(found);
            }
        }
    }

    /// Those of these games at which the user has no seat. The others are over, which they say themselves, or
    /// gone.
    async fn without(
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
                // The game itself will say.
                Err(problem) if is_of_game(&problem) => {}
                Err(problem) => return Err(problem),
            }
        }
        Ok(without)
    }
}
