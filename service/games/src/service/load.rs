//! Loads games from the store into the **cache**, and keeps them up to date.

use std::sync::Arc;

use gamekeeper_store::{GameId, IDEMPOTENCY_LOOKBACK, Loaded, StoredEntry, Version};
use gamekeeper_wire::Wire;
use tokio::sync::{OwnedMappedMutexGuard, OwnedMutexGuard};

use crate::aggregate::game::{Game, creation_key};
use crate::aggregate::idempotency::{DedupResult, IdempotencyKey};
use crate::authz::{Caller, Permission};
use crate::context::app_context::GameLocation;
use crate::errors::ServiceError;
use crate::log::RequestFingerprint;
use crate::metadata::GameMetadata;
use crate::service::authorization::authorize_read;
use crate::service::game_service::GameService;
use crate::timing::yielder::Yielder;

/// A cached game, locked for one call.
pub(crate) type LockedGame<W> = OwnedMappedMutexGuard<Option<Game<W>>, Game<W>>;

/// The differences between the store and the cached game that a refresh found.
#[derive(Default)]
struct RefreshOutcome {
    /// Whether the log was replaced, by a failover or because the id was used again.
    log_replaced: bool,
    /// Whether the metadata record has changed.
    metadata_changed: bool,
    /// Whether the log had further entries.
    has_new_entries: bool,
}

impl RefreshOutcome {
    const fn changed(&self) -> bool {
        self.log_replaced || self.metadata_changed || self.has_new_entries
    }
}

/// The number of entries in one read of a long part of a log.
pub(crate) const LOG_PAGE: usize = 256;

impl<W: Wire> GameService<W> {
    /// Locks the cached game, which may not be at its newest version. Loads the game if it is not cached.
    pub(crate) async fn lock_cached(
        &self,
        caller: &Caller,
        id: GameId,
    ) -> Result<LockedGame<W>, ServiceError> {
        let (game, _) = self.lock_for_caller(caller, id).await?;
        Ok(game)
    }

    /// Locks the game at its newest version.
    pub(crate) async fn lock_current(
        &self,
        caller: &Caller,
        id: GameId,
    ) -> Result<LockedGame<W>, ServiceError> {
        let (mut game, is_fresh) = self.lock_for_caller(caller, id).await?;
        if !is_fresh {
            self.refresh(&mut game).await?;
        }
        Ok(game)
    }

    /// Locks the game at its newest version, and returns at most `limit` entries after a version. Takes one round trip
    /// if the game is cached, since both are requested at once.
    pub(crate) async fn lock_current_with_log(
        &self,
        caller: &Caller,
        id: GameId,
        permission: Permission,
        (after, limit): (Version, usize),
    ) -> Result<(LockedGame<W>, Vec<StoredEntry>), ServiceError> {
        let (mut game, is_fresh) = self.lock_for_caller(caller, id).await?;
        // Nothing is read from the log for a caller who may not read it.
        if is_fresh || authorize_read(caller, &game, permission).is_err() || after > game.version {
            if !is_fresh {
                self.refresh(&mut game).await?;
            }
            authorize_read(caller, &game, permission)?;
            let entries = self.entries_up_to(&game, after, limit).await?;
            return Ok((game, entries));
        }
        let cached_head = game.head();
        let load = self.context.store.load(id, Some(cached_head));
        if after == cached_head.version {
            // Fast path: the caller wants exactly the entries after the cached version, so one load serves both
            // purposes.
            let loaded = load.await?;
            let new_entries = loaded.as_ref().map(|loaded| loaded.entries.clone());
            let is_replaced = self.apply_refresh(&mut game, loaded).await?.log_replaced;
            authorize_read(caller, &game, permission)?;
            let mut entries = match new_entries {
                Some(new_entries) if !is_replaced => new_entries,
                Some(_) | None => self.entries_up_to(&game, after, limit).await?,
            };
            entries.truncate(limit);
            return Ok((game, entries));
        }
        let (loaded, entries) = tokio::join!(load, self.context.store.log(id, after, limit));
        let (loaded, entries) = (loaded?, entries?);
        let is_replaced = self.apply_refresh(&mut game, loaded).await?.log_replaced;
        authorize_read(caller, &game, permission)?;
        let mut entries = match entries {
            Some(entries) if !is_replaced => entries,
            Some(_) | None => self.entries_up_to(&game, after, limit).await?,
        };
        entries.retain(|entry| entry.version <= game.version);
        Ok((game, entries))
    }

    /// Returns at most `limit` entries after a version, none of them newer than the game.
    async fn entries_up_to(
        &self,
        game: &Game<W>,
        after: Version,
        limit: usize,
    ) -> Result<Vec<StoredEntry>, ServiceError> {
        if after >= game.version {
            return Ok(Vec::new());
        }
        let mut entries = self.entries(game.id, after, limit).await?;
        entries.retain(|entry| entry.version <= game.version);
        Ok(entries)
    }

    async fn lock_for_caller(
        &self,
        caller: &Caller,
        id: GameId,
    ) -> Result<(LockedGame<W>, bool), ServiceError> {
        match self.lock_or_load(id).await {
            Err(problem) => Err(Box::pin(self.context.mask_error(caller, id, problem)).await),
            opened => opened,
        }
    }

    async fn lock_or_load(&self, id: GameId) -> Result<(LockedGame<W>, bool), ServiceError> {
        let slot = match self.cache.get(&id) {
            Some(slot) => slot,
            None => {
                let slot = Arc::default();
                self.cache.insert(id, Arc::clone(&slot));
                slot
            }
        };
        let mut guard = slot.lock_owned().await;
        let is_fresh = guard.is_none();
        if is_fresh {
            self.metrics.missed();
            // Boxed: loads are rare, and must not enlarge the future of every call.
            match Box::pin(self.load(id)).await {
                Ok(game) => {
                    self.cache_location(&game);
                    *guard = Some(game);
                }
                Err(problem) => {
                    self.cache.remove(&id);
                    return Err(problem);
                }
            }
        } else {
            self.metrics.hit();
        }
        if let Some(game) = guard.as_mut()
            && game.shares_hidden_info
            && game.is_over()
        {
            Box::pin(self.check_ancestors_finished(game)).await?;
        }
        OwnedMutexGuard::try_map(guard, Option::as_mut)
            .map(|game| (game, is_fresh))
            .map_err(|_| ServiceError::Fault(String::from("a loaded game is gone")))
    }

    /// Caches which ruleset, tenant and first game a game belongs to.
    fn cache_location(&self, game: &Game<W>) {
        let location = GameLocation {
            ruleset: W::INFO.id.into(),
            tenant: game.genesis.tenant.as_str().into(),
            root_game: game.root_game().unwrap_or(game.id),
        };
        self.context.cache_location(game.id, location);
    }

    /// Caches a game that was just created.
    pub(crate) fn cache_insert(&self, game: Game<W>) {
        self.cache_location(&game);
        self.cache
            .insert(game.id, Arc::new(tokio::sync::Mutex::new(Some(game))));
    }

    /// Removes a game from the cache.
    pub(crate) fn evict(&self, id: GameId) {
        self.cache.remove(&id);
    }

    /// Loads a game from the store.
    pub(crate) async fn load(&self, id: GameId) -> Result<Game<W>, ServiceError> {
        let (loaded, first) = tokio::join!(self.context.store.load(id, None), self.first_entry(id));
        let (Some(loaded), first) = (loaded?, first?) else {
            return Err(ServiceError::no_such_game(id));
        };
        self.restore_or_replay(id, &first, loaded).await
    }

    /// Builds a game from what was loaded. A snapshot is only a shortcut: if it is damaged, or of another layout, the
    /// log is replayed from its beginning.
    async fn restore_or_replay(
        &self,
        id: GameId,
        first: &StoredEntry,
        loaded: Loaded,
    ) -> Result<Game<W>, ServiceError> {
        let newest_version = loaded.entries.last().map_or(1, |entry| entry.version);
        let metadata_bytes = loaded.access.clone();
        match self.restore_from_snapshot(id, first, loaded).await {
            Ok(Some(game)) => return Ok(game),
            Ok(None) => {
                tracing::info!(%id, "a snapshot is of another build; replaying the log from its beginning");
            }
            Err(ServiceError::Damaged(what)) => {
                tracing::warn!(%id, what, "cannot restore a game; replaying its log from the beginning");
            }
            Err(problem) => return Err(problem),
        }
        let mut game = Box::pin(self.at_version(id, newest_version)).await?;
        game.metadata = GameMetadata::from_stored(metadata_bytes)?;
        game.lacks_snapshot = true;
        Ok(game.drop_setup_events())
    }

    /// Builds a game from its snapshot and the entries after it. Returns `None` if the snapshot is of another layout.
    async fn restore_from_snapshot(
        &self,
        id: GameId,
        first: &StoredEntry,
        loaded: Loaded,
    ) -> Result<Option<Game<W>>, ServiceError> {
        let Loaded {
            snapshot,
            entries,
            access: metadata_bytes,
        } = loaded;
        let snapshot =
            snapshot.ok_or_else(|| ServiceError::Damaged(String::from("there is no snapshot")))?;
        let version = snapshot.version;
        let snapshot_entry = entries.iter().find(|entry| entry.version == version);
        let snapshot_entry = snapshot_entry
            .ok_or_else(|| ServiceError::Damaged(String::from("a log ends before its snapshot")))?;
        let Some(mut game) = Game::<W>::from_snapshot(id, first, &snapshot, snapshot_entry)? else {
            return Ok(None);
        };
        for entry in entries.iter().take_while(|entry| entry.version <= version) {
            let (request, time_ms) = key_of_entry(&game, entry)?;
            game.idempotency_window
                .record(entry.version, request, time_ms);
        }
        self.replay_newer(&mut game, &entries).await?;
        game.limits = self.context.settings.game_limits;
        game.metadata = GameMetadata::from_stored(metadata_bytes)?;
        Ok(Some(game))
    }

    /// Reads the first entry of a game, and checks that the game is of this ruleset.
    pub(crate) async fn first_entry(&self, id: GameId) -> Result<StoredEntry, ServiceError> {
        let entries = self.context.store.log(id, 0, 1).await?.unwrap_or_default();
        let first = entries
            .into_iter()
            .next()
            .ok_or_else(|| ServiceError::no_such_game(id))?;
        let head = crate::log::decode_genesis_head(&first.bytes)?;
        if head.ruleset == W::INFO.id {
            return Ok(first);
        }
        // The game was deleted, and its id reused for a game of another ruleset, which a retry finds.
        self.context.location_cache.remove(&id);
        Err(ServiceError::TooManyConflicts)
    }

    /// Brings a game and its metadata record up to date with the store. Returns whether the version, the metadata
    /// record or the whole log had changed.
    pub(crate) async fn refresh(&self, game: &mut Game<W>) -> Result<bool, ServiceError> {
        let loaded = self.context.store.load(game.id, Some(game.head())).await?;
        Ok(self.apply_refresh(game, loaded).await?.changed())
    }

    /// Brings a game up to date with what the store has just returned. See [`GameService::refresh`].
    async fn apply_refresh(
        &self,
        game: &mut Game<W>,
        loaded: Option<Loaded>,
    ) -> Result<RefreshOutcome, ServiceError> {
        let Some(loaded) = loaded else {
            self.evict(game.id);
            return Err(ServiceError::no_such_game(game.id));
        };
        let old_version = game.version;
        if loaded.snapshot.is_some() {
            // The cached version no longer exists: a failover lost it, or the id was used again.
            let first = self.first_entry(game.id).await?;
            *game = Box::pin(self.restore_or_replay(game.id, &first, loaded)).await?;
            return Ok(RefreshOutcome {
                log_replaced: true,
                ..RefreshOutcome::default()
            });
        }
        let mut metadata_changed = false;
        // Most looks find the same record, which need not be decoded.
        if loaded.access != game.metadata.to_bytes() {
            let metadata = GameMetadata::from_stored(loaded.access)?;
            metadata_changed = game.metadata != metadata;
            game.metadata = metadata;
        }
        self.replay_newer(game, &loaded.entries).await?;
        Ok(RefreshOutcome {
            log_replaced: false,
            metadata_changed,
            has_new_entries: game.version != old_version,
        })
    }

    /// Checks whether this request was already played, reading further back in the log if necessary. A request that
    /// names the version it acts on can only have become the next version, so it is found however old it is.
    pub(crate) async fn find_duplicate(
        &self,
        game: &mut Game<W>,
        request: IdempotencyKey,
        expected_version: Version,
    ) -> Result<DedupResult, ServiceError> {
        if matches!(request.fingerprint, RequestFingerprint::Unnamed(_)) {
            return Ok(DedupResult::Unknown);
        }
        let mut result = game.idempotency_window.lookup(request);
        let mut yielder = Yielder::new();
        while result == DedupResult::Unknown
            && let Some(oldest_known) = game
                .idempotency_window
                .oldest_if_incomplete(self.context.clock.now_ms())
        {
            let after = (oldest_known - 1).saturating_sub(IDEMPOTENCY_LOOKBACK);
            let count = usize::try_from(oldest_known - 1 - after).unwrap_or(usize::MAX);
            let older = self
                .context
                .store
                .log(game.id, after, count)
                .await?
                .unwrap_or_default();
            if older.is_empty() {
                break;
            }
            for entry in older.iter().rev() {
                let (older, time_ms) = key_of_entry(game, entry)?;
                game.idempotency_window
                    .record_older(entry.version, older, time_ms);
            }
            result = game.idempotency_window.lookup(request);
            yielder.yield_if_due().await;
        }
        if result == DedupResult::Unknown
            && expected_version != 0
            && expected_version < game.version
        {
            let next = self.context.store.log(game.id, expected_version, 1).await?;
            if let Some(entry) = next.unwrap_or_default().first()
                && key_of_entry(game, entry)?.0 == request
            {
                return Ok(DedupResult::Duplicate(entry.version));
            }
        }
        Ok(result)
    }

    /// Rebuilds the game as it was at a version, by replaying its log.
    pub(crate) async fn at_version(
        &self,
        id: GameId,
        version: Version,
    ) -> Result<Game<W>, ServiceError> {
        let mut game = Game::<W>::replay_genesis(id, &self.first_entry(id).await?).await?;
        game.limits = self.context.settings.game_limits;
        self.replay_to(&mut game, version).await?;
        Ok(game)
    }

    /// Advances a game to a version. Does nothing if the game is there or beyond.
    pub(crate) async fn replay_to(
        &self,
        game: &mut Game<W>,
        version: Version,
    ) -> Result<(), ServiceError> {
        let mut yielder = Yielder::new();
        while game.version < version {
            let count = usize::try_from(version - game.version).unwrap_or(usize::MAX);
            let count = count.min(LOG_PAGE);
            let entries = self.entries(game.id, game.version, count).await?;
            if entries.is_empty() {
                return Err(ServiceError::NoSuchVersion {
                    requested: version,
                    current: game.version,
                });
            }
            self.replay_page(game, &entries, &mut yielder).await?;
        }
        Ok(())
    }

    /// Advances a game by those of the entries that are newer than it.
    pub(crate) async fn replay_newer(
        &self,
        game: &mut Game<W>,
        entries: &[StoredEntry],
    ) -> Result<(), ServiceError> {
        self.replay_page(game, entries, &mut Yielder::new()).await?;
        game.undo_states = None;
        Ok(())
    }

    /// Advances a game by one page of entries. All pages share a yielder, since a store whose futures are always ready
    /// never yields itself.
    pub(crate) async fn replay_page(
        &self,
        game: &mut Game<W>,
        entries: &[StoredEntry],
        yielder: &mut Yielder,
    ) -> Result<(), ServiceError> {
        for entry in entries {
            if entry.version > game.version {
                self.replay_next(game, entry).await?;
                yielder.yield_if_due().await;
            }
        }
        Ok(())
    }
}

fn key_of_entry<W: Wire>(
    game: &Game<W>,
    entry: &StoredEntry,
) -> Result<(IdempotencyKey, u64), ServiceError> {
    if entry.version == 1 {
        return Ok((creation_key(&game.genesis), game.genesis.time_ms));
    }
    let decoded = Game::<W>::read_entry(entry)?;
    let key = game.idempotency_key_of(entry.version, &decoded);
    Ok((key, game.genesis.time_ms + decoded.record.after_ms))
}

#[cfg(test)]
mod tests;
