//! The methods of the contract: a row for each, and its handler.

use std::sync::Arc;

use bytes::Bytes;
use futures_util::StreamExt;
use gamekeeper_games::authz::{Caller, Role};
use gamekeeper_games::errors::{ServiceError, truncated};
use gamekeeper_games::{GamesUpdate, PageRequest, Registry, ResponseStream, TableRequest};
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_proto::{PreEncoded, encode_shared, raw};
use gamekeeper_store::clock::now_ms;
use pb::token_holder::Holder;
use prost::Message;
use prost_types::Timestamp;
use raw::game_result;
use raw::watch_games_response::Update;
use tonic::body::Body;
use tonic::codegen::http::Request;

use super::endpoint::Endpoint;
use super::method_specs::{AuthRequirement, MethodSpec, PermitRelease, Streaming};
use super::pre_encoded;
use super::status::in_answer;
use super::unary::ResponseFuture;
use crate::audit::{self, AuditPolicy};
use crate::version::VERSION;

macro_rules! methods {
    ($($service:literal {
        $($name:literal by $by:ident, $form:ident, $until:ident, audit $noted:ident: $call:ident $method:ident;)+
    })+) => {
        /// All methods of the contract.
        pub(super) const METHODS: &[MethodSpec] = &[$($(
            MethodSpec {
                name: concat!("gamekeeper.v1.", $service, "/", $name),
                streaming: Streaming::$form,
                auth: AuthRequirement::$by,
                permit_release: PermitRelease::$until,
                audit: AuditPolicy::$noted,
            },
        )+)+];

        /// The full names of the services.
        pub(super) const SERVICES: &[&str] = &[$(concat!("gamekeeper.v1.", $service)),+];

        /// Answers a call. Returns the request if there is no such method.
        #[expect(clippy::result_large_err, reason = "it goes on to another router")]
        pub(super) fn dispatch(
            endpoint: &Endpoint,
            http: Request<Body>,
        ) -> Result<ResponseFuture, Request<Body>> {
            Ok(match http.uri().path() {
                $($(concat!("/gamekeeper.v1.", $service, "/", $name) => {
                    endpoint.$call(http, $method, (AuditPolicy::$noted, stringify!($method)))
                })+)+
                _ => return Err(http),
            })
        }
    };
}

methods! {
    "GameService" {
        "ApplyAction" by Authenticated, Unary, Response, audit Never: unary apply_action;
        "GetGame" by Authenticated, Unary, Response, audit Operators: unary get_game;
        "ListLegalActions" by Authenticated, Unary, Response, audit Operators: unary list_legal_actions;
        "ListEvents" by Authenticated, Unary, Response, audit Operators: unary list_events;
        "WatchGame" by Authenticated, Server, Response, audit Operators: server_stream watch_game;
        "WatchGames" by Authenticated, Server, Response, audit Operators: server_stream watch_games;
        "ExportGame" by Authenticated, Server, End, audit Operators: server_stream export_game;
        "CreateGame" by Authenticated, Unary, Response, audit Manual: unary create_game;
        "BatchGetGames" by Authenticated, Unary, Response, audit Manual: unary batch_get_games;
        "ListGames" by Authenticated, Unary, Response, audit Operators: unary list_games;
        "UpdateGame" by Authenticated, Unary, Response, audit All: unary update_game;
        "EraseUser" by Authenticated, Unary, Response, audit All: unary erase_user;
        "DeleteGame" by Authenticated, Unary, Response, audit All: unary delete_game;
        "ForkGame" by Authenticated, Unary, Response, audit Manual: unary fork_game;
        "ImportGame" by Authenticated, Client, Response, audit Manual: bidi_stream import_game;
        "Resign" by Authenticated, Unary, Response, audit All: unary resign;
        "FillSeat" by Authenticated, Unary, Response, audit All: unary fill_seat;
        "ClaimTimeout" by Authenticated, Unary, Response, audit All: unary claim_timeout;
        "AddTime" by Authenticated, Unary, Response, audit All: unary add_time;
        "PauseGame" by Authenticated, Unary, Response, audit All: unary pause_game;
        "ResumeGame" by Authenticated, Unary, Response, audit All: unary resume_game;
        "TakeBack" by Authenticated, Unary, Response, audit All: unary take_back;
        "EndGame" by Authenticated, Unary, Response, audit All: unary end_game;
        "AnswerProposal" by Authenticated, Unary, Response, audit All: unary answer_proposal;
    }
    "AccessService" {
        "IssueToken" by Authenticated, Unary, Response, audit All: unary issue_token;
        "RevokeTokens" by Authenticated, Unary, Response, audit All: unary revoke_tokens;
    }
    "RulesetService" {
        "ListRulesets" by Public, Unary, End, audit Never: public_unary list_rulesets;
        "GetCatalogue" by Public, Unary, End, audit Never: public_unary get_catalogue;
        "ListRules" by Public, Unary, End, audit Never: public_unary list_rules;
        "GetRule" by Public, Unary, End, audit Never: public_unary get_rule;
    }
    "SelfPlayService" {
        "SelfPlay" by Authenticated, Bidi, Response, audit Operators: bidi_stream self_play;
    }
}

type MethodResult<A> = Result<A, ServiceError>;

async fn create_game(
    registry: Arc<Registry>,
    caller: Caller,
    call: raw::CreateGameRequest,
) -> MethodResult<raw::CreateGameResponse> {
    let games = registry.service_for_create(&call)?;
    if call.validate_only {
        return games.create_game(&caller, call).await;
    }
    let created = games.create_game(&caller, call).await;
    let table = created
        .as_ref()
        .ok()
        .and_then(|created| created.table.as_ref());
    let game = table.and_then(|table| table.game.as_ref());
    let game = game.map_or("", |game| game.game_id.as_str());
    audit::record(&caller.role, "create_game", game, &created);
    created
}

async fn apply_action(
    registry: Arc<Registry>,
    caller: Caller,
    call: Box<raw::ApplyActionRequest>,
) -> MethodResult<Box<raw::ApplyActionResponse>> {
    let (games, _) = registry.resolve_game(&caller, &call.game_id).await?;
    games.apply_action(&caller, call).await
}

async fn get_game(
    registry: Arc<Registry>,
    caller: Caller,
    call: pb::GetGameRequest,
) -> MethodResult<raw::GetGameResponse> {
    let (games, _) = registry.resolve_game(&caller, &call.game_id).await?;
    games.get_game(&caller, call).await
}

async fn list_legal_actions(
    registry: Arc<Registry>,
    caller: Caller,
    call: pb::ListLegalActionsRequest,
) -> MethodResult<raw::ListLegalActionsResponse> {
    let (games, _) = registry.resolve_game(&caller, &call.game_id).await?;
    games.list_legal_actions(&caller, call).await
}

async fn list_events(
    registry: Arc<Registry>,
    caller: Caller,
    call: pb::ListEventsRequest,
) -> MethodResult<raw::ListEventsResponse> {
    let (games, _) = registry.resolve_game(&caller, &call.game_id).await?;
    games.list_events(&caller, call).await
}

async fn watch_game(
    registry: Arc<Registry>,
    caller: Caller,
    call: pb::WatchGameRequest,
) -> MethodResult<ResponseStream<PreEncoded<raw::WatchGameResponse>>> {
    let (games, _) = registry.resolve_game(&caller, &call.game_id).await?;
    Ok(pre_encoded(games.watch_game(&caller, call).await?))
}

async fn watch_games(
    registry: Arc<Registry>,
    caller: Caller,
    call: pb::WatchGamesRequest,
) -> MethodResult<ResponseStream<PreEncoded<raw::WatchGamesResponse>>> {
    let updates = registry.watch_games(&caller, &call).await?;
    Ok(Box::pin(updates.map(|update| Ok(message_of(update?)))))
}

async fn export_game(
    registry: Arc<Registry>,
    caller: Caller,
    call: pb::ExportGameRequest,
) -> MethodResult<ResponseStream<raw::ExportGameResponse>> {
    let (games, _) = registry.resolve_game(&caller, &call.game_id).await?;
    games.export_game(&caller, call).await
}

async fn batch_get_games(
    registry: Arc<Registry>,
    caller: Caller,
    call: pb::BatchGetGamesRequest,
) -> MethodResult<raw::BatchGetGamesResponse> {
    let outcomes = registry.batch_get_games(&caller, &call).await?;
    let results = call.games.into_iter().zip(outcomes);
    let results = results.map(|(requested, outcome)| {
        let game_id = requested.game_id;
        if caller.role == Role::Operator {
            audit::record(
                &caller.role,
                "batch_get_games",
                &truncated(game_id.clone()),
                &outcome,
            );
        }
        let result = match outcome {
            Ok(table) => game_result::Result::Table(table),
            Err(problem) => game_result::Result::Problem(in_answer(&problem)),
        };
        raw::GameResult {
            game_id,
            result: Some(result),
        }
    });
    let results = results.collect();
    Ok(raw::BatchGetGamesResponse { results })
}

async fn list_games(
    registry: Arc<Registry>,
    caller: Caller,
    call: pb::ListGamesRequest,
) -> MethodResult<pb::ListGamesResponse> {
    registry.list_games(&caller, &call).await
}

async fn update_game(
    registry: Arc<Registry>,
    caller: Caller,
    call: pb::UpdateGameRequest,
) -> MethodResult<pb::UpdateGameResponse> {
    let (games, id) = registry.resolve_game(&caller, &call.game_id).await?;
    let game = Some(games.update_game(&caller, id, &call).await?);
    Ok(pb::UpdateGameResponse { game })
}

async fn erase_user(
    registry: Arc<Registry>,
    caller: Caller,
    call: pb::EraseUserRequest,
) -> MethodResult<raw::EraseUserResponse> {
    let erased = registry.erase_user(&caller, call).await?;
    let failed = erased.failed.iter().map(|(id, problem)| raw::GameResult {
        game_id: id.to_string(),
        result: Some(game_result::Result::Problem(in_answer(problem))),
    });
    Ok(raw::EraseUserResponse {
        erased: erased.changed,
        failed: failed.collect(),
        next_page_token: erased.next_page_token,
    })
}

async fn delete_game(
    registry: Arc<Registry>,
    caller: Caller,
    call: pb::DeleteGameRequest,
) -> MethodResult<pb::DeleteGameResponse> {
    let deletion = async {
        let (games, id) = registry.resolve_game(&caller, &call.game_id).await?;
        games.delete_game(&caller, id).await
    };
    match deletion.await {
        Err(ServiceError::NoSuchGame { .. }) if call.allow_missing => {}
        deleted => deleted?,
    }
    Ok(pb::DeleteGameResponse {})
}

async fn fork_game(
    registry: Arc<Registry>,
    caller: Caller,
    call: pb::ForkGameRequest,
) -> MethodResult<pb::ForkGameResponse> {
    let (games, id) = registry.resolve_game(&caller, &call.game_id).await?;
    let forked = games.fork_game(&caller, id, &call).await;
    audit::record(&caller.role, "fork_game", &id.to_string(), &forked);
    if let Ok(pb::ForkGameResponse {
        game: Some(game), ..
    }) = &forked
    {
        audit::record(&caller.role, "create_game", &game.game_id, &forked);
    }
    forked
}

async fn import_game(
    registry: Arc<Registry>,
    caller: Caller,
    requests: ResponseStream<raw::ImportGameRequest>,
) -> MethodResult<ResponseStream<pb::ImportGameResponse>> {
    let imported = registry.import_game(&caller, requests)?;
    Ok(Box::pin(imported.inspect(move |imported| {
        let game = imported.as_ref().ok();
        let game = game.and_then(|imported| imported.game.as_ref());
        let game = game.map_or("", |game| game.game_id.as_str());
        audit::record(&caller.role, "import_game", game, imported);
    })))
}

/// Defines the handlers of methods that change a table beside the rules.
macro_rules! table_method {
    ($($name:ident: $request:ident => $response:ident, |$call:ident| $change:expr;)+) => {
        $(async fn $name(
            registry: Arc<Registry>,
            caller: Caller,
            $call: pb::$request,
        ) -> MethodResult<pb::$response> {
            let to = ($call.game_id.as_str(), $call.request_id.as_str());
            let changed = change_table(&registry, &caller, to, $change).await;
            let game = Some(changed?);
            Ok(pb::$response { game })
        })+
    };
}

table_method! {
    resign: ResignRequest => ResignResponse, |call| TableRequest::Resign { seat: call.seat };
    fill_seat: FillSeatRequest => FillSeatResponse, |call| TableRequest::FillSeat {
        seat: call.seat,
        bot: call.bot,
    };
    claim_timeout: ClaimTimeoutRequest => ClaimTimeoutResponse,
        |call| TableRequest::ClaimTimeout { seat: call.seat };
    add_time: AddTimeRequest => AddTimeResponse, |call| TableRequest::AddTime {
        seats: call.seats,
        time: call.time,
    };
    pause_game: PauseGameRequest => PauseGameResponse, |call| TableRequest::Pause { seat: call.seat };
    resume_game: ResumeGameRequest => ResumeGameResponse, |call| TableRequest::Resume { seat: call.seat };
    end_game: EndGameRequest => EndGameResponse, |call| TableRequest::End {
        seat: call.seat,
        scored: call.scored,
    };
    take_back: TakeBackRequest => TakeBackResponse, |call| TableRequest::TakeBack {
        seat: call.seat,
        to_version: call.to_version,
    };
    answer_proposal: AnswerProposalRequest => AnswerProposalResponse,
        |call| TableRequest::AnswerProposal {
            seat: call.seat,
            number: call.number,
            agrees: call.agrees,
        };
}

/// Applies a request of table life.
async fn change_table(
    registry: &Registry,
    caller: &Caller,
    (game_id, request_id): (&str, &str),
    request: TableRequest,
) -> MethodResult<pb::GameInfo> {
    let (games, id) = registry.resolve_game(caller, game_id).await?;
    games
        .apply_table_command(caller, id, request, request_id)
        .await
}

async fn issue_token(
    registry: Arc<Registry>,
    caller: Caller,
    call: pb::IssueTokenRequest,
) -> MethodResult<pb::IssueTokenResponse> {
    let (token, until) = match holder(call.holder)? {
        Holder::User(of) => {
            let issued = registry.issue_user_token(&caller, &of.user, call.expire_time);
            let (token, until) = issued.await?;
            (token, Some(until))
        }
        Holder::Seat(of) => {
            let (games, id) = registry.resolve_game(&caller, &of.game_id).await?;
            let seat = Some(of.seat);
            games
                .issue_token(&caller, id, seat, call.expire_time)
                .await?
        }
        Holder::Spectator(of) => {
            let (games, id) = registry.resolve_game(&caller, &of.game_id).await?;
            games
                .issue_token(&caller, id, None, call.expire_time)
                .await?
        }
    };
    let expire_time = until.and_then(|seconds| i64::try_from(seconds).ok());
    let expire_time = expire_time.map(|seconds| Timestamp { seconds, nanos: 0 });
    Ok(pb::IssueTokenResponse { token, expire_time })
}

async fn revoke_tokens(
    registry: Arc<Registry>,
    caller: Caller,
    call: pb::RevokeTokensRequest,
) -> MethodResult<pb::RevokeTokensResponse> {
    match holder(call.holder)? {
        Holder::User(of) => registry.revoke_user_tokens(&caller, &of.user).await?,
        Holder::Seat(of) => {
            let (games, id) = registry.resolve_game(&caller, &of.game_id).await?;
            games.revoke_tokens(&caller, id, Some(of.seat)).await?;
        }
        Holder::Spectator(of) => {
            let (games, id) = registry.resolve_game(&caller, &of.game_id).await?;
            games.revoke_tokens(&caller, id, None).await?;
        }
    }
    Ok(pb::RevokeTokensResponse {})
}

/// Returns the holder of the tokens, which the request must name.
fn holder(holder: Option<pb::TokenHolder>) -> MethodResult<Holder> {
    let holder = holder.and_then(|holder| holder.holder);
    holder.ok_or_else(|| gamekeeper_wire::Malformed::missing("holder").into())
}

async fn list_rulesets(
    registry: Arc<Registry>,
    _call: pb::ListRulesetsRequest,
) -> MethodResult<pb::ListRulesetsResponse> {
    Ok(pb::ListRulesetsResponse {
        rulesets: registry.rulesets(),
        server_version: String::from(VERSION),
    })
}

async fn get_catalogue(
    registry: Arc<Registry>,
    call: pb::GetCatalogueRequest,
) -> MethodResult<raw::GetCatalogueResponse> {
    let games = registry.service_of(&call.ruleset, "ruleset")?;
    Ok(games.get_catalogue(call.known_revision))
}

async fn list_rules(
    registry: Arc<Registry>,
    call: pb::ListRulesRequest,
) -> MethodResult<pb::ListRulesResponse> {
    let page = PageRequest::new(call.page_size, call.page_token.clone());
    let (rules, next_page_token) = registry.list_rules(&call, &page)?;
    Ok(pb::ListRulesResponse {
        rules,
        next_page_token,
    })
}

async fn get_rule(
    registry: Arc<Registry>,
    call: pb::GetRuleRequest,
) -> MethodResult<pb::GetRuleResponse> {
    registry.get_rule(&call.id, &call.ruleset)
}

async fn self_play(
    registry: Arc<Registry>,
    caller: Caller,
    requests: ResponseStream<raw::SelfPlayRequest>,
) -> MethodResult<ResponseStream<raw::SelfPlayResponse>> {
    registry.self_play(&caller, requests).await
}

/// Encodes an item of a stream of many games.
fn message_of(update: GamesUpdate) -> PreEncoded<raw::WatchGamesResponse> {
    let mut message = raw::WatchGamesResponse::default();
    match update {
        GamesUpdate::Change(bytes) => return bytes.into(),
        GamesUpdate::Removed(id, problem) => {
            message.update = Some(Update::Left(raw::GameLeft {
                game_id: id.to_string(),
                problem: problem.as_ref().map(in_answer),
            }));
        }
        GamesUpdate::Bookmark(games) => {
            message.games = u32::try_from(games).unwrap_or(u32::MAX);
            message.server_time = Some(gamekeeper_wire::timestamp(now_ms()));
        }
        GamesUpdate::WithCursor(update, cursor) => {
            message.cursor = cursor;
            // Concatenated protobuf messages merge into one message, so an update that several streams share is
            // encoded once.
            let mut encoded = message_of(*update).encode_to_vec();
            encoded.extend_from_slice(&encode_shared(&message));
            return Bytes::from(encoded).into();
        }
    }
    encode_shared(&message).into()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use prost_types::FileDescriptorSet;

    use super::*;

    #[test]
    fn every_method_of_the_contract_has_its_row() {
        let contract = FileDescriptorSet::decode(gamekeeper_proto::DESCRIPTORS).unwrap();
        let mut expected = BTreeMap::new();
        for file in &contract.file {
            for service in &file.service {
                for method in &service.method {
                    let name = format!("{}.{}/{}", file.package(), service.name(), method.name());
                    let streams = (method.client_streaming(), method.server_streaming());
                    expected.insert(name, streams);
                }
            }
        }
        let rows = METHODS.iter().map(|row| {
            let streams = match row.streaming {
                Streaming::Unary => (false, false),
                Streaming::Server => (false, true),
                Streaming::Client => (true, false),
                Streaming::Bidi => (true, true),
            };
            (row.name.to_owned(), streams)
        });
        assert_eq!(rows.collect::<BTreeMap<_, _>>(), expected);
    }
}
