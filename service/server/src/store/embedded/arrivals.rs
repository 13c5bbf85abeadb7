//! Waiting for changes, or for the time at which there is other work.

use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::Instant;

use tokio::sync::mpsc::Receiver;

/// What the wait ended with.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Arrival<A> {
    /// The next item of the queue.
    Item(A),
    /// The time has come, and the queue is empty.
    Time,
    /// The queue is closed and empty.
    Closed,
}

/// A queue for which one thread waits.
pub(super) struct Arrivals<A> {
    queue: Receiver<A>,
    alarm: Waker,
}

/// Wakes a thread.
struct Alarm(Thread);

impl Wake for Alarm {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

impl<A> Arrivals<A> {
    /// Only this thread can wait for the queue.
    pub(super) fn on_this_thread(queue: Receiver<A>) -> Arrivals<A> {
        let alarm = Waker::from(Arc::new(Alarm(thread::current())));
        Arrivals { queue, alarm }
    }

    /// The next item, if it is there.
    pub(super) fn waiting(&mut self) -> Option<A> {
        self.queue.try_recv().ok()
    }

    /// Blocks until an item arrives or `until` has passed. `None`: without limit.
    pub(super) fn next(&mut self, until: Option<Instant>) -> Arrival<A> {
        let mut context = Context::from_waker(&self.alarm);
        loop {
            match self.queue.poll_recv(&mut context) {
                Poll::Ready(Some(item)) => return Arrival::Item(item),
                Poll::Ready(None) => return Arrival::Closed,
                Poll::Pending => {}
            }
            // A thread may wake for no reason, so the loop looks at queue and clock again.
            match until.map(|until| until.saturating_duration_since(Instant::now())) {
                None => thread::park(),
                Some(left) if left.is_zero() => return Arrival::Time,
                Some(left) => thread::park_timeout(left),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::sync::mpsc;

    use super::*;

    #[test]
    fn what_has_arrived_comes_before_the_time() {
        let (sender, queue) = mpsc::channel(3);
        let mut arrivals = Arrivals::on_this_thread(queue);
        let now = Some(Instant::now());
        assert_eq!(arrivals.next(now), Arrival::Time);
        assert_eq!(arrivals.waiting(), None);
        for item in 1..=3 {
            sender.blocking_send(item).unwrap();
        }
        assert_eq!(arrivals.next(now), Arrival::Item(1));
        assert_eq!(arrivals.waiting(), Some(2));
        drop(sender);
        assert_eq!(arrivals.next(now), Arrival::Item(3));
        assert_eq!(arrivals.next(now), Arrival::Closed);
        assert_eq!(arrivals.next(None), Arrival::Closed);
    }

    #[test]
    fn an_item_ends_the_wait() {
        let much_later = Instant::now() + Duration::from_secs(3_600);
        for until in [None, Some(much_later)] {
            let (sender, queue) = mpsc::channel(1);
            let waiting = thread::spawn(move || {
                let mut arrivals = Arrivals::on_this_thread(queue);
                (arrivals.next(until), arrivals.next(until))
            });
            // Usually the thread is waiting by now.
            thread::sleep(Duration::from_millis(20));
            sender.blocking_send(7).unwrap();
            thread::sleep(Duration::from_millis(20));
            drop(sender);
            assert_eq!(waiting.join().unwrap(), (Arrival::Item(7), Arrival::Closed));
        }
    }

    #[test]
    fn the_time_ends_the_wait() {
        let (_sender, queue) = mpsc::channel::<()>(1);
        let mut arrivals = Arrivals::on_this_thread(queue);
        let until = Instant::now() + Duration::from_millis(20);
        assert_eq!(arrivals.next(Some(until)), Arrival::Time);
        assert!(Instant::now() >= until);
    }
}
