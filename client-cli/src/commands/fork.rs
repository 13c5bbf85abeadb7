//! `gamekeeper fork`

use gamekeeper_proto::gamekeeper::v1::ForkGameRequest;

use super::create::SeedArgs;
use super::new_game::NewGameArgs;
use crate::args::{GameArg, seat_number};
use crate::contract::to_dynamic;
use crate::failure::Failure;
use crate::game_client::new_request_id;
use crate::output::Output;
use crate::session::Session;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,
    /// The last version that both games share [default: the newest]
    #[arg(long, value_name = "VERSION")]
    at: Option<u64>,
    /// Ask as the player of this seat, once the game is over [default: as the token says]
    #[arg(long, value_name = "N", value_parser = seat_number())]
    by: Option<u32>,
    #[command(flatten)]
    seed: SeedArgs,
    /// Request id to send [default: a new one]; the same id returns the same fork again
    #[arg(long, value_name = "ID")]
    request_id: Option<String>,
    #[command(flatten)]
    printed: NewGameArgs,
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let id = session.game_id(&args.game)?;
    let new_id = || args.request_id.clone().unwrap_or_else(new_request_id);
    let request = ForkGameRequest {
        game_id: id.clone(),
        at_version: args.at.unwrap_or_default(),
        request_id: new_id(),
        seed: args.seed.bytes()?,
    };
    let mut response = session.call_as(&request, &id, args.by).await?;
    let info = response.game.clone().unwrap_or_default();
    let tokens = args.printed.keep(session, &info, &mut response.tokens)?;
    let response = || to_dynamic("ForkGameResponse", &response);
    args.printed.print(output, &info, tokens, response)
}
