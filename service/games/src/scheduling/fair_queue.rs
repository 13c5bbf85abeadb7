//! A hierarchical **start-time fair queue**: between tenants, then between their games, then between holders of tokens.
//!
//! Every part of an account has a virtual time, which grows by what the part uses. The part with the lowest virtual
//! time is served next. A part that was idle resumes at the virtual time of the part that was served last: it cannot
//! save up time that it did not use.

use std::collections::{BTreeSet, HashMap, VecDeque};

use foldhash::fast::RandomState;

use crate::authz::Account;

/// The maximum number of parts of one account whose use is remembered. Beyond it, idle parts are forgotten, and return
/// as if they had used nothing.
const MAX_CHILDREN: usize = 4_096;

/// A queue of items, ordered fairly between accounts.
pub(super) struct FairQueue<T> {
    root: Node<T>,
    len: usize,
}

/// An account with its parts: a node of the hierarchy.
struct Node<T> {
    /// The virtual time of this account among the parts of its parent.
    virtual_time: u64,
    /// The virtual time of the part that was served last.
    clock: u64,
    children: HashMap<Account, Node<T>, RandomState>,
    /// The parts in which something waits, by virtual time; the first one is served next.
    ready_children: BTreeSet<(u64, Account)>,
    /// The items of this account itself, first in, first out.
    items: VecDeque<T>,
}

impl<T> Default for FairQueue<T> {
    fn default() -> Self {
        Self {
            root: Node::new(0),
            len: 0,
        }
    }
}

/// Returns the path to the items of an account, from the top. An account's own items form one more part below it,
/// beside its other parts.
fn path(account: Account) -> impl Iterator<Item = Account> {
    account.ancestors().chain([account])
}

impl<T> FairQueue<T> {
    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(super) fn push(&mut self, account: Account, item: T) {
        self.len += 1;
        self.root.push(&mut path(account), item);
    }

    /// Puts an item that was removed back to the front of the items of its account, and takes off what the account was
    /// charged for it.
    pub(super) fn put_back(&mut self, account: Account, item: T, charged: u64) {
        self.len += 1;
        self.root.put_back(&mut path(account), item, charged);
    }

    /// Removes and returns the next item.
    pub(super) fn pop(&mut self) -> Option<T> {
        let item = self.root.pop()?;
        self.len -= 1;
        Some(item)
    }

    /// Returns whether other tenants have items queued, or just removed for these accounts, this account's tenant has
    /// none, and it has used no more than any of them. Such a tenant may run at once.
    pub(super) fn may_bypass(
        &mut self,
        account: Account,
        mut removed: impl Iterator<Item = Account>,
    ) -> bool {
        let Some(tenant) = path(account).next() else {
            return false;
        };
        let min_waiting = self.root.ready_children.first().map(|(time, _)| *time);
        let child = self.root.child(tenant);
        let (used, is_waiting) = (child.virtual_time, child.has_waiting_items());
        if is_waiting || min_waiting.is_some_and(|min| used > min) {
            return false;
        }
        let mut has_others = min_waiting.is_some();
        let has_used_least = removed.all(|removed| {
            has_others = true;
            path(removed)
                .next()
                .is_some_and(|other| other != tenant && used <= self.root.child(other).virtual_time)
        });
        has_others && has_used_least
    }

    /// Charges an account and its parents for what a turn used.
    pub(super) fn charge(&mut self, account: Account, cost: u64) {
        self.root.charge(&mut path(account), cost);
    }
}

impl<T> Node<T> {
    fn new(virtual_time: u64) -> Self {
        Self {
            virtual_time,
            clock: 0,
            children: HashMap::default(),
            ready_children: BTreeSet::new(),
            items: VecDeque::new(),
        }
    }

    fn has_waiting_items(&self) -> bool {
        !self.items.is_empty() || !self.ready_children.is_empty()
    }

    /// Returns a part, created if necessary. The virtual time of an idle part is raised to that of the part served
    /// last.
    fn child(&mut self, level: Account) -> &mut Self {
        if self.children.len() >= MAX_CHILDREN {
            self.children.retain(|_, child| child.has_waiting_items());
        }
        let clock = self.clock;
        let child = self
            .children
            .entry(level)
            .or_insert_with(|| Self::new(clock));
        if !child.has_waiting_items() {
            child.virtual_time = child.virtual_time.max(clock);
        }
        child
    }

    fn push(&mut self, path: &mut dyn Iterator<Item = Account>, item: T) {
        let Some(level) = path.next() else {
            self.items.push_back(item);
            return;
        };
        let child = self.child(level);
        child.push(path, item);
        let virtual_time = child.virtual_time;
        self.ready_children.insert((virtual_time, level));
    }

    fn put_back(&mut self, path: &mut dyn Iterator<Item = Account>, item: T, charged: u64) {
        let Some(level) = path.next() else {
            self.items.push_front(item);
            return;
        };
        let clock = self.clock;
        // The part was never idle, so its time is not raised.
        let child = self
            .children
            .entry(level)
            .or_insert_with(|| Self::new(clock));
        let old_time = child.virtual_time;
        child.put_back(path, item, charged);
        let virtual_time = old_time.saturating_sub(charged);
        child.virtual_time = virtual_time;
        self.ready_children.remove(&(old_time, level));
        self.ready_children.insert((virtual_time, level));
        self.clock = clock.min(virtual_time);
    }

    fn pop(&mut self) -> Option<T> {
        let Some((virtual_time, level)) = self.ready_children.first().copied() else {
            return self.items.pop_front();
        };
        self.clock = self.clock.max(virtual_time);
        let child = self.children.get_mut(&level)?;
        let item = child.pop();
        if !child.has_waiting_items() {
            self.ready_children.remove(&(virtual_time, level));
        }
        item
    }

    fn charge(&mut self, path: &mut dyn Iterator<Item = Account>, cost: u64) {
        let Some(level) = path.next() else {
            return;
        };
        let child = self.child(level);
        let (old_time, is_waiting) = (child.virtual_time, child.has_waiting_items());
        child.virtual_time = old_time.saturating_add(cost);
        let new_time = child.virtual_time;
        child.charge(path, cost);
        if is_waiting && new_time != old_time {
            // In this order the set is never empty, which would free its memory.
            self.ready_children.insert((new_time, level));
            self.ready_children.remove(&(old_time, level));
        } else if !is_waiting {
            // The part was served without being queued, so `pop` has not advanced the clock.
            self.clock = self.clock.max(old_time);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::iter::{empty, once};

    use gamekeeper_rules::table::Seat;
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};
    use uuid::Uuid;

    use super::*;

    /// The largest cost of one turn.
    const QUANTUM: u64 = 500;

    fn holder(tenant: u64, game: u64, seat: u8) -> Account {
        let tenant = Account::of_tenant(&tenant.to_string());
        match game {
            0 => tenant,
            game => Account::of_token_holder(tenant, Uuid::from_u64_pair(0, game), Seat::new(seat)),
        }
    }

    fn count(parts: &BTreeSet<Account>) -> u64 {
        u64::try_from(parts.len()).unwrap()
    }

    /// Fairness bound: an account that always has something queued gets at least its share minus one quantum, at any
    /// level, whatever the number of accounts and parts and the cost of their turns.
    #[test]
    fn no_account_that_waits_gets_less_than_its_share() {
        let seed = rand::random();
        let mut random = SmallRng::seed_from_u64(seed);
        for _ in 0..100 {
            let mut queue = FairQueue::default();
            let tenants: u64 = random.random_range(1..6);
            let mut used: HashMap<Account, u64> = HashMap::new();
            let mut parts: HashMap<Account, BTreeSet<Account>> = HashMap::new();
            for tenant in 0..tenants {
                for _ in 0..random.random_range(1..40) {
                    let account =
                        holder(tenant, random.random_range(0..3), random.random_range(0..3));
                    queue.push(account, account);
                    let mut ancestor = Account::EVERYBODY;
                    for level in path(account) {
                        parts.entry(ancestor).or_default().insert(level);
                        ancestor = level;
                    }
                }
            }
            for _ in 0..3_000 {
                // Some are removed in advance, and come too late for their turns.
                let mut removed = Vec::new();
                for _ in 0..random.random_range(0..4) {
                    let expected = random.random_range(1..=QUANTUM);
                    if let Some(early) = queue.pop() {
                        queue.charge(early, expected);
                        removed.push((early, expected));
                    }
                }
                for (late, expected) in removed.into_iter().rev() {
                    queue.put_back(late, late, expected);
                }
                let account = queue.pop().unwrap();
                let cost = random.random_range(1..=QUANTUM);
                queue.push(account, account);
                queue.charge(account, cost);
                for level in account.ancestors() {
                    *used.entry(level).or_default() += cost;
                }
            }
            let all: u64 = used
                .iter()
                .filter(|(account, _)| account.root() == **account)
                .map(|(_, used)| used)
                .sum();
            for tenant in &parts[&Account::EVERYBODY] {
                let share = all / count(&parts[&Account::EVERYBODY]);
                assert!(used[tenant] + QUANTUM >= share, "seed {seed}");
                for game in parts[tenant].iter().filter(|game| *game != tenant) {
                    let share = used[tenant] / count(&parts[tenant]);
                    assert!(used[game] + QUANTUM >= share, "seed {seed}");
                }
            }
        }
    }

    #[test]
    fn one_that_was_idle_is_next_and_has_no_claim_to_the_past() {
        let mut queue = FairQueue::default();
        let (red, blue) = (holder(1, 0, 0), holder(2, 0, 0));
        for _ in 0..10 {
            queue.push(red, red);
        }
        for _ in 0..4 {
            assert_eq!(queue.pop(), Some(red));
            queue.charge(red, QUANTUM);
        }
        for _ in 0..10 {
            queue.push(blue, blue);
        }
        let served: Vec<_> = (0..8)
            .map(|_| {
                let next = queue.pop().unwrap();
                queue.charge(next, QUANTUM);
                next
            })
            .collect();
        assert_eq!(served[0], blue);
        let of_red = served.iter().filter(|account| **account == red).count();
        assert!((3..=4).contains(&of_red), "{of_red}");
    }

    /// Tenants that skip the queue whenever they are ahead never get more than a tenant that is always queued, except
    /// for one quantum.
    #[test]
    fn whoever_is_ahead_takes_nothing_that_is_due_to_others() {
        let seed = rand::random();
        let mut random = SmallRng::seed_from_u64(seed);
        for _ in 0..100 {
            let mut queue = FairQueue::default();
            let (busy, idle): (u64, u64) = (random.random_range(1..4), random.random_range(1..4));
            let mut used = vec![0; usize::try_from(busy + idle).unwrap()];
            for tenant in 0..busy {
                (0..3).for_each(|game| queue.push(holder(tenant, game, 1), tenant));
            }
            let mut at_once = 0;
            for _ in 0..2_000 {
                let comes = random.random_range(busy..busy + idle);
                let account = holder(comes, random.random_range(0..3), 1);
                let cost = random.random_range(1..=QUANTUM);
                let served = if random.random_bool(0.5) && queue.may_bypass(account, empty()) {
                    at_once += 1;
                    queue.charge(account, cost);
                    comes
                } else {
                    let tenant = queue.pop().unwrap();
                    let account = holder(tenant, random.random_range(0..3), 1);
                    queue.push(account, tenant);
                    queue.charge(account, cost);
                    tenant
                };
                used[usize::try_from(served).unwrap()] += cost;
                let (waiting, others) = used.split_at(usize::try_from(busy).unwrap());
                let least = waiting.iter().min().unwrap();
                assert!(
                    others.iter().all(|used| *used <= least + QUANTUM),
                    "seed {seed}"
                );
            }
            assert!(at_once > 100, "seed {seed}: {at_once}");
        }
    }

    #[test]
    fn only_others_who_wait_can_be_overtaken() {
        let mut queue = FairQueue::default();
        let (red, blue) = (holder(1, 1, 1), holder(2, 1, 1));
        assert!(!queue.may_bypass(blue, empty()), "nobody waits");
        queue.push(red, red);
        assert!(queue.may_bypass(blue, empty()));
        for of_red in [red, holder(1, 2, 1), holder(1, 0, 0)] {
            assert!(!queue.may_bypass(of_red, empty()), "its tenant waits");
        }
        queue.charge(blue, QUANTUM);
        assert!(
            !queue.may_bypass(blue, empty()),
            "it has used more than the one that waits"
        );
        let removed = queue.pop().unwrap();
        assert!(!queue.may_bypass(blue, once(removed)), "or was removed");
        queue.charge(removed, QUANTUM);
        assert!(queue.may_bypass(blue, once(removed)));
        assert!(!queue.may_bypass(red, once(removed)));
    }

    #[test]
    fn accounts_that_wait_for_nothing_are_forgotten() {
        let mut queue = FairQueue::<()>::default();
        for tenant in 0..20_000 {
            queue.charge(holder(tenant, 1, 1), 5);
        }
        assert!(queue.root.children.len() <= MAX_CHILDREN);
        assert!(queue.is_empty() && queue.pop().is_none());
    }
}
