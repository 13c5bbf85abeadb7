//! Streamable HTTP: every request stands alone and brings its own token.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use http::{Request, Response, StatusCode};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Empty};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use super::server::McpServer;
use crate::failure::Failure;
use crate::output::notice;
use crate::session::Session;

/// The path of the only endpoint.
const PATH: &str = "/mcp";

/// The origins of pages that this machine serves.
const OWN_ORIGINS: &[&str] = &["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"];

/// The most connections at a time; further ones wait.
const MAX_CONNECTIONS: usize = 1_024;

/// The longest time that a client may take for the head of a request.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);

/// The largest request: an action is a few hundred bytes.
const MAX_REQUEST: usize = 1 << 18;

type Service = StreamableHttpService<McpServer, NeverSessionManager>;

/// Serves until the process ends.
pub(super) async fn serve(
    session: &Arc<Session>,
    address: SocketAddr,
    hosts: &[String],
    origins: &[String],
) -> Result<(), Failure> {
    let failed = |error: &std::io::Error| Failure::io(format_args!("--http {address}"), error);
    let listener = TcpListener::bind(address)
        .await
        .map_err(|error| failed(&error))?;
    let bound = listener.local_addr().map_err(|error| failed(&error))?;
    let service = service(session, bound, hosts, origins);
    notice(format_args!("MCP listens on http://{bound}{PATH}"));
    let permits = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        let Ok(permit) = Arc::clone(&permits).acquire_owned().await else {
            return Ok(());
        };
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                // Files may have run out for a moment.
                notice(format_args!("a connection was not accepted: {error}"));
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        let service = service.clone();
        tokio::spawn(async move {
            let mut server = Builder::new(TokioExecutor::new());
            server
                .http1()
                .timer(TokioTimer::new())
                .header_read_timeout(HEAD_TIMEOUT);
            let answers = service_fn(move |request| answer(service.clone(), request));
            // A broken connection concerns its client alone.
            let _ = server.serve_connection(TokioIo::new(stream), answers).await;
            drop(permit);
        });
    }
}

fn service(
    session: &Arc<Session>,
    bound: SocketAddr,
    hosts: &[String],
    origins: &[String],
) -> Service {
    let own = [bound.ip().to_string(), String::from("localhost")];
    let hosts = own.into_iter().chain(hosts.iter().cloned());
    let own_origins = OWN_ORIGINS.iter().map(|origin| (*origin).to_owned());
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(MAX_REQUEST)
        .with_allowed_hosts(hosts)
        .with_allowed_origins(own_origins.chain(origins.iter().cloned()))
        .enforce_origin_validation();
    let session = Arc::clone(session);
    StreamableHttpService::new(
        move || Ok(McpServer::of_requests(Arc::clone(&session))),
        Arc::new(NeverSessionManager::default()),
        config,
    )
}

async fn answer(
    service: Service,
    request: Request<Incoming>,
) -> Result<Response<BoxBody<Bytes, Infallible>>, Infallible> {
    if request.uri().path() == PATH {
        return Ok(service.handle(request).await);
    }
    let mut missing = Response::new(Empty::new().boxed());
    *missing.status_mut() = StatusCode::NOT_FOUND;
    Ok(missing)
}
