//! `gamekeeper take-back`

use gamekeeper_proto::gamekeeper::v1::TakeBackRequest;

use super::table::{proposed_message, report};
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
    /// The version whose table is wanted [default: that before the last action]
    #[arg(long, value_name = "VERSION")]
    to: Option<u64>,
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let id = session.game_id(&args.game)?;
    let request = TakeBackRequest {
        game_id: id.clone(),
        seat: args.seat.seat,
        to_version: args.to.unwrap_or_default(),
        request_id: new_request_id(),
    };
    let response = session
        .call_for_seat(&request, (&id, args.seat.seat))
        .await?;
    let proposal = response
        .game
        .as_ref()
        .and_then(|game| game.proposal.as_ref());
    let message = match proposal {
        Some(proposal) => proposed_message(proposal),
        None => format!("Seat {} has taken back what it did.", args.seat.seat),
    };
    report(output, response.game, &message)
}
