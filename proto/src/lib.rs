//! The public contract of Gamekeeper: messages, clients, servers and descriptors, compiled from the
//! `.proto` files beside this crate. Their comments are the documentation.
//!
//! ```
//! use gamekeeper_proto::gamekeeper::v1::GameInfo;
//! assert_eq!(GameInfo::default().version, 0);
//! ```

#[cfg(feature = "grpc")]
mod codec;
mod encoded_message;
mod field;
mod prost_overrides;
#[cfg(feature = "grpc")]
mod status;

use std::fmt::Debug;

#[cfg(feature = "grpc")]
pub use codec::{BytesCodec, Codec, CodecHalf, PreEncoded, encode_shared};
pub use encoded_message::EncodedMessage;
pub use field::{Field, Sint32};
#[cfg(feature = "grpc")]
pub use status::code_name;
#[cfg(feature = "grpc")]
pub use tonic::Code;

/// A message of the contract.
pub trait Pb: prost::Message + Default + Clone + Debug + PartialEq + 'static {}
impl<T: prost::Message + Default + Clone + Debug + PartialEq + 'static> Pb for T {}

#[allow(
    missing_docs,
    unreachable_pub,
    clippy::all,
    clippy::pedantic,
    clippy::restriction,
    reason = "generated code"
)]
mod contract {
    include!(concat!(env!("OUT_DIR"), "/contract.rs"));
}
pub use contract::gamekeeper;

/// The package `gamekeeper.v1` for programs that pass on the messages of rulesets without reading them: `Action` of
/// Dominion and similar messages are [`EncodedMessage`]. Messages that contain nothing of a ruleset are those of
/// [`gamekeeper::v1`].
///
/// ```
/// use gamekeeper_proto::raw::{Action, action::Ruleset};
/// use gamekeeper_proto::EncodedMessage;
///
/// let passed_on = Action { ruleset: Some(Ruleset::Dominion(EncodedMessage::default())) };
/// ```
#[allow(
    missing_docs,
    unreachable_pub,
    clippy::all,
    clippy::pedantic,
    clippy::restriction,
    reason = "generated code"
)]
pub mod raw {
    include!(concat!(env!("OUT_DIR"), "/raw.rs"));
}

/// The fields of the messages of rulesets, for encoders that write them one by one.
#[allow(
    missing_docs,
    non_camel_case_types,
    non_snake_case,
    clippy::all,
    clippy::pedantic,
    clippy::restriction,
    reason = "generated code"
)]
mod fields {
    include!(concat!(env!("OUT_DIR"), "/fields.rs"));
}

/// The compiled descriptors of the contract: an encoded `google.protobuf.FileDescriptorSet`.
pub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));

/// The Rust examples of the page for front ends, compiled with the documentation tests.
#[cfg(all(doctest, feature = "grpc"))]
#[doc = include_str!("../docs/front-ends.md")]
pub struct FrontEnds;
