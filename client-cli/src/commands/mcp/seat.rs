//! The caller's place at a table: a game, and the seat that the caller plays.

use gamekeeper_proto::gamekeeper::v1::{GameInfo, GameStatus, Show, ViewerKind};
use gamekeeper_proto::raw::Table;

use super::names::{players, without_names};
use crate::args::GameArg;
use crate::failure::Failure;
use crate::game_client::GameClient;
use crate::phrase;
use crate::session::Session;
use crate::token_selection::ViewerChoice;

/// A game, and the seat of the caller there.
pub(super) struct Place {
    pub(super) game: GameClient,
    /// The public facts, in which players go by their seats.
    pub(super) info: GameInfo,
    /// The players with their quoted names.
    pub(super) players: String,
    /// The seat of the caller. Is `None` for a spectator.
    seat: Option<u32>,
}

impl Place {
    /// Finds the game, and the seat: the one that is named, otherwise that of the token, otherwise the only one that no bot
    /// plays.
    ///
    /// # Errors
    /// If there is no such game or seat, or a bot plays the seat: what it knows is not for the caller.
    pub(super) async fn find(
        session: &Session,
        id: &str,
        seat: Option<u32>,
    ) -> Result<Self, Failure> {
        if uuid::Uuid::parse_str(id).is_err() {
            return Err(Failure::Usage(format!(
                "{id:?} is not the id of a game; list_games lists yours"
            )));
        }
        let game = session.game(&GameArg { id: id.to_owned() })?.anonymous();
        let viewer = seat.map_or(ViewerChoice::FromToken, ViewerChoice::Seat);
        let table = game.get(viewer, 0, Show::default()).await?.table;
        let table = table.unwrap_or_default();
        let own = table.viewer.unwrap_or_default();
        let of_token = (own.kind() == ViewerKind::Seat).then_some(own.seat);
        let info = table.game.unwrap_or_default();
        let place = Self {
            seat: seat.or(of_token).or_else(|| only_person(&info)),
            game,
            players: players(&info),
            info: without_names(info),
        };
        place.refuse_bots()?;
        Ok(place)
    }

    fn refuse_bots(&self) -> Result<(), Failure> {
        let of_bot = |seat: &u32| {
            let mut players = self.info.players.iter();
            players.any(|player| player.seat == *seat && player.bot.is_some())
        };
        match self.seat.filter(of_bot) {
            Some(seat) if !self.is_over() => Err(Failure::Usage(format!(
                "a bot plays seat {seat}: what it sees is not for you"
            ))),
            Some(_) | None => Ok(()),
        }
    }

    /// Returns the seat that the caller plays.
    ///
    /// # Errors
    /// If it is not clear which.
    pub(super) fn seat(&self) -> Result<u32, Failure> {
        let missing = "several seats could be yours: name one as `seat`";
        self.seat
            .ok_or_else(|| Failure::Usage(String::from(missing)))
    }

    /// Returns the viewer of this place.
    pub(super) fn viewer(&self) -> ViewerChoice {
        self.seat
            .map_or(ViewerChoice::Spectator, ViewerChoice::Seat)
    }

    /// Reads the newest facts and these parts of the table.
    pub(super) async fn look(&mut self, version: u64, show: Show) -> Result<Table, Failure> {
        let response = self.game.get(self.viewer(), version, show).await?;
        let mut table = response.table.unwrap_or_default();
        self.info = without_names(table.game.take().unwrap_or_default());
        Ok(table)
    }

    /// Returns whether the game is over.
    pub(super) fn is_over(&self) -> bool {
        self.info.status() == GameStatus::Finished
    }

    /// Returns whether the seat of the caller has to decide.
    pub(super) fn must_decide(&self) -> bool {
        let mut pending = self.info.pending.iter();
        pending.any(|pending| Some(pending.seat) == self.seat)
    }

    /// Returns whether there is nothing to wait for: the seat has to decide, or the game is over.
    pub(super) fn is_due(&self) -> bool {
        self.must_decide() || self.is_over()
    }

    /// Formats the game, the version and the caller's seat as a line.
    pub(super) fn heading(&self) -> String {
        let GameInfo {
            game_id,
            ruleset,
            version,
            ..
        } = &self.info;
        let who = match self.seat {
            Some(seat) => format!("You are seat {seat}."),
            None => String::from("You are a spectator."),
        };
        let title = phrase::ruleset(ruleset);
        format!("{title}, game {game_id}, version {version}. {who}")
    }

    /// Formats what has to be decided and by whom, or the result, as lines.
    pub(super) fn ending(&self) -> String {
        if self.is_over() {
            let reason = phrase::end(self.info.end_reason());
            let result = crate::render::standings(&self.info, 100).to_string();
            return format!(
                "The game is over: {reason}.\n{}",
                super::text::plain(&result)
            );
        }
        match self.seat {
            Some(seat) if self.must_decide() => {
                format!("You must decide. {}", phrase::question(&self.info, seat))
            }
            Some(_) | None => format!("To decide: {}.", self.pending()),
        }
    }

    fn pending(&self) -> String {
        let pending = self.info.pending.iter().map(|pending| {
            let decision = phrase::decision(&self.info.ruleset, &pending.decision);
            format!("seat {} ({decision})", pending.seat)
        });
        pending.collect::<Vec<_>>().join(", ")
    }
}

/// Returns the only seat that no bot plays, if there is one.
fn only_person(info: &GameInfo) -> Option<u32> {
    let mut people = info.players.iter().filter(|player| player.bot.is_none());
    match (people.next(), people.next()) {
        (Some(only), None) => Some(only.seat),
        (_, _) => None,
    }
}
