//! The screen of a player while other players, here or elsewhere, have to act.

use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1::{GameInfo, Show};
use gamekeeper_proto::raw::View;
use gamekeeper_rules::table::text::{BOLD, DIM, styled};

use super::{HotSeat, Next};
use crate::commands::play::menu::{self, Menu, MenuInput};
use crate::commands::play::screen::Shown;
use crate::failure::Failure;
use crate::phrase;
use crate::token_selection::ViewerChoice;

/// Delay before a waiting player sees whose action is awaited. Players and bots that act sooner are not announced.
const QUIET_DELAY: Duration = Duration::from_millis(400);

impl HotSeat<'_> {
    /// Hides the table of the previous player before `seat` looks at the screen. With `--open`, the players share one
    /// table and nothing is hidden.
    pub(super) async fn privacy_screen(
        &mut self,
        seat: u32,
        info: &GameInfo,
    ) -> Result<Next, Failure> {
        let shown = self.on_screen.map(|(seat, _)| seat);
        if self.open || self.seats.len() == 1 || shown == Some(seat) {
            return Ok(Next::Look);
        }
        let seen = self.shows_secrets;
        self.shows_secrets = self.has_secrets(seat).await?;
        if !seen && !self.shows_secrets {
            return Ok(Next::Look);
        }
        // Scroll the previous player's table off the screen.
        if shown.is_some() {
            self.screen.say(&"\n".repeat(60))?;
        }
        self.forget_table(seat);
        let name = styled(BOLD, phrase::player(info, seat));
        self.screen
            .say(&format!("{name} (seat {seat}) is next. Press Enter."))?;
        match self.screen.line().await? {
            Some(line) if !menu::is_quit(&line) => Ok(Next::Look),
            Some(_) | None => Ok(Next::Quit),
        }
    }

    /// Returns whether this seat sees more than a spectator.
    async fn has_secrets(&self, seat: u32) -> Result<bool, Failure> {
        let seat_view = self.view(ViewerChoice::Seat(seat)).await?;
        Ok(seat_view != self.view(ViewerChoice::Spectator).await?)
    }

    /// Reads the view of a viewer.
    async fn view(&self, viewer: ViewerChoice) -> Result<Option<View>, Failure> {
        let show = Show {
            view: true,
            ..Show::default()
        };
        let response = self.game.get(viewer, 0, show).await?;
        Ok(response.table.and_then(|table| table.view))
    }

    /// Shows what has happened, then waits, because none of our seats has to decide.
    pub(super) async fn wait(&mut self, info: &GameInfo) -> Result<Next, Failure> {
        let seat = self.on_screen.map_or(self.seats[0], |(seat, _)| seat);
        let scene = self.scene(seat).await?;
        if self.show(&scene).await? == Shown::Quit {
            return Ok(Next::Quit);
        }
        if scene.info.version != info.version {
            return Ok(Next::Look);
        }
        let mut announced = false;
        // The input of a script belongs to its own decisions and must not be consumed now; people may type at any time.
        let heard = self.screen.is_typed() || self.bots.is_empty();
        loop {
            let soon = tokio::time::sleep(QUIET_DELAY);
            let line = tokio::select! {
                moved = self.version_watch.wait_for_newer(info.version) => {
                    moved?;
                    return Ok(Next::Look);
                }
                failure = self.bots.failure() => return Err(failure),
                () = soon, if !announced => {
                    announced = true;
                    self.screen.say(&styled(DIM, waiting(info)))?;
                    continue;
                }
                line = self.screen.line(), if announced && heard => line?,
                _ = tokio::signal::ctrl_c() => None,
            };
            // At the end of the input nobody is left to play when it is our turn again.
            let Some(line) = line else {
                return Ok(Next::Quit);
            };
            match self.handle_line(seat, info, &line).await? {
                Some(next) => return Ok(next),
                None => announced = false,
            }
        }
    }

    /// Handles a line that a waiting player types. Returns `None` if the player continues to wait.
    async fn handle_line(
        &mut self,
        seat: u32,
        info: &GameInfo,
        line: &str,
    ) -> Result<Option<Next>, Failure> {
        let message = match Menu::new("", &[], None).parse(line) {
            MenuInput::Quit => return Ok(Some(Next::Quit)),
            MenuInput::Look => {
                self.forget_table(seat);
                return Ok(Some(Next::Look));
            }
            MenuInput::Undo => match self.undo(seat, info).await? {
                Ok(()) => return Ok(Some(Next::Look)),
                Err(refusal) => refusal,
            },
            MenuInput::Text(name) => self.printed(&info.ruleset, &name).await?,
            MenuInput::Rule(id) => self.rule(&info.ruleset, &id).await?,
            MenuInput::Say(_) if menu::is_help(line) => menu::WAITING_HELP.to_owned(),
            MenuInput::Page if line.trim().is_empty() => String::new(),
            MenuInput::Page
            | MenuInput::All(_)
            | MenuInput::Explain(_)
            | MenuInput::Say(_)
            | MenuInput::Json(_)
            | MenuInput::Play { .. } => {
                "It is not your turn: nothing is played. ?: help".to_owned()
            }
        };
        match self.screen.show(&message).await? {
            Shown::Quit => Ok(Some(Next::Quit)),
            Shown::Whole | Shown::Skipped => Ok(None),
        }
    }
}

/// Formats the line that names the awaited players.
fn waiting(info: &GameInfo) -> String {
    format!(
        "Waiting for {}. q leaves; the game is kept.",
        phrase::pending_players(info)
    )
}
