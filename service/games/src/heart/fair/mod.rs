//! **Fair scheduling**: the tasks of one thread (calls, streams and connections) take turns, and their accounts are
//! charged for what they use.
//!
//! A turn is one poll of a task: it ends when the task waits for something, or has run for a while and yields
//! ([`Yielder`](crate::heart::yielding::Yielder)). While the thread is mostly idle, each task runs at once. When the
//! thread has been busy for a while, every ready task enters a fair queue, new arrivals included, and the queue decides
//! which one runs next. A task of the tenant that has used the least, if that tenant has nothing queued, still runs at
//! once. A caller with few calls therefore waits for one or two turns of others, however many calls these have started.
//!
//! Connections take turns as well, since they cause work before it belongs to any call: frames are parsed, tokens
//! hashed, calls refused.

mod budget;
mod cost;
mod queue;
mod spent;
mod usage;
mod worker;

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

pub use budget::{Budgets, Rate};
use cost::Cost;
pub(crate) use spent::stored;
pub use spent::written;
pub use usage::{Meter, Pace, Usage, Used, Who};
use worker::{Running, Waiting, Worker};

use crate::heart::access::Account;

/// The scheduling handle of one task: a call, a stream or a connection.
pub struct Turn {
    account: Account,
    /// The meter that counts the use. Is `None` for a connection, which has no meter of its own.
    meter: Option<Arc<Meter>>,
    /// The budgets that are charged. Is `None` if nobody is charged.
    budgets: Option<Arc<Budgets>>,
    /// The cost that was charged in advance and not used up yet, in thousandths.
    paid: u64,
    waiting: Option<Waiting>,
}

impl Turn {
    /// Creates the scheduling handle of a call. The minimum cost was already charged at admission.
    #[must_use]
    pub fn of_call(meter: Arc<Meter>, budgets: Arc<Budgets>) -> Self {
        Self {
            budgets: Some(budgets),
            paid: cost::CALL,
            ..Self::unpaid(meter)
        }
    }

    /// Creates the scheduling handle of work that is metered but charged to nobody: a connection before its first call,
    /// and verifying its tokens.
    #[must_use]
    pub fn unpaid(meter: Arc<Meter>) -> Self {
        let account = meter.account();
        Self {
            meter: Some(meter),
            ..Self::of_line(account)
        }
    }

    /// Creates the scheduling handle of a connection that only this account and its parts use. The work is neither
    /// metered nor charged.
    #[must_use]
    pub fn of_line(account: Account) -> Self {
        Self {
            account,
            meter: None,
            budgets: None,
            paid: 0,
            waiting: None,
        }
    }

    /// Creates the scheduling handle of a stream, after the call that opened it. Nothing was charged in advance.
    #[must_use]
    pub fn of_stream(account: Account, budgets: Arc<Budgets>) -> Self {
        Self {
            paid: 0,
            ..Self::of_call(budgets.usage().meter(account), budgets)
        }
    }

    /// Polls the work if it is the task's turn; otherwise queues the task. Work nested in a running turn is polled at
    /// once, since the outer task has already waited.
    pub fn poll<A>(
        &mut self,
        context: &mut Context<'_>,
        work: impl FnOnce(&mut Context<'_>) -> Poll<A>,
    ) -> Poll<A> {
        if Running::is_one() {
            self.waiting = None;
            let (polled, cost, took) = spent::measured(|| work(context));
            spent::within(took);
            self.pay(cost);
            return polled;
        }
        let Some(worker) = self.begun(context) else {
            return Poll::Pending;
        };
        let running = Running::on(&worker);
        let (polled, cost, took) = spent::measured(|| work(context));
        running.took(self.account, took);
        drop(running);
        self.pay(cost);
        polled
    }

    /// Starts the turn if it is the task's turn, and returns the worker on which it runs. Returns `None` if the task
    /// must wait.
    fn begun(&mut self, context: &Context<'_>) -> Option<Arc<Worker>> {
        let waiting = match self.waiting.take() {
            Some(waiting) => waiting.woken_by(context),
            None => match Waiting::unless_free(self.account, context) {
                Ok(waiting) => waiting,
                Err(worker) => return Some(worker),
            },
        };
        match waiting.begun() {
            Ok(worker) => Some(worker),
            Err(waiting) => {
                self.waiting = Some(waiting);
                None
            }
        }
    }

    fn pay(&mut self, cost: Cost) {
        if let Some(meter) = &self.meter {
            meter.turned(cost);
        }
        let owed = cost.thousandths();
        let due = owed.saturating_sub(self.paid);
        self.paid = self.paid.saturating_sub(owed);
        if let Some(budgets) = self.budgets.as_ref().filter(|_| due > 0) {
            budgets.pay(self.account, due);
        }
    }
}

/// Runs a future in fair turns. The future must be `Unpin`: if it was pinned here, the returned future would store it
/// twice.
pub fn fairly<F: Future + Unpin>(mut turn: Turn, mut work: F) -> impl Future<Output = F::Output> {
    poll_fn(move |context| turn.poll(context, |context| Pin::new(&mut work).poll(context)))
}

#[cfg(test)]
mod tests;
