//! The table on which a game begins, where that is not the set-up.

use gamekeeper_proto::gamekeeper::v1::{self as pb, table_event};
use gamekeeper_proto::raw;
use gamekeeper_rules::starts::{Start, StartPoint};
use sha2::{Digest, Sha256};

use crate::{Commitment, Malformed};

/// Decodes the start that a field names. A field that is not given means the set-up.
///
/// # Errors
/// Fails for unknown values.
pub fn start(sent: i32, field: &str) -> Result<Start, Malformed> {
    match pb::GameStart::try_from(sent) {
        Ok(pb::GameStart::Unspecified | pb::GameStart::SetUp) => Ok(Start::SetUp),
        Ok(pb::GameStart::Rich) => Ok(Start::Rich),
        Ok(pb::GameStart::Late) => Ok(Start::Late),
        Err(_) => Err(Malformed::new(field, "is unknown")),
    }
}

/// Converts a start to its value in the facts of a game, which name only starts other than the set-up.
#[must_use]
pub const fn start_value(start: Start) -> pb::GameStart {
    match start {
        Start::SetUp => pb::GameStart::Unspecified,
        Start::Rich => pb::GameStart::Rich,
        Start::Late => pb::GameStart::Late,
    }
}

/// Returns the event that reports the table on which a game began, with its sentence if `has_text`.
#[must_use]
pub fn begun_from_position(point: &StartPoint, has_text: bool) -> raw::Event {
    let begun = table_event::BegunFromPosition {
        start: start_value(point.start).into(),
    };
    let kind = Some(table_event::Kind::BegunFromPosition(begun));
    let text = has_text.then(|| point.start.sentence());
    raw::Event {
        kind: String::from("begun_from_position"),
        text: text.unwrap_or_default().to_owned(),
        table: Some(pb::TableEvent { kind }),
        ..raw::Event::default()
    }
}

/// Returns the commitment to the seed of the table on which a game began. The seed has 32 random bytes, so nobody finds
/// it by trying.
#[must_use]
pub fn start_commitment(point: &StartPoint) -> Commitment {
    Sha256::digest(point.seed.as_bytes()).into()
}
