//! `gamekeeper pause` and `gamekeeper resume`

use gamekeeper_proto::gamekeeper::v1::{PauseGameRequest, ResumeGameRequest};

use super::table::happened;
use crate::args::GameArg;
use crate::failure::Failure;
use crate::game_client::new_request_id;
use crate::output::Output;
use crate::session::Session;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,
}

/// Stops the clocks of a game.
pub(crate) async fn pause(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let id = session.game_id(&args.game)?;
    let said = format!("The clocks of game {id} are stopped.");
    let request = PauseGameRequest {
        game_id: id,
        request_id: new_request_id(),
    };
    let answer = session.call(&request).await?;
    happened(output, answer.game, &said)
}

/// Resumes the clocks.
pub(crate) async fn resume(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let id = session.game_id(&args.game)?;
    let said = format!("The clocks of game {id} run again.");
    let request = ResumeGameRequest {
        game_id: id,
        request_id: new_request_id(),
    };
    let answer = session.call(&request).await?;
    happened(output, answer.game, &said)
}
