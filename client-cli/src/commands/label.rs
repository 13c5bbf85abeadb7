//! `gamekeeper label`

use gamekeeper_proto::gamekeeper::v1::{PlayerUpdate, UpdateGameRequest};

use super::info::facts;
use crate::args::{GameArg, label, seat_name, seat_user};
use crate::contract::to_dynamic;
use crate::failure::Failure;
use crate::output::Output;
use crate::session::Session;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,
    /// Labels to set
    #[arg(value_name = "KEY=VALUE", value_parser = label)]
    labels: Vec<(String, String)>,
    /// Label to remove; can be repeated
    #[arg(long, value_name = "KEY")]
    remove: Vec<String>,
    /// User of a seat, as the front end's own id; empty for no user. Can be repeated
    #[arg(long = "user", value_name = "SEAT=USER", value_parser = seat_user)]
    users: Vec<PlayerUpdate>,
    /// Name of a seat's player; all sentences use it from then on. Can be repeated
    #[arg(long = "name", value_name = "SEAT=NAME", value_parser = seat_name)]
    names: Vec<PlayerUpdate>,
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let request = UpdateGameRequest {
        game_id: session.game_id(&args.game)?,
        players: args.users.iter().chain(&args.names).cloned().collect(),
        set_labels: args.labels.iter().cloned().collect(),
        remove_labels: args.remove.clone(),
    };
    let info = session.call(&request).await?.game.unwrap_or_default();
    if output.is_json() {
        return output.json(&to_dynamic("GameInfo", &info)?);
    }
    output.line(facts(&info))
}
