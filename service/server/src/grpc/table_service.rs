//! `gamekeeper.v1.TableService`: one service for all rulesets. Each call goes to the games of its ruleset.

use std::pin::Pin;
use std::sync::Arc;

use futures_util::{Stream, TryStreamExt};
use gamekeeper_proto::Written;
use gamekeeper_proto::gamekeeper::v1 as pb;
use pb::table_service_server::TableService;
use tonic::{Request, Response, Status};

use super::{caller, sent};
use crate::auth::{Authority, Guest};
use crate::games::{Answers, ErasedGames, Registry};
use crate::problem::Problem;

/// Answers calls of clients that treat all rulesets alike.
pub struct TableEndpoint {
    registry: Arc<Registry>,
    authority: Arc<Authority>,
}

impl TableEndpoint {
    /// Answers for these rulesets.
    #[must_use]
    pub fn new(registry: Arc<Registry>, authority: Arc<Authority>) -> Self {
        Self {
            registry,
            authority,
        }
    }

    /// The caller, and the games of the ruleset that this game has.
    async fn open<T>(
        &self,
        request: &Request<T>,
        game_id: &str,
    ) -> Result<(Guest, Arc<dyn ErasedGames>), Problem> {
        let caller = caller(&self.authority, request)?;
        let (games, _) = self.registry.games_of(&caller, game_id).await?;
        Ok((caller, Arc::clone(games)))
    }
}

/// A stream of responses, as the library takes it.
type Answered<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

fn streamed<T: 'static>(answers: Answers<T>) -> Response<Answered<T>> {
    Response::new(Box::pin(answers.map_err(Status::from)))
}

#[tonic::async_trait]
impl TableService for TableEndpoint {
    type WatchGameStream = Answered<Written<pb::WatchGameResponse>>;
    type ExportGameStream = Answered<pb::ExportGameResponse>;

    async fn create_game(
        &self,
        request: Request<pb::CreateGameRequest>,
    ) -> Result<Response<pb::CreateGameResponse>, Status> {
        let caller = caller(&self.authority, &request)?;
        let call = request.into_inner();
        let games = self.registry.games_named(&call.ruleset)?;
        let created = games.create_packed(&caller, call).await?;
        Ok(Response::new(created))
    }

    async fn apply_action(
        &self,
        request: Request<pb::ApplyActionRequest>,
    ) -> Result<Response<pb::ApplyActionResponse>, Status> {
        let (caller, games) = self.open(&request, &request.get_ref().game_id).await?;
        let applied = games.apply_packed(&caller, request.into_inner()).await?;
        Ok(Response::new(applied))
    }

    async fn get_game(
        &self,
        request: Request<pb::GetGameRequest>,
    ) -> Result<Response<pb::GetGameResponse>, Status> {
        let (caller, games) = self.open(&request, &request.get_ref().game_id).await?;
        let seen = games.look_packed(&caller, request.into_inner()).await?;
        Ok(Response::new(seen))
    }

    async fn list_legal_actions(
        &self,
        request: Request<pb::ListLegalActionsRequest>,
    ) -> Result<Response<pb::ListLegalActionsResponse>, Status> {
        let (caller, games) = self.open(&request, &request.get_ref().game_id).await?;
        let legal = games.legal_packed(&caller, request.into_inner()).await?;
        Ok(Response::new(legal))
    }

    async fn list_events(
        &self,
        request: Request<pb::ListEventsRequest>,
    ) -> Result<Response<pb::ListEventsResponse>, Status> {
        let (caller, games) = self.open(&request, &request.get_ref().game_id).await?;
        let events = games.events_packed(&caller, request.into_inner()).await?;
        Ok(Response::new(events))
    }

    async fn watch_game(
        &self,
        request: Request<pb::WatchGameRequest>,
    ) -> Result<Response<Self::WatchGameStream>, Status> {
        let (caller, games) = self.open(&request, &request.get_ref().game_id).await?;
        let answers = games.watch_packed(&caller, request.into_inner()).await?;
        Ok(streamed(sent(answers)))
    }

    async fn export_game(
        &self,
        request: Request<pb::ExportGameRequest>,
    ) -> Result<Response<Self::ExportGameStream>, Status> {
        let (caller, games) = self.open(&request, &request.get_ref().game_id).await?;
        let parts = games.export_packed(&caller, request.into_inner()).await?;
        Ok(streamed(parts))
    }

    async fn get_catalogue(
        &self,
        request: Request<pb::GetCatalogueRequest>,
    ) -> Result<Response<pb::GetCatalogueResponse>, Status> {
        // The answer is the same for everybody, but the call needs a token.
        let _anybody = caller(&self.authority, &request)?;
        let call = request.get_ref();
        let games = self.registry.games_named(&call.ruleset)?;
        Ok(Response::new(games.catalogue_packed(call.known_revision)))
    }
}
