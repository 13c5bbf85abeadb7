//! Any message as an indented tree.

use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, ReflectMessage};

use crate::output::{BOLD, shown, styled, wrap};
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
    let name = styled(BOLD, phrase::words(field.name()));
    let value = message.get_field(field);
    if let Some(child) = value.as_message() {
        twig(&name, child, depth, width, lines);
    }
    for (number, item) in (1..).zip(value.as_list().unwrap_or_default()) {
        if let Some(child) = item.as_message() {
            twig(&format!("{name} {number}"), child, depth, width, lines);
        }
    }
}

/// A message under its name; on the same line if it fits there.
fn twig(name: &str, child: &DynamicMessage, depth: usize, width: usize, lines: &mut Vec<String>) {
    let margin = " ".repeat(depth * STEP);
    let mut below = Vec::new();
    grow(child, depth + 1, width, &mut below);
    if let [only] = &below[..] {
        let line = format!("{margin}{name}  {}", only.trim_start());
        if shown(&line) <= width {
            lines.push(line);
            return;
        }
    }
    lines.push(format!("{margin}{name}"));
    lines.append(&mut below);
}

/// A field that fits on a line: `name value`.
fn leaf(message: &DynamicMessage, field: &FieldDescriptor) -> Option<String> {
    if matches!(field.kind(), Kind::Message(_)) {
        return None;
    }
    let text = phrase::value(&message.get_field(field), &field.kind());
    Some(format!("{} {text}", phrase::words(field.name())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::{Contract, field_message, method, parse};

    #[test]
    fn any_view_is_a_tree() {
        let service = Contract::load().unwrap().ruleset("dominion").unwrap();
        let answer = method(&service, "GetGame").unwrap().output();
        let view = field_message(&answer, "view").unwrap();
        let text = r#"{
            "options": {"set": "KINGDOM_SET_BIG_MONEY", "firstPlayer": 1},
            "kingdom": ["CARD_MOAT", "CARD_VILLAGE", "CARD_VILLAGE"],
            "phase": "PHASE_BUY", "turnNumber": 3, "counters": {"buys": 1},
            "supply": [{"card": "CARD_COPPER", "count": 46}, {"card": "CARD_MOAT"}],
            "players": [{"seat": 1, "hand": {"cards": ["CARD_GOLD"]}}],
            "question": {"seat": 1, "decision": "DECISION_BUY_PHASE"}
        }"#;
        let tree = tree(&parse(&view, text).unwrap(), 60);
        insta::assert_snapshot!(anstream::adapter::strip_str(&tree).to_string());
    }
}
