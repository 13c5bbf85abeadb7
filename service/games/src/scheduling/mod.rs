//! **Fair scheduling**: the tasks of one thread (calls, streams and connections) take turns, and their accounts are
//! charged for what they use.
//!
//! A turn is one poll of a task: it ends when the task waits for something, or has run for a while and yields
//! ([`Yielder`](crate::timing::yielder::Yielder)). While the thread is mostly idle, each task runs at once. When the
//! thread has been busy for a while, every ready task enters a fair queue, new arrivals included, and the queue decides
//! which one runs next. A task of the tenant that has used the least, if that tenant has nothing queued, still runs at
//! once. A caller with few calls therefore waits for one or two turns of others, however many calls these have started.
//!
//! Connections take turns as well, since they cause work before it belongs to any call: frames are parsed, tokens
//! hashed, calls refused. The tasks that carry calls take none, and are paid for by the callers ([`carry`]).

mod busy_games;
mod carrier;
mod cost;
mod cost_accounting;
mod fair_queue;
mod fair_semaphore;
mod fair_store;
mod rate_limiter;
mod run_queue;
mod usage;

use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::Instant;

pub(crate) use busy_games::BusyGames;
pub use carrier::{carry, record_caller, take_caller};
use cost::Cost;
use cost_accounting::Measured;
pub use cost_accounting::{record_written, settle};
pub(crate) use fair_semaphore::{FairPermit, FairSemaphore};
pub use fair_store::FairStore;
pub use rate_limiter::{LowBudget, Rate, RateLimiter};
use run_queue::{SliceGuard, Slot, WaiterHandle};
pub use usage::{Consumption, Meter, Principal, RecentRate, Usage};

use crate::authz::Account;

/// The scheduling handle of one task: a call, a stream or a connection.
pub struct FairTask {
    account: Account,
    /// The meter that counts the use. Is `None` if the work around it counts it.
    meter: Option<Arc<Meter>>,
    /// The budgets that are charged. Is `None` if nobody is charged.
    rate_limiter: Option<Arc<RateLimiter>>,
    /// The cost that was charged in advance and not used up yet, in thousandths.
    prepaid: u64,
    queued: Option<WaiterHandle>,
}

impl FairTask {
    /// Creates the scheduling handle of a call. The minimum cost was already charged at admission.
    #[must_use]
    pub fn for_call(meter: Arc<Meter>, rate_limiter: Arc<RateLimiter>) -> Self {
        Self {
            rate_limiter: Some(rate_limiter),
            prepaid: cost::CALL_MILLICOST,
            ..Self::unmetered(meter)
        }
    }

    /// Creates the scheduling handle of work that is metered but charged to nobody, such as a connection before its first
    /// call.
    #[must_use]
    pub fn unmetered(meter: Arc<Meter>) -> Self {
        let account = meter.account();
        Self {
            meter: Some(meter),
            ..Self::for_connection(account)
        }
    }

    /// Creates the scheduling handle of a connection that only this account and its parts use, or of work for a caller
    /// that is not known yet. The use belongs to the work around it, such as the task of the call, and nobody is charged.
    #[must_use]
    pub fn for_connection(account: Account) -> Self {
        Self {
            account,
            meter: None,
            rate_limiter: None,
            prepaid: 0,
            queued: None,
        }
    }

    /// Counts the use for this meter, without charging anybody.
    #[must_use]
    pub fn counted_by(self, meter: Arc<Meter>) -> Self {
        Self {
            meter: Some(meter),
            ..self
        }
    }

    /// Creates the scheduling handle of a stream, after the call that opened it. Nothing was charged in advance.
    #[must_use]
    pub fn for_stream(account: Account, rate_limiter: Arc<RateLimiter>) -> Self {
        Self {
            prepaid: 0,
            ..Self::for_call(rate_limiter.usage().meter(account), rate_limiter)
        }
    }

    /// Polls the work if it is the task's turn; otherwise queues the task. Work nested in a running turn is polled at
    /// once, since the outer task has already waited.
    pub fn poll<A>(
        &mut self,
        context: &mut Context<'_>,
        poll_work: impl FnOnce(&mut Context<'_>) -> Poll<A>,
    ) -> Poll<A> {
        if SliceGuard::is_running() {
            self.queued = None;
            return self.run(|| poll_work(context)).output;
        }
        let Some(slot) = self.try_start(context) else {
            return Poll::Pending;
        };
        let slice = SliceGuard::start(slot);
        let done = self.run(|| poll_work(context));
        slice.record(self.account, &done);
        done.output
    }

    /// Polls work without a turn, and counts its use.
    pub fn poll_at_once<A>(&mut self, poll_work: impl FnOnce() -> Poll<A>) -> Poll<A> {
        self.queued = None;
        let done = self.run(poll_work);
        run_queue::charge(self.account, done.cost.time);
        done.output
    }

    /// Runs work and counts its use. Without a meter, the use is part of what the work around it uses.
    fn run<A>(&mut self, work: impl FnOnce() -> A) -> Measured<A> {
        let Some(meter) = &self.meter else {
            let started = Instant::now();
            let output = work();
            let ended = Instant::now();
            return Measured {
                output,
                cost: Cost::ZERO,
                ended,
                elapsed: ended.saturating_duration_since(started),
                interrupted: Duration::ZERO,
                held: Duration::ZERO,
            };
        };
        let measured = cost_accounting::measure(work);
        meter.count_slice(measured.cost, measured.ended.into_std());
        meter.record_held(measured.held);
        self.charge(measured.cost);
        measured
    }

    /// Returns the slot of a turn if it is the task's turn. Returns `None` if the task must wait.
    fn try_start(&mut self, context: &Context<'_>) -> Option<Slot> {
        let waiter = match self.queued.take() {
            Some(waiter) => waiter.with_waker(context),
            None => match WaiterHandle::enqueue_unless_free(self.account, context) {
                Ok(waiter) => waiter,
                Err(slot) => return Some(slot),
            },
        };
        match waiter.try_start() {
            Ok(slot) => Some(slot),
            Err(waiter) => {
                self.queued = Some(waiter);
                None
            }
        }
    }

    fn charge(&mut self, cost: Cost) {
        let millicost = cost.millicost();
        let unpaid_millicost = millicost.saturating_sub(self.prepaid);
        self.prepaid = self.prepaid.saturating_sub(millicost);
        if let Some(rate_limiter) = self.rate_limiter.as_ref().filter(|_| unpaid_millicost > 0) {
            rate_limiter.charge(self.account, unpaid_millicost);
        }
    }
}

/// The interval at which a thread settles what it uses between turns.
const SETTLE_INTERVAL: Duration = Duration::from_secs(1);

/// Settles now and then what this thread uses between turns.
pub async fn keep_settled() -> Infallible {
    loop {
        tokio::time::sleep(SETTLE_INTERVAL).await;
        settle();
    }
}

/// Runs a future in fair turns. The future must be `Unpin`: if it was pinned here, the returned future would store it
/// twice.
pub fn schedule<F: Future + Unpin>(
    mut task: FairTask,
    mut future: F,
) -> impl Future<Output = F::Output> {
    poll_fn(move |context| task.poll(context, |context| Pin::new(&mut future).poll(context)))
}

#[cfg(test)]
mod tests;
