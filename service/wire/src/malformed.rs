//! Messages that mean nothing.

/// A field of a message that means nothing. The call is answered with `INVALID_ARGUMENT`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {description}")]
pub struct Malformed {
    /// The path of the field from the request, such as `action.buy_card.card`.
    pub field: String,
    /// What is wrong with it.
    pub description: String,
}

impl Malformed {
    /// A field that means nothing.
    pub fn new(field: impl Into<String>, description: impl Into<String>) -> Self {
        Self {
            field: field.into(),
            description: description.into(),
        }
    }

    /// The oneof of this field is not set.
    pub fn missing(field: impl Into<String>) -> Self {
        Self::new(field, "is missing")
    }
}
