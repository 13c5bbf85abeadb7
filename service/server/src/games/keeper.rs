//! The games of all rulesets, for calls that do not name a ruleset.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use gamekeeper_proto::envelope::Package;
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::rulebook::Rulebook;
use gamekeeper_rules::table::Viewer;
use gamekeeper_wire::{Malformed, Wire};
use prost_types::Timestamp;
use uuid::Uuid;

use super::record::open_birth_head;
use super::table_life::{TableOutcome, TableRequest};
use super::{Changes, Followed, Games, House, PackedGames, parse_id};
use crate::auth::{Bearer, Caller};
use crate::problem::Problem;

/// The games of one ruleset, without its types.
#[async_trait]
pub trait Keeper: PackedGames {
    /// The description of the ruleset.
    fn ruleset(&self) -> pb::Ruleset;

    /// Its rule documents, paragraph by paragraph.
    fn rulebook(&self) -> &Rulebook;

    /// The public facts of a game.
    async fn info(&self, caller: &Caller, id: Uuid) -> Result<pb::GameInfo, Problem>;

    /// A game at its newest version: the public facts and, for a viewer, the view, packed.
    async fn found(
        &self,
        caller: &Caller,
        id: Uuid,
        viewer: Option<Viewer>,
    ) -> Result<pb::FoundGame, Problem>;

    /// Follows a game as part of a stream of many games.
    async fn follow(self: Arc<Self>, caller: &Bearer, game: Followed) -> Result<Changes, Problem>;

    /// Changes users and labels of a game.
    async fn update(
        &self,
        caller: &Caller,
        id: Uuid,
        call: &pb::UpdateGameRequest,
    ) -> Result<pb::GameInfo, Problem>;

    /// Creates a game with the past of another.
    async fn fork(
        &self,
        caller: &Caller,
        id: Uuid,
        call: &pb::ForkGameRequest,
    ) -> Result<pb::ForkGameResponse, Problem>;

    /// Deletes a game.
    async fn delete(&self, caller: &Caller, id: Uuid) -> Result<(), Problem>;

    /// Replaces the token of a seat, or of spectators if `seat` is `None`.
    async fn rotate(
        &self,
        caller: &Caller,
        id: Uuid,
        seat: Option<u32>,
        expire_time: Option<Timestamp>,
    ) -> Result<String, Problem>;

    /// Carries out a request of table life.
    async fn change_table(
        &self,
        caller: &Caller,
        id: Uuid,
        request: TableRequest,
        request_id: &str,
    ) -> Result<TableOutcome, Problem>;
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
            service: <W::Messages as Package>::SERVICE.to_owned(),
            options: self.options.clone(),
        }
    }

    fn rulebook(&self) -> &Rulebook {
        self.rulebook.get_or_init(|| Rulebook::read(W::RULES))
    }

    async fn info(&self, caller: &Caller, id: Uuid) -> Result<pb::GameInfo, Problem> {
        Self::info(self, caller, id).await
    }

    async fn found(
        &self,
        caller: &Caller,
        id: Uuid,
        viewer: Option<Viewer>,
    ) -> Result<pb::FoundGame, Problem> {
        Self::found(self, caller, id, viewer).await
    }

    async fn follow(self: Arc<Self>, caller: &Bearer, game: Followed) -> Result<Changes, Problem> {
        Self::follow(&self, caller, game).await
    }

    async fn update(
        &self,
        caller: &Caller,
        id: Uuid,
        call: &pb::UpdateGameRequest,
    ) -> Result<pb::GameInfo, Problem> {
        Self::update(self, caller, id, call).await
    }

    async fn fork(
        &self,
        caller: &Caller,
        id: Uuid,
        call: &pb::ForkGameRequest,
    ) -> Result<pb::ForkGameResponse, Problem> {
        Self::fork(self, caller, id, call).await
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

    async fn change_table(
        &self,
        caller: &Caller,
        id: Uuid,
        request: TableRequest,
        request_id: &str,
    ) -> Result<TableOutcome, Problem> {
        Self::change_table(self, caller, id, request, request_id).await
    }
}

/// The rulesets of this process, with the games of each.
pub struct Registry {
    house: Arc<House>,
    keepers: BTreeMap<String, Arc<dyn Keeper>>,
}

impl Registry {
    /// A registry of these rulesets.
    #[must_use]
    pub fn new(house: Arc<House>, keepers: Vec<Arc<dyn Keeper>>) -> Self {
        let keepers = keepers
            .into_iter()
            .map(|keeper| (keeper.ruleset().id, keeper))
            .collect();
        Self { house, keepers }
    }

    /// The descriptions of all rulesets, ordered by id.
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
    /// When this server has no such ruleset.
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

    /// What the games of all rulesets share.
    pub(super) fn house(&self) -> &Arc<House> {
        &self.house
    }
}

pub(super) fn unknown_ruleset() -> Problem {
    Malformed::new("ruleset", "is not the id of a ruleset on this server").into()
}
