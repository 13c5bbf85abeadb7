//! The **scheduler of bots**: few think at the same time, round-robin between tenants.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use gamekeeper_store::GameId;
use parking_lot::Mutex;
use tokio::sync::oneshot;

/// The maximum number of games in a process for which a bot thinks or waits. Further games are retried later.
const MAX_BUSY_GAMES: usize = 4_096;

/// The scheduler of thinking bots.
pub(crate) struct BotScheduler {
    state: Mutex<SchedulerState>,
}

struct SchedulerState {
    /// The number of free slots.
    free_permits: usize,
    /// The games in which a task of this process acts.
    busy_games: HashSet<GameId>,
    /// The waiters by tenant, first in first out; the tenant that is served next comes first.
    waiting_by_tenant: VecDeque<(String, VecDeque<oneshot::Sender<BotPermit>>)>,
}

/// A slot for thinking. Dropping it passes it to the next waiter.
pub(crate) struct BotPermit(Option<Arc<BotScheduler>>);

/// The exclusive right of a task of this process to act in a game.
pub(crate) struct GameWorkGuard {
    scheduler: Arc<BotScheduler>,
    game: GameId,
}

impl BotScheduler {
    /// Creates a scheduler with this many slots, at least one.
    pub(crate) fn new(max_permits: usize) -> Arc<Self> {
        let state = SchedulerState {
            free_permits: max_permits.max(1),
            busy_games: HashSet::new(),
            waiting_by_tenant: VecDeque::new(),
        };
        Arc::new(Self {
            state: Mutex::new(state),
        })
    }

    /// Takes the right to act in a game. Returns `None` if another task has it, or too many games are busy.
    pub(crate) fn try_begin(self: &Arc<Self>, game: GameId) -> Option<GameWorkGuard> {
        let mut state = self.state.lock();
        let is_begun = state.busy_games.len() < MAX_BUSY_GAMES && state.busy_games.insert(game);
        drop(state);
        is_begun.then(|| GameWorkGuard {
            scheduler: Arc::clone(self),
            game,
        })
    }

    /// Waits for a slot. Tenants are served round-robin; within a tenant, first in, first out.
    pub(crate) async fn acquire(self: &Arc<Self>, tenant: &str) -> BotPermit {
        let grant = {
            let mut state = self.state.lock();
            if state.free_permits > 0 {
                state.free_permits -= 1;
                return BotPermit(Some(Arc::clone(self)));
            }
            let (sender, receiver) = oneshot::channel();
            match state
                .waiting_by_tenant
                .iter_mut()
                .find(|(name, _)| name == tenant)
            {
                Some((_, queue)) => queue.push_back(sender),
                None => {
                    let queue = VecDeque::from([sender]);
                    state
                        .waiting_by_tenant
                        .push_back((tenant.to_owned(), queue));
                }
            }
            receiver
        };
        // A sender is dropped without a slot only together with the whole scheduler.
        grant.await.unwrap_or(BotPermit(None))
    }

    /// Passes a slot to the next waiter.
    fn release(self: Arc<Self>) {
        let Some(next) = self.pop_waiter() else {
            return;
        };
        // A waiter that was canceled just now drops the slot, which passes it on.
        let _left = next.send(BotPermit(Some(self)));
    }

    fn pop_waiter(&self) -> Option<oneshot::Sender<BotPermit>> {
        let mut state = self.state.lock();
        while let Some((tenant, mut queue)) = state.waiting_by_tenant.pop_front() {
            // A waiter that was canceled must not use up its tenant's turn.
            while queue.front().is_some_and(oneshot::Sender::is_closed) {
                queue.pop_front();
            }
            let next = queue.pop_front();
            if !queue.is_empty() {
                state.waiting_by_tenant.push_back((tenant, queue));
            }
            if next.is_some() {
                return next;
            }
        }
        state.free_permits += 1;
        None
    }
}

impl Drop for BotPermit {
    fn drop(&mut self) {
        if let Some(turns) = self.0.take() {
            turns.release();
        }
    }
}

impl Drop for GameWorkGuard {
    fn drop(&mut self) {
        self.scheduler.state.lock().busy_games.remove(&self.game);
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use uuid::Uuid;

    use super::*;

    #[tokio::test]
    async fn tenants_take_turns() {
        let turns = BotScheduler::new(1);
        let first = turns.acquire("red").await;
        let waiting = ["red", "red", "red", "blue", "green", "blue"];
        let mut waiting: Vec<_> = waiting
            .iter()
            .map(|tenant| (*tenant, Box::pin(turns.acquire(tenant))))
            .collect();
        for (_, permit) in &mut waiting {
            assert!(permit.now_or_never().is_none());
        }
        // A canceled waiter delays nobody.
        drop(waiting.remove(1));
        drop(first);
        let mut order = Vec::new();
        while !waiting.is_empty() {
            let ready = waiting.iter_mut().position(|(_, permit)| {
                // The slot is dropped at once, so that it passes to the next waiter.
                permit.now_or_never().is_some()
            });
            let (tenant, _) = waiting.remove(ready.expect("somebody's turn"));
            order.push(tenant);
        }
        assert_eq!(order, ["red", "blue", "green", "red", "blue"]);
        assert!(turns.acquire("red").now_or_never().is_some());
    }

    #[tokio::test]
    async fn a_game_is_looked_after_once() {
        let turns = BotScheduler::new(1);
        let game = Uuid::from_u128(1);
        let busy = turns.try_begin(game).unwrap();
        assert!(turns.try_begin(game).is_none());
        assert!(turns.try_begin(Uuid::from_u128(2)).is_some());
        drop(busy);
        assert!(turns.try_begin(game).is_some());
    }
}
