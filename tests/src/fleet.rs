//! Several servers with one store, each behind a proxy. The address of the proxy stays the same when its server is
//! killed and replaced.

use std::time::{Duration, Instant};

use parking_lot::{Mutex, MutexGuard};
use tonic::transport::Endpoint;

use crate::dominion::Client;
use crate::evidence::Channel;
use crate::proxy::Proxy;
use crate::server::Gamekeeperd;

/// The timeout of a call; a call that reaches it counts as unanswered.
const PATIENCE: Duration = Duration::from_secs(3);

/// A set of running servers.
#[derive(Debug)]
pub struct Fleet {
    flags: Vec<String>,
    members: Vec<Member>,
}

#[derive(Debug)]
struct Member {
    server: Mutex<Gamekeeperd>,
    proxy: Proxy,
}

impl Fleet {
    /// Starts this number of servers with these flags.
    ///
    /// # Panics
    /// If they do not start.
    pub async fn start(size: usize, flags: &[&str]) -> Fleet {
        let mut members = Vec::new();
        for _ in 0..size {
            let server = Gamekeeperd::start(flags);
            let proxy = Proxy::before(server.address()).await;
            members.push(Member {
                server: Mutex::new(server),
                proxy,
            });
        }
        Fleet {
            flags: flags.iter().map(|flag| (*flag).to_owned()).collect(),
            members,
        }
    }

    /// Returns the number of servers.
    #[must_use]
    pub fn size(&self) -> usize {
        self.members.len()
    }

    /// Returns the proxy in front of a server.
    #[must_use]
    pub fn proxy(&self, member: usize) -> &Proxy {
        &self.members[member].proxy
    }

    /// Kills a server as a power cut would, and starts another in its place.
    ///
    /// # Panics
    /// If the new server does not start.
    pub fn replace(&self, member: usize) {
        let mut server = self.server(member);
        server.kill();
        *server = self.another();
        self.proxy(member).lead_to(server.address());
    }

    /// Stops a server gracefully and starts another in its place. Returns whether the old one exited successfully, and
    /// how long that took.
    ///
    /// # Panics
    /// If the new server does not start.
    pub fn relieve(&self, member: usize) -> (bool, Duration) {
        let mut server = self.server(member);
        let started = Instant::now();
        let ended_well = server.stop();
        let took = started.elapsed();
        *server = self.another();
        self.proxy(member).lead_to(server.address());
        (ended_well, took)
    }

    fn another(&self) -> Gamekeeperd {
        let flags: Vec<&str> = self.flags.iter().map(String::as_str).collect();
        Gamekeeperd::start(&flags)
    }

    /// Kills all servers.
    ///
    /// # Panics
    /// If they cannot be killed.
    pub fn kill(&self) {
        for member in 0..self.size() {
            self.server(member).kill();
        }
    }

    fn server(&self, member: usize) -> MutexGuard<'_, Gamekeeperd> {
        self.members[member].server.lock()
    }

    /// Returns clients for all servers, each with a connection of its own.
    ///
    /// # Panics
    /// If an address is malformed.
    #[must_use]
    pub fn clients(&self) -> Vec<Client> {
        let channels = self.channels().into_iter();
        channels.map(Client::new).collect()
    }

    /// Returns connections to all servers.
    ///
    /// # Panics
    /// If an address is malformed.
    #[must_use]
    pub fn channels(&self) -> Vec<Channel> {
        let channel = |member: usize| {
            let channel = channel(self.proxy(member).address());
            self.server(member).noted(channel)
        };
        (0..self.size()).map(channel).collect()
    }
}

fn channel(address: &str) -> tonic::transport::Channel {
    Endpoint::from_shared(format!("http://{address}"))
        .expect("an address")
        .connect_timeout(PATIENCE)
        .timeout(PATIENCE)
        .connect_lazy()
}
