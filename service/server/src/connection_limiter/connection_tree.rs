//! Open connections by account: a tree of accounts and their parts.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use gamekeeper_games::authz::Account;
use parking_lot::Mutex;
use tokio_util::sync::CancellationToken;

/// Open connections of accounts, indexed by count so that the largest account (the **eviction** victim) is found
/// without scanning all.
#[derive(Default)]
pub(super) struct ConnectionTree {
    pub(super) count: usize,
    pub(super) children: BTreeMap<Account, ConnectionTree>,
    pub(super) by_count: BTreeSet<(usize, Account)>,
    /// The connections of the account itself, not of its parts, the oldest first.
    direct: BTreeMap<u64, Arc<ConnectionState>>,
}

/// The state of a connection that other connections and operators may use.
#[derive(Default)]
pub(super) struct ConnectionState {
    pub(super) evict_token: CancellationToken,
    /// The number of calls and streams that it carries.
    pub(super) active_streams: AtomicUsize,
    /// The callers of the connection. Is `None` while it is anonymous.
    pub(super) users: Mutex<Option<Users>>,
}

/// The authorized callers of a connection.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Users {
    /// The smallest account that contains all of them.
    pub(super) common: Account,
    /// The one that called last.
    pub(super) last: Account,
}

impl ConnectionState {
    pub(super) fn is_idle(&self) -> bool {
        self.active_streams.load(Ordering::Relaxed) == 0
    }

    /// Whether only this account and its parts use the connection.
    fn is_used_only_by(&self, account: Account) -> bool {
        self.users
            .lock()
            .is_none_or(|users| users.common.is_descendant_of(account))
    }
}

impl ConnectionTree {
    pub(super) fn add(&mut self, account: Account, number: u64, state: Arc<ConnectionState>) {
        self.update(&mut account.ancestors(), |direct| {
            direct.insert(number, state)
        });
    }

    pub(super) fn remove(&mut self, account: Account, number: u64) -> Option<Arc<ConnectionState>> {
        self.update(&mut account.ancestors(), |direct| direct.remove(&number))
    }

    /// Changes the connections of a part, and updates the counts of all accounts that contain it.
    fn update<A>(
        &mut self,
        levels: &mut dyn Iterator<Item = Account>,
        change: impl FnOnce(&mut BTreeMap<u64, Arc<ConnectionState>>) -> A,
    ) -> A {
        let Some(level) = levels.next() else {
            let before = self.direct.len();
            let changed = change(&mut self.direct);
            self.count = self.count + self.direct.len() - before;
            return changed;
        };
        let child = self.children.entry(level).or_default();
        let before = child.count;
        let changed = child.update(levels, change);
        let after = child.count;
        self.by_count.remove(&(before, level));
        if after == 0 {
            self.children.remove(&level);
        } else {
            self.by_count.insert((after, level));
        }
        self.count = self.count + after - before;
        changed
    }

    /// Returns the account with the most connections, and within it the part with the most, recursively.
    fn largest_holder(&self, account: Account) -> (Account, &BTreeMap<u64, Arc<ConnectionState>>) {
        let child = self.by_count.last().filter(|(n, _)| *n > self.direct.len());
        match child.and_then(|(_, level)| Some((*level, self.children.get(level)?))) {
            Some((level, child)) => child.largest_holder(level),
            None => (account, &self.direct),
        }
    }

    /// Returns the connections of an account and of its parts.
    pub(super) fn subtree(&self, account: Account) -> Option<&Self> {
        let mut levels = account.ancestors();
        levels.try_fold(self, |child, level| child.children.get(&level))
    }

    /// Returns all connections, each with its account. `account` is the account of this node.
    fn all(&self, account: Account) -> Vec<(Account, u64, Arc<ConnectionState>)> {
        let direct = self.direct.iter();
        let mut all: Vec<_> = direct
            .map(|(number, state)| (account, *number, Arc::clone(state)))
            .collect();
        for (level, child) in &self.children {
            all.extend(child.all(*level));
        }
        all
    }

    /// Closes the connections that only this account and its parts use, and returns their number.
    pub(super) fn evict_all(&mut self, account: Account) -> usize {
        let all = self.subtree(account).map(|child| child.all(account));
        let mut closed = 0;
        for (holder, number, state) in all.into_iter().flatten() {
            if state.is_used_only_by(account) {
                self.remove(holder, number);
                state.evict_token.cancel();
                closed += 1;
            }
        }
        closed
    }

    /// Returns the connection to evict, and its account: the oldest idle one of the largest account or, if `any` is
    /// set and none is idle, the oldest. Returns `None` if none may be closed.
    pub(super) fn victim(&self, any: bool) -> Option<(Account, u64)> {
        let (account, connections) = self.largest_holder(Account::EVERYBODY);
        let idle = connections.iter().find(|(_, state)| state.is_idle());
        let oldest = connections.iter().next().filter(|_| any);
        let (number, _) = idle.or(oldest)?;
        Some((account, *number))
    }

    /// Returns the number of connections of the largest account.
    pub(super) fn largest_count(&self) -> usize {
        let child = self.by_count.last().map_or(0, |(count, _)| *count);
        child.max(self.direct.len())
    }
}
