//! The **scheduler of bots**: few think at the same time, round-robin between tenants.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use gamekeeper_store::GameId;
use parking_lot::Mutex;
use tokio::sync::oneshot;

/// The maximum number of games in a process for which a bot thinks or waits. Further games are retried later.
const MAX_WAITING: usize = 4_096;

/// The scheduler of thinking bots.
pub(crate) struct Turns {
    state: Mutex<State>,
}

struct State {
    /// The number of free slots.
    free: usize,
    /// The games in which a task of this process acts.
    busy: HashSet<GameId>,
    /// The waiters by tenant, first in first out; the tenant that is served next comes first.
    waiting: VecDeque<(String, VecDeque<oneshot::Sender<Turn>>)>,
}

/// A slot for thinking. Dropping it passes it to the next waiter.
pub(crate) struct Turn(Option<Arc<Turns>>);

/// The exclusive right of a task of this process to act in a game.
pub(crate) struct Busy {
    turns: Arc<Turns>,
    game: GameId,
}

impl Turns {
    /// Creates a scheduler with this many slots, at least one.
    pub(crate) fn new(at_once: usize) -> Arc<Self> {
        let state = State {
            free: at_once.max(1),
            busy: HashSet::new(),
            waiting: VecDeque::new(),
        };
        Arc::new(Self {
            state: Mutex::new(state),
        })
    }

    /// Takes the right to act in a game. Returns `None` if another task has it, or too many games are busy.
    pub(crate) fn begin(self: &Arc<Self>, game: GameId) -> Option<Busy> {
        let mut state = self.state.lock();
        let is_free = state.busy.len() < MAX_WAITING && state.busy.insert(game);
        drop(state);
        is_free.then(|| Busy {
            turns: Arc::clone(self),
            game,
        })
    }

    /// Waits for a slot. Tenants are served round-robin; within a tenant, first in, first out.
    pub(crate) async fn turn(self: &Arc<Self>, tenant: &str) -> Turn {
        let waiting = {
            let mut state = self.state.lock();
            if state.free > 0 {
                state.free -= 1;
                return Turn(Some(Arc::clone(self)));
            }
            let (sender, receiver) = oneshot::channel();
            match state.waiting.iter_mut().find(|(name, _)| name == tenant) {
                Some((_, line)) => line.push_back(sender),
                None => {
                    let line = VecDeque::from([sender]);
                    state.waiting.push_back((tenant.to_owned(), line));
                }
            }
            receiver
        };
        // A sender is dropped without a slot only together with the whole scheduler.
        waiting.await.unwrap_or(Turn(None))
    }

    /// Passes a slot to the next waiter.
    fn pass(self: Arc<Self>) {
        let Some(next) = self.next() else {
            return;
        };
        // A waiter that was canceled just now drops the slot, which passes it on.
        let _left = next.send(Turn(Some(self)));
    }

    fn next(&self) -> Option<oneshot::Sender<Turn>> {
        let mut state = self.state.lock();
        while let Some((tenant, mut line)) = state.waiting.pop_front() {
            // A waiter that was canceled must not use up its tenant's turn.
            while line.front().is_some_and(oneshot::Sender::is_closed) {
                line.pop_front();
            }
            let next = line.pop_front();
            if !line.is_empty() {
                state.waiting.push_back((tenant, line));
            }
            if next.is_some() {
                return next;
            }
        }
        state.free += 1;
        None
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(turns) = self.0.take() {
            turns.pass();
        }
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.turns.state.lock().busy.remove(&self.game);
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use uuid::Uuid;

    use super::*;

    #[tokio::test]
    async fn tenants_take_turns() {
        let turns = Turns::new(1);
        let first = turns.turn("red").await;
        let waiting = ["red", "red", "red", "blue", "green", "blue"];
        let mut waiting: Vec<_> = waiting
            .iter()
            .map(|tenant| (*tenant, Box::pin(turns.turn(tenant))))
            .collect();
        for (_, turn) in &mut waiting {
            assert!(turn.now_or_never().is_none());
        }
        // A canceled waiter delays nobody.
        drop(waiting.remove(1));
        drop(first);
        let mut order = Vec::new();
        while !waiting.is_empty() {
            let ready = waiting.iter_mut().position(|(_, turn)| {
                // The slot is dropped at once, so that it passes to the next waiter.
                turn.now_or_never().is_some()
            });
            let (tenant, _) = waiting.remove(ready.expect("somebody's turn"));
            order.push(tenant);
        }
        assert_eq!(order, ["red", "blue", "green", "red", "blue"]);
        assert!(turns.turn("red").now_or_never().is_some());
    }

    #[tokio::test]
    async fn a_game_is_looked_after_once() {
        let turns = Turns::new(1);
        let game = Uuid::from_u128(1);
        let busy = turns.begin(game).unwrap();
        assert!(turns.begin(game).is_none());
        assert!(turns.begin(Uuid::from_u128(2)).is_some());
        drop(busy);
        assert!(turns.begin(game).is_some());
    }
}
