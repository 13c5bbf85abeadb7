//! Malformed messages.

/// A malformed field of a message. The call fails with `INVALID_ARGUMENT`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {description}")]
pub struct Malformed {
    /// The path of the field from the request, such as `action.buy_card.card`.
    pub field: String,
    /// What is wrong with it.
    pub description: String,
}

impl Malformed {
    /// A malformed field.
    pub fn new(field: impl Into<String>, description: impl Into<String>) -> Self {
        Self {
            field: field.into(),
            description: description.into(),
        }
    }

    /// The same field, seen from the message or list that holds it.
    pub(crate) fn within(mut self, outer: &str) -> Self {
        let joint = match self.field.chars().next() {
            None | Some('[') => "",
            Some(_) => ".",
        };
        self.field = format!("{outer}{joint}{}", self.field);
        self
    }

    /// The same field where the message is joined with those of other rulesets: after the field of the request comes
    /// that of the ruleset.
    pub(crate) fn of_ruleset(mut self, id: &str) -> Self {
        let end = self.field.find(['.', '[']).unwrap_or(self.field.len());
        self.field.insert_str(end, &format!(".{id}"));
        self
    }

    /// A field that must be set is not.
    pub fn missing(field: impl Into<String>) -> Self {
        Self::new(field, "is missing")
    }
}
