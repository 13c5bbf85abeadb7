//! Open connections by account: a tree of accounts and their parts.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use gamekeeper_games::access::Account;
use parking_lot::Mutex;
use tokio_util::sync::CancellationToken;

/// Open connections of accounts, indexed by count so that the largest account (the **eviction** victim) is found
/// without scanning all.
#[derive(Default)]
pub(super) struct Holdings {
    pub(super) count: usize,
    pub(super) parts: BTreeMap<Account, Holdings>,
    pub(super) by_count: BTreeSet<(usize, Account)>,
    /// The connections of the account itself, not of its parts, the oldest first.
    own: BTreeMap<u64, Arc<Line>>,
}

/// The state of a connection that other connections and operators may use.
#[derive(Default)]
pub(super) struct Line {
    pub(super) leave: CancellationToken,
    /// The number of calls and streams that it carries.
    pub(super) busy: AtomicUsize,
    /// The smallest account that contains all callers of the connection. Is `None` while it is a stranger.
    pub(super) callers: Mutex<Option<Account>>,
}

impl Line {
    pub(super) fn is_idle(&self) -> bool {
        self.busy.load(Ordering::Relaxed) == 0
    }

    /// Whether only this account and its parts use the connection.
    fn is_of(&self, account: Account) -> bool {
        self.callers
            .lock()
            .is_none_or(|callers| callers.is_of(account))
    }
}

impl Holdings {
    pub(super) fn add(&mut self, account: Account, number: u64, line: Arc<Line>) {
        self.at(&mut account.levels(), |own| own.insert(number, line));
    }

    pub(super) fn remove(&mut self, account: Account, number: u64) -> Option<Arc<Line>> {
        self.at(&mut account.levels(), |own| own.remove(&number))
    }

    /// Changes the connections of a part, and updates the counts of all accounts that contain it.
    fn at<A>(
        &mut self,
        levels: &mut dyn Iterator<Item = Account>,
        change: impl FnOnce(&mut BTreeMap<u64, Arc<Line>>) -> A,
    ) -> A {
        let Some(level) = levels.next() else {
            let before = self.own.len();
            let changed = change(&mut self.own);
            self.count = self.count + self.own.len() - before;
            return changed;
        };
        let part = self.parts.entry(level).or_default();
        let before = part.count;
        let changed = part.at(levels, change);
        let after = part.count;
        self.by_count.remove(&(before, level));
        if after == 0 {
            self.parts.remove(&level);
        } else {
            self.by_count.insert((after, level));
        }
        self.count = self.count + after - before;
        changed
    }

    /// Returns the account with the most connections, and within it the part with the most, recursively.
    fn most(&self, account: Account) -> (Account, &BTreeMap<u64, Arc<Line>>) {
        let part = self.by_count.last().filter(|(n, _)| *n > self.own.len());
        match part.and_then(|(_, level)| Some((*level, self.parts.get(level)?))) {
            Some((level, part)) => part.most(level),
            None => (account, &self.own),
        }
    }

    /// Returns the connections of an account and of its parts.
    pub(super) fn part(&self, account: Account) -> Option<&Self> {
        let mut levels = account.levels();
        levels.try_fold(self, |part, level| part.parts.get(&level))
    }

    /// Returns all connections, each with its account. `account` is the account of this node.
    fn all(&self, account: Account) -> Vec<(Account, u64, Arc<Line>)> {
        let own = self.own.iter();
        let mut all: Vec<_> = own
            .map(|(number, line)| (account, *number, Arc::clone(line)))
            .collect();
        for (level, part) in &self.parts {
            all.extend(part.all(*level));
        }
        all
    }

    /// Closes the connections that only this account and its parts use, and returns their number.
    pub(super) fn close(&mut self, account: Account) -> usize {
        let all = self.part(account).map(|part| part.all(account));
        let mut closed = 0;
        for (holder, number, line) in all.into_iter().flatten() {
            if line.is_of(account) {
                self.remove(holder, number);
                line.leave.cancel();
                closed += 1;
            }
        }
        closed
    }

    /// Returns the connection to evict, and its account: the oldest idle one of the largest account or, if `any` is
    /// set and none is idle, the oldest. Returns `None` if none may be closed.
    pub(super) fn victim(&self, any: bool) -> Option<(Account, u64)> {
        let (account, lines) = self.most(Account::EVERYBODY);
        let idle = lines.iter().find(|(_, line)| line.is_idle());
        let oldest = lines.iter().next().filter(|_| any);
        let (number, _) = idle.or(oldest)?;
        Some((account, *number))
    }

    /// Returns the number of connections of the largest account.
    pub(super) fn largest(&self) -> usize {
        let part = self.by_count.last().map_or(0, |(count, _)| *count);
        part.max(self.own.len())
    }
}
