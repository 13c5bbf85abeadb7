//! Worker threads that serve connections, each with a runtime of its own (**thread per core**).
//!
//! A call stays on the thread of its connection from its first byte to its last: threads share the games and the
//! store, but no task queue. One thread accepts connections, and distributes them.

use std::net::TcpStream as PlainStream;
use std::pin::Pin;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use futures_util::Stream;
use futures_util::future::join_all;
use gamekeeper_telemetry::Seldom;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Builder;
use tokio::sync::{mpsc, oneshot};
use tokio_stream::StreamExt;
use tokio_stream::wrappers::UnboundedReceiverStream;
use tokio_util::sync::CancellationToken;

use crate::doorway::{Doorway, Visit};
use crate::serve_error::ServeError;

/// The connections of one worker.
pub(crate) type Connections = Pin<Box<dyn Stream<Item = (TcpStream, Visit)> + Send>>;

/// The service of a worker, which serves its connections until the server closes.
pub(crate) trait Serve: Clone + Send + 'static {
    /// Serves these connections.
    fn serve(self, connections: Connections)
    -> impl Future<Output = Result<(), ServeError>> + Send;
}

/// The channel on which a worker receives its connections.
type Hand = mpsc::UnboundedSender<(PlainStream, Visit)>;

/// The number of task polls between two checks for new events. A poll takes up to half a millisecond.
pub(crate) const EVENT_INTERVAL: u32 = 4;

/// The number of connections after which accepting pauses, so that existing connections are served.
const AT_ONCE: usize = 16;

/// The interval of log lines about connections that cannot be accepted.
const SAY_EVERY: Duration = Duration::from_secs(10);

/// Serves with this many workers, this thread among them, until `closing`. Returns when all have stopped.
///
/// # Errors
/// When a thread cannot be started, and the errors of workers.
pub(crate) async fn run(
    listener: TcpListener,
    doorway: Arc<Doorway>,
    count: usize,
    serve: impl Serve,
    closing: CancellationToken,
) -> Result<(), ServeError> {
    let mut hands = Vec::new();
    let mut ends = Vec::new();
    for number in 1..count {
        let (hand, end) = start(number, serve.clone())?;
        hands.push(hand);
        ends.push(end);
    }
    let (hand, connections) = mpsc::unbounded_channel();
    hands.push(hand);
    let accepting = tokio::spawn(accept(listener, doorway, hands, closing.clone()));
    let here = serve.serve(taken(connections)).await;
    // If this worker has failed, the others must stop too.
    closing.cancel();
    let others = join_all(ends).await;
    accepting.abort();
    let others = others
        .into_iter()
        .map(|end| end.unwrap_or(Err(ServeError::WorkerLost)));
    others.fold(here, Result::and)
}

/// Distributes connections to workers in turn (**round robin**). A connection beyond the limit is closed at once.
async fn accept(
    listener: TcpListener,
    doorway: Arc<Doorway>,
    hands: Vec<Hand>,
    closing: CancellationToken,
) {
    let mut refused = Seldom::every(SAY_EVERY);
    let mut failed = Seldom::every(SAY_EVERY);
    for (number, hand) in hands.iter().cycle().enumerate() {
        if number % AT_ONCE == 0 {
            tokio::task::yield_now().await;
        }
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = closing.cancelled() => return,
        };
        let plain = accepted.and_then(|(stream, address)| {
            let Some(visit) = doorway.enter(address.ip()) else {
                return Ok(None);
            };
            // Without it a small answer waits for the client's next packet (Nagle's algorithm).
            stream.set_nodelay(true)?;
            Ok(Some((stream.into_std()?, visit)))
        });
        match plain {
            Ok(Some(connection)) => {
                if hand.send(connection).is_err() {
                    // This worker has ended, and nobody serves its share: the others must stop too.
                    closing.cancel();
                    return;
                }
            }
            Ok(None) => {
                if let Some(times) = refused.now() {
                    tracing::warn!(
                        times,
                        "connections are refused: the limit of --max-connections is reached"
                    );
                }
            }
            Err(error) => {
                if let Some(times) = failed.now() {
                    tracing::error!(%error, times, "connections cannot be accepted");
                }
                // Probably too many open files: an immediate retry would not help.
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        }
    }
}

type End = oneshot::Receiver<Result<(), ServeError>>;

/// Starts the thread of a worker.
fn start(number: usize, serve: impl Serve) -> Result<(Hand, End), ServeError> {
    let (hand, connections) = mpsc::unbounded_channel();
    let (ended, end) = oneshot::channel();
    let runtime = Builder::new_current_thread()
        .event_interval(EVENT_INTERVAL)
        .enable_all()
        .build()
        .map_err(ServeError::Worker)?;
    let work = move || {
        let served = runtime.block_on(async { serve.serve(taken(connections)).await });
        // Tasks of aborted connections end with their runtime.
        runtime.shutdown_background();
        let _nobody_waits = ended.send(served);
    };
    thread::Builder::new()
        .name(format!("worker-{number}"))
        .spawn(work)
        .map_err(ServeError::Worker)?;
    Ok((hand, end))
}

/// Registers handed-over connections with the runtime of this thread.
fn taken(connections: mpsc::UnboundedReceiver<(PlainStream, Visit)>) -> Connections {
    let taken = UnboundedReceiverStream::new(connections);
    Box::pin(taken.filter_map(|(stream, visit)| Some((TcpStream::from_std(stream).ok()?, visit))))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::thread::ThreadId;

    use parking_lot::Mutex;

    use super::*;
    use crate::telemetry::Telemetry;

    fn doorway() -> Arc<Doorway> {
        let telemetry = Telemetry::silent().unwrap();
        Doorway::new(100, telemetry.metrics().of_connections())
    }

    /// Records on which thread connections arrive.
    #[derive(Clone)]
    struct Notes {
        seen: Arc<Mutex<Vec<ThreadId>>>,
        enough: usize,
        closing: CancellationToken,
    }

    impl Serve for Notes {
        async fn serve(self, mut connections: Connections) -> Result<(), ServeError> {
            while let Some((connection, _visit)) = connections.next().await {
                assert!(connection.nodelay().unwrap());
                let mut seen = self.seen.lock();
                seen.push(thread::current().id());
                if seen.len() == self.enough {
                    self.closing.cancel();
                }
            }
            Ok(())
        }
    }

    #[tokio::test]
    async fn connections_are_handed_round_and_all_threads_end() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let notes = Notes {
            seen: Arc::default(),
            enough: 6,
            closing: CancellationToken::new(),
        };
        let clients = async {
            for _ in 0..6 {
                TcpStream::connect(address).await.unwrap();
            }
        };
        let running = run(listener, doorway(), 3, notes.clone(), notes.closing.clone());
        let (ended, ()) = tokio::join!(running, clients);
        ended.unwrap();
        let mut counts = BTreeMap::new();
        for id in notes.seen.lock().iter() {
            *counts.entry(format!("{id:?}")).or_insert(0) += 1;
        }
        assert_eq!(counts.values().copied().collect::<Vec<_>>(), [2, 2, 2]);
    }

    /// Fails on the thread of the test alone, or on all others.
    #[derive(Clone)]
    struct Fails {
        test: ThreadId,
        here: bool,
    }

    impl Serve for Fails {
        async fn serve(self, mut connections: Connections) -> Result<(), ServeError> {
            if (thread::current().id() == self.test) == self.here {
                return Err(ServeError::WorkerLost);
            }
            while connections.next().await.is_some() {}
            Ok(())
        }
    }

    #[tokio::test]
    async fn a_worker_that_fails_takes_the_others_along() {
        for here in [true, false] {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = listener.local_addr().unwrap();
            let fails = Fails {
                test: thread::current().id(),
                here,
            };
            // Connections show that a worker is gone.
            let clients = tokio::spawn(async move {
                while TcpStream::connect(address).await.is_ok() {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
            });
            let ended = run(listener, doorway(), 2, fails, CancellationToken::new()).await;
            assert!(matches!(ended, Err(ServeError::WorkerLost)));
            clients.abort();
        }
    }
}
