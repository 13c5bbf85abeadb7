//! What is around the messages of a ruleset: the requests and answers of its service. They are the same for all
//! rulesets, so they are written once, for any [`Messages`]; every package has them under its own names.
//!
//! ```
//! use gamekeeper_proto::{envelope, gamekeeper::dominion::v1 as dominion};
//!
//! let same: envelope::GetGameResponse<dominion::Messages> = dominion::GetGameResponse::default();
//! ```

use std::fmt::Debug;

use prost::Message;

/// A message of the contract.
pub trait Pb: Message + Default + Clone + Debug + PartialEq + 'static {}
impl<T: Message + Default + Clone + Debug + PartialEq + 'static> Pb for T {}

/// What a ruleset defines for itself.
pub trait Messages: Clone + Debug + Default + PartialEq + Send + Sync + 'static {
    /// The package, such as `gamekeeper.dominion.v1`.
    const PACKAGE: &'static str;
    /// The full name of the service.
    const SERVICE: &'static str;

    type Options: Pb;
    type Action: Pb;
    type Event: Pb;
    type View: Pb;
    type Catalogue: Pb;
    type RefusalDetail: Pb;
}

include!(concat!(env!("OUT_DIR"), "/envelope.rs"));
