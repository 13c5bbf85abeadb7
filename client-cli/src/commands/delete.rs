//! `gamekeeper delete`

use std::io::IsTerminal;

use gamekeeper_proto::gamekeeper::v1::{DeleteGameRequest, DeleteGameResponse};

use crate::args::GameArg;
use crate::failure::Failure;
use crate::output::{Output, notice};
use crate::session::Session;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,
    /// Do not ask for confirmation
    #[arg(long)]
    yes: bool,
    /// Succeed even if there is no such game
    #[arg(long)]
    allow_missing: bool,
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let id = session.game_id(&args.game)?;
    if !args.yes && !confirm(output, &id)? {
        notice(format_args!("Nothing was deleted."));
        return Ok(());
    }
    let request = DeleteGameRequest {
        game_id: id.clone(),
        allow_missing: args.allow_missing,
    };
    let DeleteGameResponse {} = session.call(&request).await?;
    session.tokens.remove(&id)?;
    notice(format_args!("Game {id} is deleted."));
    Ok(())
}

fn confirm(output: Output, id: &str) -> Result<bool, Failure> {
    if !std::io::stdin().is_terminal() {
        return Err(Failure::Usage(
            "deleting is permanent: repeat with --yes".to_owned(),
        ));
    }
    output.prompt(format_args!("Delete game {id} permanently? [y/N] "))?;
    let mut typed = String::new();
    std::io::stdin()
        .read_line(&mut typed)
        .map_err(|error| Failure::io("the standard input", &error))?;
    Ok(matches!(typed.trim(), "y" | "Y" | "yes"))
}
