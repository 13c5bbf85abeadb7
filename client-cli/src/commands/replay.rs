//! `gamekeeper replay`: the table at one version, from a record or from a server.

use std::path::Path;

use gamekeeper_proto::gamekeeper::v1::{GameInfo, GameStatus};
use gamekeeper_rules::ruleset::{Applied, Ruleset};
use gamekeeper_rules::table::Viewer;
use gamekeeper_wire::{Malformed, Wire, pending, seat, standings};
use prost::Message;
use prost_reflect::{DynamicMessage, MessageDescriptor};

use super::read_text;
use super::verify::record::Record;
use super::verify::replay::table_at;
use crate::args::{GameArg, ViewerArg};
use crate::contract::{Contract, field_message, json_line, method};
use crate::failure::Failure;
use crate::fields::Fields;
use crate::game_client::info_of;
use crate::keys::Looker;
use crate::output::Output;
use crate::phrase;
use crate::render::Table;
use crate::session::Session;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A record that `gamekeeper export` wrote (- is the standard input), or the id of a game, or
    /// `last`
    #[arg(value_name = "FILE|GAME")]
    target: String,
    /// The version [default: the newest]
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
    let (game, _) = session()?.open(&game).await?;
    let answer = game.get(args.viewer.into(), args.to.unwrap_or(0)).await?;
    if output.is_json() {
        return output.json(&answer);
    }
    let (catalogue, view) = (game.catalogue().await?, answer.child("view"));
    let table = Table {
        info: &info_of(&answer)?,
        view: view.as_ref(),
        catalogue: Some(&catalogue),
    };
    output.line(table.render(output.width())?)
}

/// From a record: the rules in this program play it again.
fn offline(output: Output, args: &Args) -> Result<(), Failure> {
    let contract = Contract::load()?;
    let record = Record::read(&contract, &read_text(&args.target)?)?;
    let service = contract.ruleset(&record.game.ruleset)?;
    let kinds = Kinds {
        view: field_message(&method(&service, "GetGame")?.output(), "view")?,
        catalogue: field_message(&method(&service, "GetCatalogue")?.output(), "catalogue")?,
    };
    let newest = u64::try_from(record.versions.len()).unwrap_or(u64::MAX);
    let version = args.to.unwrap_or(newest);
    if version == 0 || version > newest {
        let text = format!("the record has the versions 1 to {newest}, not {version}");
        return Err(Failure::Usage(text));
    }
    let seen = seen(&record, version, args.viewer.into(), &kinds)?;
    if output.is_json() {
        return output.line(json_line(&seen.view)?);
    }
    if let Some(played) = played(&record, version, &seen.info) {
        output.line(played)?;
    }
    let table = Table {
        info: &seen.info,
        view: Some(&seen.view),
        catalogue: Some(&seen.catalogue),
    };
    output.line(table.render(output.width())?)
}

/// The messages of a ruleset.
struct Kinds {
    view: MessageDescriptor,
    catalogue: MessageDescriptor,
}

/// A table at one version.
struct Seen {
    info: GameInfo,
    view: DynamicMessage,
    catalogue: DynamicMessage,
}

macro_rules! seen_by_ruleset {
    ($($module:ident: $Ruleset:ident),* $(,)?) => {
        /// Plays a record up to a version, by the rules that it names.
        fn seen(record: &Record, version: u64, looker: Looker, kinds: &Kinds) -> Result<Seen, Failure> {
            $(
                if record.game.ruleset == <gamekeeper_rules::$module::$Ruleset as Ruleset>::SHEET.id {
                    let table = table_at::<gamekeeper_rules::$module::$Ruleset>(record, version)?;
                    return seen_by(record, version, looker, kinds, &table);
                }
            )*
            Err(Failure::Usage(format!("this program has no rules of {:?}", record.game.ruleset)))
        }
    };
}

gamekeeper_wire::for_each_ruleset!(seen_by_ruleset);

fn seen_by<W: Wire>(
    record: &Record,
    version: u64,
    looker: Looker,
    kinds: &Kinds,
    table: &Applied<W>,
) -> Result<Seen, Failure> {
    let viewer = match looker {
        Looker::Seat(number) => seat(number, "seat")
            .map(Viewer::Seat)
            .map_err(|error: Malformed| Failure::Usage(error.to_string()))?,
        Looker::Spectator => Viewer::Spectator,
        // Whoever holds a record holds everything.
        Looker::Anybody | Looker::Operator => Viewer::Operator,
    };
    let owed = pending(&W::pending(&table.state));
    let status = if owed.is_empty() {
        GameStatus::Finished
    } else {
        GameStatus::Active
    };
    let ranking = W::ranking(&table.state);
    let info = GameInfo {
        version,
        status: status.into(),
        pending: owed,
        standings: ranking.map_or_else(Vec::new, |ranking| standings(&ranking)),
        ..record.game.clone()
    };
    Ok(Seen {
        info,
        view: dynamic(
            &kinds.view,
            &W::view_message(&W::view(&table.state, viewer)),
        )?,
        catalogue: dynamic(&kinds.catalogue, &W::catalogue())?,
    })
}

fn dynamic(kind: &MessageDescriptor, message: &impl Message) -> Result<DynamicMessage, Failure> {
    DynamicMessage::decode(kind.clone(), &*message.encode_to_vec())
        .map_err(|error| Failure::Contract(format!("{}: {error}", kind.full_name())))
}

/// What brought the table about.
fn played(record: &Record, version: u64, info: &GameInfo) -> Option<String> {
    let place = usize::try_from(version).ok()?.checked_sub(1)?;
    let version = record.versions.get(place)?;
    let action = version.child("action")?;
    let player = phrase::player(info, u32::try_from(version.number("seat")).ok()?);
    Some(format!("{player}: {}\n", phrase::action(&action)))
}
