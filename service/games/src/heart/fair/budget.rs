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
use super::cost::{self, CALL};
use crate::heart::access::{Account, Limits};
use crate::heart::problem::Problem;

/// The maximum number of accounts that are tracked at once. An account that was evicted returns without debt: the price
/// of bounded memory.
const ACCOUNTS: usize = 65_536;

/// The cost of verifying an invalid token, in thousandths. Signatures of several keys may have to be checked.
const TOKEN: u64 = 2 * CALL;

/// The rate limit of each account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// The sustained rate, in small calls per second.
    pub per_second: NonZeroU32,
    /// The burst after a pause, in small calls.
    pub burst: NonZeroU32,
}

/// The token buckets of all accounts, and the meters of their use.
pub struct Budgets {
    rate: Option<Rate>,
    /// The limits of individual tenants, which override `rate`.
    limits: Arc<Limits>,
    begun: Instant,
    /// The time at which each account will have paid off its use, in nanoseconds since `begun`. An account without debt
    /// has a time in the past.
    paid_off: Cache<Account, Arc<AtomicU64>>,
    /// The meters, which also count accounts without a rate limit.
    usage: Usage,
}

impl Budgets {
    /// Creates budgets with this rate for each game, each user, and each tenant itself. With a `rate` of `None` there
    /// is no limit.
    #[must_use]
    pub fn new(rate: Option<Rate>) -> Self {
        Self::limited(rate, Arc::default())
    }

    /// Creates budgets like [`Budgets::new`], with overrides for individual tenants that can change later.
    pub(crate) fn limited(rate: Option<Rate>, limits: Arc<Limits>) -> Self {
        Self {
            rate,
            limits,
            begun: Instant::now(),
            paid_off: Cache::new(ACCOUNTS),
            usage: Usage::default(),
        }
    }

    /// Returns the meters, which operators can read.
    #[must_use]
    pub fn usage(&self) -> &Usage {
        &self.usage
    }

    /// Admits a call and charges the minimum cost.
    ///
    /// # Errors
    /// If the account has used up its budget; the error says how long to wait.
    pub fn admit(&self, account: Account) -> Result<(), Problem> {
        self.try_to_use(account, CALL)
    }

    fn try_to_use(&self, account: Account, thousandths: u64) -> Result<(), Problem> {
        let Some(rate) = self.rate_of(account) else {
            return Ok(());
        };
        let burst = nanos(rate, u64::from(rate.burst.get()) * CALL);
        let (now, cost) = (self.now(), nanos(rate, thousandths));
        let admitted = |paid_off: u64| {
            let after = paid_off.max(now).saturating_add(cost);
            (after - now <= burst).then_some(after)
        };
        let used = self.used(account);
        let changed = used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, admitted);
        changed.map(drop).map_err(|paid_off| {
            let wait = (paid_off.max(now) - now).saturating_add(cost);
            Problem::TooFast {
                wait: Duration::from_nanos(wait.saturating_sub(burst)),
            }
        })
    }

    /// Checks that the account is not in debt, without charging it.
    ///
    /// # Errors
    /// If the account has used up its budget.
    pub fn check(&self, account: Account) -> Result<(), Problem> {
        self.try_to_use(account, 0)
    }

    /// Charges the account for an invalid token.
    pub fn pay_for_token(&self, account: Account) {
        self.pay(account, TOKEN);
    }

    /// Charges the account for what it used, even if that puts it in debt.
    pub(super) fn pay(&self, account: Account, thousandths: u64) {
        let Some(rate) = self.rate_of(account) else {
            return;
        };
        let (now, cost) = (self.now(), nanos(rate, thousandths));
        let paid = |paid_off: u64| Some(paid_off.max(now).saturating_add(cost));
        let used = self.used(account);
        let _always = used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, paid);
    }

    fn rate_of(&self, account: Account) -> Option<Rate> {
        if account == Account::EVERYBODY {
            return None;
        }
        let own = self.limits.of(account);
        let per_second = match own.rate {
            Some(rate) => NonZeroU32::new(rate)?,
            None => self.rate?.per_second,
        };
        let of_all = self.rate.map_or(per_second, |rate| rate.burst);
        let burst = own.burst.and_then(NonZeroU32::new).unwrap_or(of_all);
        Some(Rate { per_second, burst })
    }

    fn used(&self, account: Account) -> Arc<AtomicU64> {
        let new = || Ok::<_, std::convert::Infallible>(Arc::default());
        let Ok(used) = self.paid_off.get_or_insert_with(&account.of_game(), new);
        used
    }

    fn now(&self) -> u64 {
        cost::nanos(self.begun.elapsed())
    }
}

/// Converts a cost to the time in which it is paid off at this rate, in nanoseconds.
fn nanos(rate: Rate, thousandths: u64) -> u64 {
    thousandths.saturating_mul(1_000_000_000 / CALL) / u64::from(rate.per_second.get())
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use uuid::Uuid;

    use super::*;
    use crate::heart::access::OwnLimits;

    fn budgets(per_second: u32, burst: u32) -> Budgets {
        let number = |number| NonZeroU32::new(number).unwrap();
        Budgets::new(Some(Rate {
            per_second: number(per_second),
            burst: number(burst),
        }))
    }

    fn admitted(budgets: &Budgets, account: Account) -> usize {
        (0..1_000)
            .take_while(|_| budgets.admit(account).is_ok())
            .count()
    }

    #[test]
    fn each_account_has_its_burst_and_learns_when_to_retry() {
        let budgets = budgets(1, 3);
        let red = Account::of_tenant("red");
        assert_eq!(admitted(&budgets, red), 3);
        let Err(Problem::TooFast { wait }) = budgets.admit(red) else {
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
            Account::of_token(
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
        let limits = Arc::<Limits>::default();
        let general = budgets(1, 3).rate;
        let budgets = Budgets::limited(general, Arc::clone(&limits));
        let own = |rate, burst| OwnLimits {
            rate,
            burst,
            ..OwnLimits::default()
        };
        let with = |own| limits.replace(&HashMap::from([(String::from("red"), own)]));
        let (red, blue) = (Account::of_tenant("red"), Account::of_tenant("blue"));
        with(own(Some(1), Some(9)));
        assert_eq!(admitted(&budgets, red), 9);
        assert_eq!(admitted(&budgets, blue), 3);
        with(own(Some(1), Some(14)));
        assert_eq!(admitted(&budgets, red), 5, "read again");
        with(own(Some(0), None));
        assert_eq!(admitted(&budgets, red), 1_000, "no limit");
        with(own(Some(1), Some(2)));
        let unlimited = Budgets::limited(None, limits);
        assert_eq!(admitted(&unlimited, blue), 1_000);
        assert_eq!(admitted(&unlimited, red), 2);
    }

    #[test]
    fn debts_are_paid_off_in_time() {
        let budgets = budgets(1_000, 10);
        let red = Account::of_tenant("red");
        budgets.pay(red, 100 * CALL);
        let Err(Problem::TooFast { wait }) = budgets.admit(red) else {
            panic!("in debt");
        };
        assert!(wait > Duration::from_millis(80), "{wait:?}");
        std::thread::sleep(wait);
        assert!(budgets.admit(red).is_ok());
    }
}
