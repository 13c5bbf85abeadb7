//! `ListGames`: lists of games, by filter and order, with **pagination**.

use futures_util::future::BoxFuture;
use futures_util::{StreamExt, stream};
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_store::{IndexRow, ListFilter, ListPosition, ListedGame, Period};
use gamekeeper_wire::Malformed;
use pb::{GameOrder, GameStatus};
use uuid::Uuid;

use crate::aggregate::game::timestamp;
use crate::authz::{Caller, Role};
use crate::errors::ServiceError;
use crate::index::index_keys::{
    TAGGED_LIST, awaiting_key, due_list_key, due_position, label_key, status_key, user_key,
};
use crate::metadata::{check_labels, check_user};
use crate::multi_game::batch_get_games::MAX_CONCURRENT_READS;
use crate::registry::{Registry, unknown_ruleset};
use crate::requests::filter::{matches_filter, timestamp_ms_or};
use crate::requests::page::{PageRequest, encode_cursor};
use crate::timing::yielder::Yielder;

/// The default number of games on a page.
const DEFAULT_PAGE_SIZE: usize = 100;

impl Registry {
    /// Returns one page of the games that a caller requests.
    ///
    /// # Errors
    /// If the caller lacks permission, the request is malformed, or the store fails.
    pub async fn list_games(
        &self,
        caller: &Caller,
        call: &pb::ListGamesRequest,
    ) -> Result<pb::ListGamesResponse, ServiceError> {
        let page = PageRequest::new(call.page_size, call.page_token.clone());
        let limit = page.limit(DEFAULT_PAGE_SIZE)?;
        let filter = self.list_filter(caller, call)?;
        let cursor_scope = format!("games {filter:?}");
        let start = page.decode_cursor::<3>(&cursor_scope)?.map(cursor_place);
        let listing = self.shared().store.page(&filter, start, limit).await?;
        let next_page_token = listing.next.map_or_else(String::new, |next| {
            let (high, low) = next.id.as_u64_pair();
            encode_cursor(&cursor_scope, &[next.ms, high, low])
        });
        let mut infos: Vec<BoxFuture<'_, _>> = Vec::with_capacity(listing.games.len());
        for game in listing.games {
            infos.push(Box::pin(self.info_of_listed(caller, game)));
        }
        let mut infos = stream::iter(infos).buffered(MAX_CONCURRENT_READS);
        let requested_filter = call.filter.clone().unwrap_or_default();
        let (mut games, mut yielder) = (Vec::new(), Yielder::new());
        while let Some(info) = infos.next().await {
            // A game that has changed since the index was read may no longer match.
            games.extend(info?.filter(|info| {
                matches_filter(&requested_filter, info) && still_has_deadline(call.order, info)
            }));
            yielder.yield_if_due().await;
        }
        Ok(pb::ListGamesResponse {
            games,
            next_page_token,
        })
    }

    /// Reads the public facts of a listed game. Returns `None` if it was deleted after the index was read.
    async fn info_of_listed(
        &self,
        caller: &Caller,
        game: ListedGame,
    ) -> Result<Option<pb::GameInfo>, ServiceError> {
        let ListedGame { id, row } = game;
        let info = match self.games_served(&row.ruleset) {
            Ok(service) => service.info(caller, id).await,
            Err(problem) => Err(problem),
        };
        match info {
            Ok(info) => Ok(Some(info)),
            Err(ServiceError::NoSuchGame { .. }) => Ok(None),
            // A game that cannot be read must not hide the others.
            Err(problem) if problem.is_storage_corruption() => {
                tracing::warn!(%id, %problem, "cannot read a listed game");
                Ok(Some(info_of_unreadable(id, &row)))
            }
            Err(problem) => Err(problem),
        }
    }

    fn list_filter(
        &self,
        caller: &Caller,
        call: &pb::ListGamesRequest,
    ) -> Result<ListFilter, ServiceError> {
        let mut filter = call.filter.clone().unwrap_or_default();
        restrict_to_own_games(caller, &mut filter)?;
        if !filter.ruleset.is_empty() && !self.services().contains_key(&filter.ruleset) {
            return Err(unknown_ruleset("filter.ruleset"));
        }
        let finished = match GameStatus::try_from(filter.status) {
            Ok(GameStatus::Unspecified) => None,
            Ok(GameStatus::Active) => Some(false),
            Ok(GameStatus::Finished) => Some(true),
            Err(_) => return Err(Malformed::new("filter.status", "is unknown").into()),
        };
        let list_names = list_names(&filter, call.order, finished)?;
        let by_due = call.order == i32::from(GameOrder::DueTime);
        let by_change = by_due || !list_names.is_empty();
        let tenant = match &caller.role {
            Role::Tenant(tenant) | Role::User { tenant, .. } => Some(tenant.clone()),
            // Games that were created without tokens belong to the tenant with the empty name.
            Role::AuthDisabled => by_change.then(String::new),
            Role::Operator if !by_change => None,
            Role::Operator => {
                return Err(ServiceError::PermissionDenied(
                    "operators cannot list by user, label, update time or due time: use ruleset, status and the order of creation",
                ));
            }
            Role::Seat { .. } | Role::Spectator { .. } => {
                return Err(ServiceError::PermissionDenied(
                    "only tenants, users and operators list games",
                ));
            }
        };
        let period = Period {
            from_ms: timestamp_ms_or(call.from_time, 0, "from_time")?,
            until_ms: timestamp_ms_or(call.until_time, u64::MAX, "until_time")?,
        };
        let any_time = Period {
            from_ms: 0,
            until_ms: u64::MAX,
        };
        let user = Some(filter.user.as_str()).filter(|user| !user.is_empty());
        let timed = by_due.then(|| due_list_key(user));
        let period = if by_due {
            due_position_range(period)
        } else {
            period
        };
        let (created, changed) = if by_change {
            (any_time, period)
        } else {
            (period, any_time)
        };
        Ok(ListFilter {
            lists: list_names,
            timed,
            created,
            changed,
            tenant,
            ruleset: (!filter.ruleset.is_empty()).then_some(filter.ruleset),
            finished,
        })
    }
}

/// Restricts the filter of a user to the games at which they have a seat.
///
/// # Errors
/// If a user requests the games of other users, or games by label, since labels are hidden from users.
fn restrict_to_own_games(caller: &Caller, filter: &mut pb::GameFilter) -> Result<(), ServiceError> {
    let Some(user) = caller.user() else {
        return Ok(());
    };
    let names = [&filter.user, &filter.awaiting_user];
    if names.iter().any(|name| !name.is_empty() && *name != user) {
        return Err(ServiceError::PermissionDenied("users list their own games"));
    }
    if !filter.labels.is_empty() {
        return Err(ServiceError::PermissionDenied("users cannot list by label"));
    }
    user.clone_into(&mut filter.user);
    Ok(())
}

/// Returns the lists whose intersection is requested; the list that is probably the shortest comes first. Returns an
/// empty vector for all games, by creation.
fn list_names(
    filter: &pb::GameFilter,
    order: i32,
    finished: Option<bool>,
) -> Result<Vec<String>, ServiceError> {
    check_user(&filter.user, "filter.user")?;
    check_user(&filter.awaiting_user, "filter.awaiting_user")?;
    check_labels(&filter.labels, "filter.labels")?;
    let mut names = Vec::new();
    if !filter.awaiting_user.is_empty() {
        names.push(awaiting_key(&filter.awaiting_user));
    }
    let with_status = |list: String| match finished {
        Some(finished) => status_key(&list, finished),
        None => list,
    };
    if !filter.user.is_empty() {
        names.push(with_status(user_key(&filter.user)));
    }
    let labels = filter.labels.iter();
    names.extend(labels.map(|(key, value)| with_status(label_key(key, value))));
    match GameOrder::try_from(order) {
        Ok(GameOrder::CreateTime) if !names.is_empty() => {
            let text =
                "must be GAME_ORDER_UPDATE_TIME or GAME_ORDER_DUE_TIME for a list by user or label";
            return Err(Malformed::new("order", text).into());
        }
        Ok(GameOrder::UpdateTime) if names.is_empty() => {
            names.push(with_status(TAGGED_LIST.to_owned()));
        }
        Ok(
            GameOrder::Unspecified
            | GameOrder::CreateTime
            | GameOrder::UpdateTime
            | GameOrder::DueTime,
        ) => {}
        Err(_) => return Err(Malformed::new("order", "is unknown").into()),
    }
    Ok(names)
}

/// Converts a period of due times to the range of sort keys in a timed list, which run backwards.
fn due_position_range(Period { from_ms, until_ms }: Period) -> Period {
    Period {
        from_ms: due_position(until_ms).saturating_add(1),
        until_ms: due_position(from_ms).saturating_add(1),
    }
}

/// Returns whether a game in a list by due time still has a running clock. A game that cannot be read counts as well.
fn still_has_deadline(order: i32, info: &pb::GameInfo) -> bool {
    order != i32::from(GameOrder::DueTime)
        || info.players.is_empty()
        || info.pending.iter().any(|decision| decision.due.is_some())
}

fn cursor_place([ms, high, low]: [u64; 3]) -> ListPosition {
    let id = Uuid::from_u64_pair(high, low);
    ListPosition { ms, id }
}

/// Builds the facts of a game that cannot be read, from its index row.
fn info_of_unreadable(id: Uuid, row: &IndexRow) -> pb::GameInfo {
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
    use crate::index::index_keys::index_row;
    use crate::test_server::{TestServer, store};

    /// A damaged record says nothing about the other games; an error of the store does.
    #[tokio::test]
    async fn a_list_hides_the_fault_of_a_record_and_of_nothing_else() {
        let process = TestServer::<Dominion>::new(&store());
        let caller = Caller::new(Role::Tenant(String::from("red")));
        let info = process.create_with_users(&caller, &["ada", "bob"]).await;
        let id = Uuid::try_parse(&info.game_id).unwrap();
        let game = process.games.lock_cached(&caller, id).await.unwrap();
        let own_row = index_row(&game);
        drop(game);
        let shared = std::sync::Arc::clone(&process.games.context);
        let registry = Registry::empty(shared)
            .with_ruleset::<Dominion>()
            .with_ruleset::<Caylus>();
        let listed = async |ruleset: &str| {
            let row = IndexRow {
                ruleset: ruleset.to_owned(),
                ..own_row.clone()
            };
            registry
                .info_of_listed(&caller, ListedGame { id, row })
                .await
        };
        assert_eq!(listed("dominion").await.unwrap(), Some(info));
        let unread = listed("chess").await.unwrap().unwrap();
        assert!(unread.players.is_empty(), "this build cannot read it");
        let moved = listed("caylus").await;
        assert!(
            matches!(moved, Err(ServiceError::TooManyConflicts)),
            "{moved:?}"
        );
    }

    #[tokio::test]
    async fn a_stored_game_of_a_ruleset_that_is_not_served_says_so() {
        let process = TestServer::<Dominion>::new(&store());
        let caller = Caller::new(Role::Tenant(String::from("red")));
        let info = process.create_with_users(&caller, &["ada", "bob"]).await;
        let shared = std::sync::Arc::clone(&process.games.context);
        let registry = Registry::empty(shared).with_ruleset::<Caylus>();
        let error = registry.resolve_game(&caller, &info.game_id).await.err();
        let error = error.expect("a refusal");
        assert!(error.is_storage_corruption(), "{error}");
        let ServiceError::RulesetNotServed { ruleset } = error else {
            panic!("{error}");
        };
        assert_eq!(ruleset, "dominion");
        // Other tenants do not learn even that.
        let other = Caller::new(Role::Tenant(String::from("blue")));
        let hidden = registry.resolve_game(&other, &info.game_id).await.err();
        assert!(matches!(hidden, Some(ServiceError::NoSuchGame { .. })));
    }
}
