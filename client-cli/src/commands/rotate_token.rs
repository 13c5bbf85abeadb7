//! `gamekeeper rotate-token`

use gamekeeper_proto::gamekeeper::v1::{
    RotateSeatTokenRequest, RotateSeatTokenResponse, RotateSpectatorTokenRequest,
    RotateSpectatorTokenResponse,
};

use crate::args::{GameArg, seat_number};
use crate::failure::Failure;
use crate::output::{Output, notice};
use crate::session::Session;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,
    #[command(flatten)]
    whose: Whose,
    /// Print the new token, to give it to the player
    #[arg(long)]
    show_tokens: bool,
}

/// Who gets the token.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct Whose {
    /// The seat, from 1
    #[arg(long, value_name = "N", value_parser = seat_number())]
    seat: Option<u32>,
    /// The spectators
    #[arg(long)]
    spectator: bool,
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let id = session.game_id(&args.game)?;
    let token = match args.whose.seat {
        Some(seat) => of_seat(session, &id, seat).await?,
        None => of_spectators(session, &id).await?,
    };
    if args.show_tokens {
        output.line(token)
    } else {
        Ok(())
    }
}

async fn of_seat(session: &Session, id: &str, seat: u32) -> Result<String, Failure> {
    let request = RotateSeatTokenRequest {
        game_id: id.to_owned(),
        seat,
        expire_time: None,
    };
    let answer: RotateSeatTokenResponse = session.games("RotateSeatToken", &request).await?;
    let token = answer.seat_token.unwrap_or_default().token;
    if !token.is_empty() {
        let kept = token.clone();
        session.tokens.set_seat(id, &session.server, seat, kept)?;
    }
    notice(format_args!(
        "Seat {seat} of game {id} has a new token; the old one is worthless."
    ));
    Ok(token)
}

async fn of_spectators(session: &Session, id: &str) -> Result<String, Failure> {
    let request = RotateSpectatorTokenRequest {
        game_id: id.to_owned(),
        expire_time: None,
    };
    let answer: RotateSpectatorTokenResponse =
        session.games("RotateSpectatorToken", &request).await?;
    if !answer.token.is_empty() {
        let kept = answer.token.clone();
        session.tokens.set_spectator(id, &session.server, kept)?;
    }
    notice(format_args!(
        "Spectators of game {id} have a new token; the old one is worthless."
    ));
    Ok(answer.token)
}
