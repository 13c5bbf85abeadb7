//! `gamekeeper rotate-token`

use gamekeeper_proto::gamekeeper::v1::{RotateSeatTokenRequest, RotateSeatTokenResponse};

use crate::args::{GameArg, SeatArg};
use crate::failure::Failure;
use crate::output::{Output, notice};
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
    let id = session.game_id(&args.game)?;
    let seat = args.seat.seat;
    let request = RotateSeatTokenRequest {
        game_id: id.clone(),
        seat,
        expire_time: None,
    };
    let answer: RotateSeatTokenResponse = session.games("RotateSeatToken", &request).await?;
    let token = answer.seat_token.unwrap_or_default().token;
    if !token.is_empty() {
        session
            .tokens
            .set_seat(&id, &session.server, seat, token.clone())?;
    }
    notice(format_args!(
        "Seat {seat} of game {id} has a new token; the old one is worthless."
    ));
    if args.show_tokens {
        output.line(token)
    } else {
        Ok(())
    }
}
