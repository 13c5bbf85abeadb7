//! A newly created game: its tokens are stored in the token file, and printed only on request.

use gamekeeper_proto::gamekeeper::v1::{GameInfo, GameTokens, SeatToken};
use gamekeeper_rules::table::text::Columns;
use prost_reflect::DynamicMessage;

use super::info::facts;
use crate::failure::Failure;
use crate::output::Output;
use crate::session::Session;
use crate::tokens;

/// How a new game is printed.
#[derive(Debug, clap::Args)]
pub(super) struct NewGameArgs {
    /// Print only the id of the new game
    #[arg(short, long)]
    pub(super) quiet: bool,
    /// Also print the tokens of the seats
    #[arg(long)]
    show_tokens: bool,
}

/// The tokens of a new game, as far as they are printed.
pub(super) struct Printed {
    /// The path of the token file, if it contains tokens of the game.
    file: Option<String>,
    seats: Vec<SeatToken>,
    spectator: String,
}

impl NewGameArgs {
    /// Stores the tokens of a new game, and its id even if it has none. Tokens that must not be printed are removed
    /// from the response, because printed responses end up in logs.
    pub(super) fn keep(
        &self,
        session: &Session,
        info: &GameInfo,
        answered: &mut Option<GameTokens>,
    ) -> Result<Printed, Failure> {
        let any = store(session, info, answered.as_ref())?;
        if !self.show_tokens {
            *answered = None;
        }
        let GameTokens { seats, spectator } = answered.clone().unwrap_or_default();
        Ok(Printed {
            file: any.then(|| session.tokens.file().display().to_string()),
            seats,
            spectator,
        })
    }

    /// Prints a new game: its id, its facts with its tokens, or the response as JSON.
    pub(super) fn print(
        &self,
        output: Output,
        info: &GameInfo,
        tokens: Printed,
        response: impl FnOnce() -> Result<DynamicMessage, Failure>,
    ) -> Result<(), Failure> {
        if self.quiet {
            return output.line(&info.game_id);
        }
        if output.is_json() {
            return output.json(&response()?);
        }
        let mut columns = facts(info);
        tokens.rows(&mut columns);
        output.line(columns)
    }
}

/// Stores the tokens of a new game, and its id even if it has none. Returns `true` if there are tokens.
pub(super) fn store(
    session: &Session,
    info: &GameInfo,
    answered: Option<&GameTokens>,
) -> Result<bool, Failure> {
    let new = answered.cloned().unwrap_or_default();
    let seats = new.seats.into_iter().map(|seat| (seat.seat, seat.token));
    let tokens = tokens::GameTokens {
        server: session.server.clone(),
        ruleset: info.ruleset.clone(),
        seats: seats.collect(),
        spectator: new.spectator,
    };
    let any = !tokens.seats.is_empty();
    session.tokens.add(&info.game_id, tokens)?;
    Ok(any)
}

impl Printed {
    /// Adds rows for the token file and the tokens that are printed.
    pub(super) fn rows(self, columns: &mut Columns) {
        if let Some(file) = self.file {
            columns.row(["Tokens".to_owned(), format!("in {file}")]);
        }
        for SeatToken { seat, token } in self.seats {
            columns.row([format!("Seat {seat}"), token]);
        }
        if !self.spectator.is_empty() {
            columns.row(["Spectator".to_owned(), self.spectator]);
        }
    }
}
