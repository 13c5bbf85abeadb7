//! A game that was just made: its tokens are kept in the token file, and printed only on request.

use gamekeeper_proto::gamekeeper::v1::{GameInfo, GameTokens, SeatToken};
use gamekeeper_rules::table::text::Columns;

use crate::failure::Failure;
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

/// The tokens of a new game that are printed.
pub(super) struct Printed {
    /// The path of the token file, if it has tokens of the game now.
    file: Option<String>,
    seats: Vec<SeatToken>,
    spectator: String,
}

impl NewGameArgs {
    /// Keeps the tokens of a new game, and its id even where there are none. Tokens that are not to be
    /// printed are taken out of the answer: they would end up in logs.
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
}

/// Keeps the tokens of a new game, and its id even where there are none. True: there are some.
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
    /// Where the tokens are, and those that are printed.
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
