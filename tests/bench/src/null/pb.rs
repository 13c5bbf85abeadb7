//! The messages of the null game. The contract has no field for them, so they are sent in the field of Dominion.

use bytes::Bytes;
use prost::Message;
use serde::{Deserialize, Serialize};

/// The sizes of data in bytes, as the rules use and store them.
#[derive(Clone, Copy, PartialEq, Eq, Message, Serialize, Deserialize)]
pub struct Options {
    /// The size of the stored state.
    #[prost(uint32, tag = "1")]
    pub state: u32,
    /// The size of the view.
    #[prost(uint32, tag = "2")]
    pub view: u32,
    /// The size of an entry besides its action.
    #[prost(uint32, tag = "3")]
    pub entry: u32,
    /// The size of the events in a response.
    #[prost(uint32, tag = "4")]
    pub event: u32,
    /// The size of an action in a list.
    #[prost(uint32, tag = "5")]
    pub action: u32,
    /// The number of actions in a list.
    #[prost(uint32, tag = "6")]
    pub listed: u32,
    /// The last value of the counter.
    #[prost(uint32, tag = "7")]
    pub last: u32,
}

/// Padding, as an action and as an event.
#[derive(Clone, PartialEq, Message)]
pub struct Padding {
    #[prost(bytes = "bytes", tag = "1")]
    pub(crate) pad: Bytes,
}

/// The value of the counter, padded.
#[derive(Clone, PartialEq, Message)]
pub struct View {
    #[prost(uint64, tag = "1")]
    pub(crate) counter: u64,
    #[prost(bytes = "bytes", tag = "2")]
    pub(crate) pad: Bytes,
}
