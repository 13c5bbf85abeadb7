//! `gamekeeper info`

use gamekeeper_proto::gamekeeper::v1::{
    BatchGetGamesRequest, ForkedFrom, GameInfo, GameQuery, GameStatus,
};
use gamekeeper_proto::raw::GameResult;
use gamekeeper_proto::raw::game_result::Result as Found;
use gamekeeper_rules::table::text::{BOLD, Columns, styled};
use prost_reflect::prost_types::Timestamp;
use tonic::{Code, Status};

use crate::args::GameArg;
use crate::contract::to_dynamic;
use crate::failure::Failure;
use crate::output::{Output, notice};
use crate::phrase;
use crate::render;
use crate::session::Session;

/// Maximum number of games in one call.
const BATCH_SIZE: usize = 100;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,
    /// Further games, all of one owner
    #[arg(value_name = "GAME")]
    more: Vec<String>,
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let first = session.game_id(&args.game)?;
    if args.more.is_empty() {
        return print_info(output, &session.game_info(&first).await?);
    }
    let ids: Vec<&String> = [&first].into_iter().chain(&args.more).collect();
    let mut failed = None;
    for ids in ids.chunks(BATCH_SIZE) {
        for result in batch(session, ids).await? {
            match result.result {
                Some(Found::Table(table)) => {
                    print_info(output, &table.game.unwrap_or_default())?;
                    if !output.is_json() {
                        output.line("")?;
                    }
                }
                Some(Found::Problem(problem)) => {
                    notice(format_args!("{}: {}", problem.reason, problem.message));
                    failed.get_or_insert(problem);
                }
                None => return Err(Failure::Contract("a result without a game".to_owned())),
            }
        }
    }
    match failed {
        None => Ok(()),
        Some(problem) => Err(Status::new(Code::from_i32(problem.code), problem.message).into()),
    }
}

/// Reads several games with one call. Some of them may not exist.
async fn batch(session: &Session, ids: &[&String]) -> Result<Vec<GameResult>, Failure> {
    let query = |id: &&String| GameQuery {
        game_id: (*id).clone(),
        viewer: None,
    };
    let request = BatchGetGamesRequest {
        games: ids.iter().map(query).collect(),
        show: None,
    };
    Ok(session.call(&request).await?.results)
}

fn print_info(output: Output, info: &GameInfo) -> Result<(), Failure> {
    if output.is_json() {
        return output.json(&to_dynamic("GameInfo", info)?);
    }
    output.line(facts(info))?;
    if info.status() == GameStatus::Finished && !info.standings.is_empty() {
        let standings = render::standings(info, output.width());
        output.line(format_args!("\n{standings}"))?;
    }
    Ok(())
}

/// Describes where the past of a game comes from, if it is not all its own.
fn origin_rows(info: &GameInfo) -> Vec<(&'static str, String)> {
    let mut rows = Vec::new();
    if let Some(start) = phrase::start(info) {
        rows.push(("Began", start.to_owned()));
    }
    if let Some(ForkedFrom { game_id, version }) = &info.forked_from {
        rows.push(("Forked from", format!("{game_id}, version {version}")));
    }
    if info.imported_versions > 0 {
        let imported = info.imported_versions;
        rows.push((
            "Imported",
            format!("versions 1 to {imported}, from a record"),
        ));
    }
    rows
}

/// Formats the facts of a game, one per row.
pub(super) fn facts(info: &GameInfo) -> Columns {
    let mut columns = Columns::plain();
    let mut row = |name: &str, value: String| columns.row([name.to_owned(), value]);
    row("Game", styled(BOLD, &info.game_id));
    row(
        "Ruleset",
        format!(
            "{}, rules revision {}",
            phrase::ruleset(&info.ruleset),
            info.rules_revision
        ),
    );
    row("Version", info.version.to_string());
    let players = info.players.iter().map(|player| {
        let by = match (&player.bot, &*player.user) {
            (Some(bot), _) => format!(" (bot: {})", bot.policy),
            (None, "") => String::new(),
            (None, user) => format!(" ({user})"),
        };
        format!("{} {}{by}", player.seat, player.name)
    });
    row("Players", players.collect::<Vec<_>>().join(", "));
    row(
        "Waits for",
        if info.pending.is_empty() {
            "nobody".to_owned()
        } else {
            phrase::pending(info)
        },
    );
    if info.status() == GameStatus::Finished {
        row("Ended", phrase::end(info.end_reason()).to_owned());
    }
    if let Some(left) = info.entries_left {
        row("Log", room(left));
    }
    if let Some(proposal) = &info.proposal {
        row("Proposal", phrase::proposal(info, proposal));
    }
    for (name, text) in origin_rows(info) {
        row(name, text);
    }
    if !info.labels.is_empty() {
        let labels = info.labels.iter();
        let labels: Vec<_> = labels
            .map(|(key, value)| format!("{key}={value}"))
            .collect();
        row("Labels", labels.join(", "));
    }
    row("Created", time(info.create_time.as_ref()));
    row("Played", time(info.update_time.as_ref()));
    row(
        "Seed",
        format!("sha256 {}", const_hex::encode(&info.seed_commitment)),
    );
    row(
        "Record",
        format!("sha256 {}", const_hex::encode(&info.record_commitment)),
    );
    columns
}

/// Says how many more entries the log of a game has room for.
fn room(entries: u64) -> String {
    match entries {
        0 => String::from("full: only its owner can end the game"),
        left => format!("about {left} more entries fit"),
    }
}

fn time(time: Option<&Timestamp>) -> String {
    let since = |time: &Timestamp| {
        let seconds = std::time::Duration::from_secs(u64::try_from(time.seconds).ok()?);
        std::time::UNIX_EPOCH.checked_add(seconds)
    };
    time.and_then(since).map_or_else(
        || "-".to_owned(),
        |time| humantime::format_rfc3339_seconds(time).to_string(),
    )
}
