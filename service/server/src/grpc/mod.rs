//! The gRPC edge: thin services, the error model, and the middleware around them.

mod admission;
mod compression;
mod endpoint;
#[cfg(test)]
mod future_sizes;
mod guarded_body;
mod has_game_id;
mod health_service;
mod layers;
mod method_specs;
mod methods;
mod rate_limit_headers;
mod reasons;
mod services;
mod status;
mod stream_body;
mod stream_end;
mod unary;
mod web;

use std::sync::Arc;

pub use admission::AdmissionDeps;
pub use endpoint::Endpoint;
use futures_util::StreamExt;
use gamekeeper_games::authz::Caller;
use gamekeeper_games::errors::ServiceError;
use gamekeeper_games::{Message, ResponseStream};
use gamekeeper_proto::PreEncoded;
pub use health_service::HealthEndpoint;
pub use layers::Edge;
pub(crate) use layers::TIME;
pub(crate) use rate_limit_headers::{RATE_LIMIT, RATE_LIMIT_POLICY};
pub use reasons::{REASONS, Reason};
pub use services::Services;
pub use status::status_of;
use tonic::Request;
use tonic::codegen::http::HeaderMap;
pub use web::Web;

use crate::auth::Authenticator;

/// The message about a method that does not exist.
pub(crate) const NO_SUCH_METHOD: &str = "there is no such method";

/// Returns the caller that the [`Edge`] has authenticated.
fn caller<T>(
    authenticator: &Arc<Authenticator>,
    request: &Request<T>,
) -> Result<Caller, ServiceError> {
    if let Some(caller) = request.extensions().get::<Caller>() {
        return Ok(caller.clone());
    }
    // Without an edge around it, a service authenticates the call itself.
    let metadata = request.metadata().clone();
    authenticator.caller(authorization(&metadata.into_headers())?, || Ok(()))
}

/// Passes on the messages of a watch, which were encoded once for all its watchers.
fn pre_encoded<T: prost::Message + 'static>(
    messages: ResponseStream<Message>,
) -> ResponseStream<PreEncoded<T>> {
    Box::pin(messages.map(|message| Ok(PreEncoded::from(message?.bytes))))
}

fn authorization(headers: &HeaderMap) -> Result<Option<&str>, ServiceError> {
    let header = headers.get("authorization");
    let text = header.map(|value| value.to_str()).transpose();
    text.map_err(|_| ServiceError::InvalidToken("the authorization header is not plain text"))
}
