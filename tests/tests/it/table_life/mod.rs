//! Changes at a table beyond the rules, with whole processes: players leave, others take their seats, clocks run out,
//! actions are taken back, games are forked.

mod at_the_table;
mod bots;
mod due;
mod ends;
mod forks;
mod learned;
mod outages;
mod records;
mod shares;

use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_tests::cli::{Cli, json};
use gamekeeper_tests::dominion::{Client, Table, facts, game_of};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::store::Store;
use gamekeeper_tests::tokens::bearing;
use serde_json::Value;
use tonic::Status;

/// Creates a game of Dominion.
async fn game(
    server: &Gamekeeperd,
    token: &str,
    names: &[&str],
    table: Option<v1::TableOptions>,
) -> Table {
    let create = v1::CreateGameRequest {
        table,
        ..game_of(names)
    };
    let created = server.games().create_game(bearing(token, create)).await;
    Table::of(created.unwrap().into_inner())
}

async fn resign(
    games: &mut Client,
    token: &str,
    game: &v1::GameInfo,
    seat: u32,
    request_id: &str,
) -> Result<v1::GameInfo, Status> {
    let ask = v1::ResignRequest {
        game_id: game.game_id.clone(),
        seat,
        request_id: request_id.to_owned(),
    };
    let answer = games.resign(bearing(token, ask)).await?;
    Ok(answer.into_inner().game.unwrap())
}

async fn fill(
    games: &mut Client,
    token: &str,
    game: &v1::GameInfo,
    seat: u32,
    request_id: &str,
) -> Result<v1::GameInfo, Status> {
    let ask = v1::FillSeatRequest {
        game_id: game.game_id.clone(),
        seat,
        request_id: request_id.to_owned(),
        bot: None,
    };
    let answer = games.fill_seat(bearing(token, ask)).await?;
    Ok(answer.into_inner().game.unwrap())
}

async fn info(games: &mut Client, token: &str, game: &v1::GameInfo) -> v1::GameInfo {
    let game_id = game.game_id.clone();
    let ask = v1::GetGameRequest {
        game_id,
        ..Default::default()
    };
    let answer = games.get_game(bearing(token, ask)).await.unwrap();
    facts(answer.into_inner().table)
}

/// Plays the first legal action of a seat.
async fn act(games: &mut Client, game: &v1::GameInfo, seat: u32) -> v1::GameInfo {
    let legal = v1::ListLegalActionsRequest {
        game_id: game.game_id.clone(),
        seat,
        ..Default::default()
    };
    let legal = games.list_legal_actions(legal).await.unwrap().into_inner();
    let act = v1::ApplyActionRequest {
        game_id: game.game_id.clone(),
        seat,
        action: legal.actions[0].action.clone(),
        ..Default::default()
    };
    facts(games.apply_action(act).await.unwrap().into_inner().table)
}

/// Exports the last game, and returns the report of `verify`.
fn verified(cli: &Cli) -> Value {
    let record = cli.file("record.jsonl");
    std::fs::write(&record, cli.out("export last")).unwrap();
    json(&cli.out(&format!("verify {record}")))
}
