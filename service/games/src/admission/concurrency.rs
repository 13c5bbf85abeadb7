//! **Admission control**: the fair sharing of one limited resource, used for calls in flight, streams, self-plays and
//! calls without a token.
//!
//! An account may take another unit while it holds fewer than are free. A single account can therefore hold half of all
//! units, two accounts a third each, and a newcomer still finds free units. What a tenant may still take is shared
//! among its games by the same rule, and what a game may still take among the holders of its tokens.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

use super::{TenantLimitTable, TenantLimits};
use crate::authz::Account;
use crate::errors::ServiceError;

/// A limited resource, shared fairly among accounts.
pub struct ConcurrencyLimiter {
    /// The name of the setting that limits the resource.
    setting: &'static str,
    /// The units of the resource, in the plural, for errors.
    permit_kind: &'static str,
    max: usize,
    /// The maximum for individual tenants.
    tenant_max: Option<(Arc<TenantLimitTable>, TenantMax)>,
    in_use: Mutex<InUse>,
}

/// A function that selects the limit of this resource from the limits of a tenant.
pub(crate) type TenantMax = fn(TenantLimits) -> Option<usize>;

#[derive(Default)]
struct InUse {
    total: usize,
    by_account: HashMap<Account, usize>,
}

impl ConcurrencyLimiter {
    /// Creates a resource of `max` units, all free. `setting` is the name of the setting, `permit_kind` names the units
    /// in the plural.
    #[must_use]
    pub fn new(setting: &'static str, permit_kind: &'static str, max: usize) -> Arc<Self> {
        Arc::new(Self {
            setting,
            permit_kind,
            max,
            tenant_max: None,
            in_use: Mutex::default(),
        })
    }

    /// Creates a resource like [`ConcurrencyLimiter::new`], of which individual tenants may have a lower maximum.
    pub(crate) fn with_tenant_limits(
        setting: &'static str,
        permit_kind: &'static str,
        max: usize,
        (tenant_limits, tenant_max): (&Arc<TenantLimitTable>, TenantMax),
    ) -> Arc<Self> {
        Arc::new(Self {
            setting,
            permit_kind,
            max,
            tenant_max: Some((Arc::clone(tenant_limits), tenant_max)),
            in_use: Mutex::default(),
        })
    }

    /// Takes a unit of the resource.
    ///
    /// # Errors
    /// If no unit is free, or the account has its share or the maximum of its tenant.
    pub fn try_acquire(
        self: &Arc<Self>,
        account: Account,
    ) -> Result<ConcurrencyPermit, ServiceError> {
        let tenant_max = self.tenant_max.as_ref();
        let tenant_max = tenant_max
            .and_then(|(tenant_limits, max_of)| max_of(tenant_limits.for_account(account)));
        let mut in_use = self.in_use.lock();
        let root_held = in_use.by_account.get(&account.root()).copied().unwrap_or(0);
        let exceeds_tenant_max = tenant_max.is_some_and(|max| root_held >= max);
        let mut remaining = self.max.saturating_sub(in_use.total);
        let is_full = remaining == 0;
        let fits_all_levels = account.ancestors().all(|level| {
            let level_held = in_use.by_account.get(&level).copied().unwrap_or(0);
            let fits_level = level_held < remaining;
            remaining = remaining.saturating_sub(level_held);
            fits_level
        });
        if is_full || !fits_all_levels || exceeds_tenant_max {
            return Err(self.refusal(is_full));
        }
        in_use.total += 1;
        for level in account.ancestors() {
            *in_use.by_account.entry(level).or_default() += 1;
        }
        Ok(ConcurrencyPermit {
            limiter: Arc::clone(self),
            account,
        })
    }

    /// Returns the number of units that are taken.
    #[must_use]
    pub fn in_use(&self) -> usize {
        self.in_use.lock().total
    }

    /// Returns the number of units that the account holds, its parts included.
    #[must_use]
    pub fn in_use_by(&self, account: Account) -> usize {
        let counts = self.in_use.lock();
        if account == Account::EVERYBODY {
            return counts.total;
        }
        counts.by_account.get(&account).copied().unwrap_or(0)
    }

    fn refusal(&self, is_full: bool) -> ServiceError {
        let permit_kind = self.permit_kind;
        let reason = if is_full {
            format!("this server has reached its limit of {permit_kind}; try again later")
        } else {
            format!("this caller has its share of {permit_kind}; end one, or try again later")
        };
        ServiceError::LimitReached {
            limit: self.setting,
            what: reason,
        }
    }
}

/// A unit of the resource that an account holds (an RAII guard): dropping it releases the unit.
pub struct ConcurrencyPermit {
    limiter: Arc<ConcurrencyLimiter>,
    account: Account,
}

impl Drop for ConcurrencyPermit {
    fn drop(&mut self) {
        let mut counts = self.limiter.in_use.lock();
        counts.total -= 1;
        for level in self.account.ancestors() {
            if let Some(level_held) = counts.by_account.get_mut(&level) {
                *level_held -= 1;
                if *level_held == 0 {
                    counts.by_account.remove(&level);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_rules::table::Seat;
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};
    use uuid::Uuid;

    use super::*;

    fn places(max: usize) -> Arc<ConcurrencyLimiter> {
        ConcurrencyLimiter::new("max_places", "places", max)
    }

    fn token(tenant: &str, game: u128, seat: u8) -> Account {
        Account::of_token_holder(
            Account::of_tenant(tenant),
            Uuid::from_u128(game),
            Seat::new(seat),
        )
    }

    /// Takes units until the account is refused.
    fn fill(places: &Arc<ConcurrencyLimiter>, account: Account) -> Vec<ConcurrencyPermit> {
        std::iter::from_fn(|| places.try_acquire(account).ok()).collect()
    }

    #[test]
    fn one_leaves_half_two_leave_a_third() {
        let places = places(120);
        let (red, blue) = (Account::of_tenant("red"), Account::of_tenant("blue"));
        let mut of_red = fill(&places, red);
        assert_eq!(of_red.len(), 60);
        let of_blue = fill(&places, blue);
        assert_eq!(of_blue.len(), 30);
        of_red.truncate(40);
        let more = fill(&places, blue);
        assert_eq!(of_blue.len() + more.len(), 40);
        assert!(places.try_acquire(red).is_err(), "each has a third");
    }

    #[test]
    fn a_holder_leaves_places_to_its_game_and_the_game_to_its_tenant() {
        let places = places(120);
        let spectator = fill(&places, token("red", 1, 0));
        assert_eq!(spectator.len(), 30);
        let player = fill(&places, token("red", 1, 1));
        assert!(!player.is_empty());
        let game = fill(&places, token("red", 2, 1));
        assert!(!game.is_empty());
        let root_permits = fill(&places, Account::of_tenant("red"));
        assert!(!root_permits.is_empty());
        assert!(places.in_use() <= 60, "the tenant has no more than half");
        assert_eq!(places.in_use_by(token("red", 1, 0)), spectator.len());
        let of_red = places.in_use_by(Account::of_tenant("red"));
        assert_eq!(
            (of_red, of_red),
            (places.in_use(), places.in_use_by(Account::EVERYBODY))
        );
    }

    #[test]
    fn a_tenant_may_have_a_limit_of_its_own() {
        let limits = Arc::<TenantLimitTable>::default();
        let places = ConcurrencyLimiter::with_tenant_limits(
            "max_places",
            "places",
            120,
            (&limits, |limits_of_tenant| limits_of_tenant.watches),
        );
        let tenant_limits = |watches| TenantLimits {
            watches: Some(watches),
            ..TenantLimits::default()
        };
        limits.replace(&HashMap::from([(String::from("red"), tenant_limits(5))]));
        let mut all = fill(&places, token("red", 1, 1));
        all.extend(fill(&places, Account::of_tenant("red")));
        assert_eq!(all.len(), 5);
        assert_eq!(fill(&places, Account::of_tenant("blue")).len(), 58);
        limits.replace(&HashMap::from([(String::from("red"), tenant_limits(7))]));
        assert_eq!(fill(&places, Account::of_tenant("red")).len(), 2);
        limits.replace(&HashMap::new());
        assert!(fill(&places, Account::of_tenant("red")).len() > 40);
    }

    #[test]
    fn everybody_together_gets_all_and_places_come_back() {
        let places = places(7);
        assert_eq!(fill(&places, Account::EVERYBODY).len(), 7);
        assert_eq!(places.in_use(), 0);
        drop(fill(&places, token("red", 1, 1)));
        assert!(places.in_use.lock().by_account.is_empty());
        let one = super::ConcurrencyLimiter::new("max_places", "places", 1);
        assert_eq!(fill(&one, token("red", 1, 1)).len(), 1);
    }

    /// Admission leaves room, whatever other accounts do: while n of them hold something, a newcomer finds a free unit
    /// among 2^n or more.
    #[test]
    fn newcomers_find_a_place() {
        let seed = rand::random();
        let mut random = SmallRng::seed_from_u64(seed);
        for _ in 0..200 {
            let tenants: u32 = random.random_range(1..8);
            let places = places(1 << tenants);
            let mut shares = Vec::new();
            for _ in 0..2_000 {
                if random.random_bool(0.3) && !shares.is_empty() {
                    let at = random.random_range(0..shares.len());
                    drop(shares.swap_remove(at));
                    continue;
                }
                let tenant = format!("tenant {}", random.random_range(0..tenants));
                let game = random.random_range(0..3);
                let account = token(&tenant, game, random.random_range(0..3));
                shares.extend(places.try_acquire(account));
                let newcomer = places.try_acquire(Account::of_tenant("newcomer"));
                assert!(newcomer.is_ok(), "seed {seed}");
            }
        }
    }
}
