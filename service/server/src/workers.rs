//! Worker threads that serve connections, each with a runtime of its own (**thread per core**).
//!
//! A call stays on the thread of its connection from its first byte to its last: threads share the games and the
//! store, but no task queue. One thread accepts connections, and distributes them.

use std::net::TcpStream as PlainStream;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use futures_util::future::join_all;
use gamekeeper_games::scheduling::keep_settled;
use gamekeeper_telemetry::LogRateLimiter;
use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::sync::{mpsc, oneshot};
use tokio_stream::wrappers::UnboundedReceiverStream;
use tokio_util::sync::CancellationToken;

use crate::connection_limiter::{ConnectionGuard, ConnectionLimiter};
use crate::serve_error::ServeError;

/// The connections of one worker, as they were accepted.
pub(crate) type ConnectionStream = UnboundedReceiverStream<(PlainStream, ConnectionGuard)>;

/// The service of a worker, which serves its connections until the server closes.
pub(crate) trait Serve: Clone + Send + 'static {
    /// Serves these connections.
    fn serve(
        self,
        connections: ConnectionStream,
    ) -> impl Future<Output = Result<(), ServeError>> + Send;
}

/// The channel on which a worker receives its connections.
type WorkerTx = mpsc::UnboundedSender<(PlainStream, ConnectionGuard)>;

/// The number of task polls between two checks for new events. Turns end after a quantum until the next check, so most of
/// these polls are short.
pub(crate) const EVENT_INTERVAL: u32 = 31;

/// The number of connections after which accepting pauses, so that existing connections are served. Connections wait for
/// it in the order of their arrival, whoever they belong to, so it is not to be the slow part.
const ACCEPT_BATCH: usize = 16;

/// The interval of log lines about connections that cannot be accepted.
const LOG_INTERVAL: Duration = Duration::from_secs(10);

/// Serves with this many workers, this thread among them, until `closing`. Returns when all have stopped.
///
/// # Errors
/// When a thread cannot be started, and the errors of workers.
pub(crate) async fn run(
    listener: TcpListener,
    limiter: Arc<ConnectionLimiter>,
    count: usize,
    serve: impl Serve,
    closing: CancellationToken,
) -> Result<(), ServeError> {
    let mut workers = Vec::new();
    let mut results = Vec::new();
    for number in 1..count {
        let (worker, result) = start(number, serve.clone())?;
        workers.push(worker);
        results.push(result);
    }
    let (worker, connections) = mpsc::unbounded_channel();
    workers.push(worker);
    let accepting = tokio::spawn(accept(listener, limiter, workers, closing.clone()));
    let here = served(serve, connections).await;
    // If this worker has failed, the others must stop too.
    closing.cancel();
    let others = join_all(results).await;
    accepting.abort();
    let others = others
        .into_iter()
        .map(|result| result.unwrap_or(Err(ServeError::WorkerLost)));
    others.fold(here, Result::and)
}

/// Distributes connections to workers in turn (**round robin**). A connection beyond the limit is closed at once.
async fn accept(
    listener: TcpListener,
    limiter: Arc<ConnectionLimiter>,
    workers: Vec<WorkerTx>,
    closing: CancellationToken,
) {
    let mut refused = LogRateLimiter::every(LOG_INTERVAL);
    let mut failed = LogRateLimiter::every(LOG_INTERVAL);
    for (number, worker) in workers.iter().cycle().enumerate() {
        if number % ACCEPT_BATCH == 0 {
            tokio::task::yield_now().await;
        }
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = closing.cancelled() => return,
        };
        let plain = accepted.and_then(|(stream, address)| {
            let Some(guard) = limiter.try_admit(address.ip()) else {
                return Ok(None);
            };
            // Without it a small answer waits for the client's next packet (Nagle's algorithm).
            stream.set_nodelay(true)?;
            Ok(Some((stream.into_std()?, guard)))
        });
        match plain {
            Ok(Some(connection)) => {
                if worker.send(connection).is_err() {
                    // This worker has ended, and nobody serves its share: the others must stop too.
                    closing.cancel();
                    return;
                }
            }
            Ok(None) => {
                if let Some(times) = refused.should_log() {
                    tracing::warn!(
                        times,
                        "connections are refused: the limit of --max-connections is reached"
                    );
                }
            }
            Err(error) => {
                if let Some(times) = failed.should_log() {
                    tracing::error!(%error, times, "connections cannot be accepted");
                }
                // Probably too many open files: an immediate retry would not help.
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        }
    }
}

type WorkerResult = oneshot::Receiver<Result<(), ServeError>>;

/// Starts the thread of a worker.
fn start(number: usize, serve: impl Serve) -> Result<(WorkerTx, WorkerResult), ServeError> {
    let (worker, connections) = mpsc::unbounded_channel();
    let (ended, result) = oneshot::channel();
    let runtime = Builder::new_current_thread()
        .event_interval(EVENT_INTERVAL)
        .enable_all()
        .build()
        .map_err(ServeError::Worker)?;
    let work = move || {
        let served = runtime.block_on(served(serve, connections));
        // Tasks of aborted connections end with their runtime.
        runtime.shutdown_background();
        let _nobody_waits = ended.send(served);
    };
    thread::Builder::new()
        .name(format!("worker-{number}"))
        .spawn(work)
        .map_err(ServeError::Worker)?;
    Ok((worker, result))
}

/// Serves the connections that are handed over, and keeps account of what this thread uses for nobody in particular.
async fn served(
    serve: impl Serve,
    connections: mpsc::UnboundedReceiver<(PlainStream, ConnectionGuard)>,
) -> Result<(), ServeError> {
    tokio::select! {
        served = serve.serve(UnboundedReceiverStream::new(connections)) => served,
        never = keep_settled() => match never {},
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::thread::ThreadId;

    use parking_lot::Mutex;
    use tokio::net::TcpStream;
    use tokio_stream::StreamExt;

    use super::*;
    use crate::telemetry::Telemetry;

    fn doorway() -> Arc<ConnectionLimiter> {
        let telemetry = Telemetry::silent().unwrap();
        ConnectionLimiter::new(100, telemetry.metrics().of_connections())
    }

    /// Records on which thread connections arrive.
    #[derive(Clone)]
    struct Notes {
        seen: Arc<Mutex<Vec<ThreadId>>>,
        enough: usize,
        closing: CancellationToken,
    }

    impl Serve for Notes {
        async fn serve(self, mut connections: ConnectionStream) -> Result<(), ServeError> {
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
        async fn serve(self, mut connections: ConnectionStream) -> Result<(), ServeError> {
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
