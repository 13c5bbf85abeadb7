//! What is done after an answer, or beside it: games move in lists, and finished ones are packed.

use std::sync::Arc;

use super::link::Link;
use super::{RedisStore, index, kinds, lists, packing};
use crate::store::row::decode_row;
use crate::store::{GameId, IndexRow};

impl RedisStore {
    /// A game that was loaded cold is put into the lists again, in the background.
    pub(super) fn mend_lists(&self, link: &Link, id: GameId, row: IndexRow) {
        let (link, scripts) = (link.clone(), Arc::clone(&self.scripts));
        tokio::spawn(async move {
            let (all, others) = tokio::join!(
                index::add(&link, id, &row),
                lists::enlist(&link, &scripts, id, &row, true),
            );
            if let Err(error) = all.and(others) {
                tracing::debug!(%id, %error, "a game was not put into the lists");
            }
        });
    }

    /// A game that has another row leaves the lists that this one does not name, in the background: until
    /// then, and should it fail, they are left out when lists are read.
    pub(super) fn leave_lists(
        &self,
        link: &Link,
        id: GameId,
        before: &[u8],
        now: Option<IndexRow>,
    ) {
        let Ok(before) = decode_row(before) else {
            return;
        };
        if before.lists.is_none() {
            return;
        }
        let (link, scripts) = (link.clone(), Arc::clone(&self.scripts));
        tokio::spawn(async move {
            let left = lists::delist(&link, &scripts, id, &before, now.as_ref());
            if let Err(error) = left.await {
                tracing::debug!(%id, %error, "a game is still in lists that it has left");
            }
        });
    }

    /// A game that is over leaves the lists of those that are played, in the background: its row says that it is
    /// over.
    pub(super) fn leave_kinds(&self, link: &Link, id: GameId, now: Option<&IndexRow>) {
        let Some(row) = now.filter(|row| row.finished).cloned() else {
            return;
        };
        let link = link.clone();
        tokio::spawn(async move {
            if let Err(error) = kinds::end(&link, id, &row).await {
                tracing::debug!(%id, %error, "a game that is over is still listed as one that is played");
            }
        });
    }

    /// Packs a finished game, in the background and later.
    pub(super) fn pack_later(&self, link: &Link, id: GameId) {
        let (link, scripts) = (link.clone(), Arc::clone(&self.scripts));
        let (pause, wait) = (self.pack_after, self.wait);
        tokio::spawn(async move {
            tokio::time::sleep(pause).await;
            if let Err(error) = packing::pack(&link, &scripts, id, wait).await {
                tracing::debug!(%id, %error, "a finished game was not packed");
            }
        });
    }
}
