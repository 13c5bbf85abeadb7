//! Checks a server against recorded **conformance sessions**: it must respond as recorded.

mod compare;
mod names;
mod player;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use gamekeeper::{Failure, Globals, Output, Progress, Session, program, resolve};
use gamekeeper_rules::table::text::{BOLD, Columns, styled};
use serde_json::{Value, json};

use self::player::Player;

/// Check a server against recorded sessions.
#[derive(Debug, Parser)]
#[command(name = "gamekeeper-conformance", version, max_term_width = 100)]
struct Args {
    #[command(flatten)]
    globals: Globals,
    /// Recorded sessions, or folders that hold some (*.jsonl)
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Maximum number of differences to print for each file
    #[arg(long, value_name = "N", default_value_t = 10)]
    max_differences: usize,
    /// Stop at the first difference of each file
    #[arg(long)]
    fail_fast: bool,
    /// Also play the sessions that need a server with this configuration, such as `tokens`
    #[arg(long, value_name = "NEED", value_delimiter = ',')]
    with: Vec<String>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    program(&args.globals, async |output| {
        run(&Session::new(&resolve(&args.globals)?)?, output, &args).await
    })
}

async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let mut checks = Vec::new();
    for file in files(&args.files)? {
        checks.push(check(session, &file, args).await?);
    }
    print(output, &checks)?;
    let failed: usize = checks.iter().map(|check| check.failed).sum();
    if failed > 0 {
        let text = format!("{failed} exchanges differ from the recording");
        return Err(Failure::Contract(text));
    }
    Ok(())
}

/// Expands folders to the files in them, by name.
fn files(named: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in named {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let failed = |error: std::io::Error| Failure::io(path.display(), &error);
        let mut sorted = Vec::new();
        for entry in std::fs::read_dir(path).map_err(failed)? {
            let file = entry.map_err(failed)?.path();
            if file.extension().is_some_and(|ending| ending == "jsonl") {
                sorted.push(file);
            }
        }
        sorted.sort();
        files.extend(sorted);
    }
    Ok(files)
}

/// The result of one file.
struct Check {
    file: String,
    sessions: usize,
    /// The number of sessions that need a configuration not named in `--with`.
    skipped: usize,
    exchanges: usize,
    failed: usize,
    differences: Vec<String>,
}

async fn check(session: &Session, file: &Path, args: &Args) -> Result<Check, Failure> {
    let name = file.display().to_string();
    let text = std::fs::read_to_string(file).map_err(|error| Failure::io(&name, &error))?;
    let lines = u64::try_from(text.lines().count()).unwrap_or(0);
    let mut progress = Progress::new("exchanges", lines);
    let mut check = Check {
        file: name,
        sessions: 0,
        skipped: 0,
        exchanges: 0,
        failed: 0,
        differences: Vec::new(),
    };
    let (mut player, mut skipping) = (Player::new(session), false);
    for (number, line) in (1..).zip(text.lines()) {
        let wrong = |text: String| Failure::Invalid(format!("{}:{number}: {text}", file.display()));
        let line: Value = serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?;
        progress.advance(1);
        if line["session"].is_string() {
            player.begin();
            let need = line["needs"].as_str();
            skipping = need.is_some_and(|need| !args.with.iter().any(|with| with == need));
            check.sessions += usize::from(!skipping);
            check.skipped += usize::from(skipping);
            continue;
        }
        if skipping {
            continue;
        }
        check.exchanges += 1;
        if let Err(difference) = player.exchange(&line).await? {
            check.failed += 1;
            if check.differences.len() < args.max_differences {
                check
                    .differences
                    .push(format!("line {number}: {difference}"));
            }
            if args.fail_fast {
                break;
            }
        }
    }
    Ok(check)
}

fn print(output: Output, checks: &[Check]) -> Result<(), Failure> {
    if output.is_json() {
        return checks.iter().try_for_each(|check| {
            output.line(json!({
                "file": check.file,
                "sessions": check.sessions,
                "skipped": check.skipped,
                "exchanges": check.exchanges,
                "failed": check.failed,
                "differences": check.differences,
            }))
        });
    }
    let mut columns = Columns::new(&["", "FILE", "SESSIONS", "SKIPPED", "EXCHANGES", "FAILED"]);
    for check in checks {
        let status = if check.failed == 0 { "ok" } else { "BAD" };
        let counts = [check.sessions, check.skipped, check.exchanges, check.failed];
        let cells = [styled(BOLD, status), check.file.clone()];
        columns.row(
            cells
                .into_iter()
                .chain(counts.map(|count| count.to_string())),
        );
    }
    output.line(columns)?;
    for check in checks {
        for difference in &check.differences {
            output.line(format_args!("{}: {difference}", check.file))?;
        }
    }
    Ok(())
}
