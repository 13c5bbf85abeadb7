//! `gamekeeper create`

use gamekeeper_proto::envelope::{CreateGameRequest, CreateGameResponse};
use gamekeeper_proto::gamekeeper::v1::{GameInfo, Player, SeatToken};
use gamekeeper_rules::table::text::{BOLD, Columns, styled};
use prost_reflect::MessageDescriptor;

use super::read_text;
use super::table::TableArgs;
use crate::contract::{dynamic, field_message, method, parse};
use crate::failure::Failure;
use crate::game_client::new_request_id;
use crate::opaque::{Any, Opaque};
use crate::output::Output;
use crate::phrase::title;
use crate::session::Session;
use crate::tokens::GameTokens;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The ruleset, such as `dominion`
    #[arg(value_name = "RULESET")]
    ruleset: String,
    /// The names of the players, in seat order
    #[arg(value_name = "PLAYER", required = true)]
    players: Vec<String>,
    /// The options as protobuf JSON; see `gamekeeper rulesets RULESET`
    #[arg(long, value_name = "JSON", conflicts_with = "file")]
    options: Option<String>,
    /// A file that holds the options; - is the standard input
    #[arg(short, long, value_name = "FILE")]
    file: Option<String>,
    /// A file that holds the seed of all luck, 64 hexadecimal digits; only for privileged callers
    #[arg(long, value_name = "FILE")]
    seed_file: Option<String>,
    /// A number from which all luck follows: the same number gives the same game; only for
    /// privileged callers
    #[arg(long, value_name = "NUMBER", conflicts_with = "seed_file")]
    seed: Option<u64>,
    /// Send this request id instead of a new one: the same id gives the same game again
    #[arg(long, value_name = "ID")]
    request_id: Option<String>,
    #[command(flatten)]
    table: TableArgs,
    /// Print the id of the game and nothing else
    #[arg(short, long)]
    quiet: bool,
    /// Print the tokens of the seats too
    #[arg(long)]
    show_tokens: bool,
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let service = session.contract.ruleset(&args.ruleset)?;
    let method = method(&service, "CreateGame")?;
    let request = request(args, &method.input())?;
    let mut answer: CreateGameResponse<Any> = session
        .connection
        .call(&method, &request, session.token())
        .await?;
    let info = answer.game.clone().unwrap_or_default();
    let seats = keep(session, &info.game_id, args, &answer)?;
    if args.quiet {
        return output.line(info.game_id);
    }
    if !args.show_tokens {
        // Tokens are for the file: in the output they would end in logs.
        answer.seat_tokens.clear();
        answer.spectator_token.clear();
    }
    if output.is_json() {
        return output.json(&dynamic(&method.output(), &answer)?);
    }
    output.line(summary(session, args, &info, answer, seats))
}

fn request(args: &Args, message: &MessageDescriptor) -> Result<CreateGameRequest<Any>, Failure> {
    let player = |name: &String| Player {
        seat: 0,
        name: name.clone(),
    };
    let text = match &args.file {
        Some(file) => Some(read_text(file)?),
        None => args.options.clone(),
    };
    let options = match text {
        Some(text) => Some(parse(&field_message(message, "options")?, &text)?),
        None => None,
    };
    let seed = match (&args.seed_file, args.seed) {
        (Some(file), _) => seed(&read_text(file)?)?,
        (None, Some(number)) => {
            let mut bytes = number.to_le_bytes().to_vec();
            bytes.resize(32, 0);
            bytes
        }
        (None, None) => Vec::new(),
    };
    Ok(CreateGameRequest {
        players: args.players.iter().map(player).collect(),
        options: options.as_ref().map(Opaque::of),
        request_id: args.request_id.clone().unwrap_or_else(new_request_id),
        seed,
        table: args.table.message()?,
    })
}

/// 32 bytes from 64 hexadecimal digits.
fn seed(text: &str) -> Result<Vec<u8>, Failure> {
    let bytes = const_hex::decode(text.trim()).ok();
    let bytes = bytes.filter(|bytes| bytes.len() == 32);
    bytes.ok_or_else(|| Failure::Invalid("a seed is 64 hexadecimal digits".to_owned()))
}

/// Keeps the tokens, and the id even where there are none. Gives the number of tokens.
fn keep(
    session: &Session,
    id: &str,
    args: &Args,
    answer: &CreateGameResponse<Any>,
) -> Result<usize, Failure> {
    let tokens = answer.seat_tokens.iter().cloned();
    let seats = tokens.filter(|seat| !seat.token.is_empty());
    let tokens = GameTokens {
        server: session.server.clone(),
        ruleset: args.ruleset.clone(),
        seats: seats.map(|seat| (seat.seat, seat.token)).collect(),
        spectator: answer.spectator_token.clone(),
    };
    let count = tokens.seats.len();
    session.tokens.add(id, tokens)?;
    Ok(count)
}

fn summary(
    session: &Session,
    args: &Args,
    info: &GameInfo,
    answer: CreateGameResponse<Any>,
    tokens: usize,
) -> String {
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
    if tokens > 0 {
        columns.row([
            "Tokens".to_owned(),
            format!("in {}", session.tokens.file().display()),
        ]);
    }
    if args.show_tokens {
        for SeatToken { seat, token } in answer.seat_tokens {
            columns.row([format!("Seat {seat}"), token]);
        }
        columns.row(["Spectator".to_owned(), answer.spectator_token]);
    }
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
