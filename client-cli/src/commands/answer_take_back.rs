//! `gamekeeper answer-take-back`

use gamekeeper_proto::gamekeeper::v1::{AnswerTakeBackRequest, AnswerTakeBackResponse};

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
    /// Decline, or withdraw your own request
    #[arg(long)]
    decline: bool,
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let id = session.game_id(&args.game)?;
    let request = AnswerTakeBackRequest {
        game_id: id.clone(),
        seat: args.seat.seat,
        agrees: !args.decline,
        request_id: new_request_id(),
    };
    let answer: AnswerTakeBackResponse = session
        .games_for_seat("AnswerTakeBack", &request, (&id, args.seat.seat))
        .await?;
    let said = match args.decline {
        true => format!("Seat {} does not agree.", args.seat.seat),
        false => format!("Seat {} agrees.", args.seat.seat),
    };
    happened(session, output, answer.game, &said)
}
