//! Wake-ups from other processes (**publish/subscribe**), over a dedicated connection.
//!
//! One task owns the connection. When it breaks, the task reconnects, subscribes again, and wakes all
//! watchers, since messages may have been missed.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use gamekeeper_store::wakers::Wakers;
use gamekeeper_store::{GameId, StoreError, Version, WakeUps};
use gamekeeper_telemetry::Seldom;
use redis::aio::{PubSubSink, PubSubStream};
use redis::cluster_async::ClusterConnection;
use redis::{FromRedisValue, Msg, PushInfo, PushKind, RedisError};
use tokio::sync::{mpsc, oneshot};
use tokio::task::AbortHandle;
use tokio::time::{MissedTickBehavior, interval, sleep};

use super::config::Publish;
use super::keys::{game_of_channel, log_key};
use super::link::Dialer;

/// How often to drop games without watchers and to check that the connection is alive.
const SWEEP: Duration = Duration::from_secs(10);

/// The time between two attempts to connect.
const RETRY: Duration = Duration::from_millis(250);

/// The minimum time between two log lines about interruptions.
const SAY_EVERY: Duration = Duration::from_secs(10);

/// A handle of the task that subscribes to games and wakes their watchers.
pub(super) struct WakeUpTask {
    wakers: Arc<Wakers>,
    orders: mpsc::UnboundedSender<Order>,
    task: AbortHandle,
}

/// A request to subscribe to a game, answered when the subscription is active.
struct Order {
    game: GameId,
    done: oneshot::Sender<()>,
}

impl Drop for WakeUpTask {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl WakeUpTask {
    pub(super) fn start(dialer: Arc<Dialer>, wakers: Arc<Wakers>) -> WakeUpTask {
        let (orders, queue) = mpsc::unbounded_channel();
        let listener = Listener {
            dialer,
            wakers: Arc::clone(&wakers),
            queue,
            open: Vec::new(),
            interrupted: Seldom::every(SAY_EVERY),
        };
        let task = tokio::spawn(listener.run()).abort_handle();
        WakeUpTask {
            wakers,
            orders,
            task,
        }
    }

    /// Adds a watcher that is woken by every change from now on, while the connection lasts.
    pub(super) async fn watch(
        &self,
        game: GameId,
        timeout: Duration,
    ) -> Result<WakeUps, StoreError> {
        let watcher = self.wakers.watch(game);
        let (done, subscribed) = oneshot::channel();
        let stopped = || StoreError::Unavailable("the store is closed".into());
        self.orders
            .send(Order { game, done })
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

struct Listener {
    dialer: Arc<Dialer>,
    wakers: Arc<Wakers>,
    queue: mpsc::UnboundedReceiver<Order>,
    /// Orders that the last connection could not fulfill before it broke.
    open: Vec<Order>,
    interrupted: Seldom,
}

/// The connection from which messages come.
enum Feed {
    Server(PubSubSink, PubSubStream),
    /// A connection to a cluster, whose client reconnects and subscribes again by itself.
    Cluster(ClusterConnection, mpsc::UnboundedReceiver<PushInfo>),
}

/// The meaning of a message.
#[derive(Debug, PartialEq, Eq)]
enum Heard {
    Version(GameId, Version),
    /// A change other than a new version, such as a deletion or a new row.
    Woken(GameId),
    /// Messages may have been missed.
    Gap,
    /// Nothing of interest.
    Noise,
}

impl Listener {
    async fn run(mut self) {
        loop {
            match self.connect().await {
                Ok(feed) => {
                    if let Err(error) = self.listen(feed).await {
                        self.interrupted(&error);
                    }
                }
                Err(error) => self.interrupted(&error),
            }
            sleep(RETRY).await;
            self.forget_abandoned();
        }
    }

    /// Drops orders whose callers gave up while there was no connection.
    fn forget_abandoned(&mut self) {
        while let Ok(order) = self.queue.try_recv() {
            self.open.push(order);
        }
        self.open.retain(|order| !order.done.is_closed());
    }

    fn interrupted(&mut self, error: &RedisError) {
        if let Some(times) = self.interrupted.now() {
            tracing::warn!(%error, times, "wake-ups from Redis are interrupted");
        }
    }

    async fn connect(&self) -> Result<Feed, RedisError> {
        match self.dialer.publish() {
            Publish::Plain => {
                let (sink, stream) = self.dialer.subscriber().await?.split();
                Ok(Feed::Server(sink, stream))
            }
            Publish::Sharded => {
                let (sender, pushes) = mpsc::unbounded_channel();
                Ok(Feed::Cluster(
                    self.dialer.cluster_subscriber(sender).await?,
                    pushes,
                ))
            }
        }
    }

    /// Listens until the connection breaks.
    async fn listen(&mut self, mut feed: Feed) -> Result<(), RedisError> {
        let mut subscribed = HashSet::new();
        for game in self.wakers.games() {
            feed.subscribe(game).await?;
            subscribed.insert(game);
        }
        for order in std::mem::take(&mut self.open) {
            self.fulfill(order, &mut feed, &mut subscribed).await?;
        }
        self.wakers.poke_all();
        let mut sweep = interval(SWEEP);
        sweep.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                heard = feed.next() => match heard {
                    Some(heard) => self.hear(&heard),
                    None => return Err(std::io::Error::from(std::io::ErrorKind::BrokenPipe).into()),
                },
                order = self.queue.recv() => match order {
                    Some(order) => self.fulfill(order, &mut feed, &mut subscribed).await?,
                    None => return Ok(()),
                },
                _ = sweep.tick() => self.sweep(&mut feed, &mut subscribed).await?,
            }
        }
    }

    async fn fulfill(
        &mut self,
        order: Order,
        feed: &mut Feed,
        subscribed: &mut HashSet<GameId>,
    ) -> Result<(), RedisError> {
        if !subscribed.contains(&order.game) {
            if let Err(error) = feed.subscribe(order.game).await {
                self.open.push(order);
                return Err(error);
            }
            subscribed.insert(order.game);
        }
        // The caller may have stopped waiting.
        let _gone = order.done.send(());
        Ok(())
    }

    /// Ends subscriptions without watchers, and checks that the server still answers.
    async fn sweep(
        &mut self,
        feed: &mut Feed,
        subscribed: &mut HashSet<GameId>,
    ) -> Result<(), RedisError> {
        self.wakers.drop_idle();
        let watched: HashSet<GameId> = self.wakers.games().into_iter().collect();
        let idle: Vec<GameId> = subscribed.difference(&watched).copied().collect();
        for game in idle {
            feed.unsubscribe(game).await?;
            subscribed.remove(&game);
        }
        feed.ping().await
    }

    fn hear(&self, heard: &Heard) {
        match heard {
            Heard::Version(game, version) => self.wakers.reached(*game, *version),
            Heard::Woken(game) => self.wakers.poke(*game),
            Heard::Gap => self.wakers.poke_all(),
            Heard::Noise => {}
        }
    }
}

impl Feed {
    async fn subscribe(&mut self, game: GameId) -> Result<(), RedisError> {
        match self {
            Feed::Server(sink, _) => in_time(sink.subscribe(&*log_key(game))).await,
            Feed::Cluster(cluster, _) => in_time(cluster.ssubscribe(&*log_key(game))).await,
        }
    }

    async fn unsubscribe(&mut self, game: GameId) -> Result<(), RedisError> {
        match self {
            Feed::Server(sink, _) => in_time(sink.unsubscribe(&*log_key(game))).await,
            Feed::Cluster(cluster, _) => in_time(cluster.sunsubscribe(&*log_key(game))).await,
        }
    }

    /// Detects a server that is gone without having closed the connection. The client of a cluster does so itself.
    async fn ping(&mut self) -> Result<(), RedisError> {
        match self {
            Feed::Server(sink, _) => in_time(sink.ping::<redis::Value>()).await.map(drop),
            Feed::Cluster(..) => Ok(()),
        }
    }

    /// Returns the next message, or `None` if the connection is closed.
    async fn next(&mut self) -> Option<Heard> {
        match self {
            Feed::Server(_, stream) => stream.next().await.map(|message| of_message(&message)),
            Feed::Cluster(_, pushes) => pushes.recv().await.map(of_push),
        }
    }
}

/// Fails if the server does not answer within [`SWEEP`].
async fn in_time<A>(answer: impl Future<Output = Result<A, RedisError>>) -> Result<A, RedisError> {
    let late = |_| RedisError::from(std::io::Error::from(std::io::ErrorKind::TimedOut));
    tokio::time::timeout(SWEEP, answer).await.map_err(late)?
}

fn of_message(message: &Msg) -> Heard {
    heard(message.get_channel_name(), message.get_payload_bytes())
}

fn of_push(push: PushInfo) -> Heard {
    match push.kind {
        PushKind::SMessage => {
            match <(String, Vec<u8>)>::from_redis_value(redis::Value::Array(push.data)) {
                Ok((channel, payload)) => heard(&channel, &payload),
                Err(_) => Heard::Noise,
            }
        }
        // The client confirms each channel separately, also when it subscribes again.
        PushKind::SSubscribe => {
            let channel = push.data.first();
            match channel.map(<String>::from_redis_value_ref) {
                Some(Ok(channel)) => heard(&channel, b"0"),
                Some(Err(_)) | None => Heard::Noise,
            }
        }
        PushKind::Disconnection => Heard::Gap,
        _ => Heard::Noise,
    }
}

fn heard(channel: &str, payload: &[u8]) -> Heard {
    let version = std::str::from_utf8(payload)
        .ok()
        .and_then(|text| text.parse().ok());
    match (game_of_channel(channel), version) {
        (Some(game), Some(0)) => Heard::Woken(game),
        (Some(game), Some(version)) => Heard::Version(game, version),
        (Some(_) | None, Some(_) | None) => Heard::Noise,
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
        assert_eq!(push(PushKind::SSubscribe, confirmed), Heard::Woken(game));
        assert_eq!(push(PushKind::SSubscribe, Vec::new()), Heard::Noise);
        assert_eq!(push(PushKind::Disconnection, Vec::new()), Heard::Gap);
    }

    /// Callers that still wait must be served by the next connection.
    #[test]
    fn only_orders_that_nobody_waits_for_are_dropped() {
        let topology = RedisTopology::Single {
            address: String::from("redis:6379"),
        };
        let (orders, queue) = mpsc::unbounded_channel();
        let mut listener = Listener {
            dialer: Arc::new(Dialer::new(&RedisConfig::new(topology)).unwrap()),
            wakers: Arc::default(),
            queue,
            open: Vec::new(),
            interrupted: Seldom::every(SAY_EVERY),
        };
        let callers: Vec<_> = (0..4)
            .map(|number| {
                let (done, caller) = oneshot::channel();
                let order = Order {
                    game: Uuid::from_u128(number),
                    done,
                };
                if number < 2 {
                    listener.open.push(order);
                } else {
                    assert!(orders.send(order).is_ok());
                }
                // Callers with an even number give up.
                (number % 2 == 1).then_some(caller)
            })
            .collect();
        listener.forget_abandoned();
        let left = listener.open.iter().map(|order| order.game.as_u128());
        assert_eq!(left.collect::<Vec<_>>(), [1, 3]);
        drop(callers);
        listener.forget_abandoned();
        assert!(listener.open.is_empty());
    }
}
