//! Errors in the form of the Connect protocol.

use base64::Engine;
use base64::prelude::BASE64_STANDARD_NO_PAD;
use http_body_util::Full;
use prost::Message;
use serde_json::{Value, json};
use tonic::body::Body;
use tonic::codegen::http::{Response, StatusCode, response};
use tonic::{Code, Status};
use tonic_types::pb as google;

use super::media::{JSON, response_with};
use super::transcoding::shown;

/// Returns the response to a call that failed with this status before the service got it.
pub(super) fn response(status: &Status) -> Response<Body> {
    let (head, ()) = Response::new(()).into_parts();
    of(head, status)
}

/// Returns the response to a call that failed with this status.
pub(super) fn of(mut head: response::Parts, status: &Status) -> Response<Body> {
    head.status = http(status.code());
    let body = value(status).to_string();
    response_with(head, JSON, Body::new(Full::new(body.into())))
}

/// Returns the last line of a stream that failed with this status.
pub(super) fn error_line(status: &Status) -> Vec<u8> {
    json!({ "error": value(status) }).to_string().into_bytes()
}

/// Returns code, message and details. A detail has its bytes, and is shown as JSON under `debug`.
fn value(status: &Status) -> Value {
    let packed = google::Status::decode(status.details()).unwrap_or_default();
    let details = packed.details.iter().map(|detail| {
        let name = detail.type_url.rsplit('/').next().unwrap_or_default();
        let value = BASE64_STANDARD_NO_PAD.encode(&detail.value);
        json!({ "type": name, "value": value, "debug": shown(name, &detail.value) })
    });
    let details: Vec<Value> = details.collect();
    json!({ "code": name(status.code()), "message": status.message(), "details": details })
}

/// Returns the name of a code in the Connect protocol.
const fn name(code: Code) -> &'static str {
    match code {
        Code::Ok | Code::Unknown => "unknown",
        Code::Cancelled => "canceled",
        Code::InvalidArgument => "invalid_argument",
        Code::DeadlineExceeded => "deadline_exceeded",
        Code::NotFound => "not_found",
        Code::AlreadyExists => "already_exists",
        Code::PermissionDenied => "permission_denied",
        Code::ResourceExhausted => "resource_exhausted",
        Code::FailedPrecondition => "failed_precondition",
        Code::Aborted => "aborted",
        Code::OutOfRange => "out_of_range",
        Code::Unimplemented => "unimplemented",
        Code::Internal => "internal",
        Code::Unavailable => "unavailable",
        Code::DataLoss => "data_loss",
        Code::Unauthenticated => "unauthenticated",
    }
}

/// Returns the HTTP status that the Connect protocol assigns to a code.
fn http(code: Code) -> StatusCode {
    match code {
        Code::Cancelled => StatusCode::from_u16(499).unwrap_or(StatusCode::BAD_REQUEST),
        Code::InvalidArgument | Code::FailedPrecondition | Code::OutOfRange => {
            StatusCode::BAD_REQUEST
        }
        Code::DeadlineExceeded => StatusCode::GATEWAY_TIMEOUT,
        Code::NotFound => StatusCode::NOT_FOUND,
        Code::AlreadyExists | Code::Aborted => StatusCode::CONFLICT,
        Code::PermissionDenied => StatusCode::FORBIDDEN,
        Code::ResourceExhausted => StatusCode::TOO_MANY_REQUESTS,
        Code::Unimplemented => StatusCode::NOT_IMPLEMENTED,
        Code::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        Code::Unauthenticated => StatusCode::UNAUTHORIZED,
        Code::Ok | Code::Unknown | Code::Internal | Code::DataLoss => {
            StatusCode::INTERNAL_SERVER_ERROR
        }
    }
}
