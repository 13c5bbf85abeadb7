//! Limits on watches: of this process, of a game and of a caller.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use gamekeeper_store::GameId;

use super::{Settings, Shared};
use crate::access::{Caller, Taken, Tally};
use crate::problem::Problem;

/// Counts the watches of this process.
pub(super) struct WatchLimits {
    max: usize,
    max_per_game: usize,
    open: Mutex<Open>,
    of_callers: Option<Arc<Tally>>,
}

/// The watches that are open.
#[derive(Default)]
struct Open {
    all: usize,
    of_games: HashMap<GameId, usize>,
}

impl WatchLimits {
    pub(super) fn new(settings: &Settings) -> Self {
        Self {
            max: settings.max_watches,
            max_per_game: settings.max_watches_per_game,
            open: Mutex::default(),
            of_callers: settings.max_watches_per_token.map(Tally::new),
        }
    }

    /// Counts one more watch of this caller.
    pub(super) fn of_caller(&self, caller: &Caller) -> Result<Option<Taken>, Problem> {
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
    pub(super) fn acquire(
        &self,
        shared: &Arc<Shared>,
        game: Option<GameId>,
    ) -> Result<WatchPermit, Problem> {
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
            shared: Arc::clone(shared),
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
pub(super) struct WatchPermit {
    shared: Arc<Shared>,
    game: Option<GameId>,
}

impl Drop for WatchPermit {
    fn drop(&mut self) {
        let mut open = self
            .shared
            .watches
            .open
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
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
