//! `gamekeeper resign`

use gamekeeper_proto::gamekeeper::v1::ResignRequest;

use super::table::report;
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
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let id = session.game_id(&args.game)?;
    let request = ResignRequest {
        game_id: id.clone(),
        seat: args.seat.seat,
        request_id: new_request_id(),
    };
    let response = session
        .call_for_seat(&request, (&id, args.seat.seat))
        .await?;
    let message = format!("Seat {} has left game {id}.", args.seat.seat);
    report(output, response.game, &message)
}
