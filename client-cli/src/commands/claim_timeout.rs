//! `gamekeeper claim-timeout`

use gamekeeper_proto::gamekeeper::v1::ClaimTimeoutRequest;

use super::table::report;
use crate::args::{GameArg, seat_number};
use crate::failure::Failure;
use crate::game_client::new_request_id;
use crate::output::Output;
use crate::session::Session;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,
    /// The seat that is late, from 1
    #[arg(long, value_name = "N", value_parser = seat_number())]
    seat: u32,
    /// Claim it as the player of this seat [default: that of the token]
    #[arg(long, value_name = "N", value_parser = seat_number())]
    by: Option<u32>,
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let id = session.game_id(&args.game)?;
    let request = ClaimTimeoutRequest {
        game_id: id.clone(),
        seat: args.seat,
        request_id: new_request_id(),
    };
    let response = session.call_as(&request, &id, args.by).await?;
    let message = format!("Seat {} of game {id} was late.", args.seat);
    report(output, response.game, &message)
}
