//! Limits of single tenants, which replace those of all tenants. They can be replaced while the server runs.

use std::collections::HashMap;

use arc_swap::ArcSwap;

use super::Account;

/// The limits of one tenant. What is `None` is as for everybody.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OwnLimits {
    /// What it may use in a second, in small calls. 0: no limit.
    pub rate: Option<u32>,
    /// What it may use at once after a pause, in small calls.
    pub burst: Option<u32>,
    /// Its games. 0: no limit.
    pub games: Option<u64>,
    /// Its watches and exports in a process.
    pub watches: Option<usize>,
    /// Its self-plays in a process.
    pub self_plays: Option<usize>,
}

/// The limits of the tenants that have some of their own.
#[derive(Default)]
pub struct Limits(ArcSwap<HashMap<Account, OwnLimits>>);

impl Limits {
    /// From now on these tenants have these limits, and all others those of everybody.
    pub fn replace(&self, tenants: &HashMap<String, OwnLimits>) {
        let of = |(tenant, own): (&String, &OwnLimits)| (Account::of_tenant(tenant), *own);
        self.0
            .store(tenants.iter().map(of).collect::<HashMap<_, _>>().into());
    }

    /// Those of the tenant to which this account belongs.
    pub(crate) fn of(&self, account: Account) -> OwnLimits {
        let all = self.0.load();
        let own = all.get(&account.whole());
        own.copied().unwrap_or_default()
    }
}
