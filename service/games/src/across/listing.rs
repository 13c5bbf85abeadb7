//! `ListGames`: lists of games, by filter and order, with **pagination**.

use futures_util::future::BoxFuture;
use futures_util::{StreamExt, stream};
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_store::{IndexRow, ListFilter, ListedGame, Period, Place};
use gamekeeper_wire::Malformed;
use pb::{GameOrder, GameStatus};
use uuid::Uuid;

use crate::across::batch::AT_ONCE;
use crate::heart::access::{Caller, Role, check_labels, check_user};
use crate::heart::filter::{bound, is_asked_for};
use crate::heart::game::timestamp;
use crate::heart::page::{Page, token};
use crate::heart::problem::Problem;
use crate::heart::tags::{TAGGED, awaiting, due_list, due_place, labeled, of_user, part};
use crate::heart::yielding::Yielder;
use crate::registry::{Registry, unknown_ruleset};

/// The default number of games on a page.
const USUAL_PAGE: usize = 100;

impl Registry {
    /// Returns one page of the games that a caller requests.
    ///
    /// # Errors
    /// If the caller lacks permission, the request is malformed, or the store fails.
    pub async fn list(
        &self,
        caller: &Caller,
        call: &pb::ListGamesRequest,
    ) -> Result<pb::ListGamesResponse, Problem> {
        let page = Page::new(call.page_size, call.page_token.clone());
        let limit = page.limit(USUAL_PAGE)?;
        let filter = self.filter(caller, call)?;
        let list = format!("games {filter:?}");
        let after = page.start::<3>(&list)?.map(place_of);
        let found = self.shared().store.page(&filter, after, limit).await?;
        let next_page_token = found.next.map_or_else(String::new, |next| {
            let (high, low) = next.id.as_u64_pair();
            token(&list, &[next.ms, high, low])
        });
        let mut infos: Vec<BoxFuture<'_, _>> = Vec::with_capacity(found.games.len());
        for game in found.games {
            infos.push(Box::pin(self.listed_info(caller, game)));
        }
        let mut infos = stream::iter(infos).buffered(AT_ONCE);
        let asked = call.filter.clone().unwrap_or_default();
        let (mut games, mut yielder) = (Vec::new(), Yielder::new());
        while let Some(info) = infos.next().await {
            // A game that has changed since the index was read may no longer match.
            games.extend(
                info?.filter(|info| is_asked_for(&asked, info) && is_due(call.order, info)),
            );
            yielder.yield_if_due().await;
        }
        Ok(pb::ListGamesResponse {
            games,
            next_page_token,
        })
    }

    /// Reads the public facts of a listed game. Returns `None` if it was deleted after the index was read.
    async fn listed_info(
        &self,
        caller: &Caller,
        game: ListedGame,
    ) -> Result<Option<pb::GameInfo>, Problem> {
        let ListedGame { id, row } = game;
        let info = match self.games_served(&row.ruleset) {
            Ok(games) => games.info(caller, id).await,
            Err(problem) => Err(problem),
        };
        match info {
            Ok(info) => Ok(Some(info)),
            Err(Problem::NoSuchGame { .. }) => Ok(None),
            // A game that cannot be read must not hide the others.
            Err(problem) if problem.is_of_record() => {
                tracing::warn!(%id, %problem, "cannot read a listed game");
                Ok(Some(unread(id, &row)))
            }
            Err(problem) => Err(problem),
        }
    }

    fn filter(&self, caller: &Caller, call: &pb::ListGamesRequest) -> Result<ListFilter, Problem> {
        let mut asked = call.filter.clone().unwrap_or_default();
        own_games(caller, &mut asked)?;
        if !asked.ruleset.is_empty() && !self.by_ruleset().contains_key(&asked.ruleset) {
            return Err(unknown_ruleset("filter.ruleset"));
        }
        let finished = match GameStatus::try_from(asked.status) {
            Ok(GameStatus::Unspecified) => None,
            Ok(GameStatus::Active) => Some(false),
            Ok(GameStatus::Finished) => Some(true),
            Err(_) => return Err(Malformed::new("filter.status", "is unknown").into()),
        };
        let lists = lists(&asked, call.order, finished)?;
        let by_due = call.order == i32::from(GameOrder::DueTime);
        let by_change = by_due || !lists.is_empty();
        let tenant = match &caller.role {
            Role::Tenant(tenant) | Role::User { tenant, .. } => Some(tenant.clone()),
            // Games that were created without tokens belong to the tenant with the empty name.
            Role::Open => by_change.then(String::new),
            Role::Operator if !by_change => None,
            Role::Operator => {
                return Err(Problem::PermissionDenied(
                    "operators cannot list by user, label, update time or due time: use ruleset, status and the order of creation",
                ));
            }
            Role::Seat { .. } | Role::Spectator { .. } => {
                return Err(Problem::PermissionDenied(
                    "only tenants, users and operators list games",
                ));
            }
        };
        let period = Period {
            from_ms: bound(call.from_time, 0, "from_time")?,
            until_ms: bound(call.until_time, u64::MAX, "until_time")?,
        };
        let always = Period {
            from_ms: 0,
            until_ms: u64::MAX,
        };
        let user = Some(asked.user.as_str()).filter(|user| !user.is_empty());
        let timed = by_due.then(|| due_list(user));
        let period = if by_due { due_period(period) } else { period };
        let (created, changed) = if by_change {
            (always, period)
        } else {
            (period, always)
        };
        Ok(ListFilter {
            lists,
            timed,
            created,
            changed,
            tenant,
            ruleset: (!asked.ruleset.is_empty()).then_some(asked.ruleset),
            finished,
        })
    }
}

/// Restricts the filter of a user to the games at which they have a seat.
///
/// # Errors
/// If a user requests the games of other users, or games by label, since labels are hidden from users.
fn own_games(caller: &Caller, asked: &mut pb::GameFilter) -> Result<(), Problem> {
    let Some(own) = caller.user() else {
        return Ok(());
    };
    let names = [&asked.user, &asked.awaiting_user];
    if names.iter().any(|name| !name.is_empty() && *name != own) {
        return Err(Problem::PermissionDenied("users list their own games"));
    }
    if !asked.labels.is_empty() {
        return Err(Problem::PermissionDenied("users cannot list by label"));
    }
    own.clone_into(&mut asked.user);
    Ok(())
}

/// Returns the lists whose intersection is requested; the list that is probably the shortest comes first. Returns an
/// empty vector for all games, by creation.
fn lists(
    asked: &pb::GameFilter,
    order: i32,
    finished: Option<bool>,
) -> Result<Vec<String>, Problem> {
    check_user(&asked.user, "filter.user")?;
    check_user(&asked.awaiting_user, "filter.awaiting_user")?;
    check_labels(&asked.labels, "filter.labels")?;
    let mut lists = Vec::new();
    if !asked.awaiting_user.is_empty() {
        lists.push(awaiting(&asked.awaiting_user));
    }
    let of_status = |list: String| match finished {
        Some(finished) => part(&list, finished),
        None => list,
    };
    if !asked.user.is_empty() {
        lists.push(of_status(of_user(&asked.user)));
    }
    let labels = asked.labels.iter();
    lists.extend(labels.map(|(key, value)| of_status(labeled(key, value))));
    match GameOrder::try_from(order) {
        Ok(GameOrder::CreateTime) if !lists.is_empty() => {
            let text =
                "must be GAME_ORDER_UPDATE_TIME or GAME_ORDER_DUE_TIME for a list by user or label";
            return Err(Malformed::new("order", text).into());
        }
        Ok(GameOrder::UpdateTime) if lists.is_empty() => lists.push(of_status(TAGGED.to_owned())),
        Ok(
            GameOrder::Unspecified
            | GameOrder::CreateTime
            | GameOrder::UpdateTime
            | GameOrder::DueTime,
        ) => {}
        Err(_) => return Err(Malformed::new("order", "is unknown").into()),
    }
    Ok(lists)
}

/// Converts a period of due times to the range of sort keys in a timed list, which run backwards.
fn due_period(Period { from_ms, until_ms }: Period) -> Period {
    Period {
        from_ms: due_place(until_ms).saturating_add(1),
        until_ms: due_place(from_ms).saturating_add(1),
    }
}

/// Returns whether a game in a list by due time still has a running clock. A game that cannot be read counts as well.
fn is_due(order: i32, info: &pb::GameInfo) -> bool {
    order != i32::from(GameOrder::DueTime)
        || info.players.is_empty()
        || info.pending.iter().any(|owed| owed.due.is_some())
}

fn place_of([ms, high, low]: [u64; 3]) -> Place {
    let id = Uuid::from_u64_pair(high, low);
    Place { ms, id }
}

/// Builds the facts of a game that cannot be read, from its index row.
fn unread(id: Uuid, row: &IndexRow) -> pb::GameInfo {
    let status = if row.finished {
        GameStatus::Finished
    } else {
        GameStatus::Active
    };
    pb::GameInfo {
        game_id: id.to_string(),
        ruleset: row.ruleset.clone(),
        status: status.into(),
        create_time: Some(timestamp(row.created_ms)),
        ..Default::default()
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_rules::caylus::Caylus;
    use gamekeeper_rules::dominion::Dominion;

    use super::*;
    use crate::heart::tags::row;
    use crate::process::{Process, store};

    /// A damaged record says nothing about the other games; an error of the store does.
    #[tokio::test]
    async fn a_list_hides_the_fault_of_a_record_and_of_nothing_else() {
        let process = Process::<Dominion>::over(&store());
        let caller = Caller::new(Role::Tenant(String::from("red")));
        let info = process.create_of(&caller, &["ada", "bob"]).await;
        let id = Uuid::try_parse(&info.game_id).unwrap();
        let game = process.games.open(&caller, id).await.unwrap();
        let own = row(&game);
        drop(game);
        let shared = std::sync::Arc::clone(&process.games.shared);
        let registry = Registry::none(shared).with::<Dominion>().with::<Caylus>();
        let listed = async |ruleset: &str| {
            let row = IndexRow {
                ruleset: ruleset.to_owned(),
                ..own.clone()
            };
            registry.listed_info(&caller, ListedGame { id, row }).await
        };
        assert_eq!(listed("dominion").await.unwrap(), Some(info));
        let unread = listed("chess").await.unwrap().unwrap();
        assert!(unread.players.is_empty(), "this build cannot read it");
        let moved = listed("caylus").await;
        assert!(matches!(moved, Err(Problem::Contended)), "{moved:?}");
    }

    #[tokio::test]
    async fn a_stored_game_of_a_ruleset_that_is_not_served_says_so() {
        let process = Process::<Dominion>::over(&store());
        let caller = Caller::new(Role::Tenant(String::from("red")));
        let info = process.create_of(&caller, &["ada", "bob"]).await;
        let shared = std::sync::Arc::clone(&process.games.shared);
        let registry = Registry::none(shared).with::<Caylus>();
        let told = registry.games_of(&caller, &info.game_id).await.err();
        let told = told.expect("a refusal");
        assert!(told.is_of_record(), "{told}");
        let Problem::RulesetNotServed { ruleset } = told else {
            panic!("{told}");
        };
        assert_eq!(ruleset, "dominion");
        // Other tenants do not learn even that.
        let other = Caller::new(Role::Tenant(String::from("blue")));
        let hidden = registry.games_of(&other, &info.game_id).await.err();
        assert!(matches!(hidden, Some(Problem::NoSuchGame { .. })));
    }
}
