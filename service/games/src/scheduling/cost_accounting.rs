//! **Metering** of the running turn: counters of the resources that it has used so far.
//!
//! Turns are timed by the monotonic clock, which is cheap to read, and corrected by the processor clock of the thread: a
//! busy machine, or a limit of its processor, may take the thread off its core in the middle of a turn. That makes the
//! turn long, so the processor clock is read after long turns only, and now and then.
//!
//! A reading also tells what a thread uses between turns: drivers of stores and timers, accepting, the admin port. That
//! is the time of the service itself. A thread without turns settles it now and then.

use std::cell::Cell;
use std::time::Duration;

use gamekeeper_store::clock::thread_time;
use gamekeeper_store::metering::{self, StoreUse};
use tokio::time::Instant;

use super::cost::{self, Cost};

/// The time of a turn after which the processor clock is read.
const LONG_TURN: Duration = Duration::from_micros(100);

/// The sum of the times of turns after which the processor clock is read.
const READING_INTERVAL: Duration = Duration::from_millis(1);

thread_local! {
    /// The bytes that the running turn has written so far, and the time of turns nested in it.
    static ACCUMULATED_COST: Cell<Cost> = const { Cell::new(Cost::ZERO) };
    /// Whether work on this thread is being measured.
    static IS_MEASURING: Cell<bool> = const { Cell::new(false) };
    /// The readings of the processor clock of this thread.
    static PROCESSOR_CLOCK: Cell<ProcessorClock> = const { Cell::new(ProcessorClock::NEW) };
}

/// The readings of the processor clock of a thread.
#[derive(Clone, Copy, Debug)]
struct ProcessorClock {
    /// The processor time of the thread at the last reading, less what a running turn had used of it.
    read_at: Duration,
    /// The time of turns since the last reading, with what turns before it were charged too much.
    timed: Duration,
}

impl ProcessorClock {
    const NEW: Self = Self {
        read_at: Duration::ZERO,
        timed: Duration::ZERO,
    };

    /// Returns the time with which a turn that took `own` is charged: turns since the last reading are charged at most
    /// with the processor time since then. A long turn is the one that was interrupted, so what they took too long is
    /// taken off the last one. `is_nested` means that another turn goes on around it.
    fn charge(
        &mut self,
        own: Duration,
        is_nested: bool,
        read: impl FnOnce() -> Duration,
    ) -> Charge {
        self.timed += own;
        if own <= LONG_TURN && self.timed < READING_INTERVAL {
            return Charge {
                turn: own,
                between: Duration::ZERO,
            };
        }
        let now = read();
        let used = now.saturating_sub(self.read_at);
        let excess = self.timed.saturating_sub(used);
        let between = used.saturating_sub(self.timed);
        // The outer turn will be timed from its beginning.
        let (read_at, between) = match is_nested {
            true => (now.saturating_sub(between), Duration::ZERO),
            false => (now, between),
        };
        *self = Self {
            read_at,
            // Turns before this one were interrupted too, and the next reading takes that off.
            timed: excess.saturating_sub(own),
        };
        Charge {
            turn: own.saturating_sub(excess),
            between,
        }
    }

    /// Reads the clock where no turn is running, and returns the time since the last reading without that of turns.
    fn settle(&mut self, now: Duration) -> Duration {
        let used = now.saturating_sub(self.read_at);
        let between = used.saturating_sub(self.timed);
        *self = Self {
            read_at: now,
            timed: self.timed.saturating_sub(used),
        };
        between
    }
}

/// The parts of the time of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Charge {
    /// The time with which the last turn is charged.
    turn: Duration,
    /// The time between turns since the last reading.
    between: Duration,
}

/// The resources that work has used.
pub(super) struct Measured<A> {
    /// The result of the work.
    pub(super) output: A,
    /// The resources, without those of nested turns.
    pub(super) cost: Cost,
    /// The time at which the work ended. Whoever needs the time next takes this one, since the clock is read often.
    pub(super) ended: Instant,
    /// The duration, including nested turns and times in which the thread did not run.
    pub(super) elapsed: Duration,
    /// The part of the duration in which the thread did not run, without nested turns.
    pub(super) interrupted: Duration,
    /// The time for which the work held its thread, without nested turns and interruptions.
    pub(super) held: Duration,
}

/// Counts a response of this many bytes for the running turn.
pub fn record_written(bytes: usize) {
    let accumulated = ACCUMULATED_COST.get();
    let written = accumulated
        .written
        .saturating_add(cost::bytes_as_u64(bytes));
    ACCUMULATED_COST.set(Cost {
        written,
        ..accumulated
    });
}

/// The mark that work on this thread is being measured. Dropping it restores what was before, even if the work panics.
struct MeasuringGuard {
    is_nested: bool,
}

impl MeasuringGuard {
    fn start() -> Self {
        let is_nested = IS_MEASURING.replace(true);
        Self { is_nested }
    }
}

impl Drop for MeasuringGuard {
    fn drop(&mut self) {
        IS_MEASURING.set(self.is_nested);
    }
}

/// Runs work and measures it, with what stores used for it. Work that is measured within other work is no part of it.
pub(super) fn measure<A>(work: impl FnOnce() -> A) -> Measured<A> {
    let measuring = MeasuringGuard::start();
    let is_nested = measuring.is_nested;
    let outer_cost = ACCUMULATED_COST.replace(Cost::ZERO);
    let outer_use = metering::replace(StoreUse::ZERO);
    let started = Instant::now();
    let output = work();
    let ended = Instant::now();
    let elapsed = ended.saturating_duration_since(started);
    let store_use = metering::replace(outer_use);
    let inner_cost = ACCUMULATED_COST.get();
    ACCUMULATED_COST.set(match is_nested {
        true => Cost {
            time: outer_cost.time.saturating_add(elapsed),
            ..outer_cost
        },
        false => outer_cost,
    });
    let own = elapsed.saturating_sub(inner_cost.time);
    let mut clock = PROCESSOR_CLOCK.get();
    let charge = clock.charge(own, is_nested, thread_time);
    PROCESSOR_CLOCK.set(clock);
    if charge.between > Duration::ZERO {
        metering::record_service_time(charge.between);
    }
    let time = charge.turn;
    Measured {
        output,
        cost: Cost {
            time: time.saturating_add(store_use.time),
            stored: store_use.bytes,
            ..inner_cost
        },
        ended,
        elapsed,
        interrupted: own.saturating_sub(time),
        held: time,
    }
}

/// Records what this thread, and stores for it, have used since the last reading for no account, as the service's own
/// time. Does nothing while work of an account is running.
pub fn settle() {
    if IS_MEASURING.get() {
        return;
    }
    let store_use = metering::replace(StoreUse::ZERO);
    let mut clock = PROCESSOR_CLOCK.get();
    let between = clock.settle(thread_time());
    PROCESSOR_CLOCK.set(clock);
    metering::record_service_time(between.saturating_add(store_use.time));
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn micros(micros: u64) -> Duration {
        Duration::from_micros(micros)
    }

    /// A turn that takes this long by the monotonic clock, and the reading of the processor clock if there is one.
    fn charge(clock: &mut ProcessorClock, own: u64, reading: Option<u64>) -> Charge {
        let mut is_read = false;
        let charge = clock.charge(micros(own), false, || {
            is_read = true;
            micros(reading.unwrap_or_default())
        });
        assert_eq!(is_read, reading.is_some());
        charge
    }

    fn charged(clock: &mut ProcessorClock, own: u64, reading: Option<u64>) -> Duration {
        charge(clock, own, reading).turn
    }

    #[test]
    fn the_processor_clock_is_read_after_a_long_turn_and_after_each_millisecond_of_turns() {
        let mut clock = ProcessorClock::NEW;
        assert_eq!(charged(&mut clock, 101, Some(500)), micros(101));
        for turn in 1..=10 {
            let reading = (turn == 10).then_some(2_000);
            assert_eq!(charged(&mut clock, 100, reading), micros(100));
        }
        assert_eq!(charged(&mut clock, 100, None), micros(100));
    }

    #[test]
    fn a_turn_that_was_interrupted_is_charged_with_what_it_ran() {
        let mut clock = ProcessorClock::NEW;
        assert_eq!(charged(&mut clock, 200, Some(1_000)), micros(200));
        assert_eq!(charged(&mut clock, 50, None), micros(50));
        // The thread was away for 40 ms.
        assert_eq!(charged(&mut clock, 40_300, Some(1_350)), micros(300));
        assert_eq!(charged(&mut clock, 5_000, Some(1_350)), Duration::ZERO);
        assert_eq!(charged(&mut clock, 300, Some(9_000)), micros(300));
    }

    /// Together, turns are charged with no more than the thread ran.
    #[test]
    fn what_short_turns_took_too_long_is_taken_off_later_ones() {
        let mut clock = ProcessorClock::NEW;
        assert_eq!(charged(&mut clock, 200, Some(1_000)), micros(200));
        for _ in 0..10 {
            assert_eq!(charged(&mut clock, 95, None), micros(95));
        }
        // They had 500 us and not 950, and this one 50.
        assert_eq!(charged(&mut clock, 50, Some(1_550)), Duration::ZERO);
        assert_eq!(charged(&mut clock, 90, None), micros(90));
        assert_eq!(charged(&mut clock, 520, Some(2_160)), micros(120));
    }

    /// A turn nested in another one has its reading in the middle of that one.
    #[test]
    fn a_reading_within_a_turn_takes_nothing_from_it() {
        let mut clock = ProcessorClock::NEW;
        assert_eq!(charged(&mut clock, 200, Some(1_000)), micros(200));
        // The outer turn runs for 90 us, the nested one for 150 us, and the outer one for another 60 us.
        let nested = clock.charge(micros(150), true, || micros(1_240));
        assert_eq!((nested.turn, nested.between), (micros(150), Duration::ZERO));
        let outer = charge(&mut clock, 150, Some(1_300));
        assert_eq!((outer.turn, outer.between), (micros(150), Duration::ZERO));
    }

    /// All readings together give the time of the thread, whichever turns it had.
    #[test]
    fn what_a_thread_uses_between_turns_is_what_turns_have_not() {
        let mut clock = ProcessorClock::NEW;
        let first = charge(&mut clock, 200, Some(1_000));
        assert_eq!((first.turn, first.between), (micros(200), micros(800)));
        assert_eq!(charge(&mut clock, 90, None).between, Duration::ZERO);
        let second = charge(&mut clock, 300, Some(1_490));
        assert_eq!((second.turn, second.between), (micros(300), micros(100)));
        assert_eq!(clock.settle(micros(1_700)), micros(210));
        assert_eq!(charged(&mut clock, 60, None), micros(60));
        assert_eq!(clock.settle(micros(1_800)), micros(40));
    }
}
