//! The null game's own messages.

use bytes::Bytes;
use gamekeeper_proto::envelope;
use prost::Message;

/// Sizes in bytes, except where the rules say otherwise.
#[derive(Clone, Copy, PartialEq, Message)]
pub struct Options {
    #[prost(uint32, tag = "1")]
    pub(crate) state: u32,
    #[prost(uint32, tag = "2")]
    pub(crate) view: u32,
    #[prost(uint32, tag = "3")]
    pub(crate) entry: u32,
    #[prost(uint32, tag = "4")]
    pub(crate) event: u32,
    #[prost(uint32, tag = "5")]
    pub(crate) action: u32,
    #[prost(uint32, tag = "6")]
    pub(crate) listed: u32,
    #[prost(uint32, tag = "7")]
    pub(crate) last: u32,
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

/// The package.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Messages;

impl envelope::Package for Messages {
    const NAME: &'static str = "gamekeeper.null.v1";
    const SERVICE: &'static str = "gamekeeper.null.v1.NullService";
    const ACTION_KINDS: &'static [(&'static str, &'static str)] = &[];
}

impl envelope::Messages for Messages {
    type Options = Options;
    type Action = Padding;
    type Event = Padding;
    type View = View;
    /// There are no components.
    type Catalogue = ();
    /// No refusal has values.
    type RefusalDetail = ();
}
