//! The type of the numbers in which observations are sent.

use gamekeeper_proto::gamekeeper::v1::SelfPlayNumbers;
use gamekeeper_wire::Malformed;

/// The type of a cell of an observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NumberType {
    F32,
    I8,
}

impl NumberType {
    /// Decodes a requested type. Returns `None` if no numbers are requested.
    ///
    /// # Errors
    /// If the type is unknown.
    pub(crate) fn from_request(requested: i32, field: &str) -> Result<Option<Self>, Malformed> {
        match SelfPlayNumbers::try_from(requested) {
            Ok(SelfPlayNumbers::Unspecified) => Ok(None),
            Ok(SelfPlayNumbers::Floats) => Ok(Some(Self::F32)),
            Ok(SelfPlayNumbers::Bytes) => Ok(Some(Self::I8)),
            Err(_) => Err(Malformed::new(field, "is unknown")),
        }
    }
}
