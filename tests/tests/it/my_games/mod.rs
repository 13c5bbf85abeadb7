//! A front end with users: batches, lists by user, and one stream for many games.

mod backend;
mod batch;
mod cli;
mod due_lists;
mod feed;
mod feed_bounds;
mod labels;
mod lists;
mod tags;
mod user_tokens;
mod watch;
mod watch_bounds;
mod watch_faults;

use std::collections::BTreeMap;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_tests::dominion::Table;
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::{KeyFiles, bearing};
use tonic::Status;

/// Starts a server with tokens and its own store in memory.
fn house() -> (Gamekeeperd, KeyFiles) {
    let keys = KeyFiles::new();
    let server = keys.server(&["--store=memory"]);
    (server, keys)
}

/// Requests views alone.
const VIEW: pb::Show = pb::Show {
    view: true,
    events: false,
    text: false,
    board: None,
    components: false,
    drawing: None,
    amounts: false,
    anonymous: false,
    numbers: 0,
};

/// Builds a change of a seat's user.
fn seat_user(seat: u32, user: &str) -> pb::PlayerUpdate {
    let user = Some(user.to_owned());
    pb::PlayerUpdate {
        seat,
        user,
        name: None,
    }
}

/// Builds labels from these keys and values.
fn labels(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    let pair = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
    pairs.iter().map(pair).collect()
}

/// Builds a request for a game with these users, each with a name of their own.
fn asking_for(users: &[&str], pairs: &[(&str, &str)]) -> pb::CreateGameRequest {
    let player = |user: &&str| pb::Player {
        name: format!("the player {user}").chars().take(64).collect(),
        user: (*user).to_owned(),
        ..Default::default()
    };
    pb::CreateGameRequest {
        ruleset: String::from("dominion"),
        players: users.iter().map(player).collect(),
        labels: labels(pairs),
        ..Default::default()
    }
}

async fn try_new_table(
    server: &Gamekeeperd,
    token: &str,
    call: pb::CreateGameRequest,
) -> Result<Table, Status> {
    let created = server.games().create_game(bearing(token, call)).await;
    created.map(|created| Table::of(created.into_inner()))
}

async fn new_table(server: &Gamekeeperd, token: &str, users: &[&str]) -> Table {
    let call = asking_for(users, &[]);
    try_new_table(server, token, call).await.unwrap()
}

/// Returns the users in seat order.
fn users(game: &pb::GameInfo) -> Vec<&str> {
    let players = game.players.iter();
    players.map(|player| player.user.as_str()).collect()
}

/// Returns the user of the seat with the pending decision.
fn awaited_user(game: &pb::GameInfo) -> String {
    let seat = game.pending[0].seat;
    let players = &mut game.players.iter();
    let player = players.find(|player| player.seat == seat);
    player.unwrap().user.clone()
}

/// Reads a list page by page.
async fn list(
    server: &Gamekeeperd,
    token: &str,
    call: &pb::ListGamesRequest,
) -> Result<Vec<pb::GameInfo>, Status> {
    let (mut games, mut call) = (Vec::new(), call.clone());
    loop {
        let page = server
            .games()
            .list_games(bearing(token, call.clone()))
            .await?;
        let page = page.into_inner();
        games.extend(page.games);
        call.page_token = page.next_page_token;
        if call.page_token.is_empty() {
            return Ok(games);
        }
    }
}

fn ids(games: &[pb::GameInfo]) -> Vec<&str> {
    games.iter().map(|game| game.game_id.as_str()).collect()
}
