//! Fields of dynamic messages by name.
//!
//! The names are those that all rulesets share; a test looks them up in every ruleset's service, so
//! that a wrong name here is found before a user finds it.

use prost::Message;
use prost_reflect::{DynamicMessage, ReflectMessage, Value};

use crate::failure::Failure;

/// Reads and writes fields by name.
pub(crate) trait Fields: Sized {
    /// A text; empty if it is not there.
    fn text(&self, name: &str) -> String;
    /// A number; 0 if it is not there.
    fn number(&self, name: &str) -> u64;
    /// A yes or no; no if it is not there.
    fn flag(&self, name: &str) -> bool;
    /// A message, if it is set.
    fn child(&self, name: &str) -> Option<DynamicMessage>;
    /// A list of messages.
    fn children(&self, name: &str) -> Vec<DynamicMessage>;
    /// A message of the shared package as its own type; its default if it is not set.
    fn typed<T: Message + Default>(&self, name: &str) -> Result<T, Failure>;
    /// A list of messages of the shared package as their own type.
    fn typed_list<T: Message + Default>(&self, name: &str) -> Result<Vec<T>, Failure>;
    /// The message with this field set.
    fn with(self, name: &str, value: impl FieldValue) -> Result<Self, Failure>;
}

impl Fields for DynamicMessage {
    fn text(&self, name: &str) -> String {
        self.get_field_by_name(name)
            .and_then(|value| value.as_str().map(str::to_owned))
            .unwrap_or_default()
    }

    fn number(&self, name: &str) -> u64 {
        let Some(value) = self.get_field_by_name(name) else {
            return 0;
        };
        value
            .as_u64()
            .or_else(|| value.as_u32().map(u64::from))
            .unwrap_or(0)
    }

    fn flag(&self, name: &str) -> bool {
        self.get_field_by_name(name)
            .and_then(|value| value.as_bool())
            .unwrap_or(false)
    }

    fn child(&self, name: &str) -> Option<DynamicMessage> {
        if !self.has_field_by_name(name) {
            return None;
        }
        self.get_field_by_name(name)?.as_message().cloned()
    }

    fn children(&self, name: &str) -> Vec<DynamicMessage> {
        let Some(value) = self.get_field_by_name(name) else {
            return Vec::new();
        };
        let list = value.as_list().unwrap_or_default();
        list.iter()
            .filter_map(|value| value.as_message().cloned())
            .collect()
    }

    fn typed<T: Message + Default>(&self, name: &str) -> Result<T, Failure> {
        self.child(name)
            .map_or_else(|| Ok(T::default()), |child| retype(&child))
    }

    fn typed_list<T: Message + Default>(&self, name: &str) -> Result<Vec<T>, Failure> {
        self.children(name).iter().map(retype).collect()
    }

    fn with(mut self, name: &str, value: impl FieldValue) -> Result<Self, Failure> {
        self.try_set_field_by_name(name, value.into_value())
            .map_err(|error| {
                Failure::Contract(format!("{}: {error}", self.descriptor().full_name()))
            })?;
        Ok(self)
    }
}

/// What a field can be set to.
pub(crate) trait FieldValue {
    /// The value.
    fn into_value(self) -> Value;
}

macro_rules! field_values {
    ($($kind:ty => $variant:ident),* $(,)?) => {
        $(impl FieldValue for $kind {
            fn into_value(self) -> Value {
                Value::$variant(self)
            }
        })*
    };
}

field_values! {
    bool => Bool,
    i32 => I32,
    u32 => U32,
    u64 => U64,
    String => String,
    DynamicMessage => Message,
    Vec<Value> => List,
}

impl FieldValue for Value {
    fn into_value(self) -> Value {
        self
    }
}

/// A dynamic message as its own type.
pub(crate) fn retype<T: Message + Default>(message: &DynamicMessage) -> Result<T, Failure> {
    message.transcode_to().map_err(|error| {
        Failure::Contract(format!("{}: {error}", message.descriptor().full_name()))
    })
}
