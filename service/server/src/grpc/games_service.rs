//! `gamekeeper.v1.GamesService`.

use std::sync::Arc;

use gamekeeper_proto::gamekeeper::v1 as pb;
use pb::games_service_server::GamesService;
use tonic::{Request, Response, Status};

use super::caller;
use crate::audit::{note, note_operator};
use crate::auth::{Authority, Caller};
use crate::games::{Ask, Happened, Page, Registry};
use crate::problem::Problem;

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
    async fn list_rulesets(
        &self,
        _request: Request<pb::ListRulesetsRequest>,
    ) -> Result<Response<pb::ListRulesetsResponse>, Status> {
        // The same for everybody, and asked before anybody is known.
        Ok(Response::new(pb::ListRulesetsResponse {
            rulesets: self.registry.rulesets(),
            server_version: String::from(env!("CARGO_PKG_VERSION")),
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
        let call = request.into_inner();
        let page = Page::new(call.page_size, call.page_token);
        let listed = self
            .registry
            .list(&caller, &call.ruleset, call.status, page)
            .await;
        note_operator(&caller, "list_games", "", &listed);
        let (games, next_page_token) = listed?;
        Ok(Response::new(pb::ListGamesResponse {
            games,
            next_page_token,
        }))
    }

    async fn get_game_info(
        &self,
        request: Request<pb::GetGameInfoRequest>,
    ) -> Result<Response<pb::GetGameInfoResponse>, Status> {
        let answer = async {
            let caller = caller(&self.authority, &request)?;
            let (keeper, id) = self
                .registry
                .keeper_of(&caller, &request.get_ref().game_id)
                .await?;
            let info = keeper.info(&caller, id).await;
            note_operator(&caller, "get_game_info", &id.to_string(), &info);
            info
        };
        let game = answer.await?;
        Ok(Response::new(pb::GetGameInfoResponse { game: Some(game) }))
    }

    async fn delete_game(
        &self,
        request: Request<pb::DeleteGameRequest>,
    ) -> Result<Response<pb::DeleteGameResponse>, Status> {
        let answer = async {
            let caller = caller(&self.authority, &request)?;
            let (keeper, id) = self
                .registry
                .keeper_of(&caller, &request.get_ref().game_id)
                .await?;
            let deleted = keeper.delete(&caller, id).await;
            note(&caller, "delete_game", &id.to_string(), &deleted);
            deleted
        };
        match answer.await {
            Err(Problem::NoSuchGame { .. }) if request.get_ref().allow_missing => {}
            deleted => deleted?,
        }
        Ok(Response::new(pb::DeleteGameResponse {}))
    }

    async fn rotate_seat_token(
        &self,
        request: Request<pb::RotateSeatTokenRequest>,
    ) -> Result<Response<pb::RotateSeatTokenResponse>, Status> {
        let answer = async {
            let caller = caller(&self.authority, &request)?;
            let call = request.get_ref();
            let (keeper, id) = self.registry.keeper_of(&caller, &call.game_id).await?;
            let (seat, end) = (Some(call.seat), call.expire_time);
            let rotated = keeper.rotate(&caller, id, seat, end).await;
            note(&caller, "rotate_seat_token", &id.to_string(), &rotated);
            rotated
        };
        let token = answer.await?;
        let seat = request.get_ref().seat;
        let seat_token = Some(pb::SeatToken { seat, token });
        Ok(Response::new(pb::RotateSeatTokenResponse { seat_token }))
    }

    async fn rotate_spectator_token(
        &self,
        request: Request<pb::RotateSpectatorTokenRequest>,
    ) -> Result<Response<pb::RotateSpectatorTokenResponse>, Status> {
        let answer = async {
            let caller = caller(&self.authority, &request)?;
            let call = request.get_ref();
            let (keeper, id) = self.registry.keeper_of(&caller, &call.game_id).await?;
            let rotated = keeper.rotate(&caller, id, None, call.expire_time).await;
            note(&caller, "rotate_spectator_token", &id.to_string(), &rotated);
            rotated
        };
        let token = answer.await?;
        Ok(Response::new(pb::RotateSpectatorTokenResponse { token }))
    }

    async fn resign(
        &self,
        request: Request<pb::ResignRequest>,
    ) -> Result<Response<pb::ResignResponse>, Status> {
        let (caller, call) = (caller(&self.authority, &request)?, request.into_inner());
        let ask = Ask::Resign { seat: call.seat };
        let to = (&*call.game_id, &*call.request_id);
        let Happened { game, .. } = self.beside(&caller, to, ask, "resign").await?;
        Ok(Response::new(pb::ResignResponse { game: Some(game) }))
    }

    async fn r#return(
        &self,
        request: Request<pb::ReturnRequest>,
    ) -> Result<Response<pb::ReturnResponse>, Status> {
        let (caller, call) = (caller(&self.authority, &request)?, request.into_inner());
        let (seat, expire_time) = (call.seat, call.expire_time);
        let ask = Ask::Return { seat, expire_time };
        let to = (&*call.game_id, &*call.request_id);
        let Happened { game, token } = self.beside(&caller, to, ask, "return").await?;
        Ok(Response::new(pb::ReturnResponse {
            game: Some(game),
            seat_token: Some(pb::SeatToken { seat, token }),
        }))
    }

    async fn claim_timeout(
        &self,
        request: Request<pb::ClaimTimeoutRequest>,
    ) -> Result<Response<pb::ClaimTimeoutResponse>, Status> {
        let (caller, call) = (caller(&self.authority, &request)?, request.into_inner());
        let ask = Ask::ClaimTimeout { seat: call.seat };
        let to = (&*call.game_id, &*call.request_id);
        let Happened { game, .. } = self.beside(&caller, to, ask, "claim_timeout").await?;
        Ok(Response::new(pb::ClaimTimeoutResponse { game: Some(game) }))
    }

    async fn pause_game(
        &self,
        request: Request<pb::PauseGameRequest>,
    ) -> Result<Response<pb::PauseGameResponse>, Status> {
        let (caller, call) = (caller(&self.authority, &request)?, request.into_inner());
        let ask = Ask::Pause;
        let to = (&*call.game_id, &*call.request_id);
        let Happened { game, .. } = self.beside(&caller, to, ask, "pause_game").await?;
        Ok(Response::new(pb::PauseGameResponse { game: Some(game) }))
    }

    async fn resume_game(
        &self,
        request: Request<pb::ResumeGameRequest>,
    ) -> Result<Response<pb::ResumeGameResponse>, Status> {
        let (caller, call) = (caller(&self.authority, &request)?, request.into_inner());
        let ask = Ask::Resume;
        let to = (&*call.game_id, &*call.request_id);
        let Happened { game, .. } = self.beside(&caller, to, ask, "resume_game").await?;
        Ok(Response::new(pb::ResumeGameResponse { game: Some(game) }))
    }

    async fn take_back(
        &self,
        request: Request<pb::TakeBackRequest>,
    ) -> Result<Response<pb::TakeBackResponse>, Status> {
        let (caller, call) = (caller(&self.authority, &request)?, request.into_inner());
        let ask = Ask::TakeBack {
            seat: call.seat,
            to_version: call.to_version,
        };
        let to = (&*call.game_id, &*call.request_id);
        let Happened { game, .. } = self.beside(&caller, to, ask, "take_back").await?;
        Ok(Response::new(pb::TakeBackResponse { game: Some(game) }))
    }

    async fn answer_take_back(
        &self,
        request: Request<pb::AnswerTakeBackRequest>,
    ) -> Result<Response<pb::AnswerTakeBackResponse>, Status> {
        let (caller, call) = (caller(&self.authority, &request)?, request.into_inner());
        let ask = Ask::AnswerTakeBack {
            seat: call.seat,
            agrees: call.agrees,
        };
        let to = (&*call.game_id, &*call.request_id);
        let Happened { game, .. } = self.beside(&caller, to, ask, "answer_take_back").await?;
        Ok(Response::new(pb::AnswerTakeBackResponse {
            game: Some(game),
        }))
    }
}

impl GamesEndpoint {
    /// Lets something happen at a table beside the rules.
    async fn beside(
        &self,
        caller: &Caller,
        (game_id, request_id): (&str, &str),
        ask: Ask,
        what: &str,
    ) -> Result<Happened, Problem> {
        let (keeper, id) = self.registry.keeper_of(caller, game_id).await?;
        let happened = keeper.beside(caller, id, ask, request_id).await;
        note(caller, what, &id.to_string(), &happened);
        happened
    }
}
