//! A **held connection**: shared by the tasks of a thread, and dialed again when it breaks or leads to a server that
//! takes no writes.
//!
//! Behind a name, a proxy or sentinels another server may become the primary while connections to the former one live
//! on: it is a replica then, answers reads from the past and refuses every write (`READONLY`). Such an answer is a
//! reason to dial again, and so is one that does not come in time. A connection that only reads would get no such
//! answer, so each writes a probe now and then. Until a new connection is open, the former one is used: reads go on.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use arc_swap::ArcSwapOption;
use futures_util::future::BoxFuture;
use redis::aio::{ConnectionLike, MultiplexedConnection};
use redis::cluster_async::ClusterConnection;
use redis::{Cmd, Pipeline, RedisError, Value};
use tokio::sync::Mutex;
use tokio::time::sleep;

use super::dialing::ConnectionFactory;
use super::errors::{is_login_denied, is_wrong_server};
use super::keys::WRITE_PROBE;

/// The minimum time between two dials because of a doubt: the name may lead to the former server for a while.
const REDIAL_INTERVAL: Duration = Duration::from_millis(500);

/// The time after a failed dial in which its error answers all commands.
const FAILURE_PAUSE: Duration = Duration::from_millis(50);

/// The interval of probes.
pub(super) const PROBE_INTERVAL: Duration = Duration::from_secs(2);

/// A connection that a factory dials. Clones share it.
pub(super) trait Dialed: ConnectionLike + Clone + Send + Sync + 'static {
    /// Whether a probe can show that this connection leads to the wrong server. The client of a cluster finds out by
    /// itself where each key is.
    const PROBES: bool;

    /// Connects.
    fn dial(factory: &ConnectionFactory) -> impl Future<Output = Result<Self, RedisError>> + Send;

    /// Whether this error means that the connection is lost. A connection that mends itself never is.
    fn is_lost(error: &RedisError) -> bool;

    /// Sends one command and returns its reply.
    fn send(&mut self, command: &Cmd) -> impl Future<Output = Result<Value, RedisError>> + Send;
}

impl Dialed for MultiplexedConnection {
    const PROBES: bool = true;

    async fn dial(factory: &ConnectionFactory) -> Result<Self, RedisError> {
        factory.server().await
    }

    fn is_lost(error: &RedisError) -> bool {
        error.is_unrecoverable_error()
    }

    // The library's method for all kinds of connections would box the future.
    async fn send(&mut self, command: &Cmd) -> Result<Value, RedisError> {
        self.send_packed_command(command).await?.extract_error()
    }
}

impl Dialed for ClusterConnection {
    const PROBES: bool = false;

    async fn dial(factory: &ConnectionFactory) -> Result<Self, RedisError> {
        factory.cluster().await
    }

    fn is_lost(_: &RedisError) -> bool {
        false
    }

    async fn send(&mut self, command: &Cmd) -> Result<Value, RedisError> {
        command.query_async(self).await
    }
}

/// A held connection of a thread.
pub(super) struct Held<C> {
    factory: Arc<ConnectionFactory>,
    current: ArcSwapOption<Numbered<C>>,
    /// Whether the current connection may lead to the wrong server.
    is_suspect: AtomicBool,
    dials: Mutex<Dials>,
}

/// A connection and the number of the dial that opened it.
#[derive(Clone)]
pub(super) struct Numbered<C> {
    number: u64,
    pub(super) connection: C,
}

/// The dials of a held connection so far.
struct Dials {
    count: u64,
    /// The end of the last dial.
    ended: Option<Instant>,
    /// The error of the last dial, if it failed.
    error: Option<RedisError>,
}

impl<C: Dialed> Held<C> {
    /// Creates a held connection that is not open yet.
    pub(super) fn new(factory: Arc<ConnectionFactory>) -> Arc<Self> {
        let held = Arc::new(Self {
            factory,
            current: ArcSwapOption::empty(),
            is_suspect: AtomicBool::new(false),
            dials: Mutex::new(Dials {
                count: 0,
                ended: None,
                error: None,
            }),
        });
        if C::PROBES {
            tokio::spawn(probe(Arc::downgrade(&held)));
        }
        held
    }

    /// Opens the connection, unless one is open.
    pub(super) async fn open(&self) -> Result<(), RedisError> {
        if self.current.load().is_some() {
            return Ok(());
        }
        self.dial().await.map(drop)
    }

    /// Returns the connection. Opens it if there is none, or none without a doubt.
    pub(super) async fn get(&self) -> Result<Numbered<C>, RedisError> {
        match self.usable() {
            Some(current) => Ok(current),
            None => self.dial().await,
        }
    }

    /// Returns the connection, if there is one without a doubt.
    fn usable(&self) -> Option<Numbered<C>> {
        if self.is_suspect.load(Ordering::Relaxed) {
            return None;
        }
        let current = self.current.load();
        current.as_ref().map(|current| Numbered::clone(current))
    }

    /// Sends one command and returns its reply. The future is boxed once, with the library's in it, so that those of calls
    /// are small.
    pub(super) fn ask<'a>(&'a self, command: &'a Cmd) -> BoxFuture<'a, Result<Value, RedisError>> {
        Box::pin(async move {
            let mut used = self.get().await?;
            let reply = used.connection.send(command).await;
            self.examine(used.number, reply.as_ref().err());
            reply
        })
    }

    /// Sends commands together and returns the reply to each of this number of commands, which may be an error.
    pub(super) async fn ask_pipelined(
        &self,
        commands: &Pipeline,
        count: usize,
    ) -> Result<Vec<Result<Value, RedisError>>, RedisError> {
        let mut used = self.get().await?;
        let replies = used
            .connection
            .req_packed_commands(commands, 0, count)
            .await;
        self.examine(used.number, replies.as_ref().err());
        let replies: Vec<_> = replies?.into_iter().map(Value::extract_error).collect();
        for reply in &replies {
            self.examine(used.number, reply.as_ref().err());
        }
        Ok(replies)
    }

    /// Reports that the server may no longer be the primary. A following command dials again.
    pub(super) fn suspect(&self) {
        self.is_suspect.store(true, Ordering::Relaxed);
    }

    /// Draws conclusions about the connection of this number from the error of a command, if there is one.
    fn examine(&self, number: u64, error: Option<&RedisError>) {
        if let Some(error) = error {
            self.doubt(number, error);
        }
    }

    #[cold]
    fn doubt(&self, number: u64, error: &RedisError) {
        let current = self.current.load();
        // Another task may have replaced the connection.
        if current
            .as_ref()
            .is_none_or(|current| current.number != number)
        {
            return;
        }
        if C::is_lost(error) {
            let _replaced = self.current.compare_and_swap(&*current, None);
        } else if is_wrong_server(error) || error.is_io_error() || is_login_denied(error) {
            self.suspect();
        }
    }

    /// Dials, see [`Self::dial_once`]. Erases the type of the future: the full one is too deep for the compiler, and
    /// would enlarge the future of every call.
    fn dial(&self) -> BoxFuture<'_, Result<Numbered<C>, RedisError>> {
        Box::pin(self.dial_once())
    }

    /// Dials, unless another task just did. Returns the former connection if it is still of use and no other can be
    /// had.
    async fn dial_once(&self) -> Result<Numbered<C>, RedisError> {
        let asked = Instant::now();
        let current = || self.current.load_full();
        let mut dials = match (self.dials.try_lock(), current()) {
            (Ok(dials), _) => dials,
            (Err(_), Some(former)) => return Ok(Numbered::clone(&former)),
            (Err(_), None) => self.dials.lock().await,
        };
        let former = current();
        let elapsed = dials.ended.map(|ended| ended.elapsed());
        if let Some(former) = &former
            && (!self.is_suspect.load(Ordering::Relaxed)
                || elapsed.is_some_and(|elapsed| elapsed < REDIAL_INTERVAL))
        {
            return Ok(Numbered::clone(former));
        }
        if former.is_none()
            && let Some(error) = &dials.error
            && (dials.ended > Some(asked) || elapsed.is_some_and(|elapsed| elapsed < FAILURE_PAUSE))
        {
            return Err(error.clone());
        }
        let dialed = C::dial(&self.factory).await;
        dials.count += 1;
        dials.ended = Some(Instant::now());
        dials.error = dialed.as_ref().err().cloned();
        match (dialed, former) {
            (Ok(connection), _) => {
                let number = dials.count;
                let new = Numbered { number, connection };
                self.is_suspect.store(false, Ordering::Relaxed);
                self.current.store(Some(Arc::new(new.clone())));
                Ok(new)
            }
            (Err(_), Some(former)) => Ok(Numbered::clone(&former)),
            (Err(error), None) => Err(error),
        }
    }
}

/// Returns the command that shows whether a server takes writes: it deletes a key that never exists. So it stores
/// nothing, and a server that is full takes it.
pub(super) fn write_probe(key: &str) -> Cmd {
    let mut probe = redis::cmd("DEL");
    probe.arg(key);
    probe
}

/// Writes a probe now and then, as long as the connection is held.
async fn probe<C: Dialed>(held: Weak<Held<C>>) {
    let command = write_probe(WRITE_PROBE);
    loop {
        sleep(PROBE_INTERVAL).await;
        let Some(held) = held.upgrade() else {
            return;
        };
        // What the answer says about the connection has been noted.
        let _examined = held.ask(&command).await;
    }
}
