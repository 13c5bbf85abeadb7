//! The actions of others while a seat has its own decision, such as a choice that everybody makes at the same time.

use super::HotSeat;
use crate::failure::Failure;
use crate::game_client::{Legal, LegalFilter};

impl HotSeat<'_> {
    /// Says what others have done, if the seat can still do what is listed on its screen. Returns the version at which
    /// it can. Returns `None` if it has other actions now, or none.
    pub(super) async fn meanwhile(
        &mut self,
        seat: u32,
        listed: &Legal,
        filter: &LegalFilter,
    ) -> Result<Option<u64>, Failure> {
        let now = self.game.legal(seat, filter).await?;
        if now.actions.is_empty() {
            self.screen.say("The decision is made meanwhile.")?;
            return Ok(None);
        }
        if now.actions != listed.actions {
            self.screen
                .say("The game has moved on meanwhile; look again.")?;
            return Ok(None);
        }
        let info = self.game.info().await?;
        if info.version != now.version {
            return Ok(None);
        }
        let news = self.new_events(seat, &info).await?;
        if !news.is_empty() {
            self.screen.say(&news)?;
        }
        self.on_screen = Some((seat, info.version));
        Ok(Some(info.version))
    }
}
