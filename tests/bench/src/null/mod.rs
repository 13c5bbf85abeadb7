//! The null game: the least that a ruleset can be. A counter, padded wherever a real ruleset has
//! bytes. What the service costs with it is the ceiling of its design.

mod pad;
mod rules;
mod wire;

pub use rules::{Null, Options};

/// The messages of `gamekeeper.null.v1`, and its service under the names that all rulesets use.
pub mod pb {
    #![allow(
        missing_docs,
        clippy::all,
        clippy::pedantic,
        clippy::allow_attributes_without_reason,
        reason = "generated code"
    )]

    tonic::include_proto!("gamekeeper.null.v1");

    pub use null_service_server::{NullService as Service, NullServiceServer as Server};
}

gamekeeperd::ruleset_service! { service: crate::null::Null, crate::null::pb }
