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
pub(super) async fn ask(
    address: &str,
    within: Duration,
    method: Method,
    path: &str,
    body: String,
) -> Result<Value, Failure> {
    let asked = asked(address, method, path, body);
    let answered = timeout(within, asked).await;
    answered.map_err(|_| away(address, &format!("no answer within {within:?}")))?
}

fn away(address: &str, why: &dyn Display) -> Failure {
    Failure::NoAdmin {
        address: address.to_owned(),
        why: why.to_string(),
    }
}

async fn asked(address: &str, method: Method, path: &str, body: String) -> Result<Value, Failure> {
    let away = |error: &dyn Display| away(address, error);
    let mut found = lookup_host(address).await.map_err(|error| away(&error))?;
    let at = found
        .next()
        .ok_or_else(|| away(&"the name has no address"))?;
    let stream = TcpStream::connect(at).await.map_err(|error| away(&error))?;
    let (mut server, connection) = http1::handshake(TokioIo::new(stream))
        .await
        .map_err(|error| away(&error))?;
    let talking = tokio::spawn(connection);
    let request = Request::builder()
        .method(method)
        .uri(path)
        // The port accepts only an IP address as its host name, so that no web page can call it (DNS rebinding).
        .header(HOST, at.to_string())
        .header(CONTENT_TYPE, "application/json")
        .body(Full::new(Bytes::from(body)));
    let request = request.map_err(|error| Failure::Invalid(error.to_string()))?;
    let answer = server.send_request(request).await;
    let (head, body) = answer.map_err(|error| away(&error))?.into_parts();
    let body = Limited::new(body, MAX_LEN).collect().await;
    let body = body.map_err(|error| away(&error))?.to_bytes();
    talking.abort();
    if head.status != StatusCode::OK {
        let said = String::from_utf8_lossy(&body);
        return Err(refused(address, head.status, said.trim()));
    }
    serde_json::from_slice(&body).map_err(|error| Failure::Contract(format!("{address}: {error}")))
}

fn refused(address: &str, status: StatusCode, said: &str) -> Failure {
    let text = format!("{address}: {said}");
    if status.is_client_error() {
        Failure::Invalid(text)
    } else {
        away(address, &said)
    }
}
