//! `gamekeeper list`

use clap::ValueEnum;
use gamekeeper_proto::gamekeeper::v1::{GameInfo, GameStatus};
use prost_reflect::Value;

use crate::failure::Failure;
use crate::fields::{Fields, retype};
use crate::output::{Columns, Output};
use crate::phrase;
use crate::session::Session;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only games of this ruleset
    #[arg(long, value_name = "RULESET")]
    ruleset: Option<String>,
    /// Only games with this status
    #[arg(long, value_name = "STATUS")]
    status: Option<Status>,
    /// At most so many games
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: usize,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Status {
    Active,
    Finished,
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let mut columns = Columns::new(&["GAME", "RULESET", "VERSION", "STATUS", "PLAYERS"]);
    let mut left = args.limit;
    let mut token = String::new();
    while left > 0 {
        let page = page(session, args, token).await?;
        for game in page.children("games").iter().take(left) {
            if output.is_json() {
                output.json(game)?;
            } else {
                columns.row(row(&retype(game)?));
            }
            left -= 1;
        }
        token = page.text("next_page_token");
        if token.is_empty() {
            break;
        }
    }
    if output.is_json() {
        Ok(())
    } else {
        output.line(columns)
    }
}

async fn page(
    session: &Session,
    args: &Args,
    token: String,
) -> Result<prost_reflect::DynamicMessage, Failure> {
    let status = match args.status {
        None => GameStatus::Unspecified,
        Some(Status::Active) => GameStatus::Active,
        Some(Status::Finished) => GameStatus::Finished,
    };
    let size = i32::try_from(args.limit.clamp(1, 1_000)).unwrap_or(1_000);
    let build = |request: prost_reflect::DynamicMessage| {
        request
            .with("ruleset", args.ruleset.clone().unwrap_or_default())?
            .with("status", Value::EnumNumber(status.into()))?
            .with("page_size", size)?
            .with("page_token", token)
    };
    session.games("ListGames", build).await
}

fn row(info: &GameInfo) -> [String; 5] {
    let names: Vec<_> = info
        .players
        .iter()
        .map(|player| player.name.as_str())
        .collect();
    let status = match info.status() {
        GameStatus::Finished => "finished".to_owned(),
        GameStatus::Active => {
            let next: Vec<_> = info
                .pending
                .iter()
                .map(|owed| phrase::player(info, owed.seat))
                .collect();
            format!("{} to act", next.join(", "))
        }
        GameStatus::Unspecified => "unknown".to_owned(),
    };
    [
        info.game_id.clone(),
        info.ruleset.clone(),
        info.version.to_string(),
        status,
        names.join(", "),
    ]
}
