//! A connection: TLS, the timeout for its first bytes, HTTP, and its graceful end.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use gamekeeper_games::access::Account;
use gamekeeper_games::fair::{Budgets, Turn, Who};
use gamekeeper_games::jitter::jittered;
use gamekeeper_telemetry::NoConnection;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::{interval, sleep, timeout};
use tokio_util::sync::CancellationToken;
use tonic::body::Body;
use tonic::codegen::http::{Request, Response};
use tower::{Service, ServiceExt};

use crate::doorway::Visit;
use crate::gathered::Gathered;
use crate::settings::ConnectionSettings;
use crate::transport::SharedTls;

/// The length of the preface of HTTP/2. No valid request of HTTP/1.1 is shorter, since it names its host.
const PREFACE: usize = 24;

/// How long an idle connection that is being closed may take to read its last answer and to acknowledge the `GOAWAY`.
const IDLE_WAIT: Duration = Duration::from_secs(3);

/// The settings and services that all connections share.
#[derive(Clone)]
pub(crate) struct Lines {
    builder: Builder<TokioExecutor>,
    tls: Option<SharedTls>,
    handshake: Duration,
    age: Option<Duration>,
    /// The usage of callers without a token.
    strangers: Arc<Budgets>,
    closing: CancellationToken,
}

impl Lines {
    pub(crate) fn new(
        settings: &ConnectionSettings,
        tls: Option<SharedTls>,
        strangers: Arc<Budgets>,
        closing: CancellationToken,
    ) -> Self {
        let mut builder = Builder::new(TokioExecutor::new());
        builder
            .http2()
            .timer(TokioTimer::new())
            .max_concurrent_streams(settings.max_streams)
            .keep_alive_interval(settings.keepalive)
            .keep_alive_timeout(settings.keepalive_answer);
        builder
            .http1()
            .timer(TokioTimer::new())
            .header_read_timeout(settings.handshake);
        Self {
            builder,
            tls,
            handshake: settings.handshake,
            age: settings.age,
            strangers,
            closing,
        }
    }

    /// Serves a connection to its end.
    pub(crate) async fn serve<S>(self, stream: TcpStream, visit: Visit, service: S)
    where
        S: Service<Request<Body>, Response = Response<Body>> + Clone + Send + 'static,
        S::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
        S::Future: Send,
    {
        let visit = Arc::new(visit);
        let (address, stranger) = (visit.address(), visit.stranger());
        let usage = self.strangers.usage();
        let turn = Turn::unpaid(usage.met(stranger, || Who::Stranger(address)));
        let served = self.serve_visit(stream, Arc::clone(&visit), service);
        in_turns(&visit, turn, served).await;
    }

    async fn serve_visit<S>(&self, stream: TcpStream, visit: Arc<Visit>, service: S)
    where
        S: Service<Request<Body>, Response = Response<Body>> + Clone + Send + 'static,
        S::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
        S::Future: Send,
    {
        let Some(tls) = &self.tls else {
            return self.serve_http(stream, &visit, service).await;
        };
        let shaken = tokio::select! {
            shaken = timeout(self.handshake, tls.load_full().accept(stream)) => shaken,
            () = visit.asked_to_leave() => return,
            () = self.closing.cancelled() => return,
        };
        match shaken {
            Ok(Ok(stream)) => self.serve_http(stream, &visit, service).await,
            Ok(Err(error)) => {
                visit.failed(NoConnection::Tls);
                tracing::debug!(%error, "a TLS handshake failed");
            }
            Err(_) => visit.failed(NoConnection::TooSlow),
        }
    }

    async fn serve_http<I, S>(&self, stream: I, visit: &Arc<Visit>, service: S)
    where
        I: AsyncRead + AsyncWrite + Unpin + Send + 'static,
        S: Service<Request<Body>, Response = Response<Body>> + Clone + Send + 'static,
        S::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
        S::Future: Send,
    {
        let stream = Gathered::new(stream);
        let of_visit = Arc::clone(visit);
        let service = service.map_request(move |request: Request<hyper::body::Incoming>| {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(Arc::clone(&of_visit));
            request
        });
        let service = TowerToHyperService::new(service);
        let mut connection = pin!(
            self.builder
                .serve_connection(TokioIo::new(stream.clone()), service)
        );
        let mut begun = pin!(sleep(self.handshake));
        let mut old = pin!(async {
            match self.age {
                Some(age) => sleep(jittered(age)).await,
                None => std::future::pending().await,
            }
        });
        let (mut has_begun, mut ends) = (false, false);
        let mut idle = interval(IDLE_WAIT);
        idle.reset();
        loop {
            tokio::select! {
                served = stream.serve(connection.as_mut()) => {
                    if let Err(error) = served {
                        tracing::debug!(%error, "a connection broke");
                    }
                    return;
                }
                () = visit.asked_to_leave() => return,
                () = &mut begun, if !has_begun => {
                    has_begun = true;
                    if stream.bytes_read() < PREFACE {
                        visit.failed(NoConnection::TooSlow);
                        return;
                    }
                }
                // Calls in flight are finished: calls end by their deadline, watches and exports by their age.
                () = &mut old, if !ends => {
                    ends = true;
                    idle.reset();
                    connection.as_mut().graceful_shutdown();
                }
                () = self.closing.cancelled(), if !ends => {
                    ends = true;
                    idle.reset();
                    connection.as_mut().graceful_shutdown();
                }
                // A peer that does not acknowledge the `GOAWAY` must not delay the shutdown.
                _ = idle.tick(), if ends => {
                    if visit.is_idle() {
                        return;
                    }
                }
            }
        }
    }
}

/// Schedules the work of a connection **fairly**, in slots. Until an authorized caller has used the connection, it
/// shares slots with others of its network, because the cost of many new connections at once, above all of handshakes,
/// must not delay existing ones. Afterwards it shares slots with the calls of its account. A connection that several
/// tenants share, such as that of a gateway, belongs to no account and is not queued.
async fn in_turns(visit: &Visit, turn: Turn, served: impl Future<Output = ()>) {
    let (mut account, mut turn, mut served) = (visit.stranger(), Some(turn), pin!(served));
    poll_fn(|context| {
        let now = visit.account();
        if now != account {
            account = now;
            // Replacing the slot removes the former account's entry from the queue.
            turn = (now != Account::EVERYBODY).then(|| Turn::of_line(now));
        }
        match &mut turn {
            Some(turn) => turn.poll(context, |context| served.as_mut().poll(context)),
            None => served.as_mut().poll(context),
        }
    })
    .await;
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use futures_util::FutureExt;
    use gamekeeper_games::fair::{Usage, fairly};

    use super::*;
    use crate::doorway::Doorway;
    use crate::telemetry::Telemetry;

    /// Keeps the thread busy in slices of a millisecond.
    async fn busy() {
        loop {
            let begun = Instant::now();
            while begun.elapsed() < Duration::from_millis(1) {
                std::hint::spin_loop();
            }
            tokio::task::yield_now().await;
        }
    }

    /// A tenant that floods the server with calls gains nothing from sending more on its connections meanwhile.
    #[tokio::test]
    async fn connections_take_turns_with_the_calls_of_their_tenant() {
        let telemetry = Telemetry::silent().unwrap();
        let door = Doorway::new(10, telemetry.metrics().of_connections());
        let [red, blue] = ["red", "blue"].map(Account::of_tenant);
        let flood = || tokio::spawn(fairly(Turn::of_line(red), Box::pin(busy())));
        let flood: Vec<_> = (0..10).map(|_| flood()).collect();
        tokio::time::sleep(Duration::from_millis(50)).await;
        let is_served = |callers: &[Account]| {
            let visit = door.enter([127, 0, 0, 1].into()).unwrap();
            callers.iter().for_each(|caller| visit.know(*caller));
            let turn = Turn::unpaid(Usage::default().meter(visit.stranger()));
            let served = in_turns(&visit, turn, std::future::ready(()));
            served.now_or_never().is_some()
        };
        assert!(!is_served(&[red]));
        assert!(is_served(&[blue]));
        assert!(is_served(&[red, blue]), "a gateway is no tenant");
        flood.iter().for_each(tokio::task::JoinHandle::abort);
    }
}
