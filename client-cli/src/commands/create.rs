//! `gamekeeper create`

use gamekeeper_proto::Opaque;
use gamekeeper_proto::envelope::AnyRuleset;
use gamekeeper_proto::envelope::{CreateGameRequest, CreateGameResponse};
use gamekeeper_proto::gamekeeper::v1::{GameInfo, Player, SeatUser};
use gamekeeper_rules::table::text::{BOLD, Columns, styled};
use prost_reflect::MessageDescriptor;

use super::new_game::{NewGameArgs, Printed};
use super::read_text;
use super::table::TableArgs;
use crate::args::{label, seat_user};
use crate::contract::{dynamic, field_message, method, parse};
use crate::failure::Failure;
use crate::game_client::new_request_id;
use crate::output::Output;
use crate::phrase::title;
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
    seed: SeedArgs,
    /// Request id to send [default: a new one]; the same id returns the same game again
    #[arg(long, value_name = "ID")]
    request_id: Option<String>,
    /// Id of the person at a seat, in your own system; may be repeated
    #[arg(long = "user", value_name = "SEAT=USER", value_parser = seat_user)]
    users: Vec<SeatUser>,
    /// Label of the game; may be repeated
    #[arg(long = "label", value_name = "KEY=VALUE", value_parser = label)]
    labels: Vec<(String, String)>,
    #[command(flatten)]
    table: TableArgs,
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
    /// 32 bytes, or none: the server draws a seed.
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
    let service = session.contract.ruleset(&args.ruleset)?;
    let method = method(&service, "CreateGame")?;
    let request = request(args, &method.input())?;
    let mut answer: CreateGameResponse<AnyRuleset> = session
        .connection
        .call(&method, &request, session.token())
        .await?;
    let info = answer.game.clone().unwrap_or_default();
    let tokens = (&mut answer.seat_tokens, &mut answer.spectator_token);
    let tokens = args.printed.keep(session, &info, tokens)?;
    if args.printed.quiet {
        return output.line(info.game_id);
    }
    if output.is_json() {
        return output.json(&dynamic(&method.output(), &answer)?);
    }
    output.line(summary(&info, tokens))
}

fn request(
    args: &Args,
    message: &MessageDescriptor,
) -> Result<CreateGameRequest<AnyRuleset>, Failure> {
    let player = |(seat, name): (u32, &String)| {
        let user = args.users.iter().rfind(|user| user.seat == seat);
        Player {
            seat,
            name: name.clone(),
            user: user.map_or_else(String::new, |user| user.user.clone()),
        }
    };
    let seats = u32::try_from(args.players.len()).unwrap_or(u32::MAX);
    if let Some(user) = args.users.iter().find(|user| user.seat > seats) {
        let text = format!("there are {seats} players, and none at seat {}", user.seat);
        return Err(Failure::Usage(text));
    }
    let text = match &args.file {
        Some(file) => Some(read_text(file)?),
        None => args.options.clone(),
    };
    let options = match text {
        Some(text) => Some(parse(&field_message(message, "options")?, &text)?),
        None => None,
    };
    Ok(CreateGameRequest {
        players: (1..).zip(&args.players).map(player).collect(),
        options: options.as_ref().map(Opaque::of),
        request_id: args.request_id.clone().unwrap_or_else(new_request_id),
        seed: args.seed.bytes()?,
        labels: args.labels.iter().cloned().collect(),
        table: args.table.message()?,
    })
}

/// 32 bytes from 64 hexadecimal digits.
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
    columns.row(["Ruleset".to_owned(), title(&info.ruleset)]);
    columns.row(["Players".to_owned(), seats.collect::<Vec<_>>().join(", ")]);
    columns.row([
        "Seed".to_owned(),
        format!("sha256 {}", const_hex::encode(&info.seed_commitment)),
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
