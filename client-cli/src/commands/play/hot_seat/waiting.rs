//! What a person at the screen sees while it is the turn of somebody else, there or elsewhere.

use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1::{GameInfo, Show};
use gamekeeper_proto::raw::View;
use gamekeeper_rules::table::text::{BOLD, DIM, styled};

use super::{HotSeat, Next};
use crate::commands::play::menu::{self, Answer, Menu};
use crate::commands::play::screen::Shown;
use crate::failure::Failure;
use crate::keys::Looker;
use crate::phrase;

/// Others who act sooner than this are not announced as waited for.
const SOON: Duration = Duration::from_millis(400);

impl HotSeat<'_> {
    /// With several players at one screen nobody sees another's hand. With `--open`, they share one
    /// table.
    pub(super) async fn curtain(&mut self, seat: u32, info: &GameInfo) -> Result<Next, Failure> {
        let shown = self.on_screen.map(|(seat, _)| seat);
        if self.open || self.seats.len() == 1 || shown == Some(seat) {
            return Ok(Next::Look);
        }
        let seen = self.private;
        self.private = self.knows_more(seat).await?;
        if !seen && !self.private {
            return Ok(Next::Look);
        }
        // Scrolls the previous table away.
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

    /// Does this seat see what a spectator does not?
    async fn knows_more(&self, seat: u32) -> Result<bool, Failure> {
        let own = self.view(Looker::Seat(seat)).await?;
        Ok(own != self.view(Looker::Spectator).await?)
    }

    /// What a viewer sees of the table.
    async fn view(&self, looker: Looker) -> Result<Option<View>, Failure> {
        let show = Show {
            view: true,
            ..Show::default()
        };
        let answer = self.game.get(looker, 0, show).await?;
        Ok(answer.table.and_then(|table| table.view))
    }

    /// None of our seats has to decide: tells what has happened and waits.
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
        // What a script has to say is for its own turn; people may type at any time.
        let heard = self.screen.is_typed() || self.bots.are_none();
        loop {
            let soon = tokio::time::sleep(SOON);
            let line = tokio::select! {
                moved = self.news.after(info.version) => {
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
            // At the end of the input nobody is left to play later.
            let Some(line) = line else {
                return Ok(Next::Quit);
            };
            match self.while_waiting(seat, info, &line).await? {
                Some(next) => return Ok(next),
                None => announced = false,
            }
        }
    }

    /// Answers what a waiting player types. `None`: they keep waiting.
    async fn while_waiting(
        &mut self,
        seat: u32,
        info: &GameInfo,
        line: &str,
    ) -> Result<Option<Next>, Failure> {
        let said = match Menu::new("", &[], None).answer(line) {
            Answer::Quit => return Ok(Some(Next::Quit)),
            Answer::Look => {
                self.forget_table(seat);
                return Ok(Some(Next::Look));
            }
            Answer::Undo => match self.undo(seat, info).await? {
                Ok(()) => return Ok(Some(Next::Look)),
                Err(refusal) => refusal,
            },
            Answer::Text(name) => self.printed(&info.ruleset, &name).await?,
            Answer::Rule(id) => self.rule(&info.ruleset, &id).await?,
            Answer::Say(_) if menu::is_help(line) => menu::WAITING_HELP.to_owned(),
            Answer::Page if line.trim().is_empty() => String::new(),
            Answer::Page
            | Answer::All(_)
            | Answer::Say(_)
            | Answer::Json(_)
            | Answer::Play { .. } => "It is not your turn: nothing is played. ?: help".to_owned(),
        };
        match self.screen.show(&said).await? {
            Shown::Quit => Ok(Some(Next::Quit)),
            Shown::Whole | Shown::Skipped => Ok(None),
        }
    }
}

/// The line that names those who are awaited.
fn waiting(info: &GameInfo) -> String {
    format!(
        "Waiting for {}. q leaves; the game is kept.",
        phrase::awaited(info)
    )
}
