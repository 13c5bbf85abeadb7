//! Comparisons that report the first difference between the record and the rules.

use std::fmt::Debug;

use prost::Message;
use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, ReflectMessage, Value};

use super::RecordFault;
use crate::contract::pool;
use crate::field_text::field_text as value;

/// Checks that a value in the record equals the one that the rules give.
pub(super) fn same<T: PartialEq + Debug>(
    what: &str,
    rules: &T,
    record: &T,
) -> Result<(), RecordFault> {
    if rules == record {
        return Ok(());
    }
    difference(&format!(
        "{what}: the rules say {rules:?}, the record says {record:?}"
    ))
}

/// Checks that two lists are equal. The error names the first index where they differ, counted from 1.
pub(super) fn same_list<T: PartialEq + Debug>(
    what: &str,
    rules: &[T],
    record: &[T],
) -> Result<(), RecordFault> {
    for (number, (rules, record)) in (1..).zip(rules.iter().zip(record)) {
        same(&format!("{what} {number}"), rules, record)?;
    }
    same(&format!("{what}s: how many"), &rules.len(), &record.len())
}

/// Checks that two messages of this type are equal. The error names the first field where they differ.
pub(super) fn same_message<M: Message>(
    what: &str,
    name: &str,
    rules: &M,
    record: &M,
) -> Result<(), RecordFault> {
    if rules.encode_to_vec() == record.encode_to_vec() {
        return Ok(());
    }
    match in_message(&dynamic(name, rules)?, &dynamic(name, record)?) {
        None => Ok(()),
        Some(FieldDifference {
            path,
            rules,
            record,
        }) => difference(&format!(
            "{what}: {path}: the rules say {rules}, the record says {record}"
        )),
    }
}

/// Checks that two lists of messages of this type are equal. The error names the first field where they differ.
pub(super) fn same_messages<M: Message>(
    what: &str,
    name: &str,
    rules: &[M],
    record: &[M],
) -> Result<(), RecordFault> {
    for (number, (rules, record)) in (1..).zip(rules.iter().zip(record)) {
        same_message(&format!("{what} {number}"), name, rules, record)?;
    }
    same(&format!("{what}s: how many"), &rules.len(), &record.len())
}

/// Fails with the difference that was found in the record.
pub(super) fn difference<T>(text: &str) -> Result<T, RecordFault> {
    Err(RecordFault::Difference(text.to_owned()))
}

/// Converts a message of this name in `gamekeeper.v1` to a dynamic one.
fn dynamic(name: &str, message: &impl Message) -> Result<DynamicMessage, RecordFault> {
    let kind = pool().get_message_by_name(&format!("gamekeeper.v1.{name}"));
    let kind = kind.ok_or_else(|| RecordFault::Malformed(format!("there is no message {name}")))?;
    Ok(DynamicMessage::decode(kind, &*message.encode_to_vec())?)
}

struct FieldDifference {
    path: String,
    rules: String,
    record: String,
}

fn in_message(rules: &DynamicMessage, record: &DynamicMessage) -> Option<FieldDifference> {
    let descriptor = rules.descriptor();
    let mut fields = descriptor.fields();
    fields.find_map(
        |field| match (rules.has_field(&field), record.has_field(&field)) {
            (false, false) => None,
            (true, true) => {
                let kind = field.kind();
                in_value(&rules.get_field(&field), &record.get_field(&field), &kind)
                    .map(|difference| nest(field.name(), difference))
            }
            (rules_has, _) => {
                let side_text = |message: &DynamicMessage, has| {
                    if has {
                        text_of(message, &field)
                    } else {
                        "nothing".to_owned()
                    }
                };
                let path = field.name().to_owned();
                Some(FieldDifference {
                    path,
                    rules: side_text(rules, rules_has),
                    record: side_text(record, !rules_has),
                })
            }
        },
    )
}

fn text_of(message: &DynamicMessage, field: &FieldDescriptor) -> String {
    value(&message.get_field(field), &field.kind())
}

fn in_value(rules: &Value, record: &Value, kind: &Kind) -> Option<FieldDifference> {
    match (rules, record) {
        (Value::Message(rules), Value::Message(record)) => in_message(rules, record),
        (Value::List(rules), Value::List(record)) if rules.len() == record.len() => (1..)
            .zip(rules.iter().zip(record))
            .find_map(|(number, (rules, record))| {
                in_value(rules, record, kind)
                    .map(|difference| nest(&number.to_string(), difference))
            }),
        _ if rules == record => None,
        _ => Some(FieldDifference {
            path: String::new(),
            rules: value(rules, kind),
            record: value(record, kind),
        }),
    }
}

fn nest(name: &str, mut difference: FieldDifference) -> FieldDifference {
    let dot = if difference.path.is_empty() { "" } else { "." };
    difference.path = format!("{name}{dot}{}", difference.path);
    difference
}
