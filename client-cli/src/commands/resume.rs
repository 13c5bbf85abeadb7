//! `gamekeeper resume`

use gamekeeper_proto::gamekeeper::v1::{ResumeGameRequest, ResumeGameResponse};

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
    let request = ResumeGameRequest {
        game_id: id.clone(),
        request_id: new_request_id(),
    };
    let answer: ResumeGameResponse = session.games("ResumeGame", &request).await?;
    let said = format!("The clocks of game {id} go on.");
    happened(session, output, answer.game, &said)
}
