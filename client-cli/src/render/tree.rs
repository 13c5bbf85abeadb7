//! Renders any message as an indented tree.

use gamekeeper_rules::table::text::{self, BOLD, styled, wrap};
use gamekeeper_wire::field_text as value;
use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, ReflectMessage, Value};

use crate::phrase;

/// The indentation per level, in columns.
const STEP: usize = 2;

/// Formats a message as a tree with a line for each field that is set. A price is also shown if it is 0.
pub(crate) fn tree(message: &DynamicMessage, width: usize) -> String {
    let mut lines = Vec::new();
    write_fields(message, 0, width, &mut lines);
    lines.join("\n")
}

/// Finds the components of a catalogue by name and formats them as trees: those with exactly this name, otherwise those
/// whose names contain it.
pub(crate) fn find(catalogue: &DynamicMessage, name: &str, width: usize) -> Vec<String> {
    let lists = catalogue.fields().filter_map(|(_, list)| list.as_list());
    let components = lists.flatten().filter_map(Value::as_message);
    let named: Vec<_> = components.map(|it| (names(it), it)).collect();
    let name = name.to_lowercase();
    let chosen = |fits: &dyn Fn(&String) -> bool| -> Vec<String> {
        let matching = named.iter().filter(|(names, _)| names.iter().any(fits));
        matching
            .map(|(_, component)| tree(component, width))
            .collect()
    };
    let exact = chosen(&|name_of_thing| *name_of_thing == name);
    if exact.is_empty() {
        return chosen(&|name_of_thing| name_of_thing.contains(&name));
    }
    exact
}

/// Returns the names of a component: its first field identifies it, and other fields may name it.
fn names(component: &DynamicMessage) -> Vec<String> {
    let kind = component.descriptor();
    let naming = kind
        .fields()
        .filter(|field| field.number() == 1 || matches!(field.name(), "id" | "name"));
    let name = |field: FieldDescriptor| value(&component.get_field(&field), &field.kind());
    naming.map(name).map(|name| name.to_lowercase()).collect()
}

fn write_fields(message: &DynamicMessage, depth: usize, width: usize, lines: &mut Vec<String>) {
    let margin = " ".repeat(depth * STEP);
    let mut plain = Vec::new();
    for field in message
        .descriptor()
        .fields()
        .filter(|field| message.has_field(field) || is_price(field))
    {
        if let Some(word) = inline_field(message, &field) {
            plain.push(word);
        } else {
            flush_inline_fields(&mut plain, &margin, width, lines);
            write_field(message, &field, depth, width, lines);
        }
    }
    flush_inline_fields(&mut plain, &margin, width, lines);
}

/// Returns whether a field is a price in coins. A price of 0 is information (free), unlike other zeros.
fn is_price(field: &FieldDescriptor) -> bool {
    field.name() == "cost" && field.kind() == Kind::Uint32 && !field.is_list()
}

/// Writes adjacent fields that are not messages on shared lines.
fn flush_inline_fields(
    plain: &mut Vec<String>,
    margin: &str,
    width: usize,
    lines: &mut Vec<String>,
) {
    if !plain.is_empty() {
        let next = format!("{margin}  ");
        lines.push(wrap(&std::mem::take(plain), "; ", margin, &next, width));
    }
}

fn write_field(
    message: &DynamicMessage,
    field: &FieldDescriptor,
    depth: usize,
    width: usize,
    lines: &mut Vec<String>,
) {
    let name = styled(BOLD, phrase::words(field.name()));
    let value = message.get_field(field);
    if let Some(child) = value.as_message() {
        write_child(&name, child, depth, width, lines);
    }
    for (number, item) in (1..).zip(value.as_list().unwrap_or_default()) {
        if let Some(child) = item.as_message() {
            write_child(&format!("{name} {number}"), child, depth, width, lines);
        }
    }
}

/// Formats a message below its name, or on the same line if it fits there.
fn write_child(
    name: &str,
    child: &DynamicMessage,
    depth: usize,
    width: usize,
    lines: &mut Vec<String>,
) {
    let margin = " ".repeat(depth * STEP);
    let mut below = Vec::new();
    write_fields(child, depth + 1, width, &mut below);
    if let [only] = &below[..] {
        let line = format!("{margin}{name}  {}", only.trim_start());
        if text::width(&line) <= width {
            lines.push(line);
            return;
        }
    }
    lines.push(format!("{margin}{name}"));
    lines.append(&mut below);
}

/// Formats a field that fits on a line: `name value`.
fn inline_field(message: &DynamicMessage, field: &FieldDescriptor) -> Option<String> {
    if matches!(field.kind(), Kind::Message(_)) {
        return None;
    }
    let text = value(&message.get_field(field), &field.kind());
    Some(format!("{} {text}", phrase::words(field.name())))
}

#[cfg(test)]
mod tests {
    use gamekeeper_rules::table::text::plain;

    use super::*;
    use crate::contract::{parse, ruleset_message};

    #[test]
    fn any_view_is_a_tree() {
        let view = ruleset_message("dominion", "View").unwrap();
        let text = r#"{
            "options": {"set": "KINGDOM_SET_BIG_MONEY", "firstPlayer": 1},
            "kingdom": ["CARD_MOAT", "CARD_VILLAGE", "CARD_VILLAGE"],
            "phase": "PHASE_BUY", "turnNumber": 3, "counters": {"buys": 1},
            "supply": [{"card": "CARD_COPPER", "count": 46}, {"card": "CARD_MOAT"}],
            "players": [{"seat": 1, "hand": {"cards": ["CARD_GOLD"]}}],
            "question": {"choice": {"cards": ["CARD_GOLD"], "max": 1}}
        }"#;
        let tree = tree(&parse(&view, text).unwrap(), 60);
        insta::assert_snapshot!(plain(&tree));
    }

    #[test]
    fn a_component_is_found_by_its_name() {
        let catalogue = ruleset_message("dominion", "Catalogue").unwrap();
        let text = r#"{"cards": [
            {"card": "CARD_COPPER", "id": "copper", "name": "Copper"},
            {"card": "CARD_GOLD", "id": "gold", "name": "Gold", "cost": 6},
            {"card": "CARD_THRONE_ROOM", "id": "throne_room", "name": "Throne Room", "cost": 4},
            {"card": "CARD_COUNCIL_ROOM", "id": "council_room", "name": "Council Room", "cost": 5}
        ]}"#;
        let catalogue = parse(&catalogue, text).unwrap();
        let find_thing = |name: &str| find(&catalogue, name, 80);
        assert_eq!(
            find_thing("GOLD"),
            ["card Gold; id gold; name Gold; cost 6"]
        );
        assert_eq!(
            find_thing("Copper"),
            ["card Copper; id copper; name Copper; cost 0"]
        );
        assert_eq!(find_thing("throne room").len(), 1);
        assert_eq!(find_thing("room").len(), 2);
        assert!(find_thing("Silver").is_empty());
    }
}
