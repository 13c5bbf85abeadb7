//! The connections of accounts and of their parts.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gamekeeper_games::access::Account;
use tokio_util::sync::CancellationToken;

/// The connections of many accounts, with those at hand that have the most.
#[derive(Default)]
pub(super) struct Holdings {
    pub(super) count: usize,
    pub(super) parts: BTreeMap<Account, Holdings>,
    pub(super) by_count: BTreeSet<(usize, Account)>,
    /// Those that belong to no part, the oldest first.
    own: BTreeMap<u64, Arc<Line>>,
}

/// A connection, as far as others must know it.
#[derive(Default)]
pub(super) struct Line {
    pub(super) leave: CancellationToken,
    /// The calls and streams that it carries.
    pub(super) busy: AtomicUsize,
    /// The smallest account of which all its callers are parts. `None`: it is a stranger.
    callers: Mutex<Option<Account>>,
}

impl Line {
    pub(super) fn is_idle(&self) -> bool {
        self.busy.load(Ordering::Relaxed) == 0
    }

    pub(super) fn callers(&self) -> MutexGuard<'_, Option<Account>> {
        self.callers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Do only this account and its parts use it?
    fn is_of(&self, account: Account) -> bool {
        self.callers().is_none_or(|callers| callers.is_of(account))
    }
}

impl Holdings {
    pub(super) fn add(&mut self, account: Account, number: u64, line: Arc<Line>) {
        self.at(&mut account.levels(), |own| own.insert(number, line));
    }

    pub(super) fn remove(&mut self, account: Account, number: u64) -> Option<Arc<Line>> {
        self.at(&mut account.levels(), |own| own.remove(&number))
    }

    /// Changes the connections of a part, and the counts of all that it is a part of.
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

    /// The account with the most connections; in it the part with the most, and so on.
    fn most(&self, account: Account) -> (Account, &BTreeMap<u64, Arc<Line>>) {
        let part = self.by_count.last().filter(|(n, _)| *n > self.own.len());
        match part.and_then(|(_, level)| Some((*level, self.parts.get(level)?))) {
            Some((level, part)) => part.most(level),
            None => (account, &self.own),
        }
    }

    /// The connections of an account and of its parts.
    pub(super) fn part(&self, account: Account) -> Option<&Self> {
        let mut levels = account.levels();
        levels.try_fold(self, |part, level| part.parts.get(&level))
    }

    /// All connections, each with its account; `account` is that of these.
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

    /// Asks the connections to leave that only this account and its parts use.
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

    /// The connection that makes room, and its account. If there is one at all, it is idle, or `any` may be closed.
    pub(super) fn victim(&self, any: bool) -> Option<(Account, u64)> {
        let (account, lines) = self.most(Account::EVERYBODY);
        let idle = lines.iter().find(|(_, line)| line.is_idle());
        let oldest = lines.iter().next().filter(|_| any);
        let (number, _) = idle.or(oldest)?;
        Some((account, *number))
    }

    /// The number of connections of the account that has the most.
    pub(super) fn largest(&self) -> usize {
        let part = self.by_count.last().map_or(0, |(count, _)| *count);
        part.max(self.own.len())
    }
}
