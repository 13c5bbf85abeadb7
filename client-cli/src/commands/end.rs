//! `gamekeeper end`

use gamekeeper_proto::gamekeeper::v1::EndGameRequest;

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
    /// Propose it to the other players as the player of this seat [default: end it as the owner of the game]
    #[arg(long, value_name = "N", value_parser = seat_number())]
    seat: Option<u32>,
    /// Propose to rank the seats by the points that they would have if the game ended now
    #[arg(long, requires = "seat")]
    scored: bool,
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let id = session.game_id(&args.game)?;
    let request = EndGameRequest {
        game_id: id.clone(),
        seat: args.seat.unwrap_or_default(),
        scored: args.scored,
        request_id: new_request_id(),
    };
    let response = session.call_as(&request, &id, args.seat).await?;
    let proposal = response
        .game
        .as_ref()
        .and_then(|game| game.proposal.as_ref());
    let message = proposal.map_or_else(|| format!("Game {id} is over."), proposed_message);
    report(output, response.game, &message)
}
