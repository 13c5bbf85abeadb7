//! The games of every ruleset side by side, for calls that do not know a ruleset.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use gamekeeper_proto::envelope::Messages;
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::rulebook::Rulebook;
use gamekeeper_wire::{Malformed, Wire};
use prost_types::Timestamp;
use uuid::Uuid;

use super::beside::{Ask, Happened};
use super::breath::Breath;
use super::game::timestamp;
use super::page::{Page, token};
use super::record::open_birth_head;
use super::{Games, House, PackedGames, parse_id};
use crate::auth::Caller;
use crate::problem::Problem;
use crate::store::{IndexRow, ListFilter, ListedGame};

/// How many games a page has when nothing was asked for.
const USUAL_PAGE: usize = 100;

/// The games of some ruleset.
#[async_trait]
pub trait Keeper: PackedGames {
    /// What the ruleset is.
    fn ruleset(&self) -> pb::Ruleset;

    /// Its rule documents, paragraph by paragraph.
    fn rulebook(&self) -> &Rulebook;

    /// The public facts of a game.
    async fn info(&self, caller: &Caller, id: Uuid) -> Result<pb::GameInfo, Problem>;

    /// Forgets a game.
    async fn delete(&self, caller: &Caller, id: Uuid) -> Result<(), Problem>;

    /// Gives a seat (nothing: spectators) a new token.
    async fn rotate(
        &self,
        caller: &Caller,
        id: Uuid,
        seat: Option<u32>,
        expire_time: Option<Timestamp>,
    ) -> Result<String, Problem>;

    /// Lets something happen at a table beside the rules.
    async fn beside(
        &self,
        caller: &Caller,
        id: Uuid,
        ask: Ask,
        request_id: &str,
    ) -> Result<Happened, Problem>;
}

#[async_trait]
impl<W: Wire> Keeper for Games<W> {
    fn ruleset(&self) -> pb::Ruleset {
        pb::Ruleset {
            id: W::SHEET.id.to_owned(),
            title: W::SHEET.title.to_owned(),
            min_seats: u32::from(W::SHEET.min_seats),
            max_seats: u32::from(W::SHEET.max_seats),
            rules_revision: W::SHEET.revision,
            catalogue_revision: W::CATALOGUE_REVISION,
            service: <W::Messages as Messages>::SERVICE.to_owned(),
            options: self.options.clone(),
        }
    }

    fn rulebook(&self) -> &Rulebook {
        self.rulebook.get_or_init(|| Rulebook::read(W::RULES))
    }

    async fn info(&self, caller: &Caller, id: Uuid) -> Result<pb::GameInfo, Problem> {
        Self::info(self, caller, id).await
    }

    async fn delete(&self, caller: &Caller, id: Uuid) -> Result<(), Problem> {
        Self::delete(self, caller, id).await
    }

    async fn rotate(
        &self,
        caller: &Caller,
        id: Uuid,
        seat: Option<u32>,
        expire_time: Option<Timestamp>,
    ) -> Result<String, Problem> {
        Self::rotate(self, caller, id, seat, expire_time).await
    }

    async fn beside(
        &self,
        caller: &Caller,
        id: Uuid,
        ask: Ask,
        request_id: &str,
    ) -> Result<Happened, Problem> {
        Self::beside(self, caller, id, ask, request_id).await
    }
}

/// Every ruleset of this process.
pub struct Registry {
    house: Arc<House>,
    keepers: BTreeMap<String, Arc<dyn Keeper>>,
}

impl Registry {
    /// The rulesets of a house.
    #[must_use]
    pub fn new(house: Arc<House>, keepers: Vec<Arc<dyn Keeper>>) -> Self {
        let keepers = keepers
            .into_iter()
            .map(|keeper| (keeper.ruleset().id, keeper))
            .collect();
        Self { house, keepers }
    }

    /// What rulesets there are, by id.
    #[must_use]
    pub fn rulesets(&self) -> Vec<pb::Ruleset> {
        self.keepers
            .values()
            .map(|keeper| keeper.ruleset())
            .collect()
    }

    /// The keepers, by the ids of their rulesets.
    pub(super) fn keepers(&self) -> &BTreeMap<String, Arc<dyn Keeper>> {
        &self.keepers
    }

    /// The keeper of a game, and its id.
    ///
    /// # Errors
    /// When there is no such game, or the store fails.
    pub async fn keeper_of(
        &self,
        caller: &Caller,
        game_id: &str,
    ) -> Result<(&Arc<dyn Keeper>, Uuid), Problem> {
        let id = parse_id(game_id)?;
        match self.keeper(id).await {
            Ok(keeper) => Ok((keeper, id)),
            Err(problem) => Err(self.house.told_to(caller, id, problem).await),
        }
    }

    /// The keeper of a ruleset.
    ///
    /// # Errors
    /// When this server keeps no such ruleset.
    pub fn keeper_named(&self, ruleset: &str) -> Result<&Arc<dyn Keeper>, Problem> {
        let keeper = self.keepers.get(ruleset);
        keeper.ok_or_else(unknown_ruleset)
    }

    async fn keeper(&self, id: Uuid) -> Result<&Arc<dyn Keeper>, Problem> {
        let entries = self.house.store.log(id, 0, 1).await?.unwrap_or_default();
        let first = entries.first().ok_or_else(|| Problem::no_such_game(id))?;
        let head = open_birth_head(&first.bytes)?;
        let keeper = self.keepers.get(&head.ruleset);
        keeper.ok_or(Problem::SnapshotTooNew)
    }

    /// The caller's games, the newest first.
    ///
    /// # Errors
    /// When the caller may not, the request means nothing, or the store fails.
    pub async fn list(
        &self,
        caller: &Caller,
        ruleset: &str,
        status: i32,
        page: Page,
    ) -> Result<(Vec<pb::GameInfo>, String), Problem> {
        let limit = page.limit(USUAL_PAGE)?;
        let filter = self.filter(caller, ruleset, status)?;
        let list = format!("games {filter:?}");
        let after = page.start::<3>(&list)?.map(listed_at);
        let mut found = self
            .house
            .store
            .list(&filter, after.as_ref(), limit + 1)
            .await?;
        let mut next_page_token = String::new();
        if found.len() > limit {
            found.truncate(limit);
            next_page_token = found
                .last()
                .map_or(String::new(), |last| token(&list, &place_of(last)));
        }
        let (mut games, mut breath) = (Vec::with_capacity(found.len()), Breath::new());
        for ListedGame { id, row } in found {
            let info = match self.keepers.get(&row.ruleset) {
                Some(keeper) => keeper.info(caller, id).await,
                None => Err(Problem::SnapshotTooNew),
            };
            match info {
                Ok(info) => games.push(info),
                // Deleted while the list was read.
                Err(Problem::NoSuchGame { .. }) => {}
                // One game that cannot be read must not hide the others.
                Err(problem) if problem.is_of_record() => {
                    tracing::warn!(%id, %problem, "a game in a list cannot be read");
                    games.push(listed(id, &row));
                }
                Err(problem) => return Err(problem),
            }
            breath.take().await;
        }
        Ok((games, next_page_token))
    }

    fn filter(&self, caller: &Caller, ruleset: &str, status: i32) -> Result<ListFilter, Problem> {
        if !ruleset.is_empty() && !self.keepers.contains_key(ruleset) {
            return Err(unknown_ruleset());
        }
        let finished = match pb::GameStatus::try_from(status) {
            Ok(pb::GameStatus::Unspecified) => None,
            Ok(pb::GameStatus::Active) => Some(false),
            Ok(pb::GameStatus::Finished) => Some(true),
            Err(_) => return Err(Malformed::new("status", "is unknown").into()),
        };
        let tenant = match caller {
            Caller::Open | Caller::Operator => None,
            Caller::Tenant(tenant) => Some(tenant.clone()),
            Caller::Seat { .. } | Caller::Spectator { .. } => {
                return Err(Problem::PermissionDenied(
                    "only tenants and operators list games",
                ));
            }
        };
        let ruleset = (!ruleset.is_empty()).then(|| ruleset.to_owned());
        Ok(ListFilter {
            tenant,
            ruleset,
            finished,
        })
    }
}

pub(super) fn unknown_ruleset() -> Problem {
    Malformed::new("ruleset", "is the id of none that this server keeps").into()
}

/// The place of a game in a list: its time and its id.
fn place_of(game: &ListedGame) -> [u64; 3] {
    let (high, low) = game.id.as_u64_pair();
    [game.row.created_ms, high, low]
}

/// What a list knows of a game that cannot be read.
fn listed(id: Uuid, row: &IndexRow) -> pb::GameInfo {
    let status = if row.finished {
        pb::GameStatus::Finished
    } else {
        pb::GameStatus::Active
    };
    pb::GameInfo {
        game_id: id.to_string(),
        ruleset: row.ruleset.clone(),
        status: status.into(),
        create_time: Some(timestamp(row.created_ms)),
        ..Default::default()
    }
}

fn listed_at([created_ms, high, low]: [u64; 3]) -> ListedGame {
    let row = IndexRow {
        tenant: String::new(),
        ruleset: String::new(),
        created_ms,
        finished: false,
    };
    ListedGame {
        id: Uuid::from_u64_pair(high, low),
        row,
    }
}
