//! Budgets: what an account may use in a while, in what it costs rather than in calls.
//!
//! A small call costs 1. What a call turns out to cost beyond that is paid at the end of each turn, so that an account
//! can be in debt, and is refused until that is paid off.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use quick_cache::sync::Cache;

use super::Usage;
use super::cost::CALL;
use crate::heart::access::{Account, Limits};
use crate::heart::problem::Problem;

/// The number of accounts that are tracked at once. One that was evicted comes back without debt: the price of bounded
/// memory.
const ACCOUNTS: usize = 65_536;

/// What a token costs that is not valid: signatures of several keys may have to be verified.
const TOKEN: u64 = 2 * CALL;

/// The budget of each account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Small calls a second.
    pub per_second: NonZeroU32,
    /// Small calls at once, after a pause.
    pub burst: NonZeroU32,
}

/// What accounts have used.
pub struct Budgets {
    rate: Option<Rate>,
    /// Of single tenants.
    limits: Arc<Limits>,
    begun: Instant,
    /// When each account will have paid off what it used, in nanoseconds since the beginning.
    paid_off: Cache<Account, Arc<AtomicU64>>,
    /// What they have used, whether there is a limit or not.
    usage: Usage,
}

impl Budgets {
    /// This budget for each game and each tenant itself; `None`: no limit.
    #[must_use]
    pub fn new(rate: Option<Rate>) -> Self {
        Self::limited(rate, Arc::default())
    }

    /// The same, with other budgets for single tenants.
    pub(crate) fn limited(rate: Option<Rate>, limits: Arc<Limits>) -> Self {
        Self {
            rate,
            limits,
            begun: Instant::now(),
            paid_off: Cache::new(ACCOUNTS),
            usage: Usage::default(),
        }
    }

    /// What accounts have used, for operators.
    #[must_use]
    pub fn usage(&self) -> &Usage {
        &self.usage
    }

    /// Admits a call, which pays for a small one.
    ///
    /// # Errors
    /// When the account has used up its budget.
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

    /// May the account use anything now?
    ///
    /// # Errors
    /// When it has used up its budget.
    pub fn check(&self, account: Account) -> Result<(), Problem> {
        self.try_to_use(account, 0)
    }

    /// Pays for the look at a token that is not valid.
    pub fn pay_for_token(&self, account: Account) {
        self.pay(account, TOKEN);
    }

    /// Pays for what was used.
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
        u64::try_from(self.begun.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }
}

/// The time in which this much is paid off.
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
