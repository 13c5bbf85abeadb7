//! `gamekeeper verify`: recomputes a record with the rules in this program. No server is called or trusted.

mod signature;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_proto::raw::ExportGameResponse;
use gamekeeper_proto::raw::export_game_response::Part;
use gamekeeper_rules::table::text::{BOLD, Columns, styled};

use gamekeeper_wire::Wire;
use gamekeeper_wire::record::{
    Beginning, Binding, Checked, DrawProof, Name, Record, RecordCheck, RecordReader,
    imported_versions,
};
use prost::Message;
use prost_reflect::DynamicMessage;

use self::signature::Key;
use super::read_text;
use crate::contract::{message, parse_many};
use crate::failure::Failure;
use crate::output::Output;
use crate::phrase;
use crate::progress::Progress;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Record written by `gamekeeper export`; - is the standard input
    #[arg(value_name = "FILE")]
    file: String,
    /// The `record_commitment` that was published when the game was created, as `create` and `info` print it
    #[arg(long, value_name = "SHA256")]
    commitment: Option<String>,
    /// Public key of the service in PEM: the record must have a signature of it
    #[arg(long, value_name = "FILE")]
    public_key: Option<String>,
}

pub(crate) fn run(output: Output, args: &Args) -> Result<(), Failure> {
    let record = read(&read_text(&args.file)?)?;
    if let Some(published) = &args.commitment {
        let computed = commitment(&record);
        if *published != computed {
            let text = format!("its commitment is {computed}, not {published}");
            return Err(Failure::Difference(text));
        }
    }
    let key = args.public_key.as_ref();
    let key = key.map(|file| Key::read(&read_text(file)?)).transpose()?;
    if let Some(key) = &key {
        key.check(
            (record.digest, record.reveal.as_ref()),
            record.signature.as_ref(),
        )?;
    }
    let is_signed = key.is_some();
    let mut progress = Progress::new(
        "versions",
        u64::try_from(record.versions.len()).unwrap_or(0),
    );
    let checked = check(&record, &mut progress)?;
    drop(progress);
    if output.is_json() {
        return output.line(json(&record, &checked, is_signed));
    }
    output.line(report(&record, &checked, is_signed))
}

/// Parses a record from JSON Lines.
pub(super) fn read(text: &str) -> Result<Record, Failure> {
    let mut reader = RecordReader::default();
    for part in parts(text)? {
        reader.push(part)?;
    }
    Ok(reader.finish()?)
}

/// Parses the parts of a record from JSON Lines.
pub(super) fn parts(text: &str) -> Result<Vec<Part>, Failure> {
    let part = |line: DynamicMessage| {
        let part = ExportGameResponse::decode(&*line.encode_to_vec())?.part;
        part.ok_or_else(|| Failure::Invalid("this is not a record of a game".to_owned()))
    };
    let lines = parse_many(&message("ExportGameResponse")?, text)?;
    lines.into_iter().map(part).collect()
}

/// Replays a record with rules, and compares every version with it.
fn replay<W: Wire>(record: &Record, progress: &mut Progress) -> Result<Checked, Failure> {
    let beginning = Beginning::<W>::of(record)?;
    let first = beginning.first_table()?;
    let mut check = RecordCheck::begin(record, beginning, first)?;
    while check.step()? {
        progress.advance(1);
    }
    Ok(check.finish()?)
}

/// Replays a record with the rules of its ruleset.
fn check(record: &Record, progress: &mut Progress) -> Result<Checked, Failure> {
    let ruleset = &*record.game.ruleset;
    gamekeeper_rules::with_ruleset!(ruleset, R => replay::<R>(record, progress), _ => Err(Failure::unknown_ruleset(ruleset)))
}

/// The scope of a valid signature, as the report states it.
const SIGNED: &str = "of this key, over everything that is proved here, and the times";

fn report(record: &Record, checked: &Checked, is_signed: bool) -> String {
    let Checked {
        versions,
        automatic,
        draws,
        states,
        luck,
        binding,
        is_over,
    } = checked;
    let mut columns = Columns::plain();
    let mut row = |name: &str, text: String| columns.row([name.to_owned(), text]);
    row("Game", record.game.game_id.clone());
    let title = phrase::ruleset(&record.game.ruleset);
    let revision = record.game.rules_revision;
    row("Rules", format!("{title}, revision {revision}"));
    row("State", state(record, *is_over));
    row("Beginning", origin_text(binding));
    if *binding != Binding::Nothing {
        row("Commitment", format!("sha256 {}", commitment(record)));
    }
    for (name, text) in name_rows(record, binding) {
        row(name, text);
    }
    row(
        "Versions",
        format!("{versions} replayed: actions, events, decisions and fingerprints agree"),
    );
    for (name, text) in past_rows(record) {
        row(name, text);
    }
    row("Automatic", format!("{automatic} automatic actions agree"));
    let (seed, drawn) = luck_row(record, *luck, *draws);
    row("Seed", seed);
    row("Draws", drawn);
    if *states > 0 {
        row("Tables", format!("{states} tables agree"));
    }
    let result = match is_over {
        true => "ranking and scores agree",
        false => "open",
    };
    row("Result", result.to_owned());
    if is_signed {
        row("Signature", SIGNED.to_owned());
    }
    let left = unproved_parts(record, binding, is_signed);
    row(
        "Unproved",
        match left[..] {
            [] => "nothing".to_owned(),
            [..] => left.join(", "),
        },
    );
    format!(
        "{columns}\n{}",
        styled(BOLD, "The record is true to the rules.")
    )
}

/// Describes where the past of the game comes from, if it is not all its own.
fn past_rows(record: &Record) -> Vec<(&'static str, String)> {
    let mut rows = Vec::new();
    if let Some(start) = phrase::start(&record.game) {
        let source = match record.start_position {
            Some(_) => "its description",
            None => "its seed",
        };
        rows.push(("Start", format!("{start}; made again from {source}")));
    }
    if let Some(pb::ForkedFrom { game_id, version }) = &record.game.forked_from {
        rows.push(("Past", format!("of game {game_id} up to version {version}")));
    }
    let imported = imported_versions(&record.origins);
    if imported > 0 {
        let text = format!("versions 1 to {imported}, from a record; no signature covers them");
        rows.push(("Imported", text));
    }
    rows
}

fn state(record: &Record, is_over: bool) -> String {
    match is_over {
        true => "the game is over".to_owned(),
        false => format!(
            "the game is not over: this is its record up to version {}",
            record.game.version
        ),
    }
}

/// Returns the commitment that was published when the game was created, in hexadecimal.
fn commitment(record: &Record) -> String {
    const_hex::encode(&record.game.record_commitment)
}

fn origin_text(binding: &Binding) -> String {
    match binding {
        Binding::Nothing => "nothing binds game, options, seats and names",
        Binding::Fits(_) => "game, options, seats and names fit the commitment made at creation",
    }
    .to_owned()
}

/// Lists the seats whose names have changed since creation.
fn name_rows(record: &Record, binding: &Binding) -> Vec<(&'static str, String)> {
    let Binding::Fits(names) = binding else {
        return Vec::new();
    };
    let players = record.game.players.iter().zip(names);
    let text = |(player, name): (&pb::Player, &Name)| match name {
        Name::Kept => None,
        Name::Changed(first) => Some((
            "Renamed",
            format!(
                "seat {} was {first}, and is {} now",
                player.seat, player.name
            ),
        )),
        Name::Erased => Some(("Erased", format!("the name of seat {}", player.seat))),
    };
    players.filter_map(text).collect()
}

fn luck_row(record: &Record, luck: DrawProof, draws: usize) -> (String, String) {
    match luck {
        DrawProof::Recomputed => (
            "salt and seed fit the commitment made at creation".to_owned(),
            format!("{draws} draws recomputed from the seed agree"),
        ),
        DrawProof::Repeated => (
            secret(record),
            format!("{draws} draws are possible; the seed will prove them"),
        ),
    }
}

/// Explains why not every draw can be proved.
fn secret(record: &Record) -> String {
    match record.reveal {
        None => "still secret: the game is not over",
        Some(_) => "an origin's is still secret, or was deleted with it",
    }
    .to_owned()
}

/// Lists the facts in the record that are proved neither by the rules nor by commitments nor by a signature. The times
/// were only checked for their order, and the clocks are computed from them.
fn unproved_parts(record: &Record, binding: &Binding, is_signed: bool) -> Vec<&'static str> {
    let players = &record.game.players;
    let is_named = match binding {
        Binding::Nothing => false,
        Binding::Fits(names) => names.iter().all(|name| *name == Name::Kept),
    };
    let statements = [
        (
            "times",
            !is_signed || imported_versions(&record.origins) > 0,
        ),
        ("game id", *binding == Binding::Nothing),
        ("names", !is_named),
        (
            "users",
            players.iter().any(|player| !player.user.is_empty()),
        ),
        ("bots", players.iter().any(|player| player.bot.is_some())),
        ("labels", !record.game.labels.is_empty()),
    ];
    let statements = statements.into_iter().filter(|(_, applies)| *applies);
    statements.map(|(what, _)| what).collect()
}

fn json(record: &Record, checked: &Checked, is_signed: bool) -> serde_json::Value {
    serde_json::json!({
        "gameId": record.game.game_id,
        "ruleset": record.game.ruleset,
        "rulesRevision": record.game.rules_revision,
        "over": checked.is_over,
        "recordCommitment": commitment(record),
        "versions": checked.versions,
        "automaticActions": checked.automatic,
        "draws": checked.draws,
        "states": checked.states,
        "seedRevealed": checked.luck == DrawProof::Recomputed,
        "signed": is_signed,
        "unproved": unproved_parts(record, &checked.binding, is_signed),
        "verified": true,
    })
}

#[cfg(test)]
mod tests;
