//! `gamekeeper list`

use clap::ValueEnum;
use gamekeeper_proto::gamekeeper::v1::{GameInfo, GameStatus, ListGamesRequest, ListGamesResponse};
use gamekeeper_rules::table::text::Columns;

use crate::failure::Failure;
use crate::output::Output;
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
    /// Maximum number of games
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
        for game in page.games.iter().take(left) {
            if output.is_json() {
                output.json(&session.contract.shared("GameInfo", game)?)?;
            } else {
                columns.row(row(game));
            }
            left -= 1;
        }
        token = page.next_page_token;
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
    page_token: String,
) -> Result<ListGamesResponse, Failure> {
    let status = match args.status {
        None => GameStatus::Unspecified,
        Some(Status::Active) => GameStatus::Active,
        Some(Status::Finished) => GameStatus::Finished,
    };
    let page_size = i32::try_from(args.limit.clamp(1, 1_000)).unwrap_or(1_000);
    let request = ListGamesRequest {
        ruleset: args.ruleset.clone().unwrap_or_default(),
        status: status.into(),
        page_size,
        page_token,
    };
    session.games("ListGames", &request).await
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
