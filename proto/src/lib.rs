//! The public contract of Gamekeeper: messages, clients, servers and descriptors, compiled from the
//! `.proto` files beside this crate. Their comments are the documentation.
//!
//! ```
//! use gamekeeper_proto::gamekeeper::v1::GameInfo;
//! assert_eq!(GameInfo::default().version, 0);
//! ```

mod codec;
pub mod envelope;
mod fast_prost;
mod field;
mod opaque;
mod status;

pub use codec::{BytesCodec, Codec, Half, Written, written};
pub use field::{Field, Sint32};
pub use opaque::Opaque;
pub use status::code_name;

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

/// The compiled descriptors of the contract: an encoded `google.protobuf.FileDescriptorSet`.
pub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));

/// The Rust of the page for front ends, compiled with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../docs/front-ends.md")]
pub struct FrontEnds;
