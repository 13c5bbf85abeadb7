//! Fair turns: calls and streams of one worker take turns, and pay for what they use.
//!
//! Work runs until it waits for something or has run for a while ([`Yielder`](crate::heart::yielding::Yielder)), and
//! that is one turn. As long as turns are short, each runs at once. When a thread has been busy for a while, whatever
//! is ready takes a place in the queue, what has arrived meanwhile too, and the queue says who is next. A tenant that has
//! used the least, and for whom nothing waits yet, begins at once. A caller that asks seldom therefore waits for a turn or
//! two of others, however many calls they have begun.
//!
//! Connections take turns too, since what arrives on them is work before it belongs to any call: frames are read, tokens
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

/// The turns of one call or stream.
pub struct Turn {
    account: Account,
    /// `None`: nobody counts what is used.
    meter: Option<Arc<Meter>>,
    /// `None`: nobody pays.
    budgets: Option<Arc<Budgets>>,
    /// What is paid already, in thousandths.
    paid: u64,
    waiting: Option<Waiting>,
}

impl Turn {
    /// Those of a call, whose admission has paid for a small one.
    #[must_use]
    pub fn of_call(meter: Arc<Meter>, budgets: Arc<Budgets>) -> Self {
        Self {
            budgets: Some(budgets),
            paid: cost::CALL,
            ..Self::unpaid(meter)
        }
    }

    /// Those of a connection that nobody has used yet, and of its tokens that are verified, for which nobody pays.
    #[must_use]
    pub fn unpaid(meter: Arc<Meter>) -> Self {
        let account = meter.account();
        Self {
            meter: Some(meter),
            ..Self::of_line(account)
        }
    }

    /// Those of a connection that only this account and its parts use.
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

    /// Those of a stream, after the call that began it.
    #[must_use]
    pub fn of_stream(account: Account, budgets: Arc<Budgets>) -> Self {
        Self {
            paid: 0,
            ..Self::of_call(budgets.usage().meter(account), budgets)
        }
    }

    /// Polls when it is this one's turn. Within another turn it is: that one has waited.
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

    /// The worker on which the turn begins now. `None`: others are next.
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

/// Runs this in fair turns. The work can be moved: if it was pinned here, this future would contain it twice.
pub fn fairly<F: Future + Unpin>(mut turn: Turn, mut work: F) -> impl Future<Output = F::Output> {
    poll_fn(move |context| turn.poll(context, |context| Pin::new(&mut work).poll(context)))
}

#[cfg(test)]
mod tests;
