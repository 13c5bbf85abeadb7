//! The requests for the rows about a game.

use gamekeeper_proto::gamekeeper::dominion::v1 as dominion;
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_tests::contract::{Method, Request};
use gamekeeper_tests::dominion::action;
use gamekeeper_tests::tokens::user_holder;
use pb::ViewerKind;
use prost::Message;

/// The users of the seats.
pub(super) const USERS: [&str; 2] = ["ada", "bob"];

pub(super) fn user_of(seat: u32) -> &'static str {
    USERS[usize::try_from(seat).unwrap() - 1]
}

/// A game, with the tokens of all its callers.
#[derive(Clone)]
pub(super) struct Game {
    pub(super) id: String,
    pub(super) seat: u32,
    /// The tokens by seat.
    pub(super) tokens: [String; 2],
    pub(super) spectator: String,
}

impl Game {
    pub(super) fn token(&self, seat: u32) -> &str {
        &self.tokens[usize::try_from(seat).unwrap() - 1]
    }
}

pub(super) fn viewer(kind: ViewerKind, seat: u32) -> pb::Viewer {
    let kind = kind.into();
    pb::Viewer { kind, seat }
}

/// Builds the request of a row about a game, as this viewer.
pub(super) fn request(
    row: &str,
    method: &Method,
    game: &Game,
    viewer: Option<pb::Viewer>,
) -> Vec<u8> {
    let id = game.id.clone();
    match row {
        "CreateGame" => gamekeeper_tests::dominion::ada_and_bob().encode_to_vec(),
        "ListGames of a user" => {
            let user = user_of(game.seat).to_owned();
            let filter = Some(pb::GameFilter {
                user,
                ..Default::default()
            });
            pb::ListGamesRequest {
                filter,
                ..Default::default()
            }
            .encode_to_vec()
        }
        "BatchGetGames" => {
            let games = vec![pb::GameQuery {
                game_id: id,
                viewer,
            }];
            pb::BatchGetGamesRequest { games, show: None }.encode_to_vec()
        }
        "WatchGames" => {
            let games = vec![pb::WatchedGame {
                game_id: id,
                viewer,
                ..Default::default()
            }];
            pb::WatchGamesRequest {
                games,
                ..Default::default()
            }
            .encode_to_vec()
        }
        "EraseUser" => Request::default().text(method, "user", "zoe").into_bytes(),
        "IssueToken of a user" | "RevokeTokens of a user" => {
            let holder = user_holder("zoe").encode_to_vec();
            Request::default()
                .bytes(method, "holder", &holder)
                .into_bytes()
        }
        "WatchGames of a user" => Request::default()
            .text(method, "user", user_of(game.seat))
            .into_bytes(),
        // An empty filter selects all games.
        "WatchGames of all" => vec![0x22, 0],
        "ImportGame" => import_plan(),
        "SelfPlay" | "SelfPlay from a game" => self_play(row, game),
        "GetCatalogue" | "ListRules" => Request::default()
            .text(method, "ruleset", "dominion")
            .into_bytes(),
        "GetRule" => Request::default()
            .text(method, "id", "DOM-6.1")
            .into_bytes(),
        "PauseGame" | "ResumeGame" | "EndGame" => {
            Request::default().text(method, "game_id", &id).into_bytes()
        }
        _ => about(method, game, viewer),
    }
}

/// Builds a request that names a game, and perhaps a seat.
pub(super) fn about(method: &Method, game: &Game, viewer: Option<pb::Viewer>) -> Vec<u8> {
    let end_turn = action(dominion::action::Kind::EndTurn(dominion::EndTurn::default()));
    let request = Request::about(method, &game.id, game.seat, &end_turn.encode_to_vec());
    match viewer {
        Some(viewer) => request
            .bytes(method, "viewer", &viewer.encode_to_vec())
            .into_bytes(),
        None => request.into_bytes(),
    }
}

/// Builds the beginning of an import: the refusal says what is missing, to those who may import.
fn import_plan() -> Vec<u8> {
    let plan = pb::import_game_request::Part::Plan(pb::ImportPlan::default());
    pb::ImportGameRequest { part: Some(plan) }.encode_to_vec()
}

/// Builds a self-play from the start, or in worlds that the seat to move cannot distinguish from the real table.
fn self_play(row: &str, game: &Game) -> Vec<u8> {
    if row == "SelfPlay" {
        planned(pb::SelfPlayPlan {
            ruleset: String::from("dominion"),
            seats: 2,
            games: 1,
            ..Default::default()
        })
    } else {
        let worlds = Some(pb::SelfPlayWorlds {
            game_id: game.id.clone(),
            seat: game.seat,
            worlds: 1,
        });
        planned(pb::SelfPlayPlan {
            games: 1,
            worlds,
            ..Default::default()
        })
    }
}

fn planned(plan: pb::SelfPlayPlan) -> Vec<u8> {
    let step = Some(pb::self_play_request::Step::Plan(plan));
    pb::SelfPlayRequest { step }.encode_to_vec()
}
