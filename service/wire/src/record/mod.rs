//! The **record** of a game, and its check: the options, the seed and the actions are replayed by the rules, and
//! everything else that the record says is compared with the outcome.
//!
//! The command line verifies records with it, and the service checks those that it imports.

mod binding;
mod check;
mod differ;
mod luck;
mod parts;
mod replay;
mod times;

pub use binding::{Binding, Name};
pub use check::{Checked, RecordCheck};
pub use luck::DrawProof;
pub use parts::{Record, RecordReader, Version, imported_versions};
pub use replay::{Beginning, Played, Replay, decode_action, table_at};

/// The reason why a record is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordFault {
    /// The record contradicts the rules, a commitment, or itself.
    #[error("{0}")]
    Difference(String),
    /// The messages are not those of a record.
    #[error("{0}")]
    Malformed(String),
}

/// A described table on which no game can begin.
impl From<crate::PositionFault> for RecordFault {
    fn from(fault: crate::PositionFault) -> Self {
        Self::Difference(format!("the table on which the game began: {fault}"))
    }
}

impl From<prost::DecodeError> for RecordFault {
    fn from(error: prost::DecodeError) -> Self {
        Self::Malformed(error.to_string())
    }
}
