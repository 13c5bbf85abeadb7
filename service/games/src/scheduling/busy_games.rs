//! The games in which tasks of this process act without a call. Tenants share their number fairly.

use std::collections::HashSet;
use std::sync::Arc;

use gamekeeper_store::GameId;
use parking_lot::Mutex;

use crate::admission::{ConcurrencyLimiter, ConcurrencyPermit};
use crate::authz::Account;

/// The maximum number of games in a process in which a task acts, thinks or waits. Further games are retried later.
const MAX_BUSY_GAMES: usize = 4_096;

/// The games in which tasks of this process act.
pub(crate) struct BusyGames {
    games: Mutex<HashSet<GameId>>,
    shares: Arc<ConcurrencyLimiter>,
}

/// The exclusive right of a task of this process to act in a game.
pub(crate) struct GameWorkGuard {
    busy: Arc<BusyGames>,
    game: GameId,
    _share: ConcurrencyPermit,
}

impl BusyGames {
    /// Creates the set without games.
    pub(crate) fn new() -> Arc<Self> {
        Self::with_max(MAX_BUSY_GAMES)
    }

    fn with_max(max: usize) -> Arc<Self> {
        Arc::new(Self {
            games: Mutex::default(),
            shares: ConcurrencyLimiter::new("max_busy_games", "games of bots and clocks", max),
        })
    }

    /// Takes the right to act in a game of this account. Returns `None` if another task has it, or the account has its
    /// share of busy games.
    pub(crate) fn try_begin(
        self: &Arc<Self>,
        game: GameId,
        account: Account,
    ) -> Option<GameWorkGuard> {
        let mut games = self.games.lock();
        if games.contains(&game) {
            return None;
        }
        let share = self.shares.try_acquire(account).ok()?;
        games.insert(game);
        drop(games);
        Some(GameWorkGuard {
            busy: Arc::clone(self),
            game,
            _share: share,
        })
    }
}

impl Drop for GameWorkGuard {
    fn drop(&mut self) {
        self.busy.games.lock().remove(&self.game);
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_game_is_looked_after_once() {
        let busy = BusyGames::new();
        let begin = |game| busy.try_begin(Uuid::from_u128(game), Account::EVERYBODY);
        let first = begin(1).unwrap();
        assert!(begin(1).is_none());
        assert!(begin(2).is_some());
        drop(first);
        assert!(begin(1).is_some());
    }

    #[test]
    fn the_games_of_one_tenant_leave_room_for_those_of_others() {
        let busy = BusyGames::with_max(30);
        let [red, blue] = ["red", "blue"].map(Account::of_tenant);
        let fill = |from: u128, account| -> Vec<_> {
            let games = (from..from + 30).map(Uuid::from_u128);
            games
                .filter_map(|game| busy.try_begin(game, account))
                .collect()
        };
        let of_red = fill(0, red);
        assert_eq!(of_red.len(), 15);
        assert_eq!(fill(100, blue).len(), 8);
    }
}
