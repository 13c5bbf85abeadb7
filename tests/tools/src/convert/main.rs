//! Converts recorded games of Terra Mystica to **records**, which `gamekeeper verify` checks and `gamekeeper import` takes.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::SystemTime;

use clap::Parser;
use gamekeeper::{Failure, Globals, Output, program};
use gamekeeper_rules::table::text::Columns;
use gamekeeper_tools::recorded::{Converted, convert};
use serde_json::json;

/// Convert recorded games of Terra Mystica to records, as `gamekeeper export` writes them.
#[derive(Debug, Parser)]
#[command(name = "gamekeeper-convert", version, max_term_width = 100)]
struct Args {
    #[command(flatten)]
    globals: Globals,
    /// Recorded games, in the format of `service/rules/tests/terra_mystica_games`
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Folder for the records: `game.json` becomes `game.jsonl` in it
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    to: PathBuf,
    /// Time of all versions, such as 2026-11-29T12:00:00Z, since recordings have none [default: now]
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_rfc3339_weak)]
    time: Option<SystemTime>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    program(&args.globals, async |output| run(output, &args))
}

fn run(output: Output, args: &Args) -> Result<(), Failure> {
    let time_ms = milliseconds(args.time.unwrap_or_else(SystemTime::now))?;
    let mut columns = Columns::new(&["FILE", "VERSIONS", "POINTS"]);
    for file in &args.files {
        let (record, converted) = converted(file, args, time_ms)?;
        let (record, points) = (record.display().to_string(), converted.points);
        if output.is_json() {
            let versions = converted.versions;
            output.line(json!({"file": record, "versions": versions, "points": points}))?;
            continue;
        }
        let points = match points[..] {
            [] => "not over".to_owned(),
            [..] => points
                .iter()
                .map(i32::to_string)
                .collect::<Vec<_>>()
                .join(", "),
        };
        columns.row([record, converted.versions.to_string(), points]);
    }
    match output.is_json() {
        true => Ok(()),
        false => output.line(columns),
    }
}

/// Converts a file, and writes its record.
fn converted(file: &Path, args: &Args, time_ms: u64) -> Result<(PathBuf, Converted), Failure> {
    let failed = |path: &Path, error: &std::io::Error| Failure::io(path.display(), error);
    let text = std::fs::read_to_string(file).map_err(|error| failed(file, &error))?;
    let converted = convert(&text, time_ms)
        .map_err(|error| Failure::Invalid(format!("{}: {error}", file.display())))?;
    let name = file.file_stem().unwrap_or_default();
    let record = args.to.join(name).with_extension("jsonl");
    std::fs::write(&record, &converted.lines).map_err(|error| failed(&record, &error))?;
    Ok((record, converted))
}

/// Returns the time in milliseconds since the Unix epoch. Records have no times before the second after it.
fn milliseconds(time: SystemTime) -> Result<u64, Failure> {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).ok();
    let ms = since.and_then(|since| u64::try_from(since.as_millis()).ok());
    let ms = ms.filter(|ms| *ms >= 1_000);
    ms.ok_or_else(|| Failure::Usage("records begin after 1970".to_owned()))
}
