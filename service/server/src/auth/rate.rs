//! Rate limits of callers.

use std::convert::Infallible;
use std::num::NonZeroU32;
use std::sync::Arc;

use gamekeeper_games::access::Role;
use gamekeeper_games::problem::Problem;
use governor::clock::{Clock, MonotonicClock};
use governor::nanos::Nanos;
use governor::state::{InMemoryState, NotKeyed, StateStore};
use governor::{Quota, RateLimiter};
use quick_cache::sync::Cache;

/// The number of callers that are tracked at once. A caller that was evicted comes back with a full
/// burst: the price of bounded memory.
const CALLERS: usize = 65_536;

/// The rate limit of each caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// The sustained rate, in calls per second.
    pub per_second: NonZeroU32,
    /// Calls at once, after a pause.
    pub burst: NonZeroU32,
}

/// Counts the calls of each caller.
pub(super) struct Rates {
    limiter: RateLimiter<Role, Callers, MonotonicClock>,
}

impl Rates {
    pub(super) fn new(rate: Rate) -> Self {
        let quota = Quota::per_second(rate.per_second).allow_burst(rate.burst);
        let callers = Callers(Cache::new(CALLERS));
        Self {
            limiter: RateLimiter::new(quota, callers, MonotonicClock),
        }
    }

    /// Counts one call.
    ///
    /// # Errors
    /// When the caller exceeds the limit.
    pub(super) fn count(&self, caller: &Role) -> Result<(), Problem> {
        self.limiter
            .check_key(caller)
            .map_err(|until| Problem::TooFast {
                wait: until.wait_time_from(self.limiter.clock().now()),
            })
    }
}

/// The state of each caller.
struct Callers(Cache<Role, Arc<InMemoryState>>);

impl StateStore for Callers {
    type Key = Role;

    fn measure_and_replace<T, F, E>(&self, caller: &Role, measure: F) -> Result<T, E>
    where
        F: Fn(Option<Nanos>) -> Result<(T, Nanos), E>,
    {
        let new = || Ok::<_, Infallible>(Arc::default());
        let Ok(state) = self.0.get_or_insert_with(caller, new);
        state.measure_and_replace(&NotKeyed::NonKey, measure)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn rates(per_second: u32, burst: u32) -> Rates {
        let number = |number| NonZeroU32::new(number).unwrap();
        Rates::new(Rate {
            per_second: number(per_second),
            burst: number(burst),
        })
    }

    fn spectator(game: u128) -> Role {
        Role::Spectator {
            game: Uuid::from_u128(game),
            generation: 0,
            birth: None,
        }
    }

    fn tenant(name: &str) -> Role {
        Role::Tenant(name.to_owned())
    }

    #[test]
    fn a_burst_is_let_through_and_the_next_call_is_refused_with_a_delay() {
        // So slow that nothing is refilled during the test.
        let rates = rates(1, 3);
        for _ in 0..3 {
            rates.count(&tenant("red")).unwrap();
        }
        let Err(Problem::TooFast { wait }) = rates.count(&tenant("red")) else {
            panic!("one too many");
        };
        assert!(wait.as_millis() > 0 && wait.as_secs() <= 1, "{wait:?}");
    }

    #[test]
    fn callers_do_not_use_up_each_others_calls() {
        let rates = rates(1, 1);
        let spectator = spectator(1);
        for caller in [tenant("red"), tenant("blue"), Role::Operator, spectator] {
            rates.count(&caller).unwrap();
            assert!(rates.count(&caller).is_err(), "{caller:?}");
        }
    }

    #[test]
    fn memory_is_bounded() {
        let rates = rates(1, 1);
        for game in 0..2 * CALLERS as u128 {
            let _counted = rates.count(&spectator(game));
        }
        let known = rates.limiter.into_state_store().0.len();
        assert!(
            (CALLERS / 2..=CALLERS + CALLERS / 8).contains(&known),
            "{known}"
        );
    }
}
