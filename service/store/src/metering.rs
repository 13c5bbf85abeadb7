//! **Metering** of stores: what they use for the work that runs on this thread, so that it can be charged; and of the
//! service itself: the processor time that belongs to no account.
//!
//! A store records it where the work goes on, not on threads of its own: the work that was running then may belong to
//! somebody else.
//!
//! Every thread hands over all of its processor time. Threads that serve connections take turns with the work of
//! accounts, and what they use between turns is the service's. Other threads read their own clock after each piece of
//! work ([`take_thread_time`]), so that waking up and handing over the result are in it.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::task::JoinError;

use crate::clock::thread_time;
use crate::long_work;

/// The resources that stores have used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StoreUse {
    /// The processor time on threads of stores.
    pub time: Duration,
    /// The lengths of keys and values as they were written, in bytes.
    pub bytes: u64,
}

impl StoreUse {
    /// Nothing.
    pub const ZERO: Self = Self {
        time: Duration::ZERO,
        bytes: 0,
    };
}

thread_local! {
    static USED: Cell<StoreUse> = const { Cell::new(StoreUse::ZERO) };
    /// The processor time of this thread that was taken.
    static TAKEN: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// The processor time of the service itself since the process started, in nanoseconds.
static OF_SERVICE: AtomicU64 = AtomicU64::new(0);

/// Records processor time that belongs to no account.
pub fn record_service_time(time: Duration) {
    let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
    OF_SERVICE.fetch_add(nanos, Ordering::Relaxed);
}

/// Returns the processor time that belongs to no account: accepting connections, drivers of stores and timers, the admin
/// port, health, logs and telemetry. It is the sum of what all threads of this process have recorded.
#[must_use]
pub fn service_time() -> Duration {
    Duration::from_nanos(OF_SERVICE.load(Ordering::Relaxed))
}

/// Returns the processor time that this thread has used since the last call here. It is for threads that have one piece
/// of work at a time.
#[must_use]
pub fn take_thread_time() -> Duration {
    let now = thread_time();
    now.saturating_sub(TAKEN.replace(now))
}

/// Processor time that a thread has used, on its way to whoever asked for the work. If nobody takes it, the service has
/// used it.
#[derive(Debug)]
pub struct UsedTime(Duration);

impl UsedTime {
    /// Passes this time on.
    #[must_use]
    pub fn new(time: Duration) -> Self {
        Self(time)
    }

    /// Takes the time, for whoever pays for it.
    #[must_use]
    pub fn take(mut self) -> Duration {
        std::mem::take(&mut self.0)
    }
}

impl Drop for UsedTime {
    fn drop(&mut self) {
        record_service_time(self.0);
    }
}

/// Runs long work on a thread of its own, and returns its result with the processor time of that thread.
///
/// # Errors
/// If the work panics.
pub async fn blocking<A: Send + 'static>(
    work: impl FnOnce() -> A + Send + 'static,
) -> Result<(A, UsedTime), JoinError> {
    let timed = || {
        let result = work();
        (result, UsedTime::new(take_thread_time()))
    };
    long_work::spawn(timed).await
}

/// Replaces what was recorded on this thread, and returns it.
pub fn replace(used: StoreUse) -> StoreUse {
    USED.replace(used)
}

/// Records processor time that a store has used on another thread.
pub fn record_time(time: Duration) {
    let used = USED.get();
    let time = used.time.saturating_add(time);
    USED.set(StoreUse { time, ..used });
}

/// Records bytes that were written to a store.
pub fn record_bytes(bytes: usize) {
    let used = USED.get();
    let more = u64::try_from(bytes).unwrap_or(u64::MAX);
    let bytes = used.bytes.saturating_add(more);
    USED.set(StoreUse { bytes, ..used });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_recorded_is_handed_over_once() {
        assert_eq!(replace(StoreUse::ZERO), StoreUse::ZERO);
        record_bytes(7);
        record_time(Duration::from_micros(3));
        let outer = replace(StoreUse::ZERO);
        record_bytes(1);
        let inner = replace(outer);
        assert_eq!((inner.bytes, inner.time), (1, Duration::ZERO));
        record_bytes(2);
        let all = replace(StoreUse::ZERO);
        assert_eq!((all.bytes, all.time), (9, Duration::from_micros(3)));
    }

    /// Uses this much processor time.
    fn run_for(time: Duration) {
        let end = thread_time() + time;
        while thread_time() < end {
            std::hint::spin_loop();
        }
    }

    /// Waking the thread and handing over the result of the last work belong to the time of the next.
    #[test]
    fn a_thread_hands_over_all_of_its_time() {
        let thread = std::thread::spawn(|| {
            let [first, second] = [3, 5].map(|millis| {
                run_for(Duration::from_millis(millis));
                take_thread_time()
            });
            (first, second, thread_time())
        });
        let (first, second, all) = thread.join().unwrap();
        assert!(first >= Duration::from_millis(3) && second >= Duration::from_millis(5));
        assert!(first + second <= all && all - first - second < Duration::from_millis(1));
    }

    /// Other tests of this process may record something meanwhile.
    #[tokio::test]
    async fn time_that_nobody_takes_is_the_services() {
        let work = || run_for(Duration::from_millis(2));
        let ((), time) = blocking(work).await.unwrap();
        let before = service_time();
        assert!(time.take() >= Duration::from_millis(2));
        let abandoned = UsedTime::new(Duration::from_secs(1_000));
        assert!(service_time() - before < Duration::from_secs(500));
        drop(abandoned);
        assert!(service_time() - before >= Duration::from_secs(1_000));
    }
}
