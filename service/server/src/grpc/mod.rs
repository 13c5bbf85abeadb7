//! The gRPC edge: thin services, the error model, and the layers around them.

mod games_service;
mod health_service;
mod layers;
mod ruleset_service;
mod rulesets;
mod status;

use std::sync::Arc;

use tonic::Request;
use tonic::metadata::MetadataMap;

pub use games_service::GamesEndpoint;
pub use health_service::HealthEndpoint;
pub use layers::{Edge, EdgeSettings};
pub use rulesets::Rulesets;
pub use status::{REASONS, Reason, status_of};

use crate::auth::{Authority, Guest};
use crate::problem::Problem;

/// Whose call this is; it counts as being answered until this is dropped.
fn caller<T>(authority: &Arc<Authority>, request: &Request<T>) -> Result<Guest, Problem> {
    authority.admit(authorization(request.metadata())?)
}

fn authorization(metadata: &MetadataMap) -> Result<Option<&str>, Problem> {
    let header = metadata.get("authorization");
    let text = header.map(|value| value.to_str()).transpose();
    text.map_err(|_| Problem::Unauthenticated("the authorization header is not plain text"))
}
