//! `gamekeeper pause` and `gamekeeper resume`

use gamekeeper_proto::gamekeeper::v1::{PauseGameRequest, ResumeGameRequest};

use super::table::{proposed_message, report};
use crate::args::{GameArg, seat_number};
use crate::failure::Failure;
use crate::game_client::new_request_id;
use crate::output::Output;
use crate::session::Session;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,
    /// Ask as the player of this seat, in a game with --pause-by-agreement [default: as the owner of the game]
    #[arg(long, value_name = "N", value_parser = seat_number())]
    seat: Option<u32>,
}

/// Stops the clocks of a game, or proposes it to the other players.
pub(crate) async fn pause(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let id = session.game_id(&args.game)?;
    let request = PauseGameRequest {
        game_id: id.clone(),
        request_id: new_request_id(),
        seat: args.seat.unwrap_or_default(),
    };
    let response = session.call_as(&request, &id, args.seat).await?;
    let proposal = response
        .game
        .as_ref()
        .and_then(|game| game.proposal.as_ref());
    let message = match (args.seat, proposal) {
        (Some(_), Some(proposal)) => proposed_message(proposal),
        (None | Some(_), _) => format!("The clocks of game {id} are stopped."),
    };
    report(output, response.game, &message)
}

/// Resumes the clocks of a game.
pub(crate) async fn resume(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let id = session.game_id(&args.game)?;
    let message = format!("The clocks of game {id} run again.");
    let request = ResumeGameRequest {
        game_id: id.clone(),
        request_id: new_request_id(),
        seat: args.seat.unwrap_or_default(),
    };
    let response = session.call_as(&request, &id, args.seat).await?;
    report(output, response.game, &message)
}
