//! The error for **malformed** messages.

use prost_reflect::MessageDescriptor;

/// A malformed field of a message. The call fails with `INVALID_ARGUMENT`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {description}")]
pub struct Malformed {
    /// The path of the field from the request, such as `action.buy_card.card`.
    pub field: String,
    /// A description of the fault.
    pub description: String,
}

impl Malformed {
    /// Creates the error for a field.
    pub fn new(field: impl Into<String>, description: impl Into<String>) -> Self {
        Self {
            field: field.into(),
            description: description.into(),
        }
    }

    /// Prefixes the path with the message or list that contains the field.
    #[must_use]
    pub fn with_prefix(mut self, outer: &str) -> Self {
        let joint = match self.field.chars().next() {
            None | Some('[') => "",
            Some(_) => ".",
        };
        self.field = format!("{outer}{joint}{}", self.field);
        self
    }

    /// Inserts the id of the ruleset into the path, for a field inside a joined message: after the field of the
    /// request comes that of the ruleset.
    pub(crate) fn with_ruleset_prefix(mut self, id: &str) -> Self {
        let end = self.field.find(['.', '[']).unwrap_or(self.field.len());
        self.field.insert_str(end, &format!(".{id}"));
        self
    }

    /// Removes the names of oneofs from the path, since a request has only their fields. The path leads from the field of
    /// the request that holds this message. A oneof that is missing is named: `action.kind`.
    pub(crate) fn without_oneofs(mut self, message: Option<MessageDescriptor>) -> Self {
        let mut within = message;
        let parts: Vec<&str> = self.field.split('.').collect();
        let mut kept: Vec<&str> = Vec::with_capacity(parts.len());
        for (index, part) in parts.iter().copied().enumerate() {
            let name = part.split('[').next().unwrap_or(part);
            let field = within
                .as_ref()
                .and_then(|message| message.get_field_by_name(name));
            let is_oneof = index > 0 && field.is_none() && index + 1 < parts.len();
            if let Some(field) = field.filter(|_| index > 0) {
                within = field.kind().as_message().cloned();
            }
            if !is_oneof {
                kept.push(part);
            }
        }
        self.field = kept.join(".");
        self
    }

    /// Creates the error for a field that must be set and is not.
    pub fn missing(field: impl Into<String>) -> Self {
        Self::new(field, "is missing")
    }
}
