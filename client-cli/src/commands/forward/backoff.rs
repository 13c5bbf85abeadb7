//! When a webhook that was not taken is sent again.

use std::time::Duration;

use rand::RngExt;

/// The wait after the first failure, without jitter. It doubles with every further one.
const FIRST: Duration = Duration::from_secs(1);

/// Maximum wait, without jitter.
const MAX: Duration = Duration::from_secs(3 * 3_600);

/// Returns the wait after a number of failed attempts, at least 1: exponential, with a jitter that takes up to half
/// of it away. A receiver that asks for a longer wait gets it, up to the time for which a webhook is tried at all.
pub(super) fn wait_after(
    failures: u32,
    retry_after: Option<Duration>,
    give_up_after: Duration,
) -> Duration {
    let full = FIRST
        .saturating_mul(2_u32.saturating_pow(failures.saturating_sub(1)))
        .min(MAX);
    let jittered = full.mul_f64(rand::rng().random_range(0.5..=1.0));
    jittered.max(retry_after.unwrap_or_default().min(give_up_after))
}

#[cfg(test)]
mod tests {
    use super::*;

    const THREE_DAYS: Duration = Duration::from_secs(3 * 86_400);

    #[test]
    fn waits_double_up_to_hours() {
        for (failures, seconds) in [
            (1, 1),
            (2, 2),
            (5, 16),
            (14, 8_192),
            (15, 10_800),
            (u32::MAX, 10_800),
        ] {
            let full = Duration::from_secs(seconds);
            for _ in 0..100 {
                let wait = wait_after(failures, None, THREE_DAYS);
                assert!(full / 2 <= wait && wait <= full, "{failures}: {wait:?}");
            }
        }
    }

    #[test]
    fn a_receiver_is_given_the_time_that_it_asks_for() {
        let minute = Duration::from_secs(60);
        assert_eq!(wait_after(1, Some(minute), THREE_DAYS), minute);
        assert!(wait_after(15, Some(minute), THREE_DAYS) > minute);
        assert_eq!(wait_after(1, Some(Duration::MAX), THREE_DAYS), THREE_DAYS);
    }
}
