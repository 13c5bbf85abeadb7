//! A call about a game in the server's cache needs one **round trip** to Redis: nothing that a player's call waits for
//! grows with the number of rulesets, games or servers. The marker for the feed of the tenant uses the same round trip;
//! only the first change that a server makes after somebody begins to follow the feed needs another one. If a call needs more, the table below says why. In a Redis Cluster, whose lists and feeds are on other nodes, every
//! change notifies the feed first, and a change of a row also reads the index entries.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::{StreamExt, stream};
use gamekeeper_proto::gamekeeper::dominion::v1::{EndTurn, action::Kind};
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_tests::contract::methods;
use gamekeeper_tests::dominion::{SEEN, action, facts, game_of};
use gamekeeper_tests::redis::{CountedRedis, RedisOptions, RedisServer};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::{KeyFiles, OPERATOR, RED, bearing, seat_holder, user_holder};
use pb::export_game_response::Part as Exported;
use pb::import_game_request::Part;
use tokio::time::sleep;

/// A method, the number of round trips of a call, and the reason if there is more than one.
type Row = (&'static str, usize, &'static str);

const METHODS: &[Row] = &[
    ("CreateGame", 1, ""),
    ("GetGame", 1, ""),
    ("BatchGetGames", 1, ""),
    (
        "ListGames",
        3,
        "the list; what its rows say; all games of the page at once",
    ),
    ("UpdateGame", 1, ""),
    (
        "EraseUser",
        5,
        "the user's tokens; the list; what its rows say; each game of the page, and its change",
    ),
    (
        "DeleteGame",
        3,
        "its row, which names the tenant whose feed reports it; the game; its places in lists",
    ),
    (
        "ForkGame",
        3,
        "the newest version; the past; then the new game",
    ),
    (
        "ImportGame",
        2,
        "the game of the record, which may still be played here; then the new game",
    ),
    ("ApplyAction", 1, ""),
    ("ListLegalActions", 1, ""),
    ("ListEvents", 1, ""),
    (
        "WatchGame",
        2,
        "the subscription, before the table is read: nothing is missed between them",
    ),
    ("WatchGames", 2, "as WatchGame, for all games at once"),
    ("ExportGame", 1, ""),
    ("Resign", 1, ""),
    ("AddTime", 1, ""),
    (
        "EndGame",
        2,
        "the end, with places in the lists of games that are over; the lists of active games",
    ),
    (
        "FillSeat",
        2,
        "the old tokens end before the seat has a player again",
    ),
    ("ClaimTimeout", 1, ""),
    (
        "PauseGame",
        2,
        "the pause; then the game leaves the lists of what is due, from which a refused call takes nothing",
    ),
    ("ResumeGame", 1, ""),
    ("TakeBack", 1, ""),
    ("AnswerProposal", 1, ""),
    ("IssueToken", 1, ""),
    ("RevokeTokens", 1, ""),
];

/// Maximum number of attempts for each call, each on a game of its own, to need no more round trips than the table
/// says. Background work of a server can only add to a call's round trips, and does so more often on a busy machine.
const TIMES: usize = 12;

/// A server and the Redis whose round trips are counted.
struct Scene {
    redis: CountedRedis,
    server: Gamekeeperd,
}

/// A game of three players that is in the cache of the server.
struct Game {
    id: String,
    info: pb::GameInfo,
}

impl Scene {
    /// Creates a game of three players and reads it once.
    async fn game(&self, table: pb::TableOptions) -> Game {
        let call = pb::CreateGameRequest {
            table: Some(table),
            ..game_of(&["Ada", "Bob", "Cyd"])
        };
        let created = self.server.games().create_game(bearing(RED, call)).await;
        let info = facts(created.unwrap().into_inner().table);
        let id = info.game_id.clone();
        Game { id, info }
    }

    /// Returns the commands of each round trip of a call.
    async fn trips<T, E: std::fmt::Debug>(
        &self,
        call: impl Future<Output = Result<T, E>>,
    ) -> Vec<Vec<String>> {
        drop(self.redis.take());
        call.await.unwrap();
        // Work that continues after the response belongs to the call.
        sleep(Duration::from_millis(20)).await;
        self.redis.take()
    }
}

fn bank(seconds: u32) -> pb::TableOptions {
    pb::TableOptions {
        clock: Some(pb::ClockOptions {
            bank_seconds: seconds,
            ..Default::default()
        }),
        take_back: pb::TakeBackPolicy::Agreed.into(),
        ..Default::default()
    }
}

fn end_turn(game: &Game) -> pb::ApplyActionRequest {
    pb::ApplyActionRequest {
        game_id: game.id.clone(),
        seat: game.info.pending[0].seat,
        action: Some(action(Kind::EndTurn(EndTurn::default()))),
        request_id: String::from("turn"),
        show: Some(SEEN),
        ..Default::default()
    }
}

fn holder(game: &Game) -> Option<pb::TokenHolder> {
    Some(seat_holder(&game.id, 1))
}

/// Converts a part of a record to a message of an import.
fn import_part(exported: pb::ExportGameResponse) -> Part {
    match exported.part.unwrap() {
        Exported::Header(header) => Part::Header(header),
        Exported::Version(version) => Part::Version(version),
        Exported::End(end) => Part::End(end),
    }
}

/// Builds a request that names a game and perhaps a seat, and leaves all other fields empty.
macro_rules! of {
    ($game:expr, $Request:ident $({ $($field:ident $(: $value:expr)?),* $(,)? })?) => {
        bearing(RED, pb::$Request {
            game_id: $game.id.clone(),
            $($($field $(: $value)?,)*)?
            ..Default::default()
        })
    };
}

/// Returns the round trips of a call of this method.
#[expect(clippy::too_many_lines, reason = "one arm for each method")]
async fn trips_of(method: &str, scene: &Scene) -> Vec<Vec<String>> {
    let (games, access) = (&mut scene.server.games(), &mut scene.server.access());
    let seconds = if method == "ClaimTimeout" { 1 } else { 3_600 };
    let game = scene.game(bank(seconds)).await;
    let newest = game.info.version;
    match method {
        "CreateGame" => {
            let call = bearing(RED, game_of(&["Ada", "Bob"]));
            scene.trips(games.create_game(call)).await
        }
        "GetGame" => {
            let call = of!(game, GetGameRequest { show: Some(SEEN) });
            scene.trips(games.get_game(call)).await
        }
        "BatchGetGames" => {
            let other = scene.game(bank(3_600)).await;
            let query = |game: Game| pb::GameQuery {
                game_id: game.id,
                viewer: None,
            };
            let call = pb::BatchGetGamesRequest {
                games: vec![query(game), query(other)],
                show: Some(SEEN),
            };
            scene.trips(games.batch_get_games(bearing(RED, call))).await
        }
        "ListGames" => {
            let call = pb::ListGamesRequest {
                page_size: 1,
                ..Default::default()
            };
            let call = bearing(RED, call);
            scene.trips(games.list_games(call)).await
        }
        "UpdateGame" => {
            let set_labels = BTreeMap::from([(String::from("league"), String::from("one"))]);
            let call = of!(game, UpdateGameRequest { set_labels });
            scene.trips(games.update_game(call)).await
        }
        "EraseUser" => {
            let user = String::from("ada");
            let player = pb::PlayerUpdate {
                seat: 1,
                user: Some(user.clone()),
                name: None,
            };
            let players = vec![player];
            let call = of!(game, UpdateGameRequest { players });
            games.update_game(call).await.unwrap();
            let call = pb::EraseUserRequest {
                user,
                ..Default::default()
            };
            scene.trips(games.erase_user(bearing(RED, call))).await
        }
        "DeleteGame" => {
            let call = of!(game, DeleteGameRequest);
            scene.trips(games.delete_game(call)).await
        }
        "ForkGame" => {
            let call = of!(game, ForkGameRequest);
            scene.trips(games.fork_game(call)).await
        }
        "ImportGame" => {
            let end = of!(game, EndGameRequest);
            games.end_game(end).await.unwrap();
            let export = of!(game, ExportGameRequest);
            let record = games.export_game(export).await.unwrap().into_inner();
            let record: Vec<_> = record
                .map(|part| import_part(part.unwrap()))
                .collect()
                .await;
            let plan = Part::Plan(pb::ImportPlan::default());
            let parts = [plan].into_iter().chain(record);
            let messages: Vec<_> = parts
                .map(|part| pb::ImportGameRequest { part: Some(part) })
                .collect();
            let call = bearing(RED, stream::iter(messages));
            scene.trips(games.import_game(call)).await
        }
        "ApplyAction" => {
            let call = bearing(RED, end_turn(&game));
            scene.trips(games.apply_action(call)).await
        }
        "ListLegalActions" => {
            let seat = game.info.pending[0].seat;
            let call = of!(game, ListLegalActionsRequest { seat });
            scene.trips(games.list_legal_actions(call)).await
        }
        "ListEvents" => {
            let call = of!(
                game,
                ListEventsRequest {
                    after_version: newest
                }
            );
            scene.trips(games.list_events(call)).await
        }
        "WatchGame" => {
            let call = of!(game, WatchGameRequest { show: Some(SEEN) });
            let watch = async {
                let mut watch = games.watch_game(call).await?.into_inner();
                watch.message().await
            };
            scene.trips(watch).await
        }
        "WatchGames" => {
            let watched = pb::WatchedGame {
                game_id: game.id,
                ..Default::default()
            };
            let call = pb::WatchGamesRequest {
                games: vec![watched],
                show: Some(SEEN),
                ..Default::default()
            };
            let watch = async {
                let call = bearing(RED, call);
                let mut watch = games.watch_games(call).await?.into_inner();
                watch.message().await
            };
            scene.trips(watch).await
        }
        "ExportGame" => {
            let call = pb::ExportGameRequest {
                game_id: game.id,
                ..Default::default()
            };
            let call = bearing(OPERATOR, call);
            let call = async {
                let mut record = games.export_game(call).await?.into_inner();
                while record.message().await?.is_some() {}
                Ok::<_, tonic::Status>(())
            };
            scene.trips(call).await
        }
        "Resign" => {
            let call = of!(game, ResignRequest { seat: 1 });
            scene.trips(games.resign(call)).await
        }
        "FillSeat" => {
            let left = of!(game, ResignRequest { seat: 1 });
            games.resign(left).await.unwrap();
            let call = of!(game, FillSeatRequest { seat: 1 });
            scene.trips(games.fill_seat(call)).await
        }
        "ClaimTimeout" => {
            sleep(Duration::from_millis(1_100)).await;
            let seat = game.info.pending[0].seat;
            let call = of!(game, ClaimTimeoutRequest { seat });
            scene.trips(games.claim_timeout(call)).await
        }
        "PauseGame" => {
            let call = of!(game, PauseGameRequest);
            scene.trips(games.pause_game(call)).await
        }
        "AddTime" => {
            let time = Some(prost_types::Duration {
                seconds: 1,
                nanos: 0,
            });
            let call = of!(game, AddTimeRequest { time });
            scene.trips(games.add_time(call)).await
        }
        "EndGame" => {
            let call = of!(game, EndGameRequest);
            scene.trips(games.end_game(call)).await
        }
        "ResumeGame" => {
            games.pause_game(of!(game, PauseGameRequest)).await.unwrap();
            let call = of!(game, ResumeGameRequest);
            scene.trips(games.resume_game(call)).await
        }
        "TakeBack" | "AnswerProposal" => {
            let acted = bearing(RED, end_turn(&game));
            games.apply_action(acted).await.unwrap();
            let seat = game.info.pending[0].seat;
            let propose = of!(game, TakeBackRequest { seat });
            if method == "TakeBack" {
                return scene.trips(games.take_back(propose)).await;
            }
            let response = games.take_back(propose).await.unwrap().into_inner();
            let number = response.game.unwrap().proposal.unwrap().number;
            let other = seat % 3 + 1;
            let call = of!(
                game,
                AnswerProposalRequest {
                    seat: other,
                    number,
                    agrees: true,
                }
            );
            scene.trips(games.answer_proposal(call)).await
        }
        "IssueToken" => {
            let call = pb::IssueTokenRequest {
                holder: holder(&game),
                expire_time: None,
            };
            scene.trips(access.issue_token(bearing(RED, call))).await
        }
        "RevokeTokens" => {
            let holder = holder(&game);
            let call = bearing(RED, pb::RevokeTokensRequest { holder });
            scene.trips(access.revoke_tokens(call)).await
        }
        other => panic!("nobody knows how to call {other}"),
    }
}

#[test]
fn every_method_about_games_is_counted() {
    let of_games = methods().into_iter().filter(|method| {
        let service = method.service.as_str();
        ["gamekeeper.v1.GameService", "gamekeeper.v1.AccessService"].contains(&service)
    });
    let mut expected: Vec<String> = of_games.map(|method| method.name).collect();
    expected.sort();
    let mut counted: Vec<&str> = METHODS.iter().map(|(method, ..)| *method).collect();
    counted.sort_unstable();
    assert_eq!(counted, expected);
    for (method, trips, why) in METHODS {
        assert_eq!(*trips > 1, !why.is_empty(), "{method}: why?");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_about_cached_games_ask_redis_once() {
    let redis_server = RedisServer::start(&RedisOptions::new());
    let redis = CountedRedis::before(&redis_server.address()).await;
    let address = format!("--redis={}", redis.address());
    let keys = KeyFiles::new();
    let server = keys.server(&["--store=redis", &address]);
    let scene = Scene { redis, server };
    // Warm up first: some commands are sent only once by each server, such as loading scripts.
    for (method, ..) in METHODS {
        drop(trips_of(method, &scene).await);
    }
    let mut wrong = Vec::new();
    for (method, expected, _) in METHODS {
        let mut fewest: Option<Vec<Vec<String>>> = None;
        for _ in 0..TIMES {
            let trips = trips_of(method, &scene).await;
            fewest = match fewest {
                Some(fewest) if fewest.len() <= trips.len() => Some(fewest),
                Some(_) | None => Some(trips),
            };
            if fewest
                .as_ref()
                .is_some_and(|fewest| fewest.len() <= *expected)
            {
                break;
            }
        }
        let trips = fewest.unwrap();
        if trips.len() != *expected {
            wrong.push(format!(
                "{method}: {} of {expected}: {trips:?}",
                trips.len()
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A user's token adds no round trip: the server caches its state for some seconds. The first call also subscribes to
/// revocations of the user's tokens and reads which tokens are valid.
#[tokio::test(flavor = "multi_thread")]
async fn calls_with_an_issued_token_of_a_user_ask_redis_once() {
    let redis_server = RedisServer::start(&RedisOptions::new());
    let redis = CountedRedis::before(&redis_server.address()).await;
    let address = format!("--redis={}", redis.address());
    let keys = KeyFiles::new();
    let server = keys.server(&["--store=redis", &address]);
    let scene = Scene { redis, server };
    let game = scene.game(bank(3_600)).await;
    let players = vec![pb::PlayerUpdate {
        seat: 1,
        user: Some(String::from("ada")),
        name: None,
    }];
    let call = of!(game, UpdateGameRequest { players });
    scene.server.games().update_game(call).await.unwrap();
    let call = || pb::IssueTokenRequest {
        holder: Some(user_holder("ada")),
        expire_time: None,
    };
    let access = &mut scene.server.access();
    let issued = access.issue_token(bearing(RED, call())).await.unwrap();
    let token = issued.into_inner().token;
    let again = scene.trips(access.issue_token(bearing(RED, call()))).await;
    assert_eq!(again.len(), 1, "another token of the user: {again:?}");
    let look = || {
        let game_id = game.id.clone();
        bearing(
            &token,
            pb::GetGameRequest {
                game_id,
                ..Default::default()
            },
        )
    };
    let mut fewest = usize::MAX;
    for _ in 0..TIMES {
        let trips = scene.trips(scene.server.games().get_game(look())).await;
        fewest = fewest.min(trips.len());
    }
    assert_eq!(fewest, 1);
}
