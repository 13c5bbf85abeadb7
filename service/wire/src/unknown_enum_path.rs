//! Locates the part of an action that names nothing: the rules know the field, the message has the path and the value
//! that was sent.

use gamekeeper_proto::EncodedMessage;
use gamekeeper_rules::table::Field;
use gamekeeper_rules::terra_mystica::data::Space;
use prost::Message;
use prost_reflect::{DynamicMessage, EnumDescriptor, FieldDescriptor, Kind, ReflectMessage, Value};

use crate::Wire;
use crate::contract::{message_name, pool};

/// A name that is missing, or that names nothing in the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnknownEnumPath {
    /// The name of the field: the last part of the path, without an index.
    pub(crate) field: String,
    /// The path in the request, such as `action.kingsburg.build.building`.
    pub(crate) path: String,
    /// The value that was sent: a number, or a text. Empty if nothing was sent.
    pub(crate) value: String,
}

/// Returns the place of a name that the rules do not know: the first one that the contract does not know either, in the
/// fields of an action that the rules call `field`; otherwise the first of these fields. `outer` is the path of the
/// action in the request, such as `action`.
///
/// The rules call a field by the end of its path, without indexes: `card`, `site.card`, or `gold` for all names in the
/// items of that list. Where several fields end so, the outermost ones are meant.
#[must_use]
pub(crate) fn locate_unknown<W: Wire>(
    action: &EncodedMessage,
    field: &str,
    outer: &str,
) -> Option<UnknownEnumPath> {
    let descriptor = pool().get_message_by_name(&message_name::<W>("Action"))?;
    let action = DynamicMessage::decode(descriptor, &*action.encode_to_vec()).ok()?;
    let (kind, value) = action.fields().next()?;
    let path = format!("{outer}.{}.{}", W::INFO.id, kind.name());
    let mut leaves = Vec::new();
    Place::at(path).leaves_of(value.as_message()?, &mut leaves);
    let depth = |leaf: &Leaf| leaf.place.depth_of(field);
    let outermost = leaves.iter().filter_map(depth).min()?;
    leaves.retain(|leaf| depth(leaf) == Some(outermost));
    let first_unknown = leaves.iter().position(|leaf| leaf.is_unknown);
    Some(
        leaves
            .swap_remove(first_unknown.unwrap_or_default())
            .into_path(),
    )
}

/// Returns a name in options that the rules do not know, with the value that was sent in this part of the options.
/// `path` is its path in the request.
#[must_use]
pub(crate) fn locate_option<W: Wire>(
    options: &W::PbOptions,
    field: Field,
    path: &str,
) -> Option<UnknownEnumPath> {
    let (names, index) = match field {
        Field::Players => return None,
        Field::Option(names) => (names, None),
        Field::Item(names, index) => (names, Some(index)),
    };
    let descriptor = pool().get_message_by_name(&message_name::<W>("Options"))?;
    let options = DynamicMessage::decode(descriptor, &*options.encode_to_vec()).ok()?;
    let (outer, name) = names.rsplit_once('.').unwrap_or(("", names));
    let outer = outer.split('.').filter(|name| !name.is_empty());
    let message = outer.fold(options, |message, name| {
        let inner = message.get_field_by_name(name);
        let inner = inner.and_then(|value| value.as_message().cloned());
        inner.unwrap_or(message)
    });
    let value = message.get_field_by_name(name)?;
    let sent = match index {
        Some(index) => value.as_list()?.get(index),
        None => message.has_field_by_name(name).then_some(&*value),
    };
    Some(UnknownEnumPath {
        field: name.to_owned(),
        path: path.to_owned(),
        value: sent.map(text_of).unwrap_or_default(),
    })
}

/// The place of a field in a request.
#[derive(Clone)]
struct Place {
    /// The path, with indexes.
    path: String,
    /// The names of the fields from the action's kind on, without indexes.
    names: Vec<String>,
}

impl Place {
    const fn at(path: String) -> Self {
        Self {
            path,
            names: Vec::new(),
        }
    }

    fn field(&self, name: &str) -> Self {
        let mut names = self.names.clone();
        names.push(name.to_owned());
        Self {
            path: format!("{}.{name}", self.path),
            names,
        }
    }

    fn item(&self, index: usize) -> Self {
        Self {
            path: format!("{}[{index}]", self.path),
            names: self.names.clone(),
        }
    }

    /// Returns the number of fields before the first part of this path that equals `field`, if any does.
    fn depth_of(&self, field: &str) -> Option<usize> {
        let wanted: Vec<&str> = field.split('.').collect();
        self.names
            .windows(wanted.len())
            .position(|names| names.iter().eq(&wanted))
    }

    /// Lists the fields of a message, in their order. Of a oneof, only the field that is set has a value.
    fn leaves_of(&self, message: &DynamicMessage, leaves: &mut Vec<Leaf>) {
        let before = leaves.len();
        for field in message.descriptor().fields() {
            let is_choice = field
                .containing_oneof()
                .is_some_and(|oneof| !oneof.is_synthetic());
            if !is_choice || message.has_field(&field) {
                let value = message.get_field(&field);
                let was_sent = message.has_field(&field);
                self.field(field.name())
                    .leaves_at(&field, (&value, was_sent), leaves);
            }
        }
        // A message without a choice names nothing itself.
        if leaves.len() == before {
            leaves.push(Leaf::unsent(self.clone()));
        }
    }

    fn leaves_at(
        self,
        field: &FieldDescriptor,
        (value, was_sent): (&Value, bool),
        leaves: &mut Vec<Leaf>,
    ) {
        let kind = field.kind();
        if let Some(inner) = value.as_message() {
            return self.leaves_of(inner, leaves);
        }
        let Some(items) = value.as_list() else {
            leaves.push(match was_sent {
                true => Leaf::sent(self, &kind, value),
                false => Leaf {
                    // A name that may be left out is not missing.
                    is_unknown: !field.supports_presence() && is_unknown(&kind, value),
                    ..Leaf::unsent(self)
                },
            });
            return;
        };
        if items.is_empty() {
            leaves.push(Leaf::unsent(self));
            return;
        }
        for (index, item) in items.iter().enumerate() {
            match item.as_message() {
                Some(inner) => self.item(index).leaves_of(inner, leaves),
                None => leaves.push(Leaf::sent(self.item(index), &kind, item)),
            }
        }
    }
}

/// A field that contains no others.
struct Leaf {
    place: Place,
    value: String,
    /// Whether the contract has no such name.
    is_unknown: bool,
}

impl Leaf {
    const fn unsent(place: Place) -> Self {
        Self {
            place,
            value: String::new(),
            is_unknown: false,
        }
    }

    fn sent(place: Place, kind: &Kind, value: &Value) -> Self {
        Self {
            place,
            value: text_of(value),
            is_unknown: is_unknown(kind, value),
        }
    }

    fn into_path(self) -> UnknownEnumPath {
        UnknownEnumPath {
            field: self.place.names.last().cloned().unwrap_or_default(),
            path: self.place.path,
            value: self.value,
        }
    }
}

/// Returns whether the contract has no such name.
fn is_unknown(kind: &Kind, value: &Value) -> bool {
    let number = value.as_enum_number();
    let names = kind.as_enum();
    let has_no_name =
        number.is_some_and(|number| names.is_some_and(|names| !has_name(names, number)));
    // Spaces of Terra Mystica are the only names that are sent as text.
    has_no_name
        || value
            .as_str()
            .is_some_and(|text| Space::by_id(text) == Space::Unknown)
}

fn has_name(names: &EnumDescriptor, number: i32) -> bool {
    number != 0 && names.get_value(number).is_some()
}

/// The maximum length of a value in an error, in characters.
const MAX_VALUE_LEN: usize = 64;

/// Returns a number or a text as text; long texts are cut off. Empty for lists and messages, which are no names.
pub(crate) fn text_of(value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::I32(number) | Value::EnumNumber(number) => number.to_string(),
        Value::I64(number) => number.to_string(),
        Value::U32(number) => number.to_string(),
        Value::U64(number) => number.to_string(),
        Value::String(text) => text.chars().take(MAX_VALUE_LEN).collect(),
        Value::F32(_)
        | Value::F64(_)
        | Value::Bytes(_)
        | Value::Message(_)
        | Value::List(_)
        | Value::Map(_) => String::new(),
    }
}

#[cfg(test)]
#[path = "unknown_enum_path_tests.rs"]
mod tests;
