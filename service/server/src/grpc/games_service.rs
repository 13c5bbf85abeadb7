//! `gamekeeper.v1.GamesService`.

use std::pin::Pin;
use std::sync::Arc;

use futures_util::{Stream, StreamExt};
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_proto::{Written, written};
use pb::game_result;
use pb::games_service_server::GamesService;
use pb::watch_games_response::Update;
use tonic::{Request, Response, Status};
use tonic_types::StatusExt;
use uuid::Uuid;

use super::{caller, status_of};
use crate::audit::{note, note_operator};
use crate::auth::{Authority, Guest};
use crate::games::{ErasedGames, GamesUpdate, Page, Registry, TableOutcome, TableRequest};
use crate::problem::{Problem, shortened};
use crate::version::VERSION;

/// Answers calls that do not name a ruleset.
pub struct GamesEndpoint {
    registry: Arc<Registry>,
    authority: Arc<Authority>,
}

impl GamesEndpoint {
    /// Answers for these rulesets.
    #[must_use]
    pub fn new(registry: Arc<Registry>, authority: Arc<Authority>) -> Self {
        Self {
            registry,
            authority,
        }
    }
}

#[tonic::async_trait]
impl GamesService for GamesEndpoint {
    type WatchGamesStream =
        Pin<Box<dyn Stream<Item = Result<Written<pb::WatchGamesResponse>, Status>> + Send>>;

    async fn list_rulesets(
        &self,
        _request: Request<pb::ListRulesetsRequest>,
    ) -> Result<Response<pb::ListRulesetsResponse>, Status> {
        // The answer is the same for everybody, and clients ask before they have a token.
        Ok(Response::new(pb::ListRulesetsResponse {
            rulesets: self.registry.rulesets(),
            server_version: String::from(VERSION),
        }))
    }

    async fn get_rule(
        &self,
        request: Request<pb::GetRuleRequest>,
    ) -> Result<Response<pb::GetRuleResponse>, Status> {
        let rule = self.registry.rule(&request.get_ref().id)?;
        Ok(Response::new(pb::GetRuleResponse { rule: Some(rule) }))
    }

    async fn list_rules(
        &self,
        request: Request<pb::ListRulesRequest>,
    ) -> Result<Response<pb::ListRulesResponse>, Status> {
        let call = request.into_inner();
        let page = Page::new(call.page_size, call.page_token);
        let (rules, next_page_token) = self.registry.rules(&call.ruleset, &call.chapter, &page)?;
        Ok(Response::new(pb::ListRulesResponse {
            rules,
            next_page_token,
        }))
    }

    async fn list_games(
        &self,
        request: Request<pb::ListGamesRequest>,
    ) -> Result<Response<pb::ListGamesResponse>, Status> {
        let caller = caller(&self.authority, &request)?;
        let listed = self.registry.list(&caller, request.get_ref()).await;
        note_operator(&caller, "list_games", "", &listed);
        Ok(Response::new(listed?))
    }

    async fn get_game_info(
        &self,
        request: Request<pb::GetGameInfoRequest>,
    ) -> Result<Response<pb::GetGameInfoResponse>, Status> {
        let call = request.get_ref();
        let (caller, games, id) = self.open(&request, &call.game_id).await?;
        let info = games.info(&caller, id).await;
        note_operator(&caller, "get_game_info", &id.to_string(), &info);
        let game = Some(info?);
        Ok(Response::new(pb::GetGameInfoResponse { game }))
    }

    async fn batch_get_games(
        &self,
        request: Request<pb::BatchGetGamesRequest>,
    ) -> Result<Response<pb::BatchGetGamesResponse>, Status> {
        let caller = caller(&self.authority, &request)?;
        let call = request.get_ref();
        let found = self.registry.batch(&caller, call).await?;
        let results = call.games.iter().zip(found);
        let results = results.map(|(asked, found)| {
            note_operator(
                &caller,
                "batch_get_games",
                &shortened(asked.game_id.clone()),
                &found,
            );
            let result = match found {
                Ok(found) => game_result::Result::Found(found),
                Err(problem) => game_result::Result::Error(game_error(&problem)),
            };
            pb::GameResult {
                game_id: asked.game_id.clone(),
                result: Some(result),
            }
        });
        let results = results.collect();
        Ok(Response::new(pb::BatchGetGamesResponse { results }))
    }

    async fn watch_games(
        &self,
        request: Request<pb::WatchGamesRequest>,
    ) -> Result<Response<Self::WatchGamesStream>, Status> {
        let caller = caller(&self.authority, &request)?;
        let told = self.registry.watch_games(&caller, request.get_ref()).await;
        note_operator(&caller, "watch_games", "", &told);
        let answers = told?.map(|told| Ok(told.map(message_of)?));
        Ok(Response::new(Box::pin(answers)))
    }

    async fn update_game(
        &self,
        request: Request<pb::UpdateGameRequest>,
    ) -> Result<Response<pb::UpdateGameResponse>, Status> {
        let call = request.get_ref();
        let (caller, games, id) = self.open(&request, &call.game_id).await?;
        let updated = games.update(&caller, id, call).await;
        note(&caller, "update_game", &id.to_string(), &updated);
        let game = Some(updated?);
        Ok(Response::new(pb::UpdateGameResponse { game }))
    }

    async fn delete_game(
        &self,
        request: Request<pb::DeleteGameRequest>,
    ) -> Result<Response<pb::DeleteGameResponse>, Status> {
        let call = request.get_ref();
        let answer = async {
            let (caller, games, id) = self.open(&request, &call.game_id).await?;
            let deleted = games.delete(&caller, id).await;
            note(&caller, "delete_game", &id.to_string(), &deleted);
            deleted
        };
        match answer.await {
            Err(Problem::NoSuchGame { .. }) if call.allow_missing => {}
            deleted => deleted?,
        }
        Ok(Response::new(pb::DeleteGameResponse {}))
    }

    async fn rotate_seat_token(
        &self,
        request: Request<pb::RotateSeatTokenRequest>,
    ) -> Result<Response<pb::RotateSeatTokenResponse>, Status> {
        let call = request.get_ref();
        let (seat, end) = (call.seat, call.expire_time);
        let (caller, games, id) = self.open(&request, &call.game_id).await?;
        let rotated = games.rotate(&caller, id, Some(seat), end).await;
        note(&caller, "rotate_seat_token", &id.to_string(), &rotated);
        let token = rotated?;
        let seat_token = Some(pb::SeatToken { seat, token });
        Ok(Response::new(pb::RotateSeatTokenResponse { seat_token }))
    }

    async fn rotate_spectator_token(
        &self,
        request: Request<pb::RotateSpectatorTokenRequest>,
    ) -> Result<Response<pb::RotateSpectatorTokenResponse>, Status> {
        let call = request.get_ref();
        let (caller, games, id) = self.open(&request, &call.game_id).await?;
        let rotated = games.rotate(&caller, id, None, call.expire_time).await;
        note(&caller, "rotate_spectator_token", &id.to_string(), &rotated);
        let token = rotated?;
        Ok(Response::new(pb::RotateSpectatorTokenResponse { token }))
    }

    async fn resign(
        &self,
        request: Request<pb::ResignRequest>,
    ) -> Result<Response<pb::ResignResponse>, Status> {
        let call = request.get_ref();
        let ask = TableRequest::Resign { seat: call.seat };
        let to = (&*call.game_id, &*call.request_id);
        let TableOutcome { game, .. } = self.change_table(&request, to, ask, "resign").await?;
        Ok(Response::new(pb::ResignResponse { game: Some(game) }))
    }

    async fn r#return(
        &self,
        request: Request<pb::ReturnRequest>,
    ) -> Result<Response<pb::ReturnResponse>, Status> {
        let call = request.get_ref();
        let (seat, expire_time) = (call.seat, call.expire_time);
        let ask = TableRequest::Return { seat, expire_time };
        let to = (&*call.game_id, &*call.request_id);
        let TableOutcome { game, token } = self.change_table(&request, to, ask, "return").await?;
        Ok(Response::new(pb::ReturnResponse {
            game: Some(game),
            seat_token: Some(pb::SeatToken { seat, token }),
        }))
    }

    async fn claim_timeout(
        &self,
        request: Request<pb::ClaimTimeoutRequest>,
    ) -> Result<Response<pb::ClaimTimeoutResponse>, Status> {
        let call = request.get_ref();
        let ask = TableRequest::ClaimTimeout { seat: call.seat };
        let to = (&*call.game_id, &*call.request_id);
        let TableOutcome { game, .. } = self
            .change_table(&request, to, ask, "claim_timeout")
            .await?;
        Ok(Response::new(pb::ClaimTimeoutResponse { game: Some(game) }))
    }

    async fn pause_game(
        &self,
        request: Request<pb::PauseGameRequest>,
    ) -> Result<Response<pb::PauseGameResponse>, Status> {
        let call = request.get_ref();
        let ask = TableRequest::Pause;
        let to = (&*call.game_id, &*call.request_id);
        let TableOutcome { game, .. } = self.change_table(&request, to, ask, "pause_game").await?;
        Ok(Response::new(pb::PauseGameResponse { game: Some(game) }))
    }

    async fn resume_game(
        &self,
        request: Request<pb::ResumeGameRequest>,
    ) -> Result<Response<pb::ResumeGameResponse>, Status> {
        let call = request.get_ref();
        let ask = TableRequest::Resume;
        let to = (&*call.game_id, &*call.request_id);
        let TableOutcome { game, .. } = self.change_table(&request, to, ask, "resume_game").await?;
        Ok(Response::new(pb::ResumeGameResponse { game: Some(game) }))
    }

    async fn take_back(
        &self,
        request: Request<pb::TakeBackRequest>,
    ) -> Result<Response<pb::TakeBackResponse>, Status> {
        let call = request.get_ref();
        let ask = TableRequest::TakeBack {
            seat: call.seat,
            to_version: call.to_version,
        };
        let to = (&*call.game_id, &*call.request_id);
        let TableOutcome { game, .. } = self.change_table(&request, to, ask, "take_back").await?;
        Ok(Response::new(pb::TakeBackResponse { game: Some(game) }))
    }

    async fn answer_take_back(
        &self,
        request: Request<pb::AnswerTakeBackRequest>,
    ) -> Result<Response<pb::AnswerTakeBackResponse>, Status> {
        let call = request.get_ref();
        let ask = TableRequest::AnswerTakeBack {
            seat: call.seat,
            agrees: call.agrees,
        };
        let to = (&*call.game_id, &*call.request_id);
        let TableOutcome { game, .. } = self
            .change_table(&request, to, ask, "answer_take_back")
            .await?;
        Ok(Response::new(pb::AnswerTakeBackResponse {
            game: Some(game),
        }))
    }

    async fn fork_game(
        &self,
        request: Request<pb::ForkGameRequest>,
    ) -> Result<Response<pb::ForkGameResponse>, Status> {
        let call = request.get_ref();
        let (caller, games, id) = self.open(&request, &call.game_id).await?;
        Ok(Response::new(games.fork(&caller, id, call).await?))
    }
}

impl GamesEndpoint {
    /// Who calls, and the game they name: the games to which it belongs, and its id.
    async fn open<T: Sync>(
        &self,
        request: &Request<T>,
        game_id: &str,
    ) -> Result<(Guest, &Arc<dyn ErasedGames>, Uuid), Problem> {
        let caller = caller(&self.authority, request)?;
        let (games, id) = self.registry.games_of(&caller, game_id).await?;
        Ok((caller, games, id))
    }

    /// Carries out a request of table life.
    async fn change_table<T: Sync>(
        &self,
        request: &Request<T>,
        (game_id, request_id): (&str, &str),
        ask: TableRequest,
        method: &str,
    ) -> Result<TableOutcome, Problem> {
        let (caller, games, id) = self.open(request, game_id).await?;
        let happened = games.change_table(&caller, id, ask, request_id).await;
        note(&caller, method, &id.to_string(), &happened);
        happened
    }
}

/// The message for an item of a stream of many games.
fn message_of(update: GamesUpdate) -> Written<pb::WatchGamesResponse> {
    let update = match update {
        GamesUpdate::Change(message) => return message.into(),
        GamesUpdate::Left(id, problem) => Update::Left(pb::GameLeft {
            game_id: id.to_string(),
            error: problem.as_ref().map(game_error),
        }),
        GamesUpdate::Bookmark(games) => {
            let games = u32::try_from(games).unwrap_or(u32::MAX);
            Update::Bookmark(pb::GamesBookmark { games })
        }
    };
    let update = Some(update);
    written(&pb::WatchGamesResponse { update }).into()
}

/// The error that a call for this game alone would return, as part of an answer about several games.
fn game_error(problem: &Problem) -> pb::GameError {
    let status = status_of(problem);
    let details = status.get_error_details();
    pb::GameError {
        code: status.code().into(),
        reason: details
            .error_info()
            .map_or_else(String::new, |info| info.reason.clone()),
        message: status.message().to_owned(),
    }
}
