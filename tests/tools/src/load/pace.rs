//! A **rate limit** on the client's own calls, spread evenly over the games.

use std::time::Duration;

use tokio::time::{Instant, sleep_until};

/// The schedule of one game's calls: one in each period.
pub(crate) struct Pace {
    period: Duration,
    next: Instant,
}

impl Pace {
    /// Creates the schedule of one of these games, which together make `rate` calls a second. The games start one after
    /// another within the period: if all called at the same moment, each would wait for the others. Timers have steps
    /// of a millisecond, so the calls of one millisecond still start together.
    pub(crate) fn of(number: u32, games: u32, rate: u32) -> Self {
        let share = |games: u32| Duration::from_secs(1) * games / rate;
        Self {
            period: share(games),
            next: Instant::now() + share(number),
        }
    }

    /// Waits until the next call may begin.
    pub(crate) async fn wait(&mut self) {
        sleep_until(self.turn(Instant::now())).await;
    }

    /// Returns the start of the next call: at once if it is late. Calls missed by more than a period are skipped.
    fn turn(&mut self, now: Instant) -> Instant {
        while self.next + self.period < now {
            self.next += self.period;
        }
        let turn = self.next;
        self.next += self.period;
        turn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_game_has_its_own_turn_in_each_period() {
        let now = Instant::now();
        let after = |millis| now + Duration::from_millis(millis);
        let mut pace = Pace::of(1, 4, 100);
        pace.next = after(10);
        let turns = [0, 10, 50].map(|millis| pace.turn(after(millis)));
        assert_eq!(turns, [10, 50, 90].map(after));
        // One call took a little too long, and one much too long.
        let turns = [131, 132, 291, 292].map(|millis| pace.turn(after(millis)));
        assert_eq!(turns, [130, 170, 290, 330].map(after));
    }
}
