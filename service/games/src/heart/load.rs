//! Loads games from the store into the **cache**, and keeps them up to date.

use std::sync::Arc;

use gamekeeper_store::{GameId, LOOK_BACK, Loaded, StoredEntry, Version};
use gamekeeper_wire::Wire;
use tokio::sync::{OwnedMappedMutexGuard, OwnedMutexGuard};

use crate::heart::access::{Access, Caller, Wish};
use crate::heart::game::{Game, creation};
use crate::heart::games::Games;
use crate::heart::permissions::may_read;
use crate::heart::problem::Problem;
use crate::heart::recent::{Repeat, Request};
use crate::heart::record::RequestMark;
use crate::heart::shared::Home;
use crate::heart::yielding::Yielder;

/// A cached game, locked for one call.
pub(crate) type LockedGame<W> = OwnedMappedMutexGuard<Option<Game<W>>, Game<W>>;

/// The differences between the store and the cached game that a refresh found.
#[derive(Default)]
struct Renewed {
    /// Whether the log was replaced, by a failover or because the id was used again.
    is_replaced: bool,
    /// Whether the access record has changed.
    has_access: bool,
    /// Whether the log had further entries.
    has_entries: bool,
}

impl Renewed {
    const fn is_news(&self) -> bool {
        self.is_replaced || self.has_access || self.has_entries
    }
}

/// The number of entries in one read of a long part of a log.
pub(crate) const LOG_PAGE: usize = 256;

impl<W: Wire> Games<W> {
    /// Locks the cached game, which may not be at its newest version. Loads the game if it is not cached.
    pub(crate) async fn open(&self, caller: &Caller, id: GameId) -> Result<LockedGame<W>, Problem> {
        let (game, _) = self.open_for(caller, id).await?;
        Ok(game)
    }

    /// Locks the game at its newest version.
    pub(crate) async fn open_fresh(
        &self,
        caller: &Caller,
        id: GameId,
    ) -> Result<LockedGame<W>, Problem> {
        let (mut game, just_loaded) = self.open_for(caller, id).await?;
        if !just_loaded {
            self.refresh(&mut game).await?;
        }
        Ok(game)
    }

    /// Locks the game at its newest version, and returns at most `limit` entries after a version. Takes one round trip
    /// if the game is cached, since both are requested at once.
    pub(crate) async fn open_with_log(
        &self,
        caller: &Caller,
        id: GameId,
        wish: Wish,
        (after, limit): (Version, usize),
    ) -> Result<(LockedGame<W>, Vec<StoredEntry>), Problem> {
        let (mut game, just_loaded) = self.open_for(caller, id).await?;
        // Nothing is read from the log for a caller who may not read it.
        if just_loaded || may_read(caller, &game, wish).is_err() || after > game.version {
            if !just_loaded {
                self.refresh(&mut game).await?;
            }
            may_read(caller, &game, wish)?;
            let entries = self.entries_up_to(&game, after, limit).await?;
            return Ok((game, entries));
        }
        let known = game.head();
        let loading = self.shared.store.load(id, Some(known));
        if after == known.version {
            // Fast path: the caller wants exactly the entries after the cached version, so one load serves both
            // purposes.
            let loaded = loading.await?;
            let new = loaded.as_ref().map(|loaded| loaded.entries.clone());
            let is_replaced = self.renew(&mut game, loaded).await?.is_replaced;
            may_read(caller, &game, wish)?;
            let mut entries = match new {
                Some(new) if !is_replaced => new,
                Some(_) | None => self.entries_up_to(&game, after, limit).await?,
            };
            entries.truncate(limit);
            return Ok((game, entries));
        }
        let (loaded, entries) = tokio::join!(loading, self.shared.store.log(id, after, limit));
        let (loaded, entries) = (loaded?, entries?);
        let is_replaced = self.renew(&mut game, loaded).await?.is_replaced;
        may_read(caller, &game, wish)?;
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
    ) -> Result<Vec<StoredEntry>, Problem> {
        if after >= game.version {
            return Ok(Vec::new());
        }
        let mut entries = self.entries(game.id, after, limit).await?;
        entries.retain(|entry| entry.version <= game.version);
        Ok(entries)
    }

    async fn open_for(
        &self,
        caller: &Caller,
        id: GameId,
    ) -> Result<(LockedGame<W>, bool), Problem> {
        match self.open_tracked(id).await {
            Err(problem) => Err(Box::pin(self.shared.problem_for(caller, id, problem)).await),
            opened => opened,
        }
    }

    async fn open_tracked(&self, id: GameId) -> Result<(LockedGame<W>, bool), Problem> {
        let slot = match self.cache.get(&id) {
            Some(slot) => slot,
            None => {
                let slot = Arc::default();
                self.cache.insert(id, Arc::clone(&slot));
                slot
            }
        };
        let mut guard = slot.lock_owned().await;
        let just_loaded = guard.is_none();
        if just_loaded {
            self.metrics.missed();
            // Boxed: loads are rare, and must not enlarge the future of every call.
            match Box::pin(self.load(id)).await {
                Ok(game) => {
                    self.note_home(&game);
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
            && game.is_secret
            && game.is_over()
        {
            Box::pin(self.unseal(game)).await?;
        }
        OwnedMutexGuard::try_map(guard, Option::as_mut)
            .map(|game| (game, just_loaded))
            .map_err(|_| Problem::Fault(String::from("a loaded game is gone")))
    }

    /// Caches which ruleset, tenant and first game a game belongs to.
    fn note_home(&self, game: &Game<W>) {
        let home = Home {
            ruleset: W::SHEET.id.into(),
            tenant: game.birth.tenant.as_str().into(),
            first_game: game.first_game().unwrap_or(game.id),
        };
        self.shared.note_home(game.id, home);
    }

    /// Caches a game that was just created.
    pub(crate) fn keep(&self, game: Game<W>) {
        self.note_home(&game);
        self.cache
            .insert(game.id, Arc::new(tokio::sync::Mutex::new(Some(game))));
    }

    /// Removes a game from the cache.
    pub(crate) fn forget(&self, id: GameId) {
        self.cache.remove(&id);
    }

    /// Loads a game from the store.
    pub(crate) async fn load(&self, id: GameId) -> Result<Game<W>, Problem> {
        let (loaded, first) = tokio::join!(self.shared.store.load(id, None), self.first_entry(id));
        let (Some(loaded), first) = (loaded?, first?) else {
            return Err(Problem::no_such_game(id));
        };
        self.restored(id, &first, loaded).await
    }

    /// Builds a game from what was loaded. A snapshot is only a shortcut: if it is damaged, or of another layout, the
    /// log is replayed from its beginning.
    async fn restored(
        &self,
        id: GameId,
        first: &StoredEntry,
        loaded: Loaded,
    ) -> Result<Game<W>, Problem> {
        let newest = loaded.entries.last().map_or(1, |entry| entry.version);
        let access = loaded.access.clone();
        match self.restore(id, first, loaded).await {
            Ok(Some(game)) => return Ok(game),
            Ok(None) => {
                tracing::info!(%id, "a snapshot is of another build; replaying the log from its beginning");
            }
            Err(Problem::Damaged(what)) => {
                tracing::warn!(%id, what, "cannot restore a game; replaying its log from the beginning");
            }
            Err(problem) => return Err(problem),
        }
        let mut game = Box::pin(self.at_version(id, newest)).await?;
        game.access = Access::from_bytes(&access)?;
        game.lacks_snapshot = true;
        Ok(game.without_story())
    }

    /// Builds a game from its snapshot and the entries after it. Returns `None` if the snapshot is of another layout.
    async fn restore(
        &self,
        id: GameId,
        first: &StoredEntry,
        loaded: Loaded,
    ) -> Result<Option<Game<W>>, Problem> {
        let Loaded {
            snapshot,
            entries,
            access,
        } = loaded;
        let snapshot =
            snapshot.ok_or_else(|| Problem::Damaged(String::from("there is no snapshot")))?;
        let version = snapshot.version;
        let last = entries.iter().find(|entry| entry.version == version);
        let last =
            last.ok_or_else(|| Problem::Damaged(String::from("a log ends before its snapshot")))?;
        let Some(mut game) = Game::<W>::restored(id, first, &snapshot, last)? else {
            return Ok(None);
        };
        for entry in entries.iter().take_while(|entry| entry.version <= version) {
            let (request, time_ms) = request_of(&game, entry)?;
            game.recent.note(entry.version, request, time_ms);
        }
        self.catch_up(&mut game, &entries).await?;
        game.access = Access::from_bytes(&access)?;
        Ok(Some(game))
    }

    /// Reads the first entry of a game, and checks that the game is of this ruleset.
    pub(crate) async fn first_entry(&self, id: GameId) -> Result<StoredEntry, Problem> {
        let entries = self.shared.store.log(id, 0, 1).await?.unwrap_or_default();
        let first = entries
            .into_iter()
            .next()
            .ok_or_else(|| Problem::no_such_game(id))?;
        let head = super::record::open_birth_head(&first.bytes)?;
        if head.ruleset == W::SHEET.id {
            return Ok(first);
        }
        // The game was deleted, and its id reused for a game of another ruleset, which a retry finds.
        self.shared.homes.remove(&id);
        Err(Problem::Contended)
    }

    /// Brings a game and its access record up to date with the store. Returns whether the version, the access record or
    /// the whole log had changed.
    pub(crate) async fn refresh(&self, game: &mut Game<W>) -> Result<bool, Problem> {
        let loaded = self.shared.store.load(game.id, Some(game.head())).await?;
        Ok(self.renew(game, loaded).await?.is_news())
    }

    /// Brings a game up to date with what the store has just returned. See [`Games::refresh`].
    async fn renew(&self, game: &mut Game<W>, loaded: Option<Loaded>) -> Result<Renewed, Problem> {
        let Some(loaded) = loaded else {
            self.forget(game.id);
            return Err(Problem::no_such_game(game.id));
        };
        let before = game.version;
        if loaded.snapshot.is_some() {
            // The cached version no longer exists: a failover lost it, or the id was used again.
            let first = self.first_entry(game.id).await?;
            *game = Box::pin(self.restored(game.id, &first, loaded)).await?;
            return Ok(Renewed {
                is_replaced: true,
                ..Renewed::default()
            });
        }
        let access = Access::from_bytes(&loaded.access)?;
        let has_access = game.access != access;
        game.access = access;
        self.catch_up(game, &loaded.entries).await?;
        Ok(Renewed {
            is_replaced: false,
            has_access,
            has_entries: game.version != before,
        })
    }

    /// Checks whether this request was already played, reading further back in the log if necessary. A request that
    /// names the version it acts on can only have become the next version, so it is found however old it is.
    pub(crate) async fn repeat(
        &self,
        game: &mut Game<W>,
        request: Request,
        judged_on: Version,
    ) -> Result<Repeat, Problem> {
        if matches!(request.mark, RequestMark::Unnamed(_)) {
            return Ok(Repeat::Unknown);
        }
        let mut answer = game.recent.find(request);
        let mut yielder = Yielder::new();
        while answer == Repeat::Unknown
            && let Some(known_from) = game.recent.incomplete_before(self.shared.clock.now_ms())
        {
            let after = (known_from - 1).saturating_sub(LOOK_BACK);
            let count = usize::try_from(known_from - 1 - after).unwrap_or(usize::MAX);
            let older = self
                .shared
                .store
                .log(game.id, after, count)
                .await?
                .unwrap_or_default();
            if older.is_empty() {
                break;
            }
            for entry in older.iter().rev() {
                let (older, time_ms) = request_of(game, entry)?;
                game.recent.note_before(entry.version, older, time_ms);
            }
            answer = game.recent.find(request);
            yielder.yield_if_due().await;
        }
        if answer == Repeat::Unknown && judged_on != 0 && judged_on < game.version {
            let next = self.shared.store.log(game.id, judged_on, 1).await?;
            if let Some(entry) = next.unwrap_or_default().first()
                && request_of(game, entry)?.0 == request
            {
                return Ok(Repeat::Played(entry.version));
            }
        }
        Ok(answer)
    }

    /// Rebuilds the game as it was at a version, by replaying its log.
    pub(crate) async fn at_version(
        &self,
        id: GameId,
        version: Version,
    ) -> Result<Game<W>, Problem> {
        let mut game = Game::<W>::reborn(id, &self.first_entry(id).await?)?;
        self.forward(&mut game, version).await?;
        Ok(game)
    }

    /// Advances a game to a version. Does nothing if the game is there or beyond.
    pub(crate) async fn forward(
        &self,
        game: &mut Game<W>,
        version: Version,
    ) -> Result<(), Problem> {
        let mut yielder = Yielder::new();
        while game.version < version {
            let wanted = usize::try_from(version - game.version).unwrap_or(usize::MAX);
            let wanted = wanted.min(LOG_PAGE);
            let entries = self.entries(game.id, game.version, wanted).await?;
            if entries.is_empty() {
                return Err(Problem::NoSuchVersion {
                    asked: version,
                    current: game.version,
                });
            }
            self.step_on(game, &entries, &mut yielder).await?;
        }
        Ok(())
    }

    /// Advances a game by those of the entries that are newer than it.
    pub(crate) async fn catch_up(
        &self,
        game: &mut Game<W>,
        entries: &[StoredEntry],
    ) -> Result<(), Problem> {
        self.step_on(game, entries, &mut Yielder::new()).await?;
        game.past = None;
        Ok(())
    }

    /// Advances a game by one page of entries. All pages share a yielder, since a store whose futures are always ready
    /// never yields itself.
    pub(crate) async fn step_on(
        &self,
        game: &mut Game<W>,
        entries: &[StoredEntry],
        yielder: &mut Yielder,
    ) -> Result<(), Problem> {
        for entry in entries {
            if entry.version > game.version {
                self.step(game, entry).await?;
                yielder.yield_if_due().await;
            }
        }
        Ok(())
    }
}

fn request_of<W: Wire>(game: &Game<W>, entry: &StoredEntry) -> Result<(Request, u64), Problem> {
    if entry.version == 1 {
        return Ok((creation(&game.birth), game.birth.time_ms));
    }
    let played = Game::<W>::read_entry(entry)?;
    let request = game.request_of(entry.version, &played);
    Ok((request, game.birth.time_ms + played.story.after_ms))
}

#[cfg(test)]
mod tests;
