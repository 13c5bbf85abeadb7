//! The **schema** of stored data, as protobuf messages. It is additive: a later build may add fields, with new numbers,
//! that earlier builds ignore. A field that must not be ignored needs a new format number.
//!
//! Options and actions, which players choose, are stored as messages of the contract, which are additive too. Events
//! and states are stored without field numbers, by position, beside the number of the layout in which they were
//! encoded.

use gamekeeper_proto::EncodedMessage;
use gamekeeper_proto::gamekeeper::v1::{TableEvent, TableOptions};
use prost::Message;

/// The first entry of a log.
#[derive(Clone, PartialEq, Message)]
pub(super) struct GenesisEntry {
    #[prost(string, tag = "1")]
    pub(super) ruleset: String,
    #[prost(string, tag = "2")]
    pub(super) tenant: String,
    /// The names of the players, which only earlier builds stored here.
    #[prost(string, repeated, tag = "3")]
    pub(super) players: Vec<String>,
    /// `Options` of the ruleset.
    #[prost(message, optional, tag = "4")]
    pub(super) options: Option<EncodedMessage>,
    #[prost(bytes = "vec", tag = "5")]
    pub(super) seed: Vec<u8>,
    #[prost(bytes = "vec", tag = "6")]
    pub(super) salt: Vec<u8>,
    #[prost(uint64, tag = "7")]
    pub(super) time_ms: u64,
    #[prost(message, optional, tag = "8")]
    pub(super) table: Option<TableOptions>,
    #[prost(message, optional, tag = "9")]
    pub(super) fork: Option<Fork>,
    #[prost(message, optional, tag = "10")]
    pub(super) record: Option<EntryRecord>,
    /// The commitments to the names, in seat order.
    #[prost(bytes = "vec", repeated, tag = "11")]
    pub(super) names: Vec<Vec<u8>>,
    #[prost(bytes = "vec", tag = "12")]
    pub(super) commitment: Vec<u8>,
    /// The table on which the game began. Is not set for a game that began at its set-up.
    #[prost(message, optional, tag = "13")]
    pub(super) start: Option<StartPoint>,
}

/// A table on which a game began, in place of that of the set-up.
#[derive(Clone, PartialEq, Eq, Message)]
pub(super) struct StartPoint {
    /// The value of `GameStart`.
    #[prost(int32, tag = "1")]
    pub(super) start: i32,
    /// The seed from which the table is made, 32 bytes. Empty for a described table.
    #[prost(bytes = "vec", tag = "2")]
    pub(super) seed: Vec<u8>,
    /// `View` of the ruleset: the described table.
    #[prost(message, optional, tag = "3")]
    pub(super) position: Option<EncodedMessage>,
    /// The salt of the commitment to the described table, 16 bytes.
    #[prost(bytes = "vec", tag = "4")]
    pub(super) salt: Vec<u8>,
    /// Whether luck has dealt what the description left out.
    #[prost(bool, tag = "5")]
    pub(super) is_dealt: bool,
}

/// The header of [`GenesisEntry`]: a subset of its fields, with the same numbers.
#[derive(Clone, PartialEq, Eq, Message)]
pub(super) struct GenesisHead {
    #[prost(string, tag = "1")]
    pub(super) ruleset: String,
    #[prost(string, tag = "2")]
    pub(super) tenant: String,
    #[prost(message, optional, tag = "9")]
    pub(super) fork: Option<Fork>,
}

/// The ancestry of a fork.
#[derive(Clone, PartialEq, Eq, Message)]
pub(super) struct Fork {
    #[prost(message, repeated, tag = "1")]
    pub(super) ancestors: Vec<Ancestor>,
    #[prost(bool, tag = "2")]
    pub(super) is_secret: bool,
}

/// An ancestor of a fork.
#[derive(Clone, PartialEq, Eq, Message)]
pub(super) struct Ancestor {
    #[prost(bytes = "vec", tag = "1")]
    pub(super) game: Vec<u8>,
    #[prost(bytes = "vec", tag = "2")]
    pub(super) commitment: Vec<u8>,
    #[prost(uint64, tag = "3")]
    pub(super) version: u64,
    #[prost(uint64, tag = "4")]
    pub(super) at_ms: u64,
    /// The record commitment of an imported ancestor. Is empty for others.
    #[prost(bytes = "vec", tag = "5")]
    pub(super) record_commitment: Vec<u8>,
    /// The digest of the versions of an imported ancestor. Is empty for others.
    #[prost(bytes = "vec", tag = "6")]
    pub(super) versions_digest: Vec<u8>,
    /// Salt and seed of an ancestor whose record revealed them, 64 bytes. Is empty for others.
    #[prost(bytes = "vec", tag = "7")]
    pub(super) reveal: Vec<u8>,
}

/// An entry after the first: an action of a seat, or something that happened outside the rules.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Entry {
    #[prost(uint32, tag = "1")]
    pub(super) seat: u32,
    /// `Action` of the ruleset.
    #[prost(message, optional, tag = "2")]
    pub(super) action: Option<EncodedMessage>,
    #[prost(message, optional, tag = "3")]
    pub(super) event: Option<TableEvent>,
    /// The state that a take-back restores, in the layout of the record.
    #[prost(bytes = "vec", tag = "4")]
    pub(super) undo_state: Vec<u8>,
    #[prost(message, optional, tag = "5")]
    pub(super) record: Option<EntryRecord>,
}

/// The outcome of an entry.
#[derive(Clone, PartialEq, Message)]
pub(super) struct EntryRecord {
    #[prost(message, repeated, tag = "1")]
    pub(super) automatic: Vec<Automatic>,
    #[prost(message, repeated, tag = "2")]
    pub(super) draws: Vec<Draw>,
    /// The layout in which events and fingerprint are stored.
    #[prost(fixed32, optional, tag = "3")]
    pub(super) layout: Option<u32>,
    #[prost(bytes = "vec", tag = "4")]
    pub(super) events: Vec<u8>,
    #[prost(fixed64, tag = "5")]
    pub(super) fingerprint: u64,
    #[prost(uint64, tag = "6")]
    pub(super) after_ms: u64,
    #[prost(bytes = "vec", tag = "7")]
    pub(super) request: Vec<u8>,
}

/// A forced action, which the engine took itself.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Automatic {
    #[prost(uint32, tag = "1")]
    pub(super) seat: u32,
    /// `Action` of the ruleset.
    #[prost(message, optional, tag = "2")]
    pub(super) action: Option<EncodedMessage>,
    /// The index of the event that reports the action in the events of the record; 0 is the first.
    #[prost(uint32, optional, tag = "3")]
    pub(super) first_event: Option<u32>,
}

/// A named draw.
#[derive(Clone, PartialEq, Eq, Message)]
pub(super) struct Draw {
    #[prost(string, tag = "1")]
    pub(super) name: String,
    /// The number of the seat. Is 0 for a draw of no seat.
    #[prost(uint32, tag = "2")]
    pub(super) seat: u32,
    #[prost(uint32, repeated, tag = "3")]
    pub(super) values: Vec<u32>,
}

/// The state at one version. State and table life are stored by position, in the given layout.
#[derive(Clone, PartialEq, Eq, Message)]
pub(super) struct Snapshot {
    #[prost(uint64, tag = "1")]
    pub(super) time_ms: u64,
    #[prost(uint64, tag = "2")]
    pub(super) chance_position: u64,
    #[prost(fixed32, tag = "3")]
    pub(super) layout: u32,
    #[prost(bytes = "vec", tag = "4")]
    pub(super) state: Vec<u8>,
    /// The table life. Is empty for a plain game.
    #[prost(bytes = "vec", tag = "5")]
    pub(super) table_life: Vec<u8>,
    /// The size of the log up to this version, in bytes. Is 0 if an earlier build wrote the snapshot.
    #[prost(uint64, tag = "6")]
    pub(super) log_bytes: u64,
}
