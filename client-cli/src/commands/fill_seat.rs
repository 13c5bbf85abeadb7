//! `gamekeeper fill-seat`

use gamekeeper_proto::gamekeeper::v1::FillSeatRequest;

use super::table::report;
use super::token::GameTokenHolder;
use crate::args::{GameArg, SeatArg, bot};
use crate::failure::Failure;
use crate::game_client::new_request_id;
use crate::output::Output;
use crate::session::Session;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,
    #[command(flatten)]
    seat: SeatArg,
    /// Let the server play the seat: a level (`easy`, `medium`, `strong`), `search`, `greedy`, `kinds`, `random`
    /// a strategy of the ruleset, or a learned policy of the server, `policy:NAME`
    #[arg(long, value_name = "POLICY", conflicts_with = "show_tokens")]
    bot: Option<String>,
    /// Print the token of the new player, to hand it on
    #[arg(long)]
    show_tokens: bool,
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let (id, seat) = (session.game_id(&args.game)?, args.seat.seat);
    let request = FillSeatRequest {
        game_id: id.clone(),
        seat,
        request_id: new_request_id(),
        bot: args.bot.as_deref().map(bot),
    };
    let response = session.call(&request).await?;
    let message = format!("Seat {seat} of game {id} has a player again.");
    let bearer = GameTokenHolder {
        id,
        seat: Some(seat),
    };
    // The server has revoked the tokens of the player who left.
    bearer.forget(session)?;
    if args.bot.is_some() {
        return report(output, response.game, &message);
    }
    let issued = bearer.issue(session, None).await?;
    report(output, response.game, &message)?;
    if args.show_tokens {
        output.line(issued.token)
    } else {
        Ok(())
    }
}
