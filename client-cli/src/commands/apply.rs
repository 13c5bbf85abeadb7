//! `gamekeeper apply`

use gamekeeper_proto::gamekeeper::v1::{GameInfo, GameStatus, Show};
use gamekeeper_proto::raw::{Action, ApplyActionResponse};

use super::events::sentences;
use super::read_text;
use crate::args::{GameArg, SeatArg};
use crate::contract::{read_all_wrapped, read_wrapped, to_dynamic};
use crate::failure::Failure;
use crate::game_client::{Move, SHOW_EVENT_TEXTS, new_request_id};
use crate::output::Output;
use crate::phrase;
use crate::session::Session;

#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("source").required(true))]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,
    #[command(flatten)]
    seat: SeatArg,
    /// The action as protobuf JSON, such as '{"endTurn":{}}'
    #[arg(value_name = "ACTION", group = "source")]
    action: Option<String>,
    /// File of actions to play one after the other; - is the standard input
    #[arg(short, long, value_name = "FILE", group = "source")]
    file: Option<String>,
    /// Expected version: fail if the game has moved on [default: any]
    #[arg(long, value_name = "VERSION")]
    expect: Option<u64>,
    /// Request id to send [default: a new one]; an action with the same id is played once
    #[arg(long, value_name = "ID")]
    request_id: Option<String>,
    /// Check whether the action would be accepted, without playing it
    #[arg(long)]
    dry_run: bool,
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let (game, facts) = session.open(&args.game).await?;
    let actions = actions(&facts.ruleset, args)?;
    if args.request_id.is_some() && actions.len() > 1 {
        return Err(Failure::Usage("--request-id is for one action".to_owned()));
    }
    let mut expected_version = args.expect.unwrap_or_default();
    for action in actions {
        let play = Move {
            seat: args.seat.seat,
            action,
            expected_version,
            request_id: args.request_id.clone().unwrap_or_else(new_request_id),
            show: Show {
                view: output.is_json(),
                ..SHOW_EVENT_TEXTS
            },
        };
        let response = if args.dry_run {
            game.validate(&play).await
        } else {
            game.apply(&play).await
        }?;
        if expected_version > 0 && !args.dry_run {
            expected_version = info(&response).version;
        }
        if output.is_json() {
            output.json(&to_dynamic("ApplyActionResponse", &response)?)?;
        } else {
            report(output, args, &response)?;
        }
    }
    Ok(())
}

fn actions(ruleset: &str, args: &Args) -> Result<Vec<Action>, Failure> {
    let actions = match (&args.file, &args.action) {
        (Some(file), _) => read_all_wrapped(ruleset, "Action", &read_text(file)?)?,
        (None, text) => vec![read_wrapped(
            ruleset,
            "Action",
            text.as_deref().unwrap_or_default(),
        )?],
    };
    if actions.is_empty() {
        return Err(Failure::Invalid("no action was given".to_owned()));
    }
    Ok(actions)
}

fn report(output: Output, args: &Args, response: &ApplyActionResponse) -> Result<(), Failure> {
    let info = info(response);
    if args.dry_run {
        return output.line(format_args!("Legal at version {}.", info.version));
    }
    for text in sentences(response.entry.as_ref()) {
        output.line(text)?;
    }
    let next = match info.status() {
        GameStatus::Finished => "the game is over".to_owned(),
        GameStatus::Active | GameStatus::Unspecified => phrase::pending(&info),
    };
    output.line(format_args!("Version {}; {next}.", info.version))
}

/// Returns the public facts of the game from a response.
fn info(response: &ApplyActionResponse) -> GameInfo {
    let table = response.table.as_ref();
    table
        .and_then(|table| table.game.clone())
        .unwrap_or_default()
}
