//! `gamekeeper import`

use gamekeeper_proto::gamekeeper::v1::{Bot, ImportPlan, Player, PlayerUpdate};
use gamekeeper_proto::raw::export_game_response::Part as RecordPart;
use gamekeeper_proto::raw::import_game_request::Part;
use gamekeeper_proto::raw::{ExportHeader, ExportVersion, ImportGameRequest};

use super::create::SeedArgs;
use super::new_game::NewGameArgs;
use super::read_text;
use super::verify::parts;
use crate::args::{label, seat_bot, seat_user};
use crate::contract::to_dynamic;
use crate::failure::Failure;
use crate::game_client::new_request_id;
use crate::output::Output;
use crate::session::Session;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Record written by `gamekeeper export`; - is the standard input
    #[arg(value_name = "FILE")]
    file: String,
    /// Names of the players, in seat order [default: those of the record]
    #[arg(value_name = "PLAYER")]
    players: Vec<String>,
    /// The last version that comes from the record [default: all of them]
    #[arg(long, value_name = "VERSION")]
    at: Option<u64>,
    /// Id of the person at a seat, in your own system; may be repeated
    #[arg(long = "user", value_name = "SEAT=USER", value_parser = seat_user)]
    users: Vec<PlayerUpdate>,
    /// Let the server play a seat; may be repeated
    #[arg(long = "bot", value_name = "SEAT=POLICY", value_parser = seat_bot)]
    bots: Vec<(u32, Bot)>,
    /// Label of the game; may be repeated
    #[arg(long = "label", value_name = "KEY=VALUE", value_parser = label)]
    labels: Vec<(String, String)>,
    /// The tenant that owns the new game, for operators
    #[arg(long, value_name = "TENANT")]
    tenant: Option<String>,
    #[command(flatten)]
    seed: SeedArgs,
    /// Request id to send [default: a new one]; the same id returns the same game again
    #[arg(long, value_name = "ID")]
    request_id: Option<String>,
    #[command(flatten)]
    printed: NewGameArgs,
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let record = parts(&read_text(&args.file)?)?;
    let plan = Part::Plan(plan(args, &record)?);
    let record = record.into_iter().map(without_tables);
    let messages = [plan].into_iter().chain(record);
    let messages: Vec<_> = messages
        .map(|part| ImportGameRequest { part: Some(part) })
        .collect();
    let mut response = session.upload(&messages).await?;
    let info = response.game.clone().unwrap_or_default();
    let tokens = args.printed.keep(session, &info, &mut response.tokens)?;
    let response = || to_dynamic("ImportGameResponse", &response);
    args.printed.print(output, &info, tokens, response)
}

/// Converts a part of a record to a message. Tables follow from the rest, and are as large as all of it.
fn without_tables(part: RecordPart) -> Part {
    match part {
        RecordPart::Header(header) => Part::Header(ExportHeader {
            with_states: false,
            ..header
        }),
        RecordPart::Version(version) => Part::Version(ExportVersion {
            state: None,
            ..version
        }),
        RecordPart::End(end) => Part::End(end),
    }
}

fn plan(args: &Args, record: &[RecordPart]) -> Result<ImportPlan, Failure> {
    Ok(ImportPlan {
        players: players(args, record)?,
        at_version: args.at.unwrap_or_default(),
        labels: args.labels.iter().cloned().collect(),
        request_id: args.request_id.clone().unwrap_or_else(new_request_id),
        seed: args.seed.bytes()?,
        tenant: args.tenant.clone().unwrap_or_default(),
    })
}

/// Returns the players of the new game. Empty if they are those of the record, without users and bots.
fn players(args: &Args, record: &[RecordPart]) -> Result<Vec<Player>, Failure> {
    let is_as_recorded = args.players.is_empty() && args.users.is_empty() && args.bots.is_empty();
    if is_as_recorded {
        return Ok(Vec::new());
    }
    let recorded = record.iter().find_map(|part| match part {
        RecordPart::Header(header) => header.game.as_ref(),
        RecordPart::Version(_) | RecordPart::End(_) => None,
    });
    let recorded = recorded.into_iter().flat_map(|game| &game.players);
    let names: Vec<String> = match args.players[..] {
        [] => recorded.map(|player| player.name.clone()).collect(),
        [..] => args.players.clone(),
    };
    let seats = u32::try_from(names.len()).unwrap_or(u32::MAX);
    let named = args.users.iter().map(|user| user.seat);
    let mut named = named.chain(args.bots.iter().map(|(seat, _)| *seat));
    if let Some(seat) = named.find(|seat| *seat > seats) {
        let text = format!("there are {seats} players, and none at seat {seat}");
        return Err(Failure::Usage(text));
    }
    let player = |(seat, name)| Player {
        seat,
        name,
        user: (args.users.iter())
            .rfind(|user| user.seat == seat)
            .and_then(|user| user.user.clone())
            .unwrap_or_default(),
        bot: (args.bots.iter())
            .rfind(|(at, _)| *at == seat)
            .map(|(_, bot)| bot.clone()),
    };
    Ok((1..).zip(names).map(player).collect())
}
