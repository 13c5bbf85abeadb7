//! The methods of the contract: a row for each, and its handler.

use std::sync::Arc;

use bytes::Bytes;
use futures_util::StreamExt;
use gamekeeper_games::access::{Caller, Role};
use gamekeeper_games::problem::{Problem, shortened};
use gamekeeper_games::{Answers, GamesUpdate, Page, Registry, TableRequest};
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_proto::{Written, raw, written};
use gamekeeper_store::clock::now_ms;
use pb::token_holder::Holder;
use prost::Message;
use prost_types::Timestamp;
use raw::game_result;
use raw::watch_games_response::Update;
use tonic::body::Body;
use tonic::codegen::http::Request;

use super::endpoint::Endpoint;
use super::rows::{By, Form, HeldUntil, MethodRow};
use super::sent;
use super::status::in_answer;
use super::unary::ResponseFuture;
use crate::audit::{self, Noted};
use crate::version::VERSION;

macro_rules! methods {
    ($($service:literal {
        $($name:literal by $by:ident, $form:ident, $until:ident, noted $noted:ident: $call:ident $method:ident;)+
    })+) => {
        /// All methods of the contract.
        pub(super) const METHODS: &[MethodRow] = &[$($(
            MethodRow {
                name: concat!("gamekeeper.v1.", $service, "/", $name),
                form: Form::$form,
                by: By::$by,
                held_until: HeldUntil::$until,
                noted: Noted::$noted,
            },
        )+)+];

        /// The full names of the services.
        pub(super) const SERVICES: &[&str] = &[$(concat!("gamekeeper.v1.", $service)),+];

        /// Answers a call. Returns the request if there is no such method.
        #[expect(clippy::result_large_err, reason = "it goes on to another router")]
        pub(super) fn answer(
            endpoint: &Endpoint,
            http: Request<Body>,
        ) -> Result<ResponseFuture, Request<Body>> {
            Ok(match http.uri().path() {
                $($(concat!("/gamekeeper.v1.", $service, "/", $name) => {
                    endpoint.$call(http, $method, (Noted::$noted, stringify!($method)))
                })+)+
                _ => return Err(http),
            })
        }
    };
}

methods! {
    "GameService" {
        "ApplyAction" by Callers, One, Begun, noted OfNobody: one apply_action;
        "GetGame" by Callers, One, Begun, noted OfOperators: one get_game;
        "ListLegalActions" by Callers, One, Begun, noted OfOperators: one list_legal_actions;
        "ListEvents" by Callers, One, Begun, noted OfOperators: one list_events;
        "WatchGame" by Callers, Many, Begun, noted OfOperators: many watch_game;
        "WatchGames" by Callers, Many, Begun, noted OfOperators: many watch_games;
        "ExportGame" by Callers, Many, Ended, noted OfOperators: many export_game;
        "CreateGame" by Callers, One, Begun, noted ByItself: one create_game;
        "BatchGetGames" by Callers, One, Begun, noted ByItself: one batch_get_games;
        "ListGames" by Callers, One, Begun, noted OfOperators: one list_games;
        "UpdateGame" by Callers, One, Begun, noted OfAll: one update_game;
        "EraseUser" by Callers, One, Begun, noted OfAll: one erase_user;
        "DeleteGame" by Callers, One, Begun, noted OfAll: one delete_game;
        "ForkGame" by Callers, One, Begun, noted ByItself: one fork_game;
        "Resign" by Callers, One, Begun, noted OfAll: one resign;
        "FillSeat" by Callers, One, Begun, noted OfAll: one fill_seat;
        "ClaimTimeout" by Callers, One, Begun, noted OfAll: one claim_timeout;
        "AddTime" by Callers, One, Begun, noted OfAll: one add_time;
        "PauseGame" by Callers, One, Begun, noted OfAll: one pause_game;
        "ResumeGame" by Callers, One, Begun, noted OfAll: one resume_game;
        "TakeBack" by Callers, One, Begun, noted OfAll: one take_back;
        "EndGame" by Callers, One, Begun, noted OfAll: one end_game;
        "AnswerProposal" by Callers, One, Begun, noted OfAll: one answer_proposal;
    }
    "AccessService" {
        "IssueToken" by Callers, One, Begun, noted OfAll: one issue_token;
        "RevokeTokens" by Callers, One, Begun, noted OfAll: one revoke_tokens;
    }
    "RulesetService" {
        "ListRulesets" by Anybody, One, Ended, noted OfNobody: open list_rulesets;
        "GetCatalogue" by Anybody, One, Ended, noted OfNobody: open get_catalogue;
        "ListRules" by Anybody, One, Ended, noted OfNobody: open list_rules;
        "GetRule" by Anybody, One, Ended, noted OfNobody: open get_rule;
    }
    "SelfPlayService" {
        "SelfPlay" by Callers, ManyToMany, Begun, noted OfOperators: many_to_many self_play;
    }
}

type Answer<A> = Result<A, Problem>;

async fn create_game(
    registry: Arc<Registry>,
    caller: Caller,
    call: raw::CreateGameRequest,
) -> Answer<raw::CreateGameResponse> {
    let games = registry.games_for(&call)?;
    if call.validate_only {
        return games.create(&caller, call).await;
    }
    let created = games.create(&caller, call).await;
    let table = created
        .as_ref()
        .ok()
        .and_then(|created| created.table.as_ref());
    let game = table.and_then(|table| table.game.as_ref());
    let game = game.map_or("", |game| game.game_id.as_str());
    audit::note(&caller.role, "create_game", game, &created);
    created
}

async fn apply_action(
    registry: Arc<Registry>,
    caller: Caller,
    call: Box<raw::ApplyActionRequest>,
) -> Answer<Box<raw::ApplyActionResponse>> {
    let (games, _) = registry.games_of(&caller, &call.game_id).await?;
    games.apply(&caller, call).await
}

async fn get_game(
    registry: Arc<Registry>,
    caller: Caller,
    call: pb::GetGameRequest,
) -> Answer<raw::GetGameResponse> {
    let (games, _) = registry.games_of(&caller, &call.game_id).await?;
    games.look(&caller, call).await
}

async fn list_legal_actions(
    registry: Arc<Registry>,
    caller: Caller,
    call: pb::ListLegalActionsRequest,
) -> Answer<raw::ListLegalActionsResponse> {
    let (games, _) = registry.games_of(&caller, &call.game_id).await?;
    games.legal(&caller, call).await
}

async fn list_events(
    registry: Arc<Registry>,
    caller: Caller,
    call: pb::ListEventsRequest,
) -> Answer<raw::ListEventsResponse> {
    let (games, _) = registry.games_of(&caller, &call.game_id).await?;
    games.events(&caller, call).await
}

async fn watch_game(
    registry: Arc<Registry>,
    caller: Caller,
    call: pb::WatchGameRequest,
) -> Answer<Answers<Written<raw::WatchGameResponse>>> {
    let (games, _) = registry.games_of(&caller, &call.game_id).await?;
    Ok(sent(games.watch(&caller, call).await?))
}

async fn watch_games(
    registry: Arc<Registry>,
    caller: Caller,
    call: pb::WatchGamesRequest,
) -> Answer<Answers<Written<raw::WatchGamesResponse>>> {
    let told = registry.watch_games(&caller, &call).await?;
    Ok(Box::pin(told.map(|told| Ok(message_of(told?)))))
}

async fn export_game(
    registry: Arc<Registry>,
    caller: Caller,
    call: pb::ExportGameRequest,
) -> Answer<Answers<raw::ExportGameResponse>> {
    let (games, _) = registry.games_of(&caller, &call.game_id).await?;
    games.export(&caller, call).await
}

async fn batch_get_games(
    registry: Arc<Registry>,
    caller: Caller,
    call: pb::BatchGetGamesRequest,
) -> Answer<raw::BatchGetGamesResponse> {
    let found = registry.batch(&caller, &call).await?;
    let results = call.games.into_iter().zip(found);
    let results = results.map(|(asked, found)| {
        let game_id = asked.game_id;
        if caller.role == Role::Operator {
            audit::note(
                &caller.role,
                "batch_get_games",
                &shortened(game_id.clone()),
                &found,
            );
        }
        let result = match found {
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
) -> Answer<pb::ListGamesResponse> {
    registry.list(&caller, &call).await
}

async fn update_game(
    registry: Arc<Registry>,
    caller: Caller,
    call: pb::UpdateGameRequest,
) -> Answer<pb::UpdateGameResponse> {
    let (games, id) = registry.games_of(&caller, &call.game_id).await?;
    let game = Some(games.update(&caller, id, &call).await?);
    Ok(pb::UpdateGameResponse { game })
}

async fn erase_user(
    registry: Arc<Registry>,
    caller: Caller,
    call: pb::EraseUserRequest,
) -> Answer<raw::EraseUserResponse> {
    let erased = registry.erase(&caller, call).await?;
    let failed = erased.failed.iter().map(|(id, problem)| raw::GameResult {
        game_id: id.to_string(),
        result: Some(game_result::Result::Problem(in_answer(problem))),
    });
    Ok(raw::EraseUserResponse {
        erased: erased.changed,
        failed: failed.collect(),
        next_page_token: erased.next,
    })
}

async fn delete_game(
    registry: Arc<Registry>,
    caller: Caller,
    call: pb::DeleteGameRequest,
) -> Answer<pb::DeleteGameResponse> {
    let answer = async {
        let (games, id) = registry.games_of(&caller, &call.game_id).await?;
        games.delete(&caller, id).await
    };
    match answer.await {
        Err(Problem::NoSuchGame { .. }) if call.allow_missing => {}
        deleted => deleted?,
    }
    Ok(pb::DeleteGameResponse {})
}

async fn fork_game(
    registry: Arc<Registry>,
    caller: Caller,
    call: pb::ForkGameRequest,
) -> Answer<pb::ForkGameResponse> {
    let (games, id) = registry.games_of(&caller, &call.game_id).await?;
    let forked = games.fork(&caller, id, &call).await;
    audit::note(&caller.role, "fork_game", &id.to_string(), &forked);
    if let Ok(pb::ForkGameResponse {
        game: Some(game), ..
    }) = &forked
    {
        audit::note(&caller.role, "create_game", &game.game_id, &forked);
    }
    forked
}

/// Defines the handlers of methods that change a table beside the rules.
macro_rules! table_method {
    ($($name:ident: $request:ident => $response:ident, |$call:ident| $change:expr;)+) => {
        $(async fn $name(
            registry: Arc<Registry>,
            caller: Caller,
            $call: pb::$request,
        ) -> Answer<pb::$response> {
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
) -> Answer<pb::GameInfo> {
    let (games, id) = registry.games_of(caller, game_id).await?;
    games.change_table(caller, id, request, request_id).await
}

async fn issue_token(
    registry: Arc<Registry>,
    caller: Caller,
    call: pb::IssueTokenRequest,
) -> Answer<pb::IssueTokenResponse> {
    let (token, until) = match holder(call.holder)? {
        Holder::User(of) => {
            let issued = registry.issue_user_token(&caller, &of.user, call.expire_time);
            let (token, until) = issued.await?;
            (token, Some(until))
        }
        Holder::Seat(of) => {
            let (games, id) = registry.games_of(&caller, &of.game_id).await?;
            let seat = Some(of.seat);
            games
                .issue_token(&caller, id, seat, call.expire_time)
                .await?
        }
        Holder::Spectator(of) => {
            let (games, id) = registry.games_of(&caller, &of.game_id).await?;
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
) -> Answer<pb::RevokeTokensResponse> {
    match holder(call.holder)? {
        Holder::User(of) => registry.revoke_user_tokens(&caller, &of.user).await?,
        Holder::Seat(of) => {
            let (games, id) = registry.games_of(&caller, &of.game_id).await?;
            games.revoke_tokens(&caller, id, Some(of.seat)).await?;
        }
        Holder::Spectator(of) => {
            let (games, id) = registry.games_of(&caller, &of.game_id).await?;
            games.revoke_tokens(&caller, id, None).await?;
        }
    }
    Ok(pb::RevokeTokensResponse {})
}

/// Returns the holder of the tokens, which the request must name.
fn holder(holder: Option<pb::TokenHolder>) -> Answer<Holder> {
    let holder = holder.and_then(|holder| holder.holder);
    holder.ok_or_else(|| gamekeeper_wire::Malformed::missing("holder").into())
}

async fn list_rulesets(
    registry: Arc<Registry>,
    _call: pb::ListRulesetsRequest,
) -> Answer<pb::ListRulesetsResponse> {
    Ok(pb::ListRulesetsResponse {
        rulesets: registry.rulesets(),
        server_version: String::from(VERSION),
    })
}

async fn get_catalogue(
    registry: Arc<Registry>,
    call: pb::GetCatalogueRequest,
) -> Answer<raw::GetCatalogueResponse> {
    let games = registry.games_named(&call.ruleset, "ruleset")?;
    Ok(games.catalogue(call.known_revision))
}

async fn list_rules(
    registry: Arc<Registry>,
    call: pb::ListRulesRequest,
) -> Answer<pb::ListRulesResponse> {
    let page = Page::new(call.page_size, call.page_token.clone());
    let (rules, next_page_token) = registry.rules(&call, &page)?;
    Ok(pb::ListRulesResponse {
        rules,
        next_page_token,
    })
}

async fn get_rule(
    registry: Arc<Registry>,
    call: pb::GetRuleRequest,
) -> Answer<pb::GetRuleResponse> {
    registry.rule(&call.id, &call.ruleset)
}

async fn self_play(
    registry: Arc<Registry>,
    caller: Caller,
    asked: Answers<raw::SelfPlayRequest>,
) -> Answer<Answers<raw::SelfPlayResponse>> {
    registry.self_play(&caller, asked).await
}

/// Encodes an item of a stream of many games.
fn message_of(update: GamesUpdate) -> Written<raw::WatchGamesResponse> {
    let mut message = raw::WatchGamesResponse::default();
    match update {
        GamesUpdate::Change(bytes) => return bytes.into(),
        GamesUpdate::Left(id, problem) => {
            message.update = Some(Update::Left(raw::GameLeft {
                game_id: id.to_string(),
                problem: problem.as_ref().map(in_answer),
            }));
        }
        GamesUpdate::Bookmark(games) => {
            message.games = u32::try_from(games).unwrap_or(u32::MAX);
            message.server_time = Some(gamekeeper_wire::timestamp(now_ms()));
        }
        GamesUpdate::OfFeed(update, cursor) => {
            message.cursor = cursor;
            // Concatenated protobuf messages merge into one message, so an update that several streams share is
            // encoded once.
            let mut told = message_of(*update).encode_to_vec();
            told.extend_from_slice(&written(&message));
            return Bytes::from(told).into();
        }
    }
    written(&message).into()
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
            let streams = match row.form {
                Form::One => (false, false),
                Form::Many => (false, true),
                Form::ManyToMany => (true, true),
            };
            (row.name.to_owned(), streams)
        });
        assert_eq!(rows.collect::<BTreeMap<_, _>>(), expected);
    }
}
