//! **Evidence** of a failed test: the calls it made and the logs of its servers, as JSON lines in
//! `target/test-logs/TEST.jsonl`. Connections record every call, but the file is only written if the test panics.

mod page;

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{Write, stderr};
use std::panic;
use std::pin::Pin;
use std::sync::{Arc, Once};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use http_body_util::BodyExt;
use parking_lot::Mutex;
use tonic::body::Body;
use tonic::codegen::Service;
use tonic::codegen::http::{HeaderMap, Request, Response};
use tonic::transport;

/// Maximum number of calls recorded for a test; the oldest are dropped.
const MAX_CALLS: usize = 10_000;

/// Maximum size of requests and responses recorded for a test, in bytes.
const MAX_BYTES: usize = 32 << 20;

/// Maximum size recorded for one direction of a call, in bytes.
const MAX_DIRECTION_BYTES: usize = 64 << 10;

/// The recorded calls of a test.
#[derive(Clone, Debug, Default)]
pub struct Trail(Arc<Mutex<Calls>>);

#[derive(Debug, Default)]
struct Calls {
    retained: VecDeque<Arc<Mutex<Call>>>,
    bytes: usize,
    /// The number of old calls that were dropped.
    dropped: usize,
}

/// A call, as far as it went.
#[derive(Debug)]
struct Call {
    /// The address of the server.
    to: Arc<str>,
    path: String,
    token: Option<String>,
    begun: Instant,
    request_bytes: Vec<u8>,
    response_bytes: Vec<u8>,
    /// The number of bytes beyond [`MAX_SAID`] that were not recorded.
    cut: usize,
    end: Option<End>,
}

/// The end of a call.
#[derive(Clone, Debug)]
struct End {
    after: Duration,
    /// The number of the status code.
    code: String,
    message: String,
}

/// The direction of a message in a call.
#[derive(Clone, Copy)]
enum Side {
    Caller,
    Server,
}

impl Call {
    fn end(&mut self, headers: &HeaderMap) {
        let text = |name| {
            let value = headers.get(name).and_then(|value| value.to_str().ok());
            value.unwrap_or_default().to_owned()
        };
        self.end = Some(End {
            after: self.begun.elapsed(),
            code: text("grpc-status"),
            message: text("grpc-message"),
        });
    }

    fn broke(&mut self, why: &dyn std::fmt::Display) {
        self.end = Some(End {
            after: self.begun.elapsed(),
            code: String::from("broken"),
            message: why.to_string(),
        });
    }

    /// Records bytes of one direction, and returns the number of bytes that were kept.
    fn say(&mut self, side: Side, bytes: &[u8]) -> usize {
        let buffer = match side {
            Side::Caller => &mut self.request_bytes,
            Side::Server => &mut self.response_bytes,
        };
        let retained = bytes
            .len()
            .min(MAX_DIRECTION_BYTES.saturating_sub(buffer.len()));
        buffer.extend_from_slice(&bytes[..retained]);
        self.cut += bytes.len() - retained;
        retained
    }
}

impl Trail {
    fn note(&self, call: Call) -> Arc<Mutex<Call>> {
        let call = Arc::new(Mutex::new(call));
        let mut calls = self.0.lock();
        calls.retained.push_back(Arc::clone(&call));
        while calls.retained.len() > MAX_CALLS || calls.bytes > MAX_BYTES {
            let Some(oldest) = calls.retained.pop_front() else {
                break;
            };
            let oldest = oldest.lock();
            let bytes = oldest.request_bytes.len() + oldest.response_bytes.len();
            calls.bytes = calls.bytes.saturating_sub(bytes);
            calls.dropped += 1;
        }
        call
    }

    /// Wraps a body so that its bytes are recorded as they pass.
    fn overhear(&self, body: Body, call: &Arc<Mutex<Call>>, side: Side) -> Body {
        let (trail, call, broken) = (self.clone(), Arc::clone(call), Arc::clone(call));
        let body = body.map_frame(move |frame| {
            if let Some(bytes) = frame.data_ref() {
                let retained = call.lock().say(side, bytes);
                trail.0.lock().bytes += retained;
            }
            if let Some(trailers) = frame.trailers_ref() {
                call.lock().end(trailers);
            }
            frame
        });
        Body::new(body.map_err(move |error| {
            broken.lock().broke(&error);
            error
        }))
    }
}

/// A connection that records its calls, used by all clients of the tests.
#[derive(Clone, Debug)]
pub struct Channel {
    inner: transport::Channel,
    to: Arc<str>,
    trail: Trail,
}

impl Channel {
    /// Records the calls of a connection to this address.
    #[must_use]
    pub fn new(inner: transport::Channel, to: &str, trail: &Trail) -> Self {
        Self {
            inner,
            to: to.into(),
            trail: trail.clone(),
        }
    }
}

impl Channel {
    /// Records the calls in the trail of the current thread's test.
    #[must_use]
    pub fn of_this_test(inner: transport::Channel, to: &str) -> Self {
        EVIDENCE.with_borrow(|evidence| Self::new(inner, to, &evidence.trail))
    }
}

type Answering = Pin<Box<dyn Future<Output = Result<Response<Body>, transport::Error>> + Send>>;

impl Service<Request<Body>> for Channel {
    type Response = Response<Body>;
    type Error = transport::Error;
    type Future = Answering;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let token = request.headers().get("authorization");
        let token = token.and_then(|value| value.to_str().ok());
        let trail = self.trail.clone();
        let call = trail.note(Call {
            to: Arc::clone(&self.to),
            path: request.uri().path().to_owned(),
            token: token.map(str::to_owned),
            begun: Instant::now(),
            request_bytes: Vec::new(),
            response_bytes: Vec::new(),
            cut: 0,
            end: None,
        });
        let request = request.map(|body| trail.overhear(body, &call, Side::Caller));
        let answer = self.inner.call(request);
        Box::pin(async move {
            let answer = answer.await.inspect_err(|error| call.lock().broke(error))?;
            if answer.headers().contains_key("grpc-status") {
                call.lock().end(answer.headers());
            }
            Ok(answer.map(|body| trail.overhear(body, &call, Side::Server)))
        })
    }
}

/// The lines of a server's log, appended as they are written.
pub(crate) type Lines = Arc<Mutex<Vec<String>>>;

/// The evidence of the current thread's test.
#[derive(Default)]
struct Evidence {
    trail: Trail,
    /// The logs of the servers that the test started.
    logs: Vec<Lines>,
}

thread_local! {
    static EVIDENCE: RefCell<Evidence> = RefCell::default();
}

/// Registers the log of a newly started server. Returns the trail of the test that started it.
pub(crate) fn started(log: &Lines) -> Trail {
    static WATCHING: Once = Once::new();
    WATCHING.call_once(|| {
        // `chance` installs a panic hook of its own on first use, which is impossible during a panic.
        let _seed = crate::chance::seed();
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            before(panic);
            leave(&panic.to_string());
        }));
    });
    EVIDENCE.with_borrow_mut(|evidence| {
        evidence.logs.push(Arc::clone(log));
        evidence.trail.clone()
    })
}

/// Writes the evidence of the current thread's test.
fn leave(panic: &str) {
    // A thread without servers is not a test that needs evidence.
    let written = EVIDENCE.try_with(|evidence| {
        let evidence = evidence.try_borrow().ok()?;
        (!evidence.logs.is_empty()).then(|| page::write(&evidence, panic))
    });
    let notice = match written {
        Ok(Some(Ok(file))) => format!("calls and logs: {}", file.display()),
        Ok(Some(Err(error))) => format!("calls and logs could not be kept: {error}"),
        Ok(None) | Err(_) => return,
    };
    // If the error stream is closed, nobody reads the path.
    let _unread = writeln!(stderr(), "{notice}");
}
