//! The **connection limit**, and the **eviction** of connections when it is reached.
//!
//! A connection is a stranger until it has carried a complete call of an authorized caller. From then on it belongs to
//! the account of that caller. At the limit, the account with the most connections, or all strangers together, must
//! give one up. An account loses only idle connections, the oldest first, unless it has more than half of all. New
//! clients therefore get in, however many connections one account or network holds.

mod holdings;

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use gamekeeper_games::access::Account;
use gamekeeper_telemetry::{ConnectionMetrics, NoConnection};
use holdings::{Holdings, Line};
use parking_lot::Mutex;
use tokio_util::sync::WaitForCancellationFuture;

/// The number of evicted connections that may still be open beyond the limit, since closing takes a moment.
const LEAVING: usize = 16;

/// Counts connections and enforces their limit.
pub(crate) struct Doorway {
    max: usize,
    present: Mutex<Present>,
    metrics: ConnectionMetrics,
}

#[derive(Default)]
struct Present {
    all: usize,
    next: u64,
    strangers: Holdings,
    known: Holdings,
}

impl Present {
    /// Evicts a connection. Returns false if none may be closed.
    fn make_room(&mut self, max: usize) -> bool {
        let largest = self.known.largest();
        let of_strangers = || Some((false, self.strangers.victim(true)?));
        let of_known = |any| Some((true, self.known.victim(any)?));
        let found = if largest > self.strangers.count {
            of_known(false)
                .or_else(of_strangers)
                .or_else(|| of_known(largest > max / 2))
        } else {
            of_strangers()
        };
        let Some((is_known, (account, number))) = found else {
            return false;
        };
        let holdings = if is_known {
            &mut self.known
        } else {
            &mut self.strangers
        };
        if let Some(line) = holdings.remove(account, number) {
            line.leave.cancel();
        }
        true
    }
}

impl Doorway {
    /// Creates the limit: at most `max` open connections.
    pub(crate) fn new(max: usize, metrics: ConnectionMetrics) -> Arc<Self> {
        Arc::new(Self {
            max,
            present: Mutex::default(),
            metrics,
        })
    }

    /// Returns how many connections are open, and how many of them are strangers.
    pub(crate) fn count(&self) -> (usize, usize) {
        let present = self.present.lock();
        (present.all, present.strangers.count)
    }

    /// Returns how many connections this account has, or strangers of this network or address.
    pub(crate) fn held_by(&self, account: Account) -> usize {
        let present = self.present.lock();
        let parts = [&present.known, &present.strangers].map(|of| of.part(account));
        parts.into_iter().flatten().map(|part| part.count).sum()
    }

    /// Closes the connections that only this account and its parts use, and returns their number.
    pub(crate) fn close(&self, account: Account) -> usize {
        let mut present = self.present.lock();
        present.known.close(account) + present.strangers.close(account)
    }

    /// Admits a connection and counts it until the visit is dropped (**RAII**). Returns `None` if the limit is reached
    /// and no connection may be closed.
    pub(crate) fn enter(self: &Arc<Self>, address: IpAddr) -> Option<Visit> {
        let mut present = self.present.lock();
        if present.all >= self.max {
            self.metrics.refused(NoConnection::Full);
            let is_bounded = present.all < self.max.saturating_add(LEAVING);
            if !is_bounded || !present.make_room(self.max) {
                return None;
            }
        }
        let (number, line) = (present.next, Arc::<Line>::default());
        present.next += 1;
        present.all += 1;
        let stranger = Account::of_stranger(address);
        present.strangers.add(stranger, number, Arc::clone(&line));
        drop(present);
        Some(Visit {
            doorway: Arc::clone(self),
            address,
            number,
            stranger,
            is_known: AtomicBool::new(false),
            known: Mutex::default(),
            line,
        })
    }
}

/// An open connection, counted until it is dropped.
pub(crate) struct Visit {
    doorway: Arc<Doorway>,
    address: IpAddr,
    number: u64,
    stranger: Account,
    is_known: AtomicBool,
    /// The account to which the connection belongs. Is `None` while it is a stranger.
    known: Mutex<Option<Account>>,
    line: Arc<Line>,
}

impl Visit {
    /// Records that an authorized caller has used the connection. It then belongs to the account of the first one.
    pub(crate) fn know(&self, account: Account) {
        let mut callers = self.line.callers.lock();
        if *callers == Some(account) {
            return;
        }
        let common = callers.map_or(account, |callers| callers.common(account));
        *callers = Some(common);
        drop(callers);
        if self.is_known.load(Ordering::Relaxed) || self.is_known.swap(true, Ordering::Relaxed) {
            return;
        }
        let mut present = self.doorway.present.lock();
        // An evicted connection was removed from the counts already.
        if let Some(line) = present.strangers.remove(self.stranger, self.number) {
            present.known.add(account, self.number, line);
            *self.known.lock() = Some(account);
        }
    }

    /// Returns the smallest account that contains all callers of the connection, or the account of its address while
    /// there are none.
    pub(crate) fn account(&self) -> Account {
        self.line.callers.lock().unwrap_or(self.stranger)
    }

    /// Returns the account of the client's address.
    pub(crate) fn stranger(&self) -> Account {
        self.stranger
    }

    /// Counts a call or stream of the connection, which is not idle until the guard is dropped.
    pub(crate) fn busy(&self) -> Busy {
        self.line.busy.fetch_add(1, Ordering::Relaxed);
        Busy(Arc::clone(&self.line))
    }

    /// Whether the connection carries no calls or streams.
    pub(crate) fn is_idle(&self) -> bool {
        self.line.is_idle()
    }

    /// Resolves when the connection is evicted.
    pub(crate) fn asked_to_leave(&self) -> WaitForCancellationFuture<'_> {
        self.line.leave.cancelled()
    }

    /// The address of the client.
    pub(crate) fn address(&self) -> IpAddr {
        self.address
    }

    /// Counts a connection that failed before HTTP.
    pub(crate) fn failed(&self, why: NoConnection) {
        self.doorway.metrics.refused(why);
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        let known = *self.known.get_mut();
        let mut present = self.doorway.present.lock();
        present.all -= 1;
        match known {
            Some(account) => present.known.remove(account, self.number),
            None => present.strangers.remove(self.stranger, self.number),
        };
    }
}

/// A guard that counts a call or stream of a connection.
pub(crate) struct Busy(Arc<Line>);

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.busy.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_rules::table::Seat;

    use super::*;
    use crate::telemetry::Telemetry;

    fn doorway(max: usize) -> Arc<Doorway> {
        let telemetry = Telemetry::silent().unwrap();
        Doorway::new(max, telemetry.metrics().of_connections())
    }

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn leaves(visit: &Visit) -> bool {
        visit.line.leave.is_cancelled()
    }

    fn enter(door: &Arc<Doorway>, from: &str) -> Visit {
        door.enter(address(from)).unwrap()
    }

    #[test]
    fn the_oldest_stranger_makes_room_and_a_known_one_stays() {
        let door = doorway(3);
        let visits: Vec<_> = (0..3).map(|_| enter(&door, "192.0.2.1")).collect();
        visits[0].know(Account::of_tenant("red"));
        let fourth = enter(&door, "192.0.2.1");
        let left: Vec<_> = visits.iter().map(leaves).collect();
        assert_eq!(left, [false, true, false]);
        assert_eq!(door.count(), (4, 2), "the one that leaves is not gone yet");
        drop(visits);
        assert_eq!(door.count(), (1, 1));
        drop(fourth);
        assert_eq!(door.count(), (0, 0));
        let present = door.present.lock();
        assert!(present.strangers.parts.is_empty() && present.known.parts.is_empty());
        assert!(present.strangers.by_count.is_empty() && present.known.by_count.is_empty());
    }

    #[test]
    fn idle_connections_of_whoever_has_the_most_make_room() {
        let door = doorway(6);
        let visits: Vec<_> = (0..6).map(|_| enter(&door, "192.0.2.1")).collect();
        let of = |tenant: &str| Account::of_tenant(tenant);
        visits[0].know(of("blue"));
        visits[5].know(of("blue"));
        visits[1..5].iter().for_each(|visit| visit.know(of("red")));
        let _busy = visits[1].busy();
        let newcomers = [enter(&door, "192.0.2.2"), enter(&door, "192.0.2.3")];
        let left: Vec<_> = visits.iter().map(leaves).collect();
        assert_eq!(left, [false, false, true, true, false, false]);
        assert!(!newcomers.iter().any(leaves));
    }

    #[test]
    fn busy_connections_stay_unless_one_account_has_more_than_half() {
        let door = doorway(4);
        let visits: Vec<_> = (0..4).map(|_| enter(&door, "192.0.2.1")).collect();
        let _busy: Vec<_> = visits.iter().map(Visit::busy).collect();
        for (at, visit) in visits.iter().enumerate() {
            visit.know(Account::of_tenant(if at < 2 { "red" } else { "blue" }));
        }
        assert!(door.enter(address("192.0.2.2")).is_none());
        drop(visits);
        let visits: Vec<_> = (0..4).map(|_| enter(&door, "192.0.2.1")).collect();
        let _busy: Vec<_> = visits.iter().map(Visit::busy).collect();
        visits
            .iter()
            .for_each(|visit| visit.know(Account::of_tenant("red")));
        let _newcomer = enter(&door, "192.0.2.2");
        assert!(leaves(&visits[0]));
    }

    #[test]
    fn connections_of_an_account_are_closed_unless_others_use_them_too() {
        let door = doorway(10);
        let visits: Vec<_> = (0..5).map(|_| enter(&door, "192.0.2.1")).collect();
        let [red, blue] = ["red", "blue"].map(Account::of_tenant);
        let seat = |number| Account::of_token(red, uuid::Uuid::nil(), Seat::new(number));
        visits[0].know(red);
        visits[1].know(seat(1));
        visits[2].know(seat(1));
        visits[2].know(seat(2));
        visits[3].know(red);
        visits[3].know(blue);
        assert_eq!((door.held_by(red), door.held_by(seat(1))), (4, 2));
        assert_eq!(door.close(seat(1)), 1);
        let left = || visits.iter().map(leaves).collect::<Vec<_>>();
        assert_eq!(left(), [false, true, false, false, false]);
        assert_eq!(door.close(red), 2);
        assert_eq!(left(), [true, true, true, false, false]);
        assert_eq!(
            (door.close(red), door.close(blue), door.held_by(red)),
            (0, 0, 1)
        );
        let stranger = Account::of_stranger(address("192.0.2.1"));
        assert_eq!(door.close(stranger), 1);
        drop(visits);
        assert_eq!((door.count(), door.held_by(red)), ((0, 0), 0));
    }

    #[test]
    fn strangers_who_do_not_leave_are_bounded_too() {
        let door = doorway(2);
        let stay: Vec<_> = (0..100)
            .map(|_| door.enter(address("192.0.2.1")))
            .filter(Option::is_some)
            .collect();
        assert_eq!(stay.len(), 2 + LEAVING);
    }

    #[test]
    fn the_network_with_the_most_strangers_makes_room() {
        let door = doorway(5);
        let other = enter(&door, "2001:db8:1::1");
        let same: Vec<_> = ["2001:db8::1", "2001:db8::2", "2001:db8:0:1::3"]
            .map(|text| enter(&door, text))
            .into();
        let last = enter(&door, "2001:db8:2::1");
        let _newcomer = enter(&door, "2001:db8:3::1");
        let left: Vec<_> = same.iter().map(leaves).collect();
        assert_eq!(left, [true, false, false]);
        assert!(!leaves(&other) && !leaves(&last));
    }
}
