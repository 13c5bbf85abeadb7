//! The gRPC edge: thin services, the error model, and the middleware around them.

mod about;
mod compression;
mod endpoint;
#[cfg(test)]
mod future_sizes;
mod gate;
mod health_service;
mod held;
mod json;
mod layers;
mod methods;
mod reasons;
mod rows;
mod services;
mod status;
mod stream_end;
mod streamed;
mod unary;

use std::sync::Arc;

pub use endpoint::Endpoint;
use futures_util::StreamExt;
use gamekeeper_games::access::Caller;
use gamekeeper_games::problem::Problem;
use gamekeeper_games::{Answers, Message};
use gamekeeper_proto::Written;
pub use gate::Access;
pub use health_service::HealthEndpoint;
pub use json::Json;
pub use layers::Edge;
pub(crate) use layers::TIME;
pub use reasons::{REASONS, Reason};
pub use services::Services;
pub use status::status_of;
use tonic::Request;
use tonic::codegen::http::HeaderMap;

use crate::auth::Authority;

/// The message about a method that does not exist.
pub(crate) const NO_SUCH_METHOD: &str = "there is no such method";

/// Returns the caller that the [`Edge`] has authenticated.
fn caller<T>(authority: &Arc<Authority>, request: &Request<T>) -> Result<Caller, Problem> {
    if let Some(caller) = request.extensions().get::<Caller>() {
        return Ok(caller.clone());
    }
    // Without an edge around it, a service authenticates the call itself.
    let metadata = request.metadata().clone();
    authority.caller(authorization(&metadata.into_headers())?, || Ok(()))
}

/// Passes on the messages of a watch, which were encoded once for all its watchers.
fn sent<T: prost::Message + 'static>(messages: Answers<Message>) -> Answers<Written<T>> {
    Box::pin(messages.map(|message| Ok(Written::from(message?.bytes))))
}

fn authorization(headers: &HeaderMap) -> Result<Option<&str>, Problem> {
    let header = headers.get("authorization");
    let text = header.map(|value| value.to_str()).transpose();
    text.map_err(|_| Problem::BadToken("the authorization header is not plain text"))
}
