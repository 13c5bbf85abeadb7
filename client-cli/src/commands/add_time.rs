//! `gamekeeper add-time`

use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1::AddTimeRequest;
use prost_reflect::prost_types;

use super::table::report;
use crate::args::{GameArg, seat_number};
use crate::failure::Failure;
use crate::game_client::new_request_id;
use crate::output::Output;
use crate::session::Session;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,
    /// Time to add to the clock of each seat, such as 5m
    #[arg(value_name = "TIME", value_parser = humantime::parse_duration)]
    time: Duration,
    /// A seat that gets it; may be repeated [default: all whose players have not left]
    #[arg(long = "seat", value_name = "N", value_parser = seat_number())]
    seats: Vec<u32>,
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let id = session.game_id(&args.game)?;
    let time = prost_types::Duration::try_from(args.time);
    let time = time.map_err(|_| Failure::Usage("the time is too long".to_owned()))?;
    let message = format!("The players of game {id} have more time.");
    let request = AddTimeRequest {
        game_id: id,
        seats: args.seats.clone(),
        time: Some(time),
        request_id: new_request_id(),
    };
    let response = session.call(&request).await?;
    report(output, response.game, &message)
}
