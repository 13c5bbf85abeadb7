//! `gamekeeper verify`: recomputes everything with the rules in this program. No server is called
//! or trusted.

mod differ;
mod luck;
pub(super) mod record;
pub(super) mod replay;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::text::{BOLD, Columns, styled};

use self::luck::Luck;
use self::record::Record;
use self::replay::{Checked, replay};
use super::read_text;
use crate::failure::Failure;
use crate::output::Output;
use crate::phrase;
use crate::progress::Progress;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Record written by `gamekeeper export`; - is the standard input
    #[arg(value_name = "FILE")]
    file: String,
}

pub(crate) fn run(output: Output, args: &Args) -> Result<(), Failure> {
    let record = Record::read(&read_text(&args.file)?)?;
    let mut progress = Progress::new(
        "versions",
        u64::try_from(record.versions.len()).unwrap_or(0),
    );
    let checked = check(&record, &mut progress)?;
    drop(progress);
    if output.is_json() {
        return output.line(json(&record, &checked));
    }
    output.line(report(&record, &checked))
}

macro_rules! check_by_ruleset {
    ($($module:ident: $Ruleset:ident),* $(,)?) => {
        /// Replays a record by the rules that it names.
        fn check(record: &Record, progress: &mut Progress) -> Result<Checked, Failure> {
            $(
                if record.game.ruleset == <gamekeeper_rules::$module::$Ruleset as Ruleset>::SHEET.id {
                    return replay::<gamekeeper_rules::$module::$Ruleset>(record, progress);
                }
            )*
            Err(Failure::Usage(format!("this program does not know the ruleset {:?}", record.game.ruleset)))
        }
    };
}

gamekeeper_wire::for_each_ruleset!(check_by_ruleset);

fn report(record: &Record, checked: &Checked) -> String {
    let Checked {
        versions,
        automatic,
        draws,
        states,
        luck,
    } = checked;
    let mut columns = Columns::plain();
    let mut row = |name: &str, text: String| columns.row([name.to_owned(), text]);
    row("Game", record.game.game_id.clone());
    let title = phrase::title(&record.game.ruleset);
    row(
        "Rules",
        format!("{title}, revision {}", record.game.rules_revision),
    );
    row(
        "Versions",
        format!("{versions} replayed: actions, events, decisions and fingerprints agree"),
    );
    if let Some(origin) = &record.game.forked_from {
        let pb::ForkedFrom { game_id, version } = origin;
        row("Past", format!("of game {game_id} up to version {version}"));
    }
    row("Automatic", format!("{automatic} automatic actions agree"));
    match luck {
        Luck::Recomputed => {
            row(
                "Seed",
                "salt and seed fit the commitment made at creation".to_owned(),
            );
            row(
                "Draws",
                format!("{draws} draws recomputed from the seed agree"),
            );
        }
        Luck::Repeated => {
            row("Seed", secret(record));
            row(
                "Draws",
                format!("{draws} draws are possible; the seed will prove them"),
            );
        }
    }
    if *states > 0 {
        row("Tables", format!("{states} tables agree"));
    }
    let result = if record.game.standings.is_empty() {
        "open"
    } else {
        "ranking and scores agree"
    };
    row("Result", result.to_owned());
    format!(
        "{columns}\n{}",
        styled(BOLD, "The record is true to the rules.")
    )
}

/// Why not every draw can be proved.
fn secret(record: &Record) -> String {
    match record.reveal {
        None => "still secret: the game is not over",
        Some(_) => "an origin's is still secret, or was deleted with it",
    }
    .to_owned()
}

fn json(record: &Record, checked: &Checked) -> serde_json::Value {
    serde_json::json!({
        "gameId": record.game.game_id,
        "ruleset": record.game.ruleset,
        "rulesRevision": record.game.rules_revision,
        "versions": checked.versions,
        "automaticActions": checked.automatic,
        "draws": checked.draws,
        "states": checked.states,
        "seedRevealed": checked.luck == Luck::Recomputed,
        "verified": true,
    })
}

#[cfg(test)]
mod tests;
