//! Turns of bots to think: few at a time, and fair between tenants.

use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gamekeeper_store::GameId;
use tokio::sync::oneshot;

/// The maximum number of games of a process whose bots wait for a turn. Games beyond it are looked at again later.
const MAX_WAITING: usize = 4_096;

/// Who thinks, and who waits for it.
pub(crate) struct Turns {
    state: Mutex<State>,
}

struct State {
    /// Turns that nobody has.
    free: usize,
    /// The games for which something is being done.
    busy: HashSet<GameId>,
    /// Those who wait, by tenant; the tenant whose turn is next comes first.
    waiting: VecDeque<(String, VecDeque<oneshot::Sender<Turn>>)>,
}

/// A turn. It passes to the next one when it is dropped.
pub(crate) struct Turn(Option<Arc<Turns>>);

/// The right to do what is due for a game in this process.
pub(crate) struct Busy {
    turns: Arc<Turns>,
    game: GameId,
}

impl Turns {
    /// This many bots think at the same time.
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

    /// Takes the right to do what is due for a game. `None`: somebody has it, or too many are busy.
    pub(crate) fn begin(self: &Arc<Self>, game: GameId) -> Option<Busy> {
        let mut state = self.lock();
        let is_free = state.busy.len() < MAX_WAITING && state.busy.insert(game);
        drop(state);
        is_free.then(|| Busy {
            turns: Arc::clone(self),
            game,
        })
    }

    /// Waits for a turn. Tenants take turns; within a tenant, whoever came first is first.
    pub(crate) async fn turn(self: &Arc<Self>, tenant: &str) -> Turn {
        let waiting = {
            let mut state = self.lock();
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
        // The sender is dropped only with this.
        waiting.await.unwrap_or(Turn(None))
    }

    /// Somebody has finished: the next one begins.
    fn pass(self: Arc<Self>) {
        let Some(next) = self.next() else {
            return;
        };
        // Whoever no longer waits drops the turn, which passes it on.
        let _left = next.send(Turn(Some(self)));
    }

    fn next(&self) -> Option<oneshot::Sender<Turn>> {
        let mut state = self.lock();
        while let Some((tenant, mut line)) = state.waiting.pop_front() {
            // Those who no longer wait do not take the turn of their tenant.
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

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
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
        self.turns.lock().busy.remove(&self.game);
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
        // Whoever gives up keeps nobody waiting.
        drop(waiting.remove(1));
        drop(first);
        let mut order = Vec::new();
        while !waiting.is_empty() {
            let ready = waiting.iter_mut().position(|(_, turn)| {
                // The turn is dropped, so that the next one begins.
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
