//! `gamekeeper create`

use gamekeeper_proto::gamekeeper::v1::SeatToken;
use prost_reflect::{DynamicMessage, MessageDescriptor, Value};

use super::read_text;
use crate::contract::{field_message, method, parse};
use crate::failure::Failure;
use crate::fields::Fields;
use crate::game_client::{info_of, new_request_id};
use crate::output::{BOLD, Columns, Output, styled};
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
    let answer = session
        .connection
        .call(&method, &request, session.token())
        .await?;
    let id = info_of(&answer)?.game_id;
    let seats = keep(session, &id, args, &answer)?;
    if args.quiet {
        return output.line(id);
    }
    if output.is_json() {
        return output.json(&shown(answer, args));
    }
    output.line(summary(session, args, &answer, seats)?)
}

fn request(args: &Args, message: &MessageDescriptor) -> Result<DynamicMessage, Failure> {
    let player = field_message(message, "players")?;
    let players = args.players.iter().map(|name| {
        DynamicMessage::new(player.clone())
            .with("name", name.clone())
            .map(Value::Message)
    });
    let request_id = args.request_id.clone().unwrap_or_else(new_request_id);
    let mut request = DynamicMessage::new(message.clone())
        .with("players", Value::List(players.collect::<Result<_, _>>()?))?
        .with("request_id", request_id)?;
    let text = match &args.file {
        Some(file) => Some(read_text(file)?),
        None => args.options.clone(),
    };
    if let Some(text) = text {
        let options = parse(&field_message(message, "options")?, &text)?;
        request = request.with("options", Value::Message(options))?;
    }
    if let Some(file) = &args.seed_file {
        request = request.with("seed", Value::Bytes(seed(&read_text(file)?)?.into()))?;
    }
    if let Some(number) = args.seed {
        let mut bytes = number.to_le_bytes().to_vec();
        bytes.resize(32, 0);
        request = request.with("seed", Value::Bytes(bytes.into()))?;
    }
    Ok(request)
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
    answer: &DynamicMessage,
) -> Result<usize, Failure> {
    let tokens: Vec<SeatToken> = answer.typed_list("seat_tokens")?;
    let seats = tokens.into_iter().filter(|seat| !seat.token.is_empty());
    let tokens = GameTokens {
        server: session.server.clone(),
        ruleset: args.ruleset.clone(),
        seats: seats.map(|seat| (seat.seat, seat.token)).collect(),
        spectator: answer.text("spectator_token"),
    };
    let count = tokens.seats.len();
    session.tokens.add(id, tokens)?;
    Ok(count)
}

/// Tokens are for the file: in the output they would end in logs.
fn shown(mut answer: DynamicMessage, args: &Args) -> DynamicMessage {
    if !args.show_tokens {
        answer.clear_field_by_name("seat_tokens");
        answer.clear_field_by_name("spectator_token");
    }
    answer
}

fn summary(
    session: &Session,
    args: &Args,
    answer: &DynamicMessage,
    tokens: usize,
) -> Result<String, Failure> {
    let info = info_of(answer)?;
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
        for seat in answer.typed_list::<SeatToken>("seat_tokens")? {
            columns.row([format!("Seat {}", seat.seat), seat.token]);
        }
        columns.row(["Spectator".to_owned(), answer.text("spectator_token")]);
    }
    let seat = info.pending.first().map_or(1, |pending| pending.seat);
    columns.row([
        "Play".to_owned(),
        format!("gamekeeper play last --seat {seat}"),
    ]);
    Ok(columns.to_string())
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
