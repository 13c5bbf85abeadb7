//! `EraseUser`: **erasure** of a user's data, one page of games at a time.

use gamekeeper_proto::gamekeeper::v1::EraseUserRequest;
use gamekeeper_store::{ListFilter, ListedGame, Place};
use gamekeeper_wire::Malformed;
use uuid::Uuid;

use crate::heart::access::{Caller, check_user};
use crate::heart::page::{Page, token};
use crate::heart::problem::Problem;
use crate::heart::tags::{named_after, of_user};
use crate::heart::yielding::Yielder;
use crate::registry::Registry;
use crate::verbs::erase::Erasure;

/// The maximum number of games that one call changes.
const MAX_GAMES: usize = 100;

/// The maximum number of keys of labels.
const MAX_LABELS: usize = 16;

/// The position before the first game of a list.
const START: Place = Place {
    ms: u64::MAX,
    id: Uuid::max(),
};

/// The result of erasing a user from one page of games.
#[derive(Debug, Default)]
pub struct Erased {
    /// The number of games that were changed.
    pub changed: u32,
    /// The games that could not be changed, with the errors.
    pub failed: Vec<(Uuid, Problem)>,
    /// The token of the next page. Is empty after the last page.
    pub next: String,
}

impl Registry {
    /// Erases a user from one page of the caller's games. A game that was changed leaves the lists of the user, so a
    /// repeated call finds only what is left.
    ///
    /// # Errors
    /// If the caller is not a tenant, the request is malformed, or the store fails.
    pub async fn erase(&self, caller: &Caller, call: EraseUserRequest) -> Result<Erased, Problem> {
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
        let page = Page::new(call.page_size, call.page_token);
        let limit = page.limit(MAX_GAMES)?.min(MAX_GAMES);
        let asked = format!("erased {tenant} {}", call.user);
        let [which, ms, high, low] = page.start(&asked)?.unwrap_or_else(|| begin(0));
        let lists = [of_user(&call.user), named_after(&call.user)];
        let Some(list) = usize::try_from(which).ok().and_then(|at| lists.get(at)) else {
            return Err(Malformed::new("page_token", "does not belong to this list").into());
        };
        let filter = ListFilter {
            lists: vec![list.clone()],
            tenant: Some(tenant),
            ..ListFilter::default()
        };
        let id = Uuid::from_u64_pair(high, low);
        let found = self
            .shared()
            .store
            .page(&filter, Some(Place { ms, id }), limit);
        let found = found.await?;
        let erasure = Erasure {
            user: call.user,
            labels: call.labels,
        };
        let mut erased = self.erase_all(caller, found.games, &erasure).await?;
        let next = match found.next {
            Some(Place { ms, id }) => {
                let (high, low) = id.as_u64_pair();
                Some([which, ms, high, low])
            }
            None => (which == 0).then(|| begin(1)),
        };
        erased.next = next.map_or_else(String::new, |next| token(&asked, &next));
        Ok(erased)
    }

    async fn erase_all(
        &self,
        caller: &Caller,
        games: Vec<ListedGame>,
        erasure: &Erasure,
    ) -> Result<Erased, Problem> {
        let (mut erased, mut yielder) = (Erased::default(), Yielder::new());
        for ListedGame { id, row } in games {
            let done = match self.by_ruleset().get(&row.ruleset) {
                Some(games) => games.erase(caller, id, erasure).await,
                None => Err(Problem::SnapshotTooNew),
            };
            match done {
                Ok(is_changed) => erased.changed += u32::from(is_changed),
                Err(Problem::NoSuchGame { .. }) => {}
                // A game that cannot be read must not prevent the erasure from the others.
                Err(problem) if problem.is_of_record() || matches!(problem, Problem::Contended) => {
                    tracing::warn!(%id, %problem, "cannot erase a user from a game");
                    erased.failed.push((id, problem));
                }
                Err(problem) => return Err(problem),
            }
            yielder.yield_if_due().await;
        }
        Ok(erased)
    }
}

/// Returns the position before the first game of one of the lists.
fn begin(which: u64) -> [u64; 4] {
    let (high, low) = START.id.as_u64_pair();
    [which, START.ms, high, low]
}
