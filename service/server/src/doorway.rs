//! Limits on connections, and which one is closed to make room.
//!
//! A connection is a stranger until it has carried a complete call of an authorized caller.
//! Strangers make room: for others of their own address at that address's limit, for everybody at
//! the limit of the process. A known connection is never closed to make room, so callers without a
//! token cannot take connections from those with one.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use gamekeeper_telemetry::{ConnectionMetrics, NoConnection};
use tokio::sync::Semaphore;
use tokio_util::sync::{CancellationToken, WaitForCancellationFuture};

/// Connections that were asked to leave need a moment. This many may still be open beyond the limit.
const LEAVING: usize = 16;

/// The streams that one connection may have open without a token: one client must not take the places of all.
const OPEN_STREAMS: usize = 16;

/// Counts connections and enforces their limits.
pub(crate) struct Doorway {
    max: usize,
    max_of_address: usize,
    present: Mutex<Present>,
    metrics: ConnectionMetrics,
}

#[derive(Default)]
struct Present {
    all: usize,
    next: u64,
    /// The oldest first.
    strangers: BTreeMap<u64, Stranger>,
    of_addresses: HashMap<IpAddr, BTreeSet<u64>>,
}

struct Stranger {
    network: IpAddr,
    leave: CancellationToken,
}

impl Present {
    fn forget(&mut self, number: u64) -> Option<Stranger> {
        let stranger = self.strangers.remove(&number)?;
        if let Some(numbers) = self.of_addresses.get_mut(&stranger.network) {
            numbers.remove(&number);
            if numbers.is_empty() {
                self.of_addresses.remove(&stranger.network);
            }
        }
        Some(stranger)
    }

    /// Asks the oldest stranger to leave: of this address, if given. False: there is none.
    fn make_room(&mut self, network: Option<IpAddr>) -> bool {
        let oldest = match network {
            Some(network) => self
                .of_addresses
                .get(&network)
                .and_then(|numbers| numbers.first().copied()),
            None => self.strangers.keys().next().copied(),
        };
        let Some(stranger) = oldest.and_then(|number| self.forget(number)) else {
            return false;
        };
        stranger.leave.cancel();
        true
    }
}

impl Doorway {
    /// Admits at most this many, and this many strangers of one address (0: no limit).
    pub(crate) fn new(max: usize, max_of_address: usize, metrics: ConnectionMetrics) -> Arc<Self> {
        Arc::new(Self {
            max,
            max_of_address,
            present: Mutex::default(),
            metrics,
        })
    }

    /// How many connections there are, and how many of them are strangers.
    pub(crate) fn count(&self) -> (usize, usize) {
        let present = self.present.lock().unwrap_or_else(PoisonError::into_inner);
        (present.all, present.strangers.len())
    }

    /// Counts a connection as long as the visit lives. `None`: there is no room.
    pub(crate) fn enter(self: &Arc<Self>, address: IpAddr) -> Option<Visit> {
        let network = network_of(address);
        let mut present = self.present.lock().unwrap_or_else(PoisonError::into_inner);
        let of_address = present.of_addresses.get(&network).map_or(0, BTreeSet::len);
        if self.max_of_address > 0 && of_address >= self.max_of_address {
            present.make_room(Some(network));
            self.metrics.refused(NoConnection::AddressFull);
        }
        let has_room = present.all < self.max
            || (present.all < self.max.saturating_add(LEAVING) && present.make_room(None));
        if present.all >= self.max {
            self.metrics.refused(NoConnection::Full);
        }
        if !has_room {
            return None;
        }
        let (number, leave) = (present.next, CancellationToken::new());
        present.next += 1;
        present.all += 1;
        let stranger = Stranger {
            network,
            leave: leave.clone(),
        };
        present.strangers.insert(number, stranger);
        present
            .of_addresses
            .entry(network)
            .or_default()
            .insert(number);
        drop(present);
        Some(Visit {
            doorway: Arc::clone(self),
            address,
            number,
            known: AtomicBool::new(false),
            open_streams: Arc::new(Semaphore::new(OPEN_STREAMS)),
            leave,
        })
    }
}

/// A client with one IPv6 address usually controls the whole /64.
fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => {
            let network = u128::from(address) >> 64 << 64;
            IpAddr::V6(Ipv6Addr::from(network))
        }
    }
}

/// A connection, counted as long as this lives.
pub(crate) struct Visit {
    doorway: Arc<Doorway>,
    address: IpAddr,
    number: u64,
    known: AtomicBool,
    open_streams: Arc<Semaphore>,
    leave: CancellationToken,
}

impl Visit {
    /// Marks the connection as known: an authorized caller has used it.
    pub(crate) fn know(&self) {
        if self.known.load(Ordering::Relaxed) || self.known.swap(true, Ordering::Relaxed) {
            return;
        }
        self.forget(false);
    }

    /// Resolves when the connection must make room.
    pub(crate) fn asked_to_leave(&self) -> WaitForCancellationFuture<'_> {
        self.leave.cancelled()
    }

    /// The places for streams without a token.
    pub(crate) fn open_streams(&self) -> &Arc<Semaphore> {
        &self.open_streams
    }

    /// The address of the client.
    pub(crate) fn address(&self) -> IpAddr {
        self.address
    }

    /// Counts a connection that failed before HTTP.
    pub(crate) fn failed(&self, why: NoConnection) {
        self.doorway.metrics.refused(why);
    }

    fn forget(&self, is_over: bool) {
        let mut present = self
            .doorway
            .present
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        present.forget(self.number);
        present.all -= usize::from(is_over);
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        self.forget(true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::telemetry::Telemetry;

    fn doorway(max: usize, max_of_address: usize) -> Arc<Doorway> {
        let telemetry = Telemetry::silent().unwrap();
        Doorway::new(max, max_of_address, telemetry.metrics().of_connections())
    }

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn leaves(visit: &Visit) -> bool {
        visit.leave.is_cancelled()
    }

    #[test]
    fn the_oldest_stranger_makes_room_and_a_known_one_stays() {
        let door = doorway(3, 0);
        let here = address("192.0.2.1");
        let visits: Vec<_> = (0..3).map(|_| door.enter(here).unwrap()).collect();
        visits[0].know();
        let fourth = door.enter(here).unwrap();
        let left: Vec<_> = visits.iter().map(leaves).collect();
        assert_eq!(left, [false, true, false]);
        assert_eq!(door.count(), (4, 2), "the one that leaves is not gone yet");
        drop(visits);
        assert_eq!(door.count(), (1, 1));
        drop(fourth);
        assert_eq!(door.count(), (0, 0));
        let present = door.present.lock().unwrap();
        assert!(present.of_addresses.is_empty());
    }

    #[test]
    fn where_all_are_known_there_is_no_room() {
        let door = doorway(2, 0);
        let visits: Vec<_> = (0..2)
            .map(|_| door.enter(address("192.0.2.1")).unwrap())
            .collect();
        visits.iter().for_each(Visit::know);
        assert!(door.enter(address("192.0.2.2")).is_none());
        drop(visits);
        assert!(door.enter(address("192.0.2.2")).is_some());
    }

    #[test]
    fn strangers_who_do_not_leave_are_bounded_too() {
        let door = doorway(2, 0);
        let stay: Vec<_> = (0..100)
            .map(|_| door.enter(address("192.0.2.1")))
            .filter(Option::is_some)
            .collect();
        assert_eq!(stay.len(), 2 + LEAVING);
    }

    #[test]
    fn strangers_of_one_address_make_room_for_each_other_alone() {
        let door = doorway(100, 2);
        let other = door.enter(address("2001:db8:0:1::1")).unwrap();
        let same: Vec<_> = ["2001:db8::1", "2001:db8::2", "2001:db8::3"]
            .map(|text| door.enter(address(text)).unwrap())
            .into();
        let left: Vec<_> = same.iter().map(leaves).collect();
        assert_eq!(left, [true, false, false]);
        assert!(!leaves(&other));
    }

    #[test]
    fn known_connections_of_an_address_do_not_count() {
        let door = doorway(100, 2);
        let visits: Vec<_> = (0..5)
            .map(|_| {
                let visit = door.enter(address("192.0.2.1")).unwrap();
                visit.know();
                visit
            })
            .collect();
        assert!(!visits.iter().any(leaves));
    }
}
