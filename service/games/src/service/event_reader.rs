//! Decodes log entries of one game with their events. Entries that were stored in another layout are **replayed**.

use gamekeeper_store::{GameId, StoredEntry};
use gamekeeper_wire::Wire;

use crate::aggregate::game::Game;
use crate::errors::ServiceError;
use crate::log::EntryOf;
use crate::service::game_service::GameService;

/// A decoder of the entries of one game, in order.
pub(crate) struct EventReader<'a, W: Wire> {
    games: &'a GameService<W>,
    id: GameId,
    /// The game after the last entry that was replayed. Is `None` before the first replay.
    game: Option<Box<Game<W>>>,
}

impl<'a, W: Wire> EventReader<'a, W> {
    /// Creates a decoder for the entries of this game.
    pub(crate) fn new(games: &'a GameService<W>, id: GameId) -> Self {
        let game = None;
        Self { games, id, game }
    }

    /// Decodes an entry after the first, and replays it if its events are stored in another layout.
    pub(crate) async fn read(&mut self, entry: &StoredEntry) -> Result<EntryOf<W>, ServiceError> {
        let decoded = Game::<W>::read_entry(entry)?;
        if decoded.has_effects() {
            return Ok(decoded);
        }
        // Boxed: other layouts are rare, and must not enlarge the future of every call.
        Box::pin(self.replay(entry)).await
    }

    async fn replay(&mut self, entry: &StoredEntry) -> Result<EntryOf<W>, ServiceError> {
        let (games, previous_version) = (self.games, entry.version - 1);
        let mut game = match self.game.take() {
            Some(mut game) if game.version <= previous_version => {
                games.replay_to(&mut game, previous_version).await?;
                game
            }
            Some(_) | None => Box::new(games.at_version(self.id, previous_version).await?),
        };
        let replayed = games.replay_next(&mut game, entry).await?;
        self.game = Some(game);
        Ok(replayed)
    }
}
