//! `gamekeeper replay`: the table at one version, from a record or from a server.

use gamekeeper_proto::EncodedMessage;
use std::path::Path;

use gamekeeper_proto::gamekeeper::v1::{GameInfo, GameStatus};
use gamekeeper_rules::ruleset;
use gamekeeper_rules::table::{Names, Viewer};
use gamekeeper_wire::record::{Record, Version, decode_action, table_at};
use gamekeeper_wire::{Malformed, Wire, seat};

use super::read_text;
use super::show::shown;
use super::verify;
use crate::args::{GameArg, ViewerArg};
use crate::contract::{dynamic, ruleset_message};
use crate::failure::Failure;
use crate::output::Output;
use crate::render::table;
use crate::session::Session;
use crate::token_selection::ViewerChoice;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Record written by `gamekeeper export` (- is the standard input), or the id of a game, or
    /// `last`
    #[arg(value_name = "FILE|GAME")]
    target: String,
    /// Version to show [default: the newest]
    #[arg(long, value_name = "VERSION")]
    to: Option<u64>,
    #[command(flatten)]
    viewer: ViewerArg,
}

pub(crate) async fn run(
    session: impl FnOnce() -> Result<Session, Failure>,
    output: Output,
    args: &Args,
) -> Result<(), Failure> {
    if args.target == "-" || Path::new(&args.target).is_file() {
        return offline(output, args);
    }
    let game = GameArg {
        id: args.target.clone(),
    };
    let game = session()?.game(&game)?;
    shown(output, &game, args.viewer.into(), args.to).await
}

/// Shows a table from a record, which the rules in this program replay.
fn offline(output: Output, args: &Args) -> Result<(), Failure> {
    let record = verify::read(&read_text(&args.target)?)?;
    let newest = u64::try_from(record.versions.len()).unwrap_or(u64::MAX);
    let version = args.to.unwrap_or(newest);
    if version == 0 || version > newest {
        let text = format!("the record has the versions 1 to {newest}, not {version}");
        return Err(Failure::Usage(text));
    }
    let seen = rendered(&record, version, args.viewer.into(), output.width())?;
    if output.is_json() {
        let view = ruleset_message(&record.game.ruleset, "View")?;
        return output.json(&dynamic(&view, &seen.view)?);
    }
    if let Some(played) = seen.played {
        output.line(played + "\n")?;
    }
    output.line(table(&seen.info, &seen.board, output.width()))
}

/// A table at one version, as it is shown.
struct Rendered {
    info: GameInfo,
    view: EncodedMessage,
    board: String,
    /// The action that led to this version.
    played: Option<String>,
}

/// Replays a record up to a version, by the rules that it names.
fn rendered(
    record: &Record,
    version: u64,
    viewer: ViewerChoice,
    columns: usize,
) -> Result<Rendered, Failure> {
    let ruleset = &*record.game.ruleset;
    gamekeeper_rules::with_ruleset!(ruleset,
        R => render_with_rules::<R>(record, version, viewer, columns),
        _ => Err(Failure::unknown_ruleset(ruleset)))
}

fn render_with_rules<W: Wire>(
    record: &Record,
    version: u64,
    viewer_choice: ViewerChoice,
    columns: usize,
) -> Result<Rendered, Failure> {
    let viewer = match viewer_choice {
        ViewerChoice::Seat(number) => seat(number, "seat")
            .map(Viewer::Seat)
            .map_err(|error: Malformed| Failure::Usage(error.to_string()))?,
        ViewerChoice::Spectator => Viewer::Spectator,
        // A record contains all facts, so it is shown as the operator sees it.
        ViewerChoice::FromToken | ViewerChoice::Operator => Viewer::Operator,
    };
    let players = record.game.players.iter();
    let players: Vec<String> = players.map(|player| player.name.clone()).collect();
    let names = Names::new(&players);
    let table = table_at::<W>(record, version)?;
    let pending = table.decisions();
    let status = if pending.is_empty() {
        GameStatus::Finished
    } else {
        GameStatus::Active
    };
    let info = GameInfo {
        version,
        status: status.into(),
        pending,
        standings: table.standings(),
        ..record.game.clone()
    };
    let view = W::view(&table.now.state, viewer);
    Ok(Rendered {
        info,
        board: ruleset::board::<W>(&view, names, columns),
        view: W::encoded_view(&view),
        played: played::<W>(record, version, names)?,
    })
}

/// Returns the action that led to the table, as its player sees it.
fn played<W: Wire>(
    record: &Record,
    version: u64,
    names: Names<'_>,
) -> Result<Option<String>, Failure> {
    let index = usize::try_from(version).unwrap_or(usize::MAX) - 1;
    let Some(Version {
        entry,
        action: Some(action),
        ..
    }) = record.versions.get(index)
    else {
        return Ok(None);
    };
    let malformed = |error: Malformed| Failure::Difference(format!("version {version}: {error}"));
    let by = seat(entry.seat, "seat").map_err(malformed)?;
    let action = decode_action::<W>(version, action)?;
    let before = table_at::<W>(record, version - 1)?;
    let view = W::view(&before.now.state, Viewer::Seat(by));
    let text = W::action_text(&view, &action, names);
    Ok(Some(format!("{}: {text}", names.who(by))))
}
