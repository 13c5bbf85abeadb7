//! `gamekeeper return`

use gamekeeper_proto::gamekeeper::v1::{ReturnRequest, ReturnResponse};

use super::table::happened;
use crate::args::{GameArg, SeatArg};
use crate::failure::Failure;
use crate::game_client::new_request_id;
use crate::output::Output;
use crate::session::Session;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,
    #[command(flatten)]
    seat: SeatArg,
    /// Print the new token, to hand it on
    #[arg(long)]
    show_tokens: bool,
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let (id, seat) = (session.game_id(&args.game)?, args.seat.seat);
    let request = ReturnRequest {
        game_id: id.clone(),
        seat,
        request_id: new_request_id(),
        expire_time: None,
    };
    let answer: ReturnResponse = session.games("Return", &request).await?;
    let token = answer.seat_token.unwrap_or_default().token;
    if !token.is_empty() {
        let kept = token.clone();
        session.tokens.set_seat(&id, &session.server, seat, kept)?;
    }
    let said = format!("Seat {seat} plays in game {id} again; its old token is worthless.");
    happened(session, output, answer.game, &said)?;
    if args.show_tokens {
        output.line(token)
    } else {
        Ok(())
    }
}
