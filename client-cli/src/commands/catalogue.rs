//! `gamekeeper catalogue`

use crate::failure::Failure;
use crate::game_client::catalogue;
use crate::output::Output;
use crate::render;
use crate::session::Session;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The ruleset, such as `dominion`
    #[arg(value_name = "RULESET")]
    id: String,
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let service = session.contract.ruleset(&args.id)?;
    let catalogue = catalogue(&session.connection, &service, session.token()).await?;
    if output.is_json() {
        return output.json(&catalogue);
    }
    output.line(render::tree(&catalogue, output.width()))
}
