//! **Rate limits**: a token bucket for each account, filled in units of cost rather than in calls.
//!
//! A small call costs 1, which admission charges. Further cost is charged at the end of each turn, so that an account
//! can be in debt. Its calls are refused until the debt is paid off.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use quick_cache::sync::Cache;

use super::Usage;
use super::cost::{self, CALL_MILLICOST, Cost};
use crate::admission::TenantLimitTable;
use crate::authz::Account;
use crate::errors::ServiceError;

/// The maximum number of accounts that are tracked at once. An account that was evicted returns without debt: the price
/// of bounded memory.
const MAX_TRACKED_ACCOUNTS: usize = 65_536;

/// The cost of verifying an invalid token, in thousandths. Signatures of several keys may have to be checked.
const BAD_TOKEN_COST: u64 = 2 * CALL_MILLICOST;

/// The rate limit of each account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// The sustained rate, in small calls per second.
    pub per_second: NonZeroU32,
    /// The burst after a pause, in small calls.
    pub burst: NonZeroU32,
}

/// The rest of a budget of which less than half of the burst is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LowBudget {
    /// The rest of the burst, in small calls, rounded down.
    pub remaining: u64,
    /// The burst after a pause, in small calls.
    pub burst: NonZeroU32,
    /// The time in which a burst that was used up recovers.
    pub window: Duration,
    /// The time until the whole burst has recovered.
    pub reset: Duration,
}

/// The token buckets of all accounts, and the meters of their use.
pub struct RateLimiter {
    rate: Option<Rate>,
    /// The limits of individual tenants, which override `rate`.
    tenant_limits: Arc<TenantLimitTable>,
    epoch: Instant,
    /// The time at which each account will have paid off its use, in nanoseconds since `epoch`. An account without debt
    /// has a time in the past.
    tat: Cache<Account, Arc<AtomicU64>>,
    /// The meters, which also count accounts without a rate limit.
    usage: Usage,
}

impl RateLimiter {
    /// Creates budgets with this rate for each game, each user, and each tenant itself. With a `rate` of `None` there
    /// is no limit.
    #[must_use]
    pub fn new(rate: Option<Rate>) -> Self {
        Self::with_tenant_limits(rate, Arc::default())
    }

    /// Creates budgets like [`RateLimiter::new`], with overrides for individual tenants that can change later.
    pub(crate) fn with_tenant_limits(
        rate: Option<Rate>,
        tenant_limits: Arc<TenantLimitTable>,
    ) -> Self {
        Self {
            rate,
            tenant_limits,
            epoch: Instant::now(),
            tat: Cache::new(MAX_TRACKED_ACCOUNTS),
            usage: Usage::default(),
        }
    }

    /// Returns the meters, which operators can read.
    #[must_use]
    pub fn usage(&self) -> &Usage {
        &self.usage
    }

    /// Admits a call and charges the minimum cost. Returns what is left of the budget, if that is less than half of the
    /// burst.
    ///
    /// # Errors
    /// If the account has used up its budget; the error says how long to wait.
    pub fn admit(&self, account: Account) -> Result<Option<LowBudget>, ServiceError> {
        self.try_charge(account, CALL_MILLICOST)
    }

    /// Returns what is left of the budget of an account, if that is less than half of the burst.
    #[must_use]
    pub fn low_budget(&self, account: Account) -> Option<LowBudget> {
        let rate = self.rate_of(account)?;
        let tat = self.tat_of(account).load(Ordering::Relaxed);
        low_budget(rate, tat.saturating_sub(self.nanos_since_epoch()))
    }

    fn try_charge(
        &self,
        account: Account,
        millicost: u64,
    ) -> Result<Option<LowBudget>, ServiceError> {
        let Some(rate) = self.rate_of(account) else {
            return Ok(None);
        };
        let burst_nanos = burst_nanos(rate);
        let (now, cost_nanos) = (self.nanos_since_epoch(), emission_nanos(rate, millicost));
        let advance_if_within_burst = |tat: u64| {
            let new_tat = tat.max(now).saturating_add(cost_nanos);
            (new_tat - now <= burst_nanos).then_some(new_tat)
        };
        let tat = self.tat_of(account);
        let updated = tat.fetch_update(
            Ordering::Relaxed,
            Ordering::Relaxed,
            advance_if_within_burst,
        );
        let owed_before = |tat: u64| tat.saturating_sub(now);
        let left = |tat| low_budget(rate, owed_before(tat).saturating_add(cost_nanos));
        updated.map(left).map_err(|tat| {
            let retry_nanos = (tat.max(now) - now).saturating_add(cost_nanos);
            ServiceError::RateLimited {
                retry_after: Duration::from_nanos(retry_nanos.saturating_sub(burst_nanos)),
            }
        })
    }

    /// Checks that the account is not in debt, without charging it.
    ///
    /// # Errors
    /// If the account has used up its budget.
    pub fn ensure_within_limit(&self, account: Account) -> Result<(), ServiceError> {
        self.try_charge(account, 0).map(drop)
    }

    /// Charges the account for an invalid token.
    pub fn charge_bad_token(&self, account: Account) {
        self.charge(account, BAD_TOKEN_COST);
    }

    /// Returns how long work that no call asks for waits before it may begin. `leaves_half` means that it leaves half of
    /// the burst to other work of the account. Returns `None` if it may begin now.
    pub(crate) fn background_wait(&self, account: Account, leaves_half: bool) -> Option<Duration> {
        let rate = self.rate_of(account)?;
        let burst = burst_nanos(rate);
        let usable = if leaves_half { burst / 2 } else { burst };
        let owed_nanos = self
            .tat_of(account)
            .load(Ordering::Relaxed)
            .saturating_sub(self.nanos_since_epoch());
        let wait_nanos = owed_nanos.checked_sub(usable)?;
        (wait_nanos > 0).then(|| Duration::from_nanos(wait_nanos))
    }

    /// Charges the account for processor time on a thread that takes no turns with calls.
    pub(crate) fn charge_thread_time(&self, account: Account, time: Duration) {
        let cost = Cost { time, ..Cost::ZERO };
        self.usage.meter(account).count_slice(cost, Instant::now());
        self.charge(account, cost.millicost());
    }

    /// Charges the account for what it used, even if that puts it in debt.
    pub(super) fn charge(&self, account: Account, millicost: u64) {
        let Some(rate) = self.rate_of(account) else {
            return;
        };
        let (now, cost_nanos) = (self.nanos_since_epoch(), emission_nanos(rate, millicost));
        let advance = |tat: u64| Some(tat.max(now).saturating_add(cost_nanos));
        let tat = self.tat_of(account);
        let _always = tat.fetch_update(Ordering::Relaxed, Ordering::Relaxed, advance);
    }

    fn rate_of(&self, account: Account) -> Option<Rate> {
        if account == Account::EVERYBODY {
            return None;
        }
        let tenant_limits = self.tenant_limits.for_account(account);
        let per_second = match tenant_limits.rate {
            Some(rate) => NonZeroU32::new(rate)?,
            None => self.rate?.per_second,
        };
        let default_burst = self.rate.map_or(per_second, |rate| rate.burst);
        let burst = tenant_limits
            .burst
            .and_then(NonZeroU32::new)
            .unwrap_or(default_burst);
        Some(Rate { per_second, burst })
    }

    fn tat_of(&self, account: Account) -> Arc<AtomicU64> {
        let new = || Ok::<_, std::convert::Infallible>(Arc::default());
        let Ok(tat) = self.tat.get_or_insert_with(&account.second_level(), new);
        tat
    }

    fn nanos_since_epoch(&self) -> u64 {
        cost::nanos(self.epoch.elapsed())
    }
}

/// Returns the time in which a burst that was used up recovers, in nanoseconds.
fn burst_nanos(rate: Rate) -> u64 {
    emission_nanos(rate, u64::from(rate.burst.get()) * CALL_MILLICOST)
}

/// Returns what is left of a budget, in which this time is owed, if that is less than half of the burst.
fn low_budget(rate: Rate, owed_nanos: u64) -> Option<LowBudget> {
    let burst_nanos = burst_nanos(rate);
    if owed_nanos <= burst_nanos / 2 {
        return None;
    }
    let left_nanos = u128::from(burst_nanos.saturating_sub(owed_nanos));
    let remaining = left_nanos * u128::from(rate.per_second.get()) / 1_000_000_000;
    Some(LowBudget {
        remaining: u64::try_from(remaining).unwrap_or(u64::MAX),
        burst: rate.burst,
        window: Duration::from_nanos(burst_nanos),
        reset: Duration::from_nanos(owed_nanos),
    })
}

/// Converts a cost to the time in which it is paid off at this rate, in nanoseconds.
fn emission_nanos(rate: Rate, millicost: u64) -> u64 {
    millicost.saturating_mul(1_000_000_000 / CALL_MILLICOST) / u64::from(rate.per_second.get())
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use uuid::Uuid;

    use super::*;
    use crate::admission::TenantLimits;

    fn budgets(per_second: u32, burst: u32) -> RateLimiter {
        let number = |number| NonZeroU32::new(number).unwrap();
        RateLimiter::new(Some(Rate {
            per_second: number(per_second),
            burst: number(burst),
        }))
    }

    fn admitted(budgets: &RateLimiter, account: Account) -> usize {
        (0..1_000)
            .take_while(|_| budgets.admit(account).is_ok())
            .count()
    }

    #[test]
    fn each_account_has_its_burst_and_learns_when_to_retry() {
        let budgets = budgets(1, 3);
        let red = Account::of_tenant("red");
        assert_eq!(admitted(&budgets, red), 3);
        let Err(ServiceError::RateLimited { retry_after: wait }) = budgets.admit(red) else {
            panic!("the burst is used up");
        };
        assert!(
            !wait.is_zero() && wait <= Duration::from_secs(1),
            "{wait:?}"
        );
        assert_eq!(admitted(&budgets, Account::of_tenant("blue")), 3);
        assert_eq!(admitted(&budgets, Account::EVERYBODY), 1_000);
    }

    #[test]
    fn tokens_of_one_game_and_its_forks_have_one_budget() {
        let budgets = budgets(1, 6);
        let seat = |seat| {
            let red = Account::of_tenant("red");
            Account::of_token_holder(
                red,
                Uuid::from_u128(7),
                gamekeeper_rules::table::Seat::new(seat),
            )
        };
        assert_eq!(admitted(&budgets, seat(1)), 6);
        assert_eq!(admitted(&budgets, seat(2)), 0);
        assert_eq!(admitted(&budgets, Account::of_tenant("red")), 6);
    }

    #[test]
    fn a_tenant_may_have_a_budget_of_its_own() {
        let limits = Arc::<TenantLimitTable>::default();
        let general = budgets(1, 3).rate;
        let budgets = RateLimiter::with_tenant_limits(general, Arc::clone(&limits));
        let tenant_limits = |rate, burst| TenantLimits {
            rate,
            burst,
            ..TenantLimits::default()
        };
        let with =
            |tenant_limits| limits.replace(&HashMap::from([(String::from("red"), tenant_limits)]));
        let (red, blue) = (Account::of_tenant("red"), Account::of_tenant("blue"));
        with(tenant_limits(Some(1), Some(9)));
        assert_eq!(admitted(&budgets, red), 9);
        assert_eq!(admitted(&budgets, blue), 3);
        with(tenant_limits(Some(1), Some(14)));
        assert_eq!(admitted(&budgets, red), 5, "read again");
        with(tenant_limits(Some(0), None));
        assert_eq!(admitted(&budgets, red), 1_000, "no limit");
        with(tenant_limits(Some(1), Some(2)));
        let unlimited = RateLimiter::with_tenant_limits(None, limits);
        assert_eq!(admitted(&unlimited, blue), 1_000);
        assert_eq!(admitted(&unlimited, red), 2);
    }

    #[test]
    fn a_budget_is_told_when_less_than_half_of_it_is_left() {
        let budgets = budgets(1, 10);
        let red = Account::of_tenant("red");
        for call in 1..=10 {
            let low = budgets.admit(red).unwrap();
            let remaining = low.map(|low| low.remaining);
            assert_eq!(remaining, (call > 5).then_some(10 - call));
            assert_eq!(budgets.low_budget(red).is_some(), low.is_some());
        }
        let low = budgets.low_budget(red).unwrap();
        assert_eq!((low.burst.get(), low.window), (10, Duration::from_secs(10)));
        assert!(low.reset > Duration::from_secs(9) && low.reset <= low.window);
        budgets.charge(red, 100 * CALL_MILLICOST);
        assert!(budgets.admit(red).is_err());
        let in_debt = budgets.low_budget(red).unwrap();
        assert_eq!(in_debt.remaining, 0);
        assert!(in_debt.reset > Duration::from_secs(100));
        assert_eq!(budgets.low_budget(Account::EVERYBODY), None);
    }

    #[test]
    fn work_that_no_call_asks_for_waits_for_its_budget() {
        let budgets = budgets(1, 100);
        let red = Account::of_tenant("red");
        let wait = |leaves_half| budgets.background_wait(red, leaves_half);
        assert_eq!(wait(true), None);
        budgets.charge_thread_time(red, Duration::from_millis(15));
        assert!(wait(true).is_some_and(|wait| wait <= Duration::from_secs(10)));
        assert_eq!(wait(false), None);
        assert_eq!(admitted(&budgets, red), 40, "60 are used up");
        budgets.charge_thread_time(red, Duration::from_millis(15));
        assert!(wait(false).is_some_and(|wait| wait > Duration::from_secs(50)));
        assert!(wait(true) > wait(false));
        let used = budgets.usage().meter(red).consumption();
        assert_eq!(used.time, Duration::from_millis(30));
        assert_eq!(budgets.background_wait(Account::EVERYBODY, true), None);
    }

    #[test]
    fn debts_are_paid_off_in_time() {
        let budgets = budgets(1_000, 10);
        let red = Account::of_tenant("red");
        budgets.charge(red, 100 * CALL_MILLICOST);
        let Err(ServiceError::RateLimited { retry_after: wait }) = budgets.admit(red) else {
            panic!("in debt");
        };
        assert!(wait > Duration::from_millis(80), "{wait:?}");
        std::thread::sleep(wait);
        assert!(budgets.admit(red).is_ok());
    }
}
