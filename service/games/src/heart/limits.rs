//! Limits on streams: watches of this process, of a game and of a caller; self-plays of this process and of a tenant.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use gamekeeper_store::GameId;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::heart::access::{Role, Taken, Tally};
use crate::heart::problem::Problem;
use crate::heart::settings::Settings;

/// Counts the watches of this process.
pub(crate) struct WatchLimits {
    max: usize,
    max_per_game: usize,
    open: Arc<Mutex<Open>>,
    of_callers: Option<Arc<Tally>>,
}

/// The watches that are open.
#[derive(Default)]
struct Open {
    all: usize,
    of_games: HashMap<GameId, usize>,
}

impl WatchLimits {
    pub(crate) fn new(settings: &Settings) -> Self {
        Self {
            max: settings.max_watches,
            max_per_game: settings.max_watches_per_game,
            open: Arc::default(),
            of_callers: settings.max_watches_per_token.map(Tally::new),
        }
    }

    /// Counts one more watch of this caller.
    pub(crate) fn of_caller(&self, caller: &Role) -> Result<Option<Taken>, Problem> {
        let Some(tally) = &self.of_callers else {
            return Ok(None);
        };
        let taken = tally.take(caller);
        let what = "this token has reached its limit of watches; close one";
        taken
            .map(Some)
            .ok_or_else(|| full("max_watches_per_token", what))
    }

    /// Counts one more watch of a game or, without one, a stream that follows a user.
    pub(crate) fn acquire(&self, game: Option<GameId>) -> Result<WatchPermit, Problem> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.all >= self.max {
            let what = "this server has reached its limit of watches; try again later";
            return Err(full("max_watches", what));
        }
        if let Some(game) = game {
            let watches = open.of_games.entry(game).or_default();
            if *watches >= self.max_per_game {
                let what = "this game has reached its limit of watches; try again later";
                return Err(full("max_watches_per_game", what));
            }
            *watches += 1;
        }
        open.all += 1;
        Ok(WatchPermit {
            open: Arc::clone(&self.open),
            game,
        })
    }
}

fn full(limit: &'static str, what: &str) -> Problem {
    Problem::Exhausted {
        limit,
        what: what.to_owned(),
    }
}

/// An open watch, counted as long as this lives.
pub(crate) struct WatchPermit {
    open: Arc<Mutex<Open>>,
    game: Option<GameId>,
}

impl Drop for WatchPermit {
    fn drop(&mut self) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.all -= 1;
        if let Some(game) = self.game
            && let Some(watches) = open.of_games.get_mut(&game)
        {
            *watches -= 1;
            if *watches == 0 {
                open.of_games.remove(&game);
            }
        }
    }
}

/// Limits the self-plays of this process, in total and for each tenant: one tenant must not take every place.
pub(crate) struct SelfPlayLimits {
    all: Arc<Semaphore>,
    of_tenants: Option<Arc<Tally>>,
}

/// An open self-play, counted as long as this lives.
pub struct SelfPlayPermit {
    _of_all: OwnedSemaphorePermit,
    _of_caller: Option<Taken>,
}

impl SelfPlayLimits {
    pub(crate) fn new(settings: &Settings) -> Self {
        let max = settings.max_self_plays.min(Semaphore::MAX_PERMITS);
        Self {
            all: Arc::new(Semaphore::new(max)),
            of_tenants: settings.max_self_plays_per_tenant.map(Tally::new),
        }
    }

    pub(crate) fn acquire(&self, caller: &Role) -> Result<SelfPlayPermit, Problem> {
        let of_caller = self.of(caller)?;
        let what = "this server has reached its limit of self-plays; try again later";
        let permit = Arc::clone(&self.all).try_acquire_owned();
        Ok(SelfPlayPermit {
            _of_all: permit.map_err(|_| full("max_self_plays", what))?,
            _of_caller: of_caller,
        })
    }

    /// Counts one more self-play of a tenant, or of the caller of a seat token.
    pub(crate) fn of(&self, caller: &Role) -> Result<Option<Taken>, Problem> {
        let taken = self.of_tenants.as_ref().map(|tally| {
            let what = "this tenant has reached its limit of self-plays; end one";
            let taken = tally.take(caller);
            taken.ok_or_else(|| full("max_self_plays_per_tenant", what))
        });
        taken.transpose()
    }
}
