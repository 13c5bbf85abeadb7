//! Wake-ups from other processes (**publish/subscribe**), over a dedicated connection.
//!
//! One task owns the connection. When it breaks, or leads to a server that takes no writes (see `held`), the task
//! connects again, subscribes again, and wakes all watchers, since messages may have been missed.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use gamekeeper_store::notifier::ChangeNotifier;
use gamekeeper_store::{ChangeReceiver, GameId, StoreError, Version};
use gamekeeper_telemetry::LogRateLimiter;
use redis::aio::MultiplexedConnection;
use redis::cluster_async::ClusterConnection;
use redis::{FromRedisValue, PushInfo, PushKind, RedisError};
use tokio::sync::{mpsc, oneshot};
use tokio::task::AbortHandle;
use tokio::time::{MissedTickBehavior, interval, sleep};

use super::config::Publish;
use super::dialing::ConnectionFactory;
use super::errors::is_wrong_server;
use super::held::{PROBE_INTERVAL, write_probe};
use super::keys::{WRITE_PROBE, game_of_channel, log_key};

/// How often to drop games without watchers.
const SWEEP_INTERVAL: Duration = Duration::from_secs(10);

/// The timeout of a reply.
const REPLY_TIMEOUT: Duration = Duration::from_secs(10);

/// The time between two attempts to connect.
const RETRY_DELAY: Duration = Duration::from_millis(250);

/// The minimum time between two log lines about interruptions.
const LOG_INTERVAL: Duration = Duration::from_secs(10);

/// A handle of the task that subscribes to games and wakes their watchers.
pub(super) struct SubscriptionTask {
    notifier: Arc<ChangeNotifier>,
    requests: mpsc::UnboundedSender<SubscribeRequest>,
    task: AbortHandle,
}

/// A request to subscribe to a game, answered when the subscription is active.
struct SubscribeRequest {
    game: GameId,
    done: oneshot::Sender<()>,
}

impl Drop for SubscriptionTask {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl SubscriptionTask {
    pub(super) fn start(
        factory: Arc<ConnectionFactory>,
        notifier: Arc<ChangeNotifier>,
    ) -> SubscriptionTask {
        let (requests, queue) = mpsc::unbounded_channel();
        let listener = Subscriber {
            factory,
            notifier: Arc::clone(&notifier),
            queue,
            pending: Vec::new(),
            interruption_log: LogRateLimiter::every(LOG_INTERVAL),
        };
        let task = tokio::spawn(listener.run()).abort_handle();
        SubscriptionTask {
            notifier,
            requests,
            task,
        }
    }

    /// Adds a watcher that is woken by every change from now on, while the connection lasts.
    pub(super) async fn watch(
        &self,
        game: GameId,
        timeout: Duration,
    ) -> Result<ChangeReceiver, StoreError> {
        let watcher = self.notifier.watch(game);
        let (done, subscribed) = oneshot::channel();
        let stopped = || StoreError::Unavailable("the store is closed".into());
        self.requests
            .send(SubscribeRequest { game, done })
            .map_err(|_| stopped())?;
        match tokio::time::timeout(timeout, subscribed).await {
            Ok(Ok(())) => Ok(watcher),
            Ok(Err(_)) => Err(stopped()),
            Err(_) => Err(StoreError::Unavailable(
                "Redis did not confirm a subscription in time".into(),
            )),
        }
    }

    pub(super) fn stop(&self) {
        self.task.abort();
    }
}

struct Subscriber {
    factory: Arc<ConnectionFactory>,
    notifier: Arc<ChangeNotifier>,
    queue: mpsc::UnboundedReceiver<SubscribeRequest>,
    /// Orders that the last connection could not fulfill before it broke.
    pending: Vec<SubscribeRequest>,
    interruption_log: LogRateLimiter,
}

/// The connection from which messages come.
struct SubscriptionStream {
    connection: Connection,
    pushes: mpsc::UnboundedReceiver<PushInfo>,
}

enum Connection {
    Server(MultiplexedConnection),
    /// A connection to a cluster, whose client reconnects and subscribes again by itself.
    Cluster(ClusterConnection),
}

/// The meaning of a message.
#[derive(Debug, PartialEq, Eq)]
enum Notification {
    Version(GameId, Version),
    /// A change other than a new version, such as a deletion or a new row.
    Changed(GameId),
    /// Messages may have been missed.
    Gap,
    /// Nothing of interest.
    Ignored,
}

impl Subscriber {
    async fn run(mut self) {
        loop {
            match self.connect().await {
                Ok(stream) => {
                    if let Err(error) = self.listen(stream).await {
                        self.log_interruption(&error);
                    }
                }
                Err(error) => self.log_interruption(&error),
            }
            sleep(RETRY_DELAY).await;
            self.drop_abandoned();
        }
    }

    /// Drops orders whose callers gave up while there was no connection.
    fn drop_abandoned(&mut self) {
        while let Ok(request) = self.queue.try_recv() {
            self.pending.push(request);
        }
        self.pending.retain(|request| !request.done.is_closed());
    }

    fn log_interruption(&mut self, error: &RedisError) {
        if let Some(times) = self.interruption_log.should_log() {
            tracing::warn!(%error, times, "wake-ups from Redis are interrupted");
        }
    }

    async fn connect(&self) -> Result<SubscriptionStream, RedisError> {
        let (sender, pushes) = mpsc::unbounded_channel();
        let connection = match self.factory.publish() {
            Publish::Plain => Connection::Server(self.factory.subscriber(sender).await?),
            Publish::Sharded => Connection::Cluster(self.factory.cluster_subscriber(sender).await?),
        };
        Ok(SubscriptionStream { connection, pushes })
    }

    /// Listens until the connection breaks.
    async fn listen(&mut self, mut stream: SubscriptionStream) -> Result<(), RedisError> {
        let mut subscribed = HashSet::new();
        for game in self.notifier.games() {
            stream.subscribe(game).await?;
            subscribed.insert(game);
        }
        for request in std::mem::take(&mut self.pending) {
            self.fulfill(request, &mut stream, &mut subscribed).await?;
        }
        self.notifier.notify_all();
        let mut sweep = interval(SWEEP_INTERVAL);
        sweep.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut probe = interval(PROBE_INTERVAL);
        probe.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                heard = stream.next() => match heard {
                    Some(heard) => self.dispatch(&heard),
                    None => return Err(std::io::Error::from(std::io::ErrorKind::BrokenPipe).into()),
                },
                order = self.queue.recv() => match order {
                    Some(order) => self.fulfill(order, &mut stream, &mut subscribed).await?,
                    None => return Ok(()),
                },
                _ = sweep.tick() => self.sweep(&mut stream, &mut subscribed).await?,
                _ = probe.tick() => stream.probe().await?,
            }
        }
    }

    async fn fulfill(
        &mut self,
        request: SubscribeRequest,
        stream: &mut SubscriptionStream,
        subscribed: &mut HashSet<GameId>,
    ) -> Result<(), RedisError> {
        if !subscribed.contains(&request.game) {
            if let Err(error) = stream.subscribe(request.game).await {
                self.pending.push(request);
                return Err(error);
            }
            subscribed.insert(request.game);
        }
        // The caller may have stopped waiting.
        let _gone = request.done.send(());
        Ok(())
    }

    /// Ends subscriptions without watchers.
    async fn sweep(
        &mut self,
        stream: &mut SubscriptionStream,
        subscribed: &mut HashSet<GameId>,
    ) -> Result<(), RedisError> {
        self.notifier.prune_idle();
        let watched: HashSet<GameId> = self.notifier.games().into_iter().collect();
        let idle: Vec<GameId> = subscribed.difference(&watched).copied().collect();
        for game in idle {
            stream.unsubscribe(game).await?;
            subscribed.remove(&game);
        }
        Ok(())
    }

    fn dispatch(&self, notification: &Notification) {
        match notification {
            Notification::Version(game, version) => self.notifier.notify_version(*game, *version),
            Notification::Changed(game) => self.notifier.notify(*game),
            Notification::Gap => self.notifier.notify_all(),
            Notification::Ignored => {}
        }
    }
}

impl SubscriptionStream {
    async fn subscribe(&mut self, game: GameId) -> Result<(), RedisError> {
        let channel = log_key(game);
        match &mut self.connection {
            Connection::Server(server) => with_timeout(server.subscribe(&*channel)).await,
            Connection::Cluster(cluster) => with_timeout(cluster.ssubscribe(&*channel)).await,
        }
    }

    async fn unsubscribe(&mut self, game: GameId) -> Result<(), RedisError> {
        let channel = log_key(game);
        match &mut self.connection {
            Connection::Server(server) => with_timeout(server.unsubscribe(&*channel)).await,
            Connection::Cluster(cluster) => with_timeout(cluster.sunsubscribe(&*channel)).await,
        }
    }

    /// Detects a server that is gone without having closed the connection, or that takes no writes anymore. The client
    /// of a cluster does so itself.
    async fn probe(&mut self) -> Result<(), RedisError> {
        let Connection::Server(server) = &mut self.connection else {
            return Ok(());
        };
        let command = write_probe(WRITE_PROBE);
        match with_timeout(command.query_async::<redis::Value>(server)).await {
            Err(error) if error.code().is_none() || is_wrong_server(&error) => Err(error),
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// Returns the next message, or `None` if the connection is closed.
    async fn next(&mut self) -> Option<Notification> {
        let push = self.pushes.recv().await?;
        match (&self.connection, push.kind) {
            (Connection::Server(_), PushKind::Disconnection) => None,
            (Connection::Server(_) | Connection::Cluster(_), kind) => {
                let data = push.data;
                Some(of_push(PushInfo { kind, data }))
            }
        }
    }
}

/// Fails if the server does not answer within [`REPLY_TIMEOUT`].
async fn with_timeout<A>(
    reply: impl Future<Output = Result<A, RedisError>>,
) -> Result<A, RedisError> {
    let late = |_| RedisError::from(std::io::Error::from(std::io::ErrorKind::TimedOut));
    tokio::time::timeout(REPLY_TIMEOUT, reply)
        .await
        .map_err(late)?
}

fn of_push(push: PushInfo) -> Notification {
    match push.kind {
        PushKind::Message | PushKind::SMessage => {
            match <(String, Vec<u8>)>::from_redis_value(redis::Value::Array(push.data)) {
                Ok((channel, payload)) => parse_notification(&channel, &payload),
                Err(_) => Notification::Ignored,
            }
        }
        // The client confirms each channel separately, also when it subscribes again.
        PushKind::SSubscribe => {
            let channel = push.data.first();
            match channel.map(<String>::from_redis_value_ref) {
                Some(Ok(channel)) => parse_notification(&channel, b"0"),
                Some(Err(_)) | None => Notification::Ignored,
            }
        }
        PushKind::Disconnection => Notification::Gap,
        _ => Notification::Ignored,
    }
}

fn parse_notification(channel: &str, payload: &[u8]) -> Notification {
    // A commit publishes the whole number of its entry: the version, a dash, and the hash.
    let version = payload.split(|byte| *byte == b'-').next();
    let version = version
        .and_then(|digits| std::str::from_utf8(digits).ok())
        .and_then(|digits| digits.parse().ok());
    match (game_of_channel(channel), version) {
        (Some(game), Some(0)) => Notification::Changed(game),
        (Some(game), Some(version)) => Notification::Version(game, version),
        (Some(_) | None, Some(_) | None) => Notification::Ignored,
    }
}

#[cfg(test)]
mod tests {
    use redis::Value;
    use uuid::Uuid;

    use super::*;
    use crate::config::{RedisConfig, RedisTopology};

    #[test]
    fn a_confirmed_subscription_wakes_its_own_game_only() {
        let game = Uuid::from_u128(7);
        let channel = Value::BulkString(log_key(game).as_bytes().to_vec());
        let push = |kind, data| of_push(PushInfo { kind, data });
        let confirmed = vec![channel, Value::Int(1)];
        assert_eq!(
            push(PushKind::SSubscribe, confirmed),
            Notification::Changed(game)
        );
        assert_eq!(
            push(PushKind::SSubscribe, Vec::new()),
            Notification::Ignored
        );
        assert_eq!(push(PushKind::Disconnection, Vec::new()), Notification::Gap);
    }

    #[test]
    fn a_new_version_is_read_with_and_without_the_hash_of_its_entry() {
        let game = Uuid::from_u128(7);
        let read = |payload: &[u8]| parse_notification(&log_key(game), payload);
        for payload in [b"17-4294967295".as_slice(), b"17-0", b"17"] {
            assert_eq!(read(payload), Notification::Version(game, 17));
        }
        assert_eq!(read(b"0"), Notification::Changed(game));
        for payload in [b"".as_slice(), b"-5", b"soon"] {
            assert_eq!(read(payload), Notification::Ignored);
        }
    }

    /// Callers that still wait must be served by the next connection.
    #[test]
    fn only_orders_that_nobody_waits_for_are_dropped() {
        let topology = RedisTopology::Single {
            address: String::from("redis:6379"),
        };
        let (requests, queue) = mpsc::unbounded_channel();
        let mut listener = Subscriber {
            factory: Arc::new(ConnectionFactory::new(&RedisConfig::new(topology)).unwrap()),
            notifier: Arc::default(),
            queue,
            pending: Vec::new(),
            interruption_log: LogRateLimiter::every(LOG_INTERVAL),
        };
        let callers: Vec<_> = (0..4)
            .map(|number| {
                let (done, caller) = oneshot::channel();
                let request = SubscribeRequest {
                    game: Uuid::from_u128(number),
                    done,
                };
                if number < 2 {
                    listener.pending.push(request);
                } else {
                    assert!(requests.send(request).is_ok());
                }
                // Callers with an even number give up.
                (number % 2 == 1).then_some(caller)
            })
            .collect();
        listener.drop_abandoned();
        let left = listener
            .pending
            .iter()
            .map(|request| request.game.as_u128());
        assert_eq!(left.collect::<Vec<_>>(), [1, 3]);
        drop(callers);
        listener.drop_abandoned();
        assert!(listener.pending.is_empty());
    }
}
