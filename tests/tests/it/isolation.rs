//! Tenants are isolated: for every method, another tenant's game looks like a missing one.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use gamekeeper_proto::gamekeeper::v1::{self, game_service_client::GameServiceClient};
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_tests::contract::{Method, Request, methods};
use gamekeeper_tests::dominion::{ada_and_bob, facts, players, reason};
use gamekeeper_tests::evidence::Channel;
use gamekeeper_tests::hostile::harmed;
use gamekeeper_tests::raw::{Answer, call, framed};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::store::Store;
use gamekeeper_tests::tokens::{BLUE, KeyFiles, RED, bearing, seat_holder};
use gamekeeper_wire::contract::pool;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngSeed, TestRunner};
use prost::Message;
use prost_reflect::{DynamicMessage, Value};
use rand::RngExt;
use rand::rngs::SmallRng;
use tonic::Code;

/// A valid id of a game that does not exist.
pub(crate) const MISSING: &str = "018f0000-0000-7000-8000-000000000000";

/// The methods that name no game, each with the tests of its isolation.
const WITHOUT_A_GAME: [&str; 11] = [
    "BatchGetGames", // tests of `my_games`
    "CreateGame",    // tests below
    "EraseUser",     // tests of `erasing`
    "GetCatalogue",  // the same for everybody
    "GetRule",       // the same for everybody
    "ImportGame",    // of a record; what it says of games in the store: tests of `importing`
    "ListGames",     // tests below
    "ListRules",     // the same for everybody
    "ListRulesets",  // the same for everybody
    "SelfPlay",      // in memory; worlds of a game: tests of `self_play`
    "WatchGames",    // tests of `my_games`
];

/// Returns whether the method gives every caller the same response.
fn is_open(method: &Method) -> bool {
    method.service == "gamekeeper.v1.RulesetService"
}

fn house() -> (Gamekeeperd, KeyFiles) {
    let keys = KeyFiles::new();
    (keys.server_for_teams(&["--store=memory"]), keys)
}

/// A game, with the facts that the tests need.
struct Game {
    id: String,
    seat: u32,
    /// A legal action of that seat.
    action: Vec<u8>,
    tokens: Vec<String>,
}

/// Creates one game of every ruleset.
async fn one_of_each(channel: &Channel, key: &str) -> Vec<Game> {
    let mut games = Vec::new();
    for ruleset in gamekeeper_rules::of_each_ruleset!(R => R::INFO.id) {
        let mut client = GameServiceClient::new(channel.clone());
        let create = v1::CreateGameRequest {
            ruleset: ruleset.to_owned(),
            players: players(&["Ada", "Bob"]),
            ..Default::default()
        };
        let created = client
            .create_game(bearing(key, create))
            .await
            .unwrap()
            .into_inner();
        let game = facts(created.table);
        let seat = game.pending[0].seat;
        let list = v1::ListLegalActionsRequest {
            game_id: game.game_id.clone(),
            seat,
            ..Default::default()
        };
        let legal = client
            .list_legal_actions(bearing(key, list))
            .await
            .unwrap()
            .into_inner();
        let action = legal.actions[0].action.as_ref().unwrap();
        let tokens = created.tokens.unwrap();
        let seats = tokens.seats.into_iter().map(|token| token.token);
        games.push(Game {
            id: game.game_id,
            seat,
            action: action.encode_to_vec(),
            tokens: seats.chain([tokens.spectator]).collect(),
        });
    }
    games
}

/// Builds a request about a game.
fn request(method: &Method, id: &str, game: &Game) -> Bytes {
    framed(&Request::about(method, id, game.seat, &game.action).into_bytes())
}

/// Returns the whole response, with the id removed.
pub(crate) fn without(answer: &Answer, id: &str) -> (Code, String, Vec<u8>, Vec<String>) {
    let masked = |text: &[u8]| about(text.to_vec(), id, &"_".repeat(id.len()));
    let message = masked(answer.status.message().as_bytes());
    (
        answer.status.code(),
        String::from_utf8_lossy(&message).into_owned(),
        masked(answer.status.details()),
        answer.headers.clone(),
    )
}

/// Methods for changes beyond the rules and for forks, which a finished game refuses.
const BESIDE: [&str; 10] = [
    "ForkGame",
    "Resign",
    "FillSeat",
    "ClaimTimeout",
    "AddTime",
    "PauseGame",
    "ResumeGame",
    "TakeBack",
    "EndGame",
    "AnswerProposal",
];

#[tokio::test]
async fn a_foreign_game_looks_like_a_missing_one_byte_for_byte() {
    let (server, _keys) = house();
    let mut channel = server.channel();
    let games = one_of_each(&channel, RED).await;
    let others = one_of_each(&channel, RED).await;
    let team = KeyFiles::signed("green");
    let mut call_count = 0;
    for method in methods() {
        if method.field("game_id").or(method.field("holder")).is_none() {
            let is_without_a_game = WITHOUT_A_GAME.contains(&method.name.as_str());
            assert!(
                is_without_a_game,
                "what keeps tenants apart in {}?",
                method.path()
            );
            continue;
        }
        for (game, other) in games.iter().zip(&others) {
            for token in [BLUE, &team]
                .into_iter()
                .chain(other.tokens.iter().map(String::as_str))
            {
                let foreign = call(
                    &mut channel,
                    &method,
                    token,
                    request(&method, &game.id, game),
                );
                let foreign = foreign.await.unwrap();
                let missing = call(
                    &mut channel,
                    &method,
                    token,
                    request(&method, MISSING, game),
                );
                let missing = missing.await.unwrap();
                let why = reason(&missing.status);
                let no_such_game = (Code::NotFound, String::from("NO_SUCH_GAME"));
                assert_eq!(why, no_such_game, "{}", method.path());
                assert_eq!(
                    without(&foreign, &game.id),
                    without(&missing, MISSING),
                    "{}",
                    method.path()
                );
                call_count += 1;
            }
            // The owner gets a response, so the calls above were valid.
            if !["DeleteGame", "ExportGame"].contains(&method.name.as_str()) {
                let response = call(&mut channel, &method, RED, request(&method, &game.id, game));
                let status = response.await.unwrap().status;
                // A table that does not allow an operation reveals that only to its owner.
                let answered = status.code() == Code::Ok
                    || BESIDE.contains(&method.name.as_str())
                        && status.code() == Code::FailedPrecondition;
                assert!(answered, "{}: {status:?}", method.path());
            }
        }
    }
    // Eighteen methods for games and two for tokens; two tenants, two seats, a spectator.
    assert_eq!(call_count, games.len() * (18 + 2) * 5);
}

/// Replaces the id of a game in a request by another id of the same length.
fn about(mut request: Vec<u8>, id: &str, other: &str) -> Vec<u8> {
    while let Some(at) = request
        .windows(id.len())
        // The service accepts ids in upper and lower case.
        .position(|window| window.eq_ignore_ascii_case(id.as_bytes()))
    {
        request[at..at + id.len()].copy_from_slice(other.as_bytes());
    }
    request
}

/// Decodes a request of a method. Returns `None` if it cannot be decoded.
fn decoded(method: &Method, request: &[u8]) -> Option<DynamicMessage> {
    let service = pool().get_service_by_name(&method.service);
    let service = service.expect("a service");
    let descriptor = service.methods().find(|other| other.name() == method.name);
    DynamicMessage::decode(descriptor.expect("a method").input(), request).ok()
}

/// Formats a request of a method as text, with ids as they are. Returns `None` if it cannot be decoded.
fn read(method: &Method, request: &[u8]) -> Option<String> {
    let read = decoded(method, request)?;
    Some(format!("{read:?}").to_ascii_lowercase())
}

/// Returns whether a request asks for tokens of a user, who may have any name, such as the id of a game: no such answer
/// depends on the game, and each has a token of its own.
fn is_about_a_user(method: &Method, request: &[u8]) -> bool {
    method.name == "IssueToken"
        && decoded(method, request).is_some_and(|request| {
            let holder = request.get_field_by_name("holder");
            let holder = holder.as_deref().and_then(Value::as_message);
            holder.is_some_and(|holder| holder.has_field_by_name("user"))
        })
}

/// Returns whether two requests are about a game and about a missing one, and otherwise the same. If the id is cut or
/// decoded as something else, they differ in more than the game.
fn differ_in_the_game_alone(method: &Method, (request, id): (&[u8], &str), twin: &[u8]) -> bool {
    let about_missing = read(method, request).map(|text| text.replace(id, MISSING));
    about_missing.is_some()
        && about_missing == read(method, twin)
        && !is_about_a_user(method, request)
}

/// Builds a request about a game, with values that may be wrong.
fn sample(method: &Method, id: &str, action: &[u8], random: &mut SmallRng) -> Vec<u8> {
    let several = v1::GameQuery {
        game_id: id.to_owned(),
        viewer: None,
    };
    let mut small = || random.random_range(0..9_u8);
    let viewer = [8, small(), 16, small()];
    let show = [8, 1, 40, small()];
    let holder = seat_holder(id, small().into());
    Request::default()
        .text(method, "game_id", id)
        .number(method, "seat", small().into())
        .number(method, "after_version", small().into())
        .number(method, "at_version", small().into())
        .number(method, "page_size", u64::from(small()) * 200)
        .bytes(method, "action", action)
        .bytes(method, "viewer", &viewer)
        .bytes(method, "show", &show)
        .bytes(method, "games", &several.encode_to_vec())
        .bytes(method, "holder", &holder.encode_to_vec())
        .into_bytes()
}

/// The permission is checked before any other part of a request, however malformed it is.
#[tokio::test]
async fn a_malformed_request_says_nothing_about_a_foreign_game() {
    let keys = KeyFiles::new();
    let server = keys.server_for_teams(&["--store=memory", "--max-rate=0"]);
    let mut channel = server.channel();
    let games = one_of_each(&channel, RED).await;
    let others = one_of_each(&channel, RED).await;
    let methods: Vec<Method> = methods()
        .into_iter()
        .filter(|method| !is_open(method) && method.name != "SelfPlay")
        .collect();
    let mut random = gamekeeper_tests::chance::rng();
    let mut runner = TestRunner::new(Config {
        rng_seed: RngSeed::Fixed(random.random()),
        ..Config::default()
    });
    let (mut answers, mut compared) = (BTreeSet::new(), 0);
    for _ in 0..6_000 {
        let method = &methods[random.random_range(0..methods.len())];
        let at = random.random_range(0..games.len());
        let (game, other) = (&games[at], &others[at]);
        let action = &games[random.random_range(0..games.len())].action;
        let sample = sample(method, &game.id, action, &mut random);
        let tree = harmed(vec![sample]).new_tree(&mut runner);
        let request = tree.unwrap().current();
        let token = match random.random_range(0..3) {
            0 => BLUE,
            1 => other.tokens.last().unwrap(),
            _ => &other.tokens[0],
        };
        let twin = about(request.clone(), &game.id, MISSING);
        if !differ_in_the_game_alone(method, (&request, &game.id), &twin) {
            continue;
        }
        let foreign = call(&mut channel, method, token, framed(&request))
            .await
            .unwrap();
        let missing = call(&mut channel, method, token, framed(&twin))
            .await
            .unwrap();
        let foreign_text = without(&foreign, &game.id);
        let comparable = |answer: &Answer| about(answer.body.to_vec(), &game.id, MISSING);
        assert_eq!(
            foreign_text,
            without(&missing, MISSING),
            "{}: {request:?}",
            method.path()
        );
        assert_eq!(
            comparable(&foreign),
            comparable(&missing),
            "{}: {request:?}",
            method.path()
        );
        answers.insert(format!("{:?}", foreign_text.0));
        compared += 1;
    }
    assert!(compared > 1_000, "hardly any: {compared}");
    assert!(answers.len() > 2, "{answers:?}");
}

/// Names of tenants that a careless comparison, key or hash could confuse.
const TEAMS: [&str; 12] = [
    "red",
    "Red",
    "red ",
    " red",
    "re",
    "redd",
    "red:",
    "red:1",
    "red*",
    "[r]ed",
    "r\u{e9}d",
    "gk:{lists}:games",
];

/// Teams that sign their own tokens have separate games, whatever their names. A team with the name of a tenant with a
/// key is that tenant. Some names and request ids are equal when joined.
#[tokio::test]
async fn teams_share_nothing_whatever_they_are_called() {
    let (keys, store) = (KeyFiles::new(), Store::redis());
    let server = keys.server_for_teams(&store.with(&[]));
    let mut ids = BTreeSet::new();
    for team in TEAMS {
        let token = KeyFiles::signed(team);
        for request_id in ["1", ":1", "d"] {
            let create = v1::CreateGameRequest {
                request_id: request_id.to_owned(),
                ..ada_and_bob()
            };
            let created = server.games().create_game(bearing(&token, create)).await;
            let game = facts(created.unwrap().into_inner().table);
            assert!(
                ids.insert(game.game_id),
                "{team:?} has a game of another team"
            );
        }
    }
    let list = async |token: &str| {
        let request = bearing(token, v1::ListGamesRequest::default());
        let listed = server
            .games()
            .list_games(request)
            .await
            .unwrap()
            .into_inner();
        let ids = listed.games.into_iter().map(|game| game.game_id);
        ids.collect::<BTreeSet<_>>()
    };
    assert_eq!(list(RED).await, list(&KeyFiles::signed("red")).await);
    let mut games_by_team = BTreeMap::new();
    for team in TEAMS {
        let games = list(&KeyFiles::signed(team)).await;
        assert_eq!(games.len(), 3, "{team:?}");
        games_by_team.insert(team, games);
    }
    let listed: BTreeSet<_> = games_by_team.values().flatten().collect();
    assert_eq!(listed.len(), ids.len());
    for team in TEAMS {
        let token = KeyFiles::signed(team);
        for game_id in &ids {
            let ask = v1::GetGameRequest {
                game_id: game_id.clone(),
                ..Default::default()
            };
            let is_visible = server.games().get_game(bearing(&token, ask)).await.is_ok();
            assert_eq!(
                is_visible,
                games_by_team[team].contains(game_id),
                "{team:?}"
            );
        }
    }
}

/// Names that could be mistaken for an empty name, or that break a line or a hash, are refused.
#[tokio::test]
async fn a_team_without_a_proper_name_is_not_let_in() {
    let (server, _keys) = house();
    let long = "x".repeat(256);
    for team in ["", "\0", "red\0", "red\nblue", &long] {
        let ask = bearing(&KeyFiles::signed(team), v1::ListGamesRequest::default());
        let refused = server.games().list_games(ask).await.unwrap_err();
        assert_eq!(refused.code(), Code::Unauthenticated, "{team:?}");
    }
}
