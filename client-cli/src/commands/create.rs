//! `gamekeeper create`

use gamekeeper_proto::gamekeeper::v1::{Bot, GameInfo, GameStart, Player, PlayerUpdate};
use gamekeeper_proto::raw::CreateGameRequest;
use gamekeeper_rules::table::text::{BOLD, Columns, styled};

use super::new_game::{NewGameArgs, Printed};
use super::option_args::OptionArgs;
use super::position::Described;
use super::read_text;
use super::table::TableArgs;
use crate::args::{Start, label, seat_bot, seat_user};
use crate::contract::{read_wrapped, ruleset_message, to_dynamic};
use crate::failure::Failure;
use crate::game_client::new_request_id;
use crate::output::Output;
use crate::phrase;
use crate::session::Session;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The ruleset, such as `dominion`
    #[arg(value_name = "RULESET")]
    ruleset: String,
    /// Names of the players, in seat order
    #[arg(value_name = "PLAYER", required = true)]
    players: Vec<String>,
    /// Options of the game, as protobuf JSON; see `gamekeeper rulesets RULESET`
    #[arg(long, value_name = "JSON", conflicts_with = "file")]
    options: Option<String>,
    /// File with the options; - is the standard input
    #[arg(short, long, value_name = "FILE")]
    file: Option<String>,
    #[command(flatten)]
    fields: OptionArgs,
    /// Table on which the game begins
    #[arg(long, value_name = "START", default_value = "set-up")]
    start: Start,
    /// File with the table on which the game begins, as `gamekeeper position` prints it; - is the standard
    /// input. Its options hold unless others are given
    #[arg(long, value_name = "FILE", conflicts_with = "start")]
    from: Option<String>,
    #[command(flatten)]
    seed: SeedArgs,
    /// Request id to send [default: a new one]; the same id returns the same game again
    #[arg(long, value_name = "ID")]
    request_id: Option<String>,
    /// Id of the person at a seat, in your own system; may be repeated
    #[arg(long = "user", value_name = "SEAT=USER", value_parser = seat_user)]
    users: Vec<PlayerUpdate>,
    /// Let the server play a seat: a level (`easy`, `medium`, `strong`), `search`, `greedy`, `kinds`, `random`
    /// a strategy of the ruleset, or a learned policy of the server, `policy:NAME`; may be repeated
    #[arg(long = "bot", value_name = "SEAT=POLICY", value_parser = seat_bot)]
    bots: Vec<(u32, Bot)>,
    /// Label of the game; may be repeated
    #[arg(long = "label", value_name = "KEY=VALUE", value_parser = label)]
    labels: Vec<(String, String)>,
    #[command(flatten)]
    table: TableArgs,
    /// Only check whether the server would create this game
    #[arg(long)]
    validate_only: bool,
    #[command(flatten)]
    printed: NewGameArgs,
}

/// Where all luck comes from.
#[derive(Debug, clap::Args)]
pub(super) struct SeedArgs {
    /// File with the seed of all luck, 64 hexadecimal digits; needs a server that allows seeds
    #[arg(long, value_name = "FILE")]
    seed_file: Option<String>,
    /// Seed of all luck, as a number: the same number gives the same game; needs
    /// a server that allows seeds
    #[arg(long, value_name = "NUMBER", conflicts_with = "seed_file")]
    seed: Option<u64>,
}

impl SeedArgs {
    /// Returns the seed as 32 bytes. Empty if none is set: the server then draws one.
    pub(super) fn bytes(&self) -> Result<Vec<u8>, Failure> {
        match (&self.seed_file, self.seed) {
            (Some(file), _) => seed(&read_text(file)?),
            (None, Some(number)) => {
                let mut bytes = number.to_le_bytes().to_vec();
                bytes.resize(32, 0);
                Ok(bytes)
            }
            (None, None) => Ok(Vec::new()),
        }
    }
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let mut response = session.call(&request(args)?).await?;
    let table = response.table.clone().unwrap_or_default();
    let info = table.game.unwrap_or_default();
    if args.validate_only {
        if output.is_json() {
            return output.json(&to_dynamic("CreateGameResponse", &response)?);
        }
        return output.line("The server would create this game.");
    }
    let tokens = args.printed.keep(session, &info, &mut response.tokens)?;
    if args.printed.quiet {
        return output.line(info.game_id);
    }
    if output.is_json() {
        return output.json(&to_dynamic("CreateGameResponse", &response)?);
    }
    output.line(summary(&info, tokens))
}

fn request(args: &Args) -> Result<CreateGameRequest, Failure> {
    // Checked here so that the error for a misspelled ruleset suggests a known one.
    ruleset_message(&args.ruleset, "Options")?;
    let player = |(seat, name): (u32, &String)| {
        let user = args.users.iter().rfind(|user| user.seat == seat);
        let bot = args.bots.iter().rfind(|(at, _)| *at == seat);
        Player {
            seat,
            name: name.clone(),
            user: user.and_then(|user| user.user.clone()).unwrap_or_default(),
            bot: bot.map(|(_, bot)| bot.clone()),
        }
    };
    let seats = u32::try_from(args.players.len()).unwrap_or(u32::MAX);
    let named = args.users.iter().map(|user| user.seat);
    let mut named = named.chain(args.bots.iter().map(|(seat, _)| *seat));
    if let Some(seat) = named.find(|seat| *seat > seats) {
        let text = format!("there are {seats} players, and none at seat {seat}");
        return Err(Failure::Usage(text));
    }
    let text = match &args.file {
        Some(file) => Some(read_text(file)?),
        None => args.options.clone(),
    };
    let fields = args.fields.json(&args.ruleset)?;
    if text.is_some() && fields.is_some() {
        let text = "give the options as --option, as --options or as a file, not twice";
        return Err(Failure::Usage(text.to_owned()));
    }
    let text = text.or(fields);
    let options = text.map(|text| read_wrapped(&args.ruleset, "Options", &text));
    let from = args.from.as_deref();
    let from = from.map(|file| Described::read(file, Some(&args.ruleset)));
    let (position, described) = from
        .transpose()?
        .map(|table| (table.view, table.options))
        .unzip();
    Ok(CreateGameRequest {
        ruleset: args.ruleset.clone(),
        players: (1..).zip(&args.players).map(player).collect(),
        options: options.transpose()?.or(described.flatten()),
        request_id: args.request_id.clone().unwrap_or_else(new_request_id),
        seed: args.seed.bytes()?,
        labels: args.labels.iter().cloned().collect(),
        table: args.table.message()?,
        show: None,
        validate_only: args.validate_only,
        start: match position {
            None => GameStart::from(args.start).into(),
            Some(_) => GameStart::Position.into(),
        },
        position,
    })
}

/// Parses a seed of 32 bytes from 64 hexadecimal digits.
fn seed(text: &str) -> Result<Vec<u8>, Failure> {
    let bytes = const_hex::decode(text.trim()).ok();
    let bytes = bytes.filter(|bytes| bytes.len() == 32);
    bytes.ok_or_else(|| Failure::Invalid("a seed has 64 hexadecimal digits".to_owned()))
}

fn summary(info: &GameInfo, tokens: Printed) -> String {
    let seats = info
        .players
        .iter()
        .map(|player| format!("{} (seat {})", player.name, player.seat));
    let mut columns = Columns::plain();
    columns.row(["Game".to_owned(), styled(BOLD, &info.game_id)]);
    columns.row(["Ruleset".to_owned(), phrase::ruleset(&info.ruleset)]);
    columns.row(["Players".to_owned(), seats.collect::<Vec<_>>().join(", ")]);
    if let Some(start) = phrase::start(info) {
        columns.row(["Begins".to_owned(), start.to_owned()]);
    }
    columns.row([
        "Seed".to_owned(),
        format!("sha256 {}", const_hex::encode(&info.seed_commitment)),
    ]);
    columns.row([
        "Record".to_owned(),
        format!("sha256 {}", const_hex::encode(&info.record_commitment)),
    ]);
    tokens.rows(&mut columns);
    let seat = info.pending.first().map_or(1, |pending| pending.seat);
    columns.row([
        "Play".to_owned(),
        format!("gamekeeper play last --seat {seat}"),
    ]);
    columns.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_64_digits() {
        assert_eq!(seed(&format!("{}\n", "0f".repeat(32))).unwrap(), [15; 32]);
        for wrong in ["", "0f", &"0g".repeat(32), &"0f".repeat(33)] {
            assert!(seed(wrong).is_err(), "{wrong}");
        }
    }
}
