//! `gamekeeper fork`

use gamekeeper_proto::gamekeeper::v1::{ForkGameRequest, ForkGameResponse, SeatToken};

use super::create::{SeedArgs, keep};
use super::info::facts;
use crate::args::{GameArg, seat_number};
use crate::failure::Failure;
use crate::game_client::new_request_id;
use crate::output::Output;
use crate::session::Session;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,
    /// The last version that both games share [default: the newest]
    #[arg(
        long,
        value_name = "VERSION",
        default_value_t = 0,
        hide_default_value = true
    )]
    at: u64,
    /// Ask as the player of this seat, once the game is over [default: as the token says]
    #[arg(long, value_name = "N", value_parser = seat_number())]
    by: Option<u32>,
    #[command(flatten)]
    seed: SeedArgs,
    /// Request id to send [default: a new one]; the same id returns the same fork again
    #[arg(long, value_name = "ID")]
    request_id: Option<String>,
    /// Print only the id of the new game
    #[arg(short, long)]
    quiet: bool,
    /// Also print the tokens of the seats
    #[arg(long)]
    show_tokens: bool,
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let id = session.game_id(&args.game)?;
    let new_id = || args.request_id.clone().unwrap_or_else(new_request_id);
    let request = ForkGameRequest {
        game_id: id.clone(),
        at_version: args.at,
        request_id: new_id(),
        seed: args.seed.bytes()?,
    };
    let mut answer: ForkGameResponse = match args.by {
        Some(by) => {
            let of_seat = session.games_for_seat("ForkGame", &request, (&id, by));
            of_seat.await?
        }
        None => session.games("ForkGame", &request).await?,
    };
    let info = answer.game.clone().unwrap_or_default();
    let tokens = (&*answer.seat_tokens, &*answer.spectator_token);
    let seats = keep(session, &info, tokens)?;
    if args.quiet {
        return output.line(info.game_id);
    }
    if !args.show_tokens {
        // Tokens belong in the file: in the output they would end up in logs.
        answer.seat_tokens.clear();
        answer.spectator_token.clear();
    }
    if output.is_json() {
        return output.json(&session.contract.shared("ForkGameResponse", &answer)?);
    }
    let mut columns = facts(&info);
    if seats > 0 {
        let file = session.tokens.file().display().to_string();
        columns.row(["Tokens".to_owned(), format!("in {file}")]);
    }
    for SeatToken { seat, token } in answer.seat_tokens {
        columns.row([format!("Seat {seat}"), token]);
    }
    output.line(columns)
}
