//! The **connection limit**, and the **eviction** of connections when it is reached.
//!
//! A connection is anonymous until it has carried a complete call of an authorized caller. From then on it belongs to
//! the account of that caller. At the limit, the account with the most connections, or all anonymous ones together,
//! must give one up. An account loses only idle connections, the oldest first, unless it has more than half of all. New
//! clients therefore get in, however many connections one account or network holds.

mod connection_tree;

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use connection_tree::{ConnectionState, ConnectionTree, Users};
use gamekeeper_games::authz::Account;
use gamekeeper_telemetry::{ConnectionMetrics, RejectReason};
use parking_lot::Mutex;
use tokio_util::sync::WaitForCancellationFuture;

/// The number of evicted connections that may still be open beyond the limit, since closing takes a moment.
const EVICTION_SLACK: usize = 16;

/// Counts connections and enforces their limit.
pub(crate) struct ConnectionLimiter {
    max: usize,
    table: Mutex<ConnectionTable>,
    metrics: ConnectionMetrics,
}

#[derive(Default)]
struct ConnectionTable {
    all: usize,
    next: u64,
    anonymous: ConnectionTree,
    identified: ConnectionTree,
}

impl ConnectionTable {
    /// Evicts a connection. Returns false if none may be closed.
    fn evict_one(&mut self, max: usize) -> bool {
        let largest = self.identified.largest_count();
        let anonymous_victim = || Some((false, self.anonymous.victim(true)?));
        let identified_victim = |any| Some((true, self.identified.victim(any)?));
        let victim = if largest > self.anonymous.count {
            identified_victim(false)
                .or_else(anonymous_victim)
                .or_else(|| identified_victim(largest > max / 2))
        } else {
            anonymous_victim()
        };
        let Some((is_identified, (account, number))) = victim else {
            return false;
        };
        let holdings = if is_identified {
            &mut self.identified
        } else {
            &mut self.anonymous
        };
        if let Some(state) = holdings.remove(account, number) {
            state.evict_token.cancel();
        }
        true
    }
}

impl ConnectionLimiter {
    /// Creates the limit: at most `max` open connections.
    pub(crate) fn new(max: usize, metrics: ConnectionMetrics) -> Arc<Self> {
        Arc::new(Self {
            max,
            table: Mutex::default(),
            metrics,
        })
    }

    /// Returns how many connections are open, and how many of them are anonymous.
    pub(crate) fn count(&self) -> (usize, usize) {
        let table = self.table.lock();
        (table.all, table.anonymous.count)
    }

    /// Returns how many connections this account has, or anonymous ones of this network or address.
    pub(crate) fn in_use_by(&self, account: Account) -> usize {
        let table = self.table.lock();
        let parts = [&table.identified, &table.anonymous].map(|of| of.subtree(account));
        parts.into_iter().flatten().map(|part| part.count).sum()
    }

    /// Closes the connections that only this account and its parts use, and returns their number.
    pub(crate) fn evict_all(&self, account: Account) -> usize {
        let mut table = self.table.lock();
        table.identified.evict_all(account) + table.anonymous.evict_all(account)
    }

    /// Admits a connection and counts it until the guard is dropped (**RAII**). Returns `None` if the limit is reached
    /// and no connection may be closed.
    pub(crate) fn try_admit(self: &Arc<Self>, address: IpAddr) -> Option<ConnectionGuard> {
        let mut table = self.table.lock();
        if table.all >= self.max {
            self.metrics.record_rejected(RejectReason::Full);
            let is_bounded = table.all < self.max.saturating_add(EVICTION_SLACK);
            if !is_bounded || !table.evict_one(self.max) {
                return None;
            }
        }
        let (number, state) = (table.next, Arc::<ConnectionState>::default());
        table.next += 1;
        table.all += 1;
        let anonymous = Account::of_anonymous(address);
        table.anonymous.add(anonymous, number, Arc::clone(&state));
        drop(table);
        Some(ConnectionGuard {
            limiter: Arc::clone(self),
            address,
            number,
            anonymous,
            is_identified: AtomicBool::new(false),
            account: Mutex::default(),
            state,
        })
    }
}

/// An open connection, counted until it is dropped.
pub(crate) struct ConnectionGuard {
    limiter: Arc<ConnectionLimiter>,
    address: IpAddr,
    number: u64,
    anonymous: Account,
    is_identified: AtomicBool,
    /// The account to which the connection belongs. Is `None` while it is anonymous.
    account: Mutex<Option<Account>>,
    state: Arc<ConnectionState>,
}

impl ConnectionGuard {
    /// Records that an authorized caller has used the connection. It then belongs to the account of the first one.
    pub(crate) fn attribute_to(&self, account: Account) {
        let mut users = self.state.users.lock();
        let common = users.map_or(account, |users| users.common.common_ancestor(account));
        let last = account;
        let known = users.replace(Users { common, last });
        drop(users);
        if known == Some(Users { common, last }) {
            return;
        }
        if self.is_identified.load(Ordering::Relaxed)
            || self.is_identified.swap(true, Ordering::Relaxed)
        {
            return;
        }
        let mut table = self.limiter.table.lock();
        // An evicted connection was removed from the counts already.
        if let Some(state) = table.anonymous.remove(self.anonymous, self.number) {
            table.identified.add(account, self.number, state);
            *self.account.lock() = Some(account);
        }
    }

    /// Returns the smallest account that contains all callers of the connection, or the account of its address while
    /// there are none.
    pub(crate) fn scheduling_account(&self) -> Account {
        let users = *self.state.users.lock();
        users.map_or(self.anonymous, |users| users.common)
    }

    /// Returns the account of the caller that has used the connection last, or of its address while there are none.
    pub(crate) fn last_account(&self) -> Account {
        let users = *self.state.users.lock();
        users.map_or(self.anonymous, |users| users.last)
    }

    /// Returns the account of the client's address.
    pub(crate) fn anonymous_account(&self) -> Account {
        self.anonymous
    }

    /// Counts a call or stream of the connection, which is not idle until the guard is dropped.
    pub(crate) fn track_stream(&self) -> ActiveStreamGuard {
        self.state.active_streams.fetch_add(1, Ordering::Relaxed);
        ActiveStreamGuard(Arc::clone(&self.state))
    }

    /// Whether the connection carries no calls or streams.
    pub(crate) fn is_idle(&self) -> bool {
        self.state.is_idle()
    }

    /// Resolves when the connection is evicted.
    pub(crate) fn evicted(&self) -> WaitForCancellationFuture<'_> {
        self.state.evict_token.cancelled()
    }

    /// The address of the client.
    pub(crate) fn address(&self) -> IpAddr {
        self.address
    }

    /// Counts a connection that failed before HTTP.
    pub(crate) fn record_rejected(&self, why: RejectReason) {
        self.limiter.metrics.record_rejected(why);
    }
}

impl Drop for ConnectionGuard {
    fn drop(&mut self) {
        let account = *self.account.get_mut();
        let mut table = self.limiter.table.lock();
        table.all -= 1;
        match account {
            Some(identified) => table.identified.remove(identified, self.number),
            None => table.anonymous.remove(self.anonymous, self.number),
        };
    }
}

/// A guard that counts a call or stream of a connection.
pub(crate) struct ActiveStreamGuard(Arc<ConnectionState>);

impl Drop for ActiveStreamGuard {
    fn drop(&mut self) {
        self.0.active_streams.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_rules::table::Seat;

    use super::*;
    use crate::telemetry::Telemetry;

    fn limiter(max: usize) -> Arc<ConnectionLimiter> {
        let telemetry = Telemetry::silent().unwrap();
        ConnectionLimiter::new(max, telemetry.metrics().of_connections())
    }

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn is_evicted(guard: &ConnectionGuard) -> bool {
        guard.state.evict_token.is_cancelled()
    }

    fn admit(limiter: &Arc<ConnectionLimiter>, from: &str) -> ConnectionGuard {
        limiter.try_admit(address(from)).unwrap()
    }

    #[test]
    fn the_oldest_anonymous_connection_is_evicted_and_an_identified_one_stays() {
        let limiter = limiter(3);
        let guards: Vec<_> = (0..3).map(|_| admit(&limiter, "192.0.2.1")).collect();
        guards[0].attribute_to(Account::of_tenant("red"));
        let fourth = admit(&limiter, "192.0.2.1");
        let evicted: Vec<_> = guards.iter().map(is_evicted).collect();
        assert_eq!(evicted, [false, true, false]);
        assert_eq!(
            limiter.count(),
            (4, 2),
            "the one that leaves is not gone yet"
        );
        drop(guards);
        assert_eq!(limiter.count(), (1, 1));
        drop(fourth);
        assert_eq!(limiter.count(), (0, 0));
        let table = limiter.table.lock();
        assert!(table.anonymous.children.is_empty() && table.identified.children.is_empty());
        assert!(table.anonymous.by_count.is_empty() && table.identified.by_count.is_empty());
    }

    #[test]
    fn idle_connections_of_the_largest_holder_are_evicted() {
        let limiter = limiter(6);
        let guards: Vec<_> = (0..6).map(|_| admit(&limiter, "192.0.2.1")).collect();
        let of = |tenant: &str| Account::of_tenant(tenant);
        guards[0].attribute_to(of("blue"));
        guards[5].attribute_to(of("blue"));
        guards[1..5]
            .iter()
            .for_each(|guard| guard.attribute_to(of("red")));
        let _busy = guards[1].track_stream();
        let newcomers = [admit(&limiter, "192.0.2.2"), admit(&limiter, "192.0.2.3")];
        let evicted: Vec<_> = guards.iter().map(is_evicted).collect();
        assert_eq!(evicted, [false, false, true, true, false, false]);
        assert!(!newcomers.iter().any(is_evicted));
    }

    #[test]
    fn busy_connections_stay_unless_one_account_has_more_than_half() {
        let limiter = limiter(4);
        let guards: Vec<_> = (0..4).map(|_| admit(&limiter, "192.0.2.1")).collect();
        let _busy: Vec<_> = guards.iter().map(ConnectionGuard::track_stream).collect();
        for (at, guard) in guards.iter().enumerate() {
            guard.attribute_to(Account::of_tenant(if at < 2 { "red" } else { "blue" }));
        }
        assert!(limiter.try_admit(address("192.0.2.2")).is_none());
        drop(guards);
        let guards: Vec<_> = (0..4).map(|_| admit(&limiter, "192.0.2.1")).collect();
        let _busy: Vec<_> = guards.iter().map(ConnectionGuard::track_stream).collect();
        guards
            .iter()
            .for_each(|guard| guard.attribute_to(Account::of_tenant("red")));
        let _newcomer = admit(&limiter, "192.0.2.2");
        assert!(is_evicted(&guards[0]));
    }

    #[test]
    fn connections_of_an_account_are_closed_unless_others_use_them_too() {
        let limiter = limiter(10);
        let guards: Vec<_> = (0..5).map(|_| admit(&limiter, "192.0.2.1")).collect();
        let [red, blue] = ["red", "blue"].map(Account::of_tenant);
        let seat = |number| Account::of_token_holder(red, uuid::Uuid::nil(), Seat::new(number));
        guards[0].attribute_to(red);
        guards[1].attribute_to(seat(1));
        guards[2].attribute_to(seat(1));
        guards[2].attribute_to(seat(2));
        guards[3].attribute_to(red);
        guards[3].attribute_to(blue);
        assert_eq!((limiter.in_use_by(red), limiter.in_use_by(seat(1))), (4, 2));
        assert_eq!(limiter.evict_all(seat(1)), 1);
        let evicted = || guards.iter().map(is_evicted).collect::<Vec<_>>();
        assert_eq!(evicted(), [false, true, false, false, false]);
        assert_eq!(limiter.evict_all(red), 2);
        assert_eq!(evicted(), [true, true, true, false, false]);
        assert_eq!(
            (
                limiter.evict_all(red),
                limiter.evict_all(blue),
                limiter.in_use_by(red)
            ),
            (0, 0, 1)
        );
        let anonymous = Account::of_anonymous(address("192.0.2.1"));
        assert_eq!(limiter.evict_all(anonymous), 1);
        drop(guards);
        assert_eq!((limiter.count(), limiter.in_use_by(red)), ((0, 0), 0));
    }

    #[test]
    fn anonymous_connections_that_stay_open_are_bounded_too() {
        let limiter = limiter(2);
        let stay: Vec<_> = (0..100)
            .map(|_| limiter.try_admit(address("192.0.2.1")))
            .filter(Option::is_some)
            .collect();
        assert_eq!(stay.len(), 2 + EVICTION_SLACK);
    }

    #[test]
    fn a_connection_of_the_largest_network_is_evicted() {
        let limiter = limiter(5);
        let other = admit(&limiter, "2001:db8:1::1");
        let same: Vec<_> = ["2001:db8::1", "2001:db8::2", "2001:db8:0:1::3"]
            .map(|text| admit(&limiter, text))
            .into();
        let last = admit(&limiter, "2001:db8:2::1");
        let _newcomer = admit(&limiter, "2001:db8:3::1");
        let evicted: Vec<_> = same.iter().map(is_evicted).collect();
        assert_eq!(evicted, [true, false, false]);
        assert!(!is_evicted(&other) && !is_evicted(&last));
    }
}
