//! `gamekeeper info`

use gamekeeper_proto::gamekeeper::v1::{GameInfo, GameStatus};
use gamekeeper_rules::table::text::{BOLD, Columns, styled};
use prost_reflect::prost_types::Timestamp;

use crate::args::GameArg;
use crate::failure::Failure;
use crate::output::Output;
use crate::phrase;
use crate::render;
use crate::session::Session;

pub(crate) async fn run(session: &Session, output: Output, game: &GameArg) -> Result<(), Failure> {
    let info = session.game_info(&session.game_id(game)?).await?;
    if output.is_json() {
        return output.json(&session.contract.shared("GameInfo", &info)?);
    }
    output.line(facts(&info))?;
    if info.status() == GameStatus::Finished {
        let standings = render::standings(&info, output.width());
        output.line(format_args!("\n{standings}"))?;
    }
    Ok(())
}

fn facts(info: &GameInfo) -> Columns {
    let mut columns = Columns::plain();
    let mut row = |name: &str, value: String| columns.row([name.to_owned(), value]);
    row("Game", styled(BOLD, &info.game_id));
    row(
        "Ruleset",
        format!(
            "{}, rules revision {}",
            phrase::title(&info.ruleset),
            info.rules_revision
        ),
    );
    row("Version", info.version.to_string());
    let players = info
        .players
        .iter()
        .map(|player| format!("{} {}", player.seat, player.name));
    row("Players", players.collect::<Vec<_>>().join(", "));
    row(
        "Waits for",
        if info.pending.is_empty() {
            "nobody".to_owned()
        } else {
            phrase::pending(info)
        },
    );
    row("Created", time(info.create_time.as_ref()));
    row("Played", time(info.update_time.as_ref()));
    row(
        "Seed",
        format!("sha256 {}", const_hex::encode(&info.seed_commitment)),
    );
    columns
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
