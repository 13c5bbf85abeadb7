//! Decodes log entries of one game with their events. Entries that were stored in another layout are **replayed**.

use gamekeeper_store::{GameId, StoredEntry};
use gamekeeper_wire::Wire;

use crate::heart::game::Game;
use crate::heart::games::Games;
use crate::heart::problem::Problem;
use crate::heart::record::EntryOf;

/// A decoder of the entries of one game, in order.
pub(crate) struct Retold<'a, W: Wire> {
    games: &'a Games<W>,
    id: GameId,
    /// The game after the last entry that was replayed. Is `None` before the first replay.
    game: Option<Box<Game<W>>>,
}

impl<'a, W: Wire> Retold<'a, W> {
    /// Creates a decoder for the entries of this game.
    pub(crate) fn new(games: &'a Games<W>, id: GameId) -> Self {
        let game = None;
        Self { games, id, game }
    }

    /// Decodes an entry after the first, and replays it if its events are stored in another layout.
    pub(crate) async fn read(&mut self, entry: &StoredEntry) -> Result<EntryOf<W>, Problem> {
        let played = Game::<W>::read_entry(entry)?;
        if played.is_told() {
            return Ok(played);
        }
        // Boxed: other layouts are rare, and must not enlarge the future of every call.
        Box::pin(self.replay(entry)).await
    }

    async fn replay(&mut self, entry: &StoredEntry) -> Result<EntryOf<W>, Problem> {
        let (games, before) = (self.games, entry.version - 1);
        let mut game = match self.game.take() {
            Some(mut game) if game.version <= before => {
                games.forward(&mut game, before).await?;
                game
            }
            Some(_) | None => Box::new(games.at_version(self.id, before).await?),
        };
        let played = games.step(&mut game, entry).await?;
        self.game = Some(game);
        Ok(played)
    }
}
