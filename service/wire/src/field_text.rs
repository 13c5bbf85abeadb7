//! Values of any message in words, for people.

use heck::ToTitleCase;
use prost_reflect::{EnumDescriptor, Kind, Value};

/// Formats a value for people.
#[must_use]
pub fn field_text(value: &Value, kind: &Kind) -> String {
    match value {
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::I32(number) => number.to_string(),
        Value::I64(number) => number.to_string(),
        Value::U32(number) => number.to_string(),
        Value::U64(number) => number.to_string(),
        Value::F32(number) => number.to_string(),
        Value::F64(number) => number.to_string(),
        Value::String(text) => text.clone(),
        Value::Bytes(bytes) => const_hex::encode(bytes),
        Value::EnumNumber(number) => kind
            .as_enum()
            .map_or_else(|| number.to_string(), |kind| enum_word(kind, *number)),
        Value::Message(message) => serde_json::to_string(message).unwrap_or_default(),
        Value::List(list) if list.is_empty() => "none".to_owned(),
        Value::List(list) if is_number(kind) => {
            let numbers = list.iter().map(|item| field_text(item, kind));
            numbers.collect::<Vec<_>>().join(", ")
        }
        Value::List(list) => count_runs(list.iter().map(|item| field_text(item, kind))),
        Value::Map(map) => format!("{} entries", map.len()),
    }
}

fn is_number(kind: &Kind) -> bool {
    !matches!(
        kind,
        Kind::Enum(_) | Kind::Message(_) | Kind::String | Kind::Bytes | Kind::Bool
    )
}

/// Formats a list with equal neighbors counted: `Copper x2, Estate`.
fn count_runs(words: impl Iterator<Item = String>) -> String {
    let mut runs: Vec<(String, usize)> = Vec::new();
    for word in words {
        match runs.last_mut() {
            Some((last, count)) if *last == word => *count += 1,
            Some(_) | None => runs.push((word, 1)),
        }
    }
    let run_texts = runs.into_iter().map(|(word, count)| match count {
        1 => word,
        _ => format!("{word} x{count}"),
    });
    run_texts.collect::<Vec<_>>().join(", ")
}

/// Converts an enum value to words: `CARD_THRONE_ROOM` of the enum `Card` is `Throne Room`.
fn enum_word(kind: &EnumDescriptor, number: i32) -> String {
    let Some(descriptor) = kind.get_value(number) else {
        return number.to_string();
    };
    let name = descriptor.name();
    let without_prefix = name.strip_prefix(&enum_prefix(kind.name()));
    without_prefix.unwrap_or(name).to_title_case()
}

/// Returns the prefix of an enum's values: `KINGDOM_SET_` for `KingdomSet`.
fn enum_prefix(name: &str) -> String {
    let mut prefix = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !prefix.is_empty() {
            prefix.push('_');
        }
        prefix.push(letter.to_ascii_uppercase());
    }
    prefix + "_"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enum_values_lose_the_name_of_their_enum() {
        assert_eq!(enum_prefix("KingdomSet"), "KINGDOM_SET_");
    }
}
