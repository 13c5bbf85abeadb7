//! A **fair semaphore**: few tasks work at the same time, and accounts share the permits fairly. It is for work
//! on threads of its own, such as the thinking of bots and the painting of drawings, which takes no turns with calls, and
//! for changes that wait for a disk.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::oneshot;

use super::cost;
use super::fair_queue::FairQueue;
use crate::authz::Account;

/// The cost of a permit beside the time of its work, in nanoseconds, so that accounts take turns whatever their work
/// costs.
const PERMIT_COST: u64 = 1_000;

/// Permits that accounts share.
pub(crate) struct FairSemaphore {
    state: Mutex<SemaphoreState>,
}

struct SemaphoreState {
    free_permits: usize,
    waiting: FairQueue<oneshot::Sender<FairPermit>>,
}

/// A permit of an account. Dropping it passes it to the next waiter.
pub(crate) struct FairPermit {
    /// Is `None` once the permit was released.
    semaphore: Option<Arc<FairSemaphore>>,
    account: Account,
    cost: u64,
}

impl FairSemaphore {
    /// Creates a semaphore with this many permits, at least one.
    pub(crate) fn new(max_permits: usize) -> Arc<Self> {
        Arc::new(Self {
            state: Mutex::new(SemaphoreState {
                free_permits: max_permits.max(1),
                waiting: FairQueue::default(),
            }),
        })
    }

    /// Waits for a permit. The account that has used the least is served first; within an account, first in, first out.
    pub(crate) async fn acquire(self: &Arc<Self>, account: Account) -> FairPermit {
        let grant = {
            let mut state = self.state.lock();
            if state.free_permits > 0 {
                state.free_permits -= 1;
                return self.permit(account);
            }
            let (sender, receiver) = oneshot::channel();
            state.waiting.push(account, sender);
            receiver
        };
        let mut permit = grant.await.unwrap_or(FairPermit {
            // A sender is dropped without a permit only together with the whole semaphore.
            semaphore: None,
            account,
            cost: 0,
        });
        permit.account = account;
        permit
    }

    fn permit(self: &Arc<Self>, account: Account) -> FairPermit {
        FairPermit {
            semaphore: Some(Arc::clone(self)),
            account,
            cost: PERMIT_COST,
        }
    }

    /// Charges an account, and passes its permit to the next waiter. As long as nobody waits there is nothing to share,
    /// and nobody is charged.
    fn release(self: Arc<Self>, account: Account, cost: u64) {
        let next = {
            let mut state = self.state.lock();
            if state.waiting.is_empty() {
                state.free_permits += 1;
                return;
            }
            state.waiting.charge(account, cost);
            // A waiter that was canceled must not use up its account's turn.
            let next = std::iter::from_fn(|| state.waiting.pop()).find(|next| !next.is_closed());
            if next.is_none() {
                state.free_permits += 1;
            }
            next
        };
        if let Some(next) = next {
            // A waiter that was canceled just now drops the permit, which passes it on.
            let _left = next.send(self.permit(account));
        }
    }
}

impl FairPermit {
    /// Adds the size of what is written under the permit, which counts against the account's share like a nanosecond for
    /// each byte.
    pub(crate) fn record_bytes(&mut self, bytes: usize) {
        let nanos = u64::try_from(bytes).unwrap_or(u64::MAX);
        self.cost = self.cost.saturating_add(nanos);
    }

    /// Adds the processor time that was used under the permit, which counts against the account's share.
    pub(crate) fn record(&mut self, time: Duration) {
        self.cost = self.cost.saturating_add(cost::nanos(time));
    }
}

impl Drop for FairPermit {
    fn drop(&mut self) {
        if let Some(semaphore) = self.semaphore.take() {
            semaphore.release(self.account, self.cost);
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn of(tenant: &str) -> Account {
        Account::of_tenant(tenant)
    }

    /// Grants the permit until nobody waits, and returns the tenants in the order in which they got it.
    fn order<F: Future<Output = FairPermit> + Unpin>(
        mut waiting: Vec<(&str, F)>,
        time: impl Fn(&str) -> Duration,
    ) -> Vec<&str> {
        let mut order = Vec::new();
        while !waiting.is_empty() {
            let ready = waiting.iter_mut().position(|(tenant, permit)| {
                // The permit is dropped at once, so that it passes to the next waiter.
                let permit = permit.now_or_never();
                permit
                    .map(|mut permit| permit.record(time(tenant)))
                    .is_some()
            });
            let (tenant, _) = waiting.remove(ready.expect("somebody's turn"));
            order.push(tenant);
        }
        order
    }

    #[tokio::test]
    async fn tenants_take_turns() {
        let turns = FairSemaphore::new(1);
        let first = turns.acquire(of("red")).await;
        let waiting = ["red", "red", "red", "blue", "blue"];
        let mut waiting: Vec<_> = waiting
            .iter()
            .map(|tenant| (*tenant, Box::pin(turns.acquire(of(tenant)))))
            .collect();
        for (_, permit) in &mut waiting {
            assert!(permit.now_or_never().is_none());
        }
        // A canceled waiter delays nobody.
        drop(waiting.remove(1));
        drop(first);
        let order = order(waiting, |_| Duration::ZERO);
        assert_eq!(order, ["blue", "red", "blue", "red"]);
        assert!(turns.acquire(of("red")).now_or_never().is_some());
    }

    #[tokio::test]
    async fn whoever_thinks_longer_thinks_less_often() {
        let turns = FairSemaphore::new(1);
        let first = turns.acquire(of("green")).await;
        let mut waiting: Vec<_> = ["red"; 4]
            .into_iter()
            .chain(["blue"; 8])
            .map(|tenant| (tenant, Box::pin(turns.acquire(of(tenant)))))
            .collect();
        for (_, permit) in &mut waiting {
            assert!(permit.now_or_never().is_none());
        }
        drop(first);
        let millis = |tenant: &str| Duration::from_millis(if tenant == "red" { 40 } else { 10 });
        let order = order(waiting, millis);
        let of_red = order[..6].iter().filter(|tenant| **tenant == "red").count();
        assert!((1..=2).contains(&of_red), "{order:?}");
    }
}
