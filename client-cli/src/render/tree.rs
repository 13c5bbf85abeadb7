//! Any message as an indented tree.

use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, ReflectMessage};

use crate::output::{BOLD, styled, wrap};
use crate::phrase;

/// Columns of one step of the tree.
const STEP: usize = 2;

/// A message as a tree: a line for each field that is set.
pub(crate) fn tree(message: &DynamicMessage, width: usize) -> String {
    let mut lines = Vec::new();
    grow(message, 0, width, &mut lines);
    lines.join("\n")
}

fn grow(message: &DynamicMessage, depth: usize, width: usize, lines: &mut Vec<String>) {
    let margin = " ".repeat(depth * STEP);
    let mut plain = Vec::new();
    for field in message
        .descriptor()
        .fields()
        .filter(|field| message.has_field(field))
    {
        if let Some(word) = leaf(message, &field) {
            plain.push(word);
        } else {
            flush(&mut plain, &margin, width, lines);
            branch(message, &field, depth, width, lines);
        }
    }
    flush(&mut plain, &margin, width, lines);
}

/// Neighbouring fields that are no messages share lines.
fn flush(plain: &mut Vec<String>, margin: &str, width: usize, lines: &mut Vec<String>) {
    if !plain.is_empty() {
        let next = format!("{margin}  ");
        lines.push(wrap(&std::mem::take(plain), "; ", margin, &next, width));
    }
}

fn branch(
    message: &DynamicMessage,
    field: &FieldDescriptor,
    depth: usize,
    width: usize,
    lines: &mut Vec<String>,
) {
    let margin = " ".repeat(depth * STEP);
    let name = styled(BOLD, phrase::words(field.name()));
    let value = message.get_field(field);
    if let Some(child) = value.as_message() {
        lines.push(format!("{margin}{name}"));
        grow(child, depth + 1, width, lines);
    }
    for (number, item) in (1..).zip(value.as_list().unwrap_or_default()) {
        lines.push(format!("{margin}{name} {number}"));
        if let Some(child) = item.as_message() {
            grow(child, depth + 1, width, lines);
        }
    }
}

/// A field that fits on a line: `name value`.
fn leaf(message: &DynamicMessage, field: &FieldDescriptor) -> Option<String> {
    if matches!(field.kind(), Kind::Message(_)) {
        return None;
    }
    let text = phrase::value(&message.get_field(field), &field.kind());
    Some(format!("{} {text}", phrase::words(field.name())))
}
