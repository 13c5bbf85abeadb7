//! **Quotas and rate limits** of individual tenants, which override the limits for all tenants. They can be replaced
//! while the server runs.

use std::collections::HashMap;

use arc_swap::ArcSwap;

use super::Account;

/// The limits of one tenant. A field that is `None` falls back to the limit for all tenants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OwnLimits {
    /// The sustained rate limit, in small calls per second. 0 means no limit.
    pub rate: Option<u32>,
    /// The burst after a pause, in small calls.
    pub burst: Option<u32>,
    /// The maximum number of games. 0 means no limit.
    pub games: Option<u64>,
    /// The maximum number of concurrent watches and exports in one process.
    pub watches: Option<usize>,
    /// The maximum number of concurrent self-plays in one process.
    pub self_plays: Option<usize>,
}

/// The limits of all tenants that have limits of their own.
#[derive(Default)]
pub struct Limits(ArcSwap<HashMap<Account, OwnLimits>>);

impl Limits {
    /// Replaces all limits: these tenants get these limits, and all others the general ones.
    pub fn replace(&self, tenants: &HashMap<String, OwnLimits>) {
        let of = |(tenant, own): (&String, &OwnLimits)| (Account::of_tenant(tenant), *own);
        self.0
            .store(tenants.iter().map(of).collect::<HashMap<_, _>>().into());
    }

    /// Returns the limits of the tenant that the account belongs to.
    pub(crate) fn of(&self, account: Account) -> OwnLimits {
        let all = self.0.load();
        let own = all.get(&account.whole());
        own.copied().unwrap_or_default()
    }
}
