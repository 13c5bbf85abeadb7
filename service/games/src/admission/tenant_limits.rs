//! **Quotas and rate limits** of individual tenants, which override the limits for all tenants. They can be replaced
//! while the server runs.

use std::collections::HashMap;

use arc_swap::ArcSwap;

use crate::authz::Account;

/// The limits of one tenant. A field that is `None` falls back to the limit for all tenants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TenantLimits {
    /// The sustained rate limit, in small calls per second. 0 means no limit.
    pub rate: Option<u32>,
    /// The burst after a pause, in small calls.
    pub burst: Option<u32>,
    /// The maximum number of games. 0 means no limit.
    pub games: Option<u64>,
    /// The maximum number of bytes that the tenant stores. 0 means no limit.
    pub bytes: Option<u64>,
    /// The maximum number of concurrent watches and exports in one process.
    pub watches: Option<usize>,
    /// The maximum number of concurrent self-plays in one process.
    pub self_plays: Option<usize>,
}

/// The limits of all tenants that have limits of their own.
#[derive(Default)]
pub struct TenantLimitTable(ArcSwap<HashMap<Account, TenantLimits>>);

impl TenantLimitTable {
    /// Replaces all limits: these tenants get these limits, and all others the general ones.
    pub fn replace(&self, tenants: &HashMap<String, TenantLimits>) {
        let by_account =
            |(tenant, limits): (&String, &TenantLimits)| (Account::of_tenant(tenant), *limits);
        self.0.store(
            tenants
                .iter()
                .map(by_account)
                .collect::<HashMap<_, _>>()
                .into(),
        );
    }

    /// Returns the limits of the tenant that the account belongs to.
    pub(crate) fn for_account(&self, account: Account) -> TenantLimits {
        let table = self.0.load();
        let limits = table.get(&account.root());
        limits.copied().unwrap_or_default()
    }
}
