//! A connection: TLS, the timeout for its first bytes, HTTP, and its graceful end.

use std::future::{Future, poll_fn};
use std::net::TcpStream as PlainStream;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::future::{BoxFuture, Either};

use gamekeeper_games::authz::Account;
use gamekeeper_games::jitter::jittered;
use gamekeeper_games::scheduling::{
    FairTask, Meter, Principal, RateLimiter, Usage, carry, take_caller,
};
use gamekeeper_telemetry::RejectReason;
use hyper::body::Incoming;
use hyper::rt::Executor;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::{interval, sleep, timeout};
use tokio_util::sync::CancellationToken;
use tonic::body::Body;
use tonic::codegen::http::{Request, Response, Version};
use tower::Service;

use crate::coalescing::CoalescingStream;
use crate::connection_limiter::ConnectionGuard;
use crate::http1::{Http1, LINGER, Slow};
use crate::settings::ConnectionSettings;
use crate::transport::SharedTls;

/// The maximum size of the headers of a request, in bytes.
const MAX_HEADER_BYTES: u32 = 16 << 10;

/// How long an idle connection that is being closed may take to read its last answer and to acknowledge the `GOAWAY`.
const GOAWAY_GRACE: Duration = Duration::from_secs(3);

/// The settings and services that all connections share.
#[derive(Clone)]
pub(crate) struct ConnectionServer {
    settings: ConnectionSettings,
    tls: Option<SharedTls>,
    /// The usage of callers with a token.
    budgets: Arc<RateLimiter>,
    /// The usage of callers without a token.
    anonymous_budgets: Arc<RateLimiter>,
    closing: CancellationToken,
}

impl ConnectionServer {
    pub(crate) fn new(
        settings: ConnectionSettings,
        tls: Option<SharedTls>,
        [budgets, anonymous_budgets]: [Arc<RateLimiter>; 2],
        closing: CancellationToken,
    ) -> Self {
        Self {
            settings,
            tls,
            budgets,
            anonymous_budgets,
            closing,
        }
    }

    /// Returns the library's settings of a connection whose callers are unknown as long as this meter counts for it.
    fn builder(&self, anonymous: Arc<Meter>) -> Builder<CallExecutor> {
        let settings = &self.settings;
        let mut builder = Builder::new(CallExecutor { anonymous });
        builder
            .http2()
            .timer(TokioTimer::new())
            .max_concurrent_streams(settings.max_streams)
            .max_header_list_size(MAX_HEADER_BYTES)
            .keep_alive_interval(settings.keepalive)
            .keep_alive_timeout(settings.keepalive_timeout);
        // Its timeout would be that of idle connections too.
        builder
            .http1()
            .max_buf_size(MAX_HEADER_BYTES as usize)
            .header_read_timeout(None);
        builder
    }

    /// Serves a connection to its end, from its registration with the runtime of this thread on in turns.
    pub(crate) async fn serve<S>(self, stream: PlainStream, guard: ConnectionGuard, service: S)
    where
        S: Service<Request<Body>, Response = Response<Body>> + Clone + Send + 'static,
        S::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
        S::Future: Send + 'static,
    {
        let guard = Arc::new(guard);
        let (address, anonymous) = (guard.address(), guard.anonymous_account());
        let usage = self.budgets.usage();
        let anonymous_usage = self.anonymous_budgets.usage();
        let meter = anonymous_usage.meter_for(anonymous, || Principal::Anonymous(address));
        let task = FairTask::unmetered(Arc::clone(&meter));
        let served = self.serve_tls(stream, (Arc::clone(&guard), meter), service);
        scheduled(&guard, (task, usage), served).await;
    }

    async fn serve_tls<S>(
        &self,
        stream: PlainStream,
        (guard, anonymous): (Arc<ConnectionGuard>, Arc<Meter>),
        service: S,
    ) where
        S: Service<Request<Body>, Response = Response<Body>> + Clone + Send + 'static,
        S::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
        S::Future: Send + 'static,
    {
        let Ok(stream) = TcpStream::from_std(stream) else {
            return;
        };
        let Some(tls) = &self.tls else {
            return self.serve_http(stream, (&guard, anonymous), service).await;
        };
        let handshake = tokio::select! {
            shaken = timeout(self.settings.handshake, tls.load_full().accept(stream)) => shaken,
            () = guard.evicted() => return,
            () = self.closing.cancelled() => return,
        };
        match handshake {
            Ok(Ok(stream)) => self.serve_http(stream, (&guard, anonymous), service).await,
            Ok(Err(error)) => {
                guard.record_rejected(RejectReason::Tls);
                tracing::debug!(%error, "a TLS handshake failed");
            }
            Err(_) => guard.record_rejected(RejectReason::TooSlow),
        }
    }

    async fn serve_http<I, S>(
        &self,
        stream: I,
        (guard, anonymous): (&Arc<ConnectionGuard>, Arc<Meter>),
        service: S,
    ) where
        I: AsyncRead + AsyncWrite + Unpin + Send + 'static,
        S: Service<Request<Body>, Response = Response<Body>> + Clone + Send + 'static,
        S::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
        S::Future: Send + 'static,
    {
        let stream = CoalescingStream::new(stream);
        let http1 = Http1::new(self.settings.handshake, self.settings.http1_idle);
        let service = TowerToHyperService::new(ConnectionService {
            inner: service,
            guard: Arc::clone(guard),
            http1: Arc::clone(&http1),
        });
        let builder = self.builder(anonymous);
        let mut connection = pin!(builder.serve_connection(TokioIo::new(stream.clone()), service));
        let mut timer = pin!(sleep(self.settings.handshake));
        let mut end_begins = pin!(self.end_begins());
        let (mut is_http2, mut is_draining) = (false, false);
        let mut drain_check = interval(GOAWAY_GRACE);
        drain_check.reset();
        loop {
            tokio::select! {
                biased;
                served = stream.serve(connection.as_mut()) => {
                    if let Err(error) = &served {
                        tracing::debug!(%error, "a connection broke");
                    }
                    if !is_http2 && (served.is_err() || http1.lingers()) {
                        // The peer may still send, and must get what we sent last.
                        let _over = timeout(LINGER, stream.discard()).await;
                    }
                    return;
                }
                () = guard.evicted() => return,
                slow = poll_fn(|context| match stream.is_http2() {
                    true => Poll::Ready(None),
                    false => http1.poll_slow(timer.as_mut(), stream.bytes_read(), context).map(Some),
                }), if !is_http2 => match slow {
                    None => is_http2 = true,
                    Some(Slow::Idle) => return,
                    Some(Slow::Headers) => {
                        guard.record_rejected(RejectReason::TooSlow);
                        return;
                    }
                },
                // Calls in flight are finished: calls end by their deadline, watches and exports by their age.
                () = &mut end_begins, if !is_draining => {
                    is_draining = true;
                    drain_check.reset();
                    http1.is_ending();
                    connection.as_mut().graceful_shutdown();
                }
                // A peer that does not acknowledge the `GOAWAY` must not delay the shutdown.
                _ = drain_check.tick(), if is_draining => {
                    if guard.is_idle() {
                        return;
                    }
                }
            }
        }
    }

    /// Resolves when a connection reaches its maximum age, or the server closes.
    async fn end_begins(&self) {
        let aged = async {
            match self.settings.max_age {
                Some(age) => sleep(jittered(age)).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = aged => {}
            () = self.closing.cancelled() => {}
        }
    }
}

/// Runs the calls of a connection with HTTP/2, each in a task that its caller pays for.
#[derive(Clone)]
struct CallExecutor {
    /// The meter of the client's address, which counts the calls of unknown callers.
    anonymous: Arc<Meter>,
}

impl<F> Executor<F> for CallExecutor
where
    F: Future<Output = ()> + Send + 'static,
{
    fn execute(&self, call: F) {
        let meter = take_caller().unwrap_or_else(|| Arc::clone(&self.anonymous));
        tokio::spawn(carry(meter, call));
    }
}

/// The service of one connection: requests carry the guard of the connection.
#[derive(Clone)]
struct ConnectionService<S> {
    inner: S,
    guard: Arc<ConnectionGuard>,
    http1: Arc<Http1>,
}

impl<S> Service<Request<Incoming>> for ConnectionService<S>
where
    S: Service<Request<Body>, Response = Response<Body>>,
    S::Future: Send + 'static,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = Either<S::Future, BoxFuture<'static, Result<Response<Body>, S::Error>>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<Incoming>) -> Self::Future {
        if request.version() >= Version::HTTP_2 {
            // Calls with HTTP/1 run in the task of their connection, so their callers are still recorded.
            drop(take_caller());
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(Arc::clone(&self.guard));
            return Either::Left(self.inner.call(request));
        }
        let http1 = Arc::clone(&self.http1);
        let (mut request, call) = http1.begin(request);
        request.extensions_mut().insert(Arc::clone(&self.guard));
        let response = self.inner.call(request);
        Either::Right(Box::pin(async move {
            let response = response.await?;
            Ok(http1.respond(response, call))
        }))
    }
}

/// Schedules the work of a connection **fairly**, in slots. Until an authorized caller has used the connection, it
/// shares slots with others of its network, because the cost of many new connections at once, above all of handshakes,
/// must not delay existing ones. Afterwards it shares slots with the calls of its account, and its work counts for the
/// tenant. A connection that several tenants share, such as that of a gateway, takes no slots, so that none of them waits
/// for the calls of another; its work counts for the one that has called last.
async fn scheduled(
    guard: &ConnectionGuard,
    (task, usage): (FairTask, &Usage),
    served: impl Future<Output = ()>,
) {
    let (mut account, mut task, mut served) = (guard.anonymous_account(), task, pin!(served));
    poll_fn(|context| {
        let common = guard.scheduling_account();
        let is_shared = common == Account::EVERYBODY;
        let now = if is_shared {
            guard.last_account().root()
        } else {
            common
        };
        if now != account {
            account = now;
            // Replacing the slot removes the former account's entry from the queue.
            task = FairTask::for_connection(now).counted_by(usage.root_meter(now));
        }
        if is_shared {
            return task.poll_at_once(|| served.as_mut().poll(context));
        }
        task.poll(context, |context| served.as_mut().poll(context))
    })
    .await;
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use futures_util::FutureExt;
    use gamekeeper_games::scheduling::schedule;

    use super::*;
    use crate::connection_limiter::ConnectionLimiter;
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
    async fn connections_are_scheduled_with_the_calls_of_their_tenant() {
        let telemetry = Telemetry::silent().unwrap();
        let door = ConnectionLimiter::new(10, telemetry.metrics().of_connections());
        let [red, blue] = ["red", "blue"].map(Account::of_tenant);
        let flood = || tokio::spawn(schedule(FairTask::for_connection(red), Box::pin(busy())));
        let flood: Vec<_> = (0..10).map(|_| flood()).collect();
        tokio::time::sleep(Duration::from_millis(50)).await;
        let is_served = |callers: &[Account]| {
            let guard = door.try_admit([127, 0, 0, 1].into()).unwrap();
            callers
                .iter()
                .for_each(|caller| guard.attribute_to(*caller));
            let usage = Usage::default();
            let task = FairTask::unmetered(usage.meter(guard.anonymous_account()));
            let served = scheduled(&guard, (task, &usage), std::future::ready(()));
            served.now_or_never().is_some()
        };
        assert!(!is_served(&[red]));
        assert!(is_served(&[blue]));
        assert!(is_served(&[red, blue]), "a gateway is no tenant");
        flood.iter().for_each(tokio::task::JoinHandle::abort);
    }

    #[tokio::test]
    async fn the_work_of_a_shared_connection_counts_for_who_called_last() {
        let telemetry = Telemetry::silent().unwrap();
        let door = ConnectionLimiter::new(10, telemetry.metrics().of_connections());
        let callers = [Account::of_tenant("red"), Account::of_tenant("blue")];
        let (guard, usage) = (
            door.try_admit([127, 0, 0, 1].into()).unwrap(),
            Usage::default(),
        );
        let mut calls = callers.iter().cycle().take(10);
        let served = poll_fn(|context| {
            let begun = Instant::now();
            while begun.elapsed() < Duration::from_millis(2) {
                std::hint::spin_loop();
            }
            let Some(caller) = calls.next() else {
                return Poll::Ready(());
            };
            guard.attribute_to(*caller);
            context.waker().wake_by_ref();
            Poll::Pending
        });
        let task = FairTask::unmetered(usage.meter(guard.anonymous_account()));
        scheduled(&guard, (task, &usage), served).await;
        let used = callers.map(|caller| usage.root_meter(caller).consumption().time);
        let most_of_it = Duration::from_millis(5);
        assert!(used.iter().all(|used| *used > most_of_it), "{used:?}");
    }
}
