//! Comparisons that report the first difference between the record and the rules.

use std::fmt::Debug;

use prost::Message;
use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, ReflectMessage, Value};

use crate::contract::shared;
use crate::failure::Failure;
use crate::render::value;

/// Checks that a value in the record equals the one that the rules give.
pub(super) fn same<T: PartialEq + Debug>(what: &str, rules: &T, record: &T) -> Result<(), Failure> {
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
) -> Result<(), Failure> {
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
) -> Result<(), Failure> {
    if rules.encode_to_vec() == record.encode_to_vec() {
        return Ok(());
    }
    match in_message(&shared(name, rules)?, &shared(name, record)?) {
        None => Ok(()),
        Some(Place {
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
) -> Result<(), Failure> {
    for (number, (rules, record)) in (1..).zip(rules.iter().zip(record)) {
        same_message(&format!("{what} {number}"), name, rules, record)?;
    }
    same(&format!("{what}s: how many"), &rules.len(), &record.len())
}

/// Fails with the difference that was found in the record.
pub(super) fn difference<T>(text: &str) -> Result<T, Failure> {
    Err(Failure::Difference(text.to_owned()))
}

struct Place {
    path: String,
    rules: String,
    record: String,
}

fn in_message(rules: &DynamicMessage, record: &DynamicMessage) -> Option<Place> {
    let descriptor = rules.descriptor();
    let mut fields = descriptor.fields();
    fields.find_map(
        |field| match (rules.has_field(&field), record.has_field(&field)) {
            (false, false) => None,
            (true, true) => {
                let kind = field.kind();
                in_value(&rules.get_field(&field), &record.get_field(&field), &kind)
                    .map(|place| below(field.name(), place))
            }
            (rules_has, _) => {
                let told = |message: &DynamicMessage, has| {
                    if has {
                        told(message, &field)
                    } else {
                        "nothing".to_owned()
                    }
                };
                let path = field.name().to_owned();
                Some(Place {
                    path,
                    rules: told(rules, rules_has),
                    record: told(record, !rules_has),
                })
            }
        },
    )
}

fn told(message: &DynamicMessage, field: &FieldDescriptor) -> String {
    value(&message.get_field(field), &field.kind())
}

fn in_value(rules: &Value, record: &Value, kind: &Kind) -> Option<Place> {
    match (rules, record) {
        (Value::Message(rules), Value::Message(record)) => in_message(rules, record),
        (Value::List(rules), Value::List(record)) if rules.len() == record.len() => (1..)
            .zip(rules.iter().zip(record))
            .find_map(|(number, (rules, record))| {
                in_value(rules, record, kind).map(|place| below(&number.to_string(), place))
            }),
        _ if rules == record => None,
        _ => Some(Place {
            path: String::new(),
            rules: value(rules, kind),
            record: value(record, kind),
        }),
    }
}

fn below(name: &str, mut place: Place) -> Place {
    let dot = if place.path.is_empty() { "" } else { "." };
    place.path = format!("{name}{dot}{}", place.path);
    place
}
