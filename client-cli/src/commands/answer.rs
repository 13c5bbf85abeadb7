//! `gamekeeper answer`

use gamekeeper_proto::gamekeeper::v1::AnswerProposalRequest;

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
    /// Number of the proposal, as `gamekeeper info` shows it [default: the open one]
    #[arg(long, value_name = "NUMBER")]
    number: Option<u64>,
    /// Decline, or withdraw your own proposal
    #[arg(long)]
    decline: bool,
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let (id, seat) = (session.game_id(&args.game)?, args.seat.seat);
    let number = match args.number {
        Some(number) => number,
        None => open_proposal(session, &id).await?,
    };
    let request = AnswerProposalRequest {
        game_id: id.clone(),
        seat,
        number,
        agrees: !args.decline,
        request_id: new_request_id(),
    };
    let response = session.call_for_seat(&request, (&id, seat)).await?;
    let message = match args.decline {
        true => format!("Seat {seat} declines proposal {number}."),
        false => format!("Seat {seat} agrees to proposal {number}."),
    };
    report(output, response.game, &message)
}

/// Returns the number of the open proposal.
async fn open_proposal(session: &Session, id: &str) -> Result<u64, Failure> {
    let proposal = session.game_info(id).await?.proposal;
    let number = proposal.map(|proposal| proposal.number);
    number.ok_or_else(|| Failure::Usage("no proposal waits for an answer".to_owned()))
}
