//! `gamekeeper pause`

use gamekeeper_proto::gamekeeper::v1::{PauseGameRequest, PauseGameResponse};

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

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let id = session.game_id(&args.game)?;
    let request = PauseGameRequest {
        game_id: id.clone(),
        request_id: new_request_id(),
    };
    let answer: PauseGameResponse = session.games("PauseGame", &request).await?;
    let said = format!("The clocks of game {id} stand still.");
    happened(session, output, answer.game, &said)
}
