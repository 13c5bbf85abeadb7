//! **Replays** of games, whatever the layout of their entries.

use gamekeeper_store::{GameId, StoredEntry, Version};
use gamekeeper_wire::Wire;

use crate::heart::game::Game;
use crate::heart::games::Games;
use crate::heart::load::LOG_PAGE;
use crate::heart::past::{Past, Stuck};
use crate::heart::problem::Problem;
use crate::heart::record::EntryOf;
use crate::heart::yielding::Yielder;

impl<W: Wire> Games<W> {
    /// Advances a game by its next entry. If the entry restores a state that it stores in another layout, the log is
    /// first replayed from its beginning.
    pub(crate) async fn step(
        &self,
        game: &mut Game<W>,
        entry: &StoredEntry,
    ) -> Result<EntryOf<W>, Problem> {
        match game.advance(entry) {
            Ok(played) => return Ok(played),
            Err(Stuck::Problem(problem)) => return Err(problem),
            Err(Stuck::Past) => {}
        }
        // Boxed: other layouts are rare, and must not enlarge the future of every call.
        game.past = Some(Box::pin(self.past_of(game.id, game.version)).await?);
        game.advance(entry).map_err(|stuck| match stuck {
            Stuck::Problem(problem) => problem,
            Stuck::Past => {
                let version = entry.version;
                Problem::Damaged(format!("version {version}: it returns to no earlier one"))
            }
        })
    }

    /// Collects the states that take-backs restore, up to a version, by replaying the log from its beginning.
    async fn past_of(&self, id: GameId, version: Version) -> Result<Box<Past<W::State>>, Problem> {
        let (mut wanted, mut read, mut yielder) = (Vec::new(), 1, Yielder::new());
        loop {
            let page = self.entries(id, read, LOG_PAGE).await?;
            let Some(last) = page.last() else {
                break;
            };
            read = last.version;
            for entry in &page {
                if let Some(version) = Game::<W>::read_entry(entry)?.returns_to() {
                    wanted.push(version);
                }
                yielder.yield_if_due().await;
            }
        }
        let mut game = Game::<W>::reborn(id, &self.first_entry(id).await?)?;
        let mut past = Box::new(Past::wanted(wanted));
        past.pass(game.version, &game.state);
        game.past = Some(past);
        while game.version < version {
            let left = usize::try_from(version - game.version).unwrap_or(usize::MAX);
            let page = self.entries(id, game.version, left.min(LOG_PAGE)).await?;
            if page.is_empty() {
                // A failover has lost the end of the log.
                return Err(Problem::Contended);
            }
            for entry in &page {
                game.advance(entry).map_err(|stuck| match stuck {
                    Stuck::Problem(problem) => problem,
                    Stuck::Past => Problem::Contended,
                })?;
                yielder.yield_if_due().await;
            }
        }
        game.past.ok_or(Problem::Contended)
    }
}
