//! `gamekeeper export`

use std::io::Write;
use std::path::{Path, PathBuf};

use gamekeeper_proto::raw::ExportGameResponse;
use prost_reflect::DynamicMessage;

use crate::args::GameArg;
use crate::contract::{json_line, to_dynamic};
use crate::failure::Failure;
use crate::output::{Output, notice};
use crate::progress::Progress;
use crate::record_stream::RecordStream;
use crate::session::Session;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,
    /// Add the full table after every version
    #[arg(long)]
    with_states: bool,
    /// File to write; it appears when it is complete [default: the standard output]
    #[arg(long, value_name = "FILE")]
    to: Option<PathBuf>,
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let (game, info) = session.open(&args.game).await?;
    let record = RecordStream::of(game, args.with_states);
    let Some(file) = &args.to else {
        // A record is written as JSON Lines whatever the output format is.
        let copied = copy(record, info.version, |part| output.json(&described(part)?)).await;
        return copied.map(|_| ());
    };
    let lines = to_file(record, file, info.version).await?;
    notice(format_args!(
        "{lines} lines of game {} (version {}) are in {}",
        info.game_id,
        info.version,
        file.display()
    ));
    Ok(())
}

fn described(part: &ExportGameResponse) -> Result<DynamicMessage, Failure> {
    to_dynamic("ExportGameResponse", part)
}

async fn to_file(record: RecordStream, file: &Path, versions: u64) -> Result<usize, Failure> {
    let failed = |error: std::io::Error| Failure::io(file.display(), &error);
    let folder = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let partial = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")));
    let mut partial = std::io::BufWriter::new(partial.map_err(failed)?);
    let write = |part: &ExportGameResponse| {
        let line = json_line(&described(part)?)?;
        writeln!(partial, "{line}").map_err(failed)
    };
    let lines = copy(record, versions, write).await?;
    let partial = partial
        .into_inner()
        .map_err(|error| failed(error.into_error()))?;
    partial.persist(file).map_err(|error| failed(error.error))?;
    Ok(lines)
}

async fn copy(
    mut record: RecordStream,
    versions: u64,
    mut write: impl FnMut(&ExportGameResponse) -> Result<(), Failure>,
) -> Result<usize, Failure> {
    let mut lines = 0;
    let mut progress = Progress::new("versions", versions);
    while let Some(part) = record.next().await? {
        write(&part)?;
        lines += 1;
        progress.advance(1);
    }
    Ok(lines)
}
