//! A client with the usual retry policy of gRPC clients: a call that fails with UNAVAILABLE is retried a few times, at
//! any address of the service.

use rand::RngExt;
use std::error::Error;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::RwLock;
use tonic::transport::Endpoint;
use tonic::{Code, Status};

use crate::dominion::Client;
use crate::evidence::Channel;

/// The addresses of a service, as name resolution returns them. They change while clients run.
#[derive(Clone, Debug, Default)]
pub struct Addresses(Arc<RwLock<Vec<String>>>);

impl Addresses {
    /// Adds an address.
    pub fn add(&self, address: &str) {
        self.0.write().push(address.to_owned());
    }

    /// Removes an address.
    pub fn remove(&self, address: &str) {
        self.0.write().retain(|other| other != address);
    }

    /// Returns a random address other than this one if there is another.
    ///
    /// # Panics
    /// If there is no address.
    #[must_use]
    pub fn other_than(&self, address: &str) -> String {
        let addresses = self.0.read();
        let others: Vec<&String> = addresses.iter().filter(|one| *one != address).collect();
        let chosen = match others.len() {
            0 => addresses.first(),
            count => others
                .get(crate::chance::rng().random_range(0..count))
                .copied(),
        };
        chosen.cloned().expect("an address")
    }
}

/// Maximum number of attempts, a usual value for the retry policy of a service config.
const MAX_TRIES: u32 = 5;

/// The delay before the first retry; it doubles with every further one.
const FIRST_WAIT: Duration = Duration::from_millis(50);

/// A client that keeps one connection until it fails.
#[derive(Clone, Debug)]
pub struct Retrying {
    addresses: Addresses,
    address: String,
    client: Client,
    /// The number of failures that were hidden by retries.
    pub absorbed: u32,
}

impl Retrying {
    /// Creates a client of one of these addresses.
    #[must_use]
    pub fn new(addresses: &Addresses) -> Self {
        let address = addresses.other_than("");
        Self {
            client: connect(&address),
            addresses: addresses.clone(),
            address,
            absorbed: 0,
        }
    }

    /// Connects to another address.
    pub fn move_on(&mut self) {
        self.address = self.addresses.other_than(&self.address);
        self.client = connect(&self.address);
    }

    /// Makes a call, and retries it while no server responds.
    ///
    /// # Errors
    /// Any other failure at once, and the last one when the retries are exhausted.
    pub async fn call<A, F: Future<Output = Result<A, Status>>>(
        &mut self,
        call: impl Fn(Client) -> F,
    ) -> Result<A, Status> {
        let mut wait = FIRST_WAIT;
        for _ in 1..MAX_TRIES {
            match call(self.client.clone()).await {
                Err(status) if is_away(&status) => {
                    self.absorbed += 1;
                    tokio::time::sleep(wait).await;
                    wait *= 2;
                    self.move_on();
                }
                answer => return answer,
            }
        }
        call(self.client.clone()).await
    }
}

/// Returns whether no server is reachable. This library reports a connection that ends during a call as CANCELLED or
/// UNKNOWN, which other libraries report as UNAVAILABLE.
#[must_use]
pub fn is_away(status: &Status) -> bool {
    status.code() == Code::Unavailable || status.source().is_some()
}

fn connect(address: &str) -> Client {
    let endpoint = Endpoint::from_shared(format!("http://{address}")).expect("an address");
    Client::new(Channel::of_this_test(endpoint.connect_lazy(), address))
}
