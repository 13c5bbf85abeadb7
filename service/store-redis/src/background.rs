//! Background work after a reply: updating lists and packing finished games.

use std::sync::Arc;

use gamekeeper_store::row::decode_row;
use gamekeeper_store::{GameId, IndexRow};

use super::link::Link;
use super::list_index::IndexMode;
use super::{RedisStore, holdings, list_index, packing};

impl RedisStore {
    /// Adds a game that was loaded cold to its lists again, in the background.
    pub(super) fn repair_index_later(&self, link: &Link, id: GameId, row: IndexRow) {
        let (link, scripts) = (link.clone(), Arc::clone(&self.scripts));
        tokio::spawn(async move {
            if let Err(error) =
                list_index::index_insert(&link, &scripts, id, &row, IndexMode::Existing).await
            {
                tracing::debug!(%id, %error, "a game was not added to the lists");
            }
        });
    }

    /// Removes a game from the lists that its new row does not name, in the background. Until that is done, and
    /// if it fails, reads of those lists skip the game.
    pub(super) fn remove_from_lists_later(
        &self,
        link: &Link,
        id: GameId,
        before: &[u8],
        now: Option<IndexRow>,
    ) {
        let Ok(before) = decode_row(before) else {
            return;
        };
        if before.lists.is_none() && now.as_ref().is_none_or(|now| !now.finished) {
            return;
        }
        let (link, scripts) = (link.clone(), Arc::clone(&self.scripts));
        tokio::spawn(async move {
            let removal = list_index::index_remove(&link, &scripts, id, &before, now.as_ref());
            if let Err(error) = removal.await {
                tracing::debug!(%id, %error, "a game is still in lists that its row no longer names");
            }
        });
    }

    /// Packs a finished game later, in the background.
    pub(super) fn pack_later(&self, link: &Link, tenant: &str, id: GameId) {
        let (link, scripts) = (link.clone(), Arc::clone(&self.scripts));
        let (pause, wait) = (self.pack_after, self.wait);
        let (growths, tenant) = (Arc::clone(&self.growths), tenant.to_owned());
        tokio::spawn(async move {
            tokio::time::sleep(pause).await;
            match packing::pack(&link, &scripts, id, wait).await {
                Ok(saved) => holdings::count(&link, &growths, &tenant, -saved),
                Err(error) => tracing::debug!(%id, %error, "a finished game was not packed"),
            }
        });
    }
}
