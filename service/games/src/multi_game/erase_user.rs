//! `EraseUser`: **erasure** of a user's data, one page of games at a time.

use gamekeeper_proto::gamekeeper::v1::EraseUserRequest;
use gamekeeper_store::{ListFilter, ListPosition, ListedGame};
use gamekeeper_wire::Malformed;
use uuid::Uuid;

use crate::authz::Caller;
use crate::errors::ServiceError;
use crate::handlers::erase_user::Erasure;
use crate::index::index_keys::{initial_name_key, user_key};
use crate::metadata::check_user;
use crate::registry::Registry;
use crate::requests::page::{PageRequest, encode_cursor};
use crate::timing::yielder::Yielder;

/// The maximum number of games that one call changes.
const MAX_GAMES: usize = 100;

/// The maximum number of keys of labels.
const MAX_LABELS: usize = 16;

/// The position before the first game of a list.
const LIST_START: ListPosition = ListPosition {
    ms: u64::MAX,
    id: Uuid::max(),
};

/// The result of erasing a user from one page of games.
#[derive(Debug, Default)]
pub struct ErasedPage {
    /// The number of games that were changed.
    pub changed: u32,
    /// The games that could not be changed, with the errors.
    pub failed: Vec<(Uuid, ServiceError)>,
    /// The token of the next page. Is empty after the last page.
    pub next_page_token: String,
}

impl Registry {
    /// Erases a user from one page of the caller's games. A game that was changed leaves the lists of the user, so a
    /// repeated call finds only what is left.
    ///
    /// # Errors
    /// If the caller is not a tenant, the request is malformed, or the store fails.
    pub async fn erase_user(
        &self,
        caller: &Caller,
        call: EraseUserRequest,
    ) -> Result<ErasedPage, ServiceError> {
        let tenant = caller.tenant("only tenants erase users")?.to_owned();
        check_user(&call.user, "user")?;
        if call.user.is_empty() {
            return Err(Malformed::new("user", "is empty").into());
        }
        if call.labels.len() > MAX_LABELS {
            let text = format!("has more than {MAX_LABELS} keys");
            return Err(Malformed::new("labels", text).into());
        }
        if call.page_token.is_empty() {
            // Revoke the user's tokens first, so that the user cannot call while being erased.
            self.shared()
                .user_tokens
                .revoke(&tenant, &call.user)
                .await?;
        }
        let page = PageRequest::new(call.page_size, call.page_token);
        let limit = page.limit(MAX_GAMES)?.min(MAX_GAMES);
        let cursor_scope = format!("erased {tenant} {}", call.user);
        let [list_index, ms, high, low] = page
            .decode_cursor(&cursor_scope)?
            .unwrap_or_else(|| list_start(0));
        let lists = [user_key(&call.user), initial_name_key(&call.user)];
        let Some(list) = usize::try_from(list_index)
            .ok()
            .and_then(|index| lists.get(index))
        else {
            return Err(Malformed::new("page_token", "does not belong to this list").into());
        };
        let filter = ListFilter {
            lists: vec![list.clone()],
            tenant: Some(tenant),
            ..ListFilter::default()
        };
        let id = Uuid::from_u64_pair(high, low);
        let listing = self
            .shared()
            .store
            .page(&filter, Some(ListPosition { ms, id }), limit);
        let listing = listing.await?;
        let erasure = Erasure {
            user: call.user,
            labels: call.labels,
        };
        let mut result = self
            .erase_from_games(caller, listing.games, &erasure)
            .await?;
        let next_cursor = match listing.next {
            Some(ListPosition { ms, id }) => {
                let (high, low) = id.as_u64_pair();
                Some([list_index, ms, high, low])
            }
            None => (list_index == 0).then(|| list_start(1)),
        };
        result.next_page_token = next_cursor.map_or_else(String::new, |next_cursor| {
            encode_cursor(&cursor_scope, &next_cursor)
        });
        Ok(result)
    }

    async fn erase_from_games(
        &self,
        caller: &Caller,
        games: Vec<ListedGame>,
        erasure: &Erasure,
    ) -> Result<ErasedPage, ServiceError> {
        let (mut result, mut yielder) = (ErasedPage::default(), Yielder::new());
        for ListedGame { id, row } in games {
            let outcome = match self.games_served(&row.ruleset) {
                Ok(service) => service.erase_user(caller, id, erasure).await,
                Err(problem) => Err(problem),
            };
            match outcome {
                Ok(is_changed) => result.changed += u32::from(is_changed),
                Err(ServiceError::NoSuchGame { .. }) => {}
                // A game that cannot be read must not prevent the erasure from the others.
                Err(problem)
                    if problem.is_storage_corruption()
                        || matches!(problem, ServiceError::TooManyConflicts) =>
                {
                    tracing::warn!(%id, %problem, "cannot erase a user from a game");
                    result.failed.push((id, problem));
                }
                Err(problem) => return Err(problem),
            }
            yielder.yield_if_due().await;
        }
        Ok(result)
    }
}

/// Returns the position before the first game of one of the lists.
fn list_start(list_index: u64) -> [u64; 4] {
    let (high, low) = LIST_START.id.as_u64_pair();
    [list_index, LIST_START.ms, high, low]
}
