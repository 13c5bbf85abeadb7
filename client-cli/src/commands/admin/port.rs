//! A client of the admin port of a server, which speaks plain HTTP.

use std::fmt::Display;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper::client::conn::http1;
use hyper::header::{CONTENT_TYPE, HOST};
use hyper::{Method, Request, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::{TcpStream, lookup_host};
use tokio::time::timeout;

use crate::failure::Failure;

/// Maximum size of a response, in bytes.
const MAX_LEN: usize = 16 << 20;

/// Sends one request to the admin port and returns its response as JSON.
pub(super) async fn call_admin(
    address: &str,
    within: Duration,
    method: Method,
    path: &str,
    body: String,
) -> Result<Value, Failure> {
    let request = send_request(address, method, path, body);
    let result = timeout(within, request).await;
    result.map_err(|_| admin_unreachable(address, &format!("no answer within {within:?}")))?
}

fn admin_unreachable(address: &str, cause: &dyn Display) -> Failure {
    Failure::NoAdmin {
        address: address.to_owned(),
        why: cause.to_string(),
    }
}

async fn send_request(
    address: &str,
    method: Method,
    path: &str,
    body: String,
) -> Result<Value, Failure> {
    let unreachable_because = |error: &dyn Display| admin_unreachable(address, error);
    let mut addresses = lookup_host(address)
        .await
        .map_err(|error| unreachable_because(&error))?;
    let address_used = addresses
        .next()
        .ok_or_else(|| unreachable_because(&"the name has no address"))?;
    let stream = TcpStream::connect(address_used)
        .await
        .map_err(|error| unreachable_because(&error))?;
    let (mut server, connection) = http1::handshake(TokioIo::new(stream))
        .await
        .map_err(|error| unreachable_because(&error))?;
    let connection_task = tokio::spawn(connection);
    let request = Request::builder()
        .method(method)
        .uri(path)
        // The port accepts only an IP address as its host name, so that no web page can call it (DNS rebinding).
        .header(HOST, address_used.to_string())
        .header(CONTENT_TYPE, "application/json")
        .body(Full::new(Bytes::from(body)));
    let request = request.map_err(|error| Failure::Invalid(error.to_string()))?;
    let response = server.send_request(request).await;
    let (head, body) = response
        .map_err(|error| unreachable_because(&error))?
        .into_parts();
    let body = Limited::new(body, MAX_LEN).collect().await;
    let body = body
        .map_err(|error| unreachable_because(&error))?
        .to_bytes();
    connection_task.abort();
    if head.status != StatusCode::OK {
        let body_text = String::from_utf8_lossy(&body);
        return Err(error_response(address, head.status, body_text.trim()));
    }
    serde_json::from_slice(&body).map_err(|error| Failure::Contract(format!("{address}: {error}")))
}

fn error_response(address: &str, status: StatusCode, body_text: &str) -> Failure {
    let text = format!("{address}: {body_text}");
    if status.is_client_error() {
        Failure::Invalid(text)
    } else {
        admin_unreachable(address, &body_text)
    }
}
