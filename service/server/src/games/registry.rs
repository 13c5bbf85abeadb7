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
use super::{Changes, FollowedGame, Games, PackedGames, Shared, parse_id};
use crate::auth::{Bearer, Caller};
use crate::problem::Problem;

/// The games of one ruleset, without its types.
#[async_trait]
pub trait ErasedGames: PackedGames {
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
    async fn follow(
        self: Arc<Self>,
        caller: &Bearer,
        game: FollowedGame,
    ) -> Result<Changes, Problem>;

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
impl<W: Wire> ErasedGames for Games<W> {
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

    async fn follow(
        self: Arc<Self>,
        caller: &Bearer,
        game: FollowedGame,
    ) -> Result<Changes, Problem> {
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
    shared: Arc<Shared>,
    games: BTreeMap<String, Arc<dyn ErasedGames>>,
}

impl Registry {
    /// A registry of these rulesets.
    #[must_use]
    pub fn new(shared: Arc<Shared>, games: Vec<Arc<dyn ErasedGames>>) -> Self {
        let games = games
            .into_iter()
            .map(|games| (games.ruleset().id, games))
            .collect();
        Self { shared, games }
    }

    /// The descriptions of all rulesets, ordered by id.
    #[must_use]
    pub fn rulesets(&self) -> Vec<pb::Ruleset> {
        self.games.values().map(|games| games.ruleset()).collect()
    }

    /// The games, by the ids of their rulesets.
    pub(super) fn by_ruleset(&self) -> &BTreeMap<String, Arc<dyn ErasedGames>> {
        &self.games
    }

    /// The games to which a game belongs, and its id.
    ///
    /// # Errors
    /// When there is no such game, or the store fails.
    pub async fn games_of(
        &self,
        caller: &Caller,
        game_id: &str,
    ) -> Result<(&Arc<dyn ErasedGames>, Uuid), Problem> {
        let id = parse_id(game_id)?;
        match self.find_games(id).await {
            Ok(games) => Ok((games, id)),
            Err(problem) => Err(self.shared.problem_for(caller, id, problem).await),
        }
    }

    /// The games of a ruleset.
    ///
    /// # Errors
    /// When this server has no such ruleset.
    pub fn games_named(&self, ruleset: &str) -> Result<&Arc<dyn ErasedGames>, Problem> {
        let games = self.games.get(ruleset);
        games.ok_or_else(unknown_ruleset)
    }

    async fn find_games(&self, id: Uuid) -> Result<&Arc<dyn ErasedGames>, Problem> {
        let entries = self.shared.store.log(id, 0, 1).await?.unwrap_or_default();
        let first = entries.first().ok_or_else(|| Problem::no_such_game(id))?;
        let head = open_birth_head(&first.bytes)?;
        let games = self.games.get(&head.ruleset);
        games.ok_or(Problem::SnapshotTooNew)
    }

    /// What the games of all rulesets share.
    pub(super) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }
}

pub(super) fn unknown_ruleset() -> Problem {
    Malformed::new("ruleset", "is not the id of a ruleset on this server").into()
}
