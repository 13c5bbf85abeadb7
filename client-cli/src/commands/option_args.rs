//! Options of a new game, set field by field: `--option set=big_money`.

use prost_reflect::{EnumDescriptor, FieldDescriptor, Kind};
use serde_json::{Map, Value};

use crate::contract::ruleset_message;
use crate::failure::Failure;

#[derive(Debug, clap::Args)]
pub(super) struct OptionArgs {
    /// An option of the game, such as first_player=2; lists have commas; may be repeated; see
    /// `gamekeeper rulesets RULESET`
    #[arg(long = "option", value_name = "FIELD=VALUE", value_parser = pair)]
    fields: Vec<(String, String)>,
}

fn pair(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=').filter(|(field, _)| !field.is_empty());
    let pair = pair.map(|(field, value)| (field.to_owned(), value.to_owned()));
    pair.ok_or_else(|| String::from("a field and a value belong here, such as first_player=2"))
}

impl OptionArgs {
    /// Returns whether no option is set.
    pub(super) fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// Formats the options as protobuf JSON. Returns `None` if none is set.
    pub(super) fn json(&self, ruleset: &str) -> Result<Option<String>, Failure> {
        if self.is_empty() {
            return Ok(None);
        }
        let options = ruleset_message(ruleset, "Options")?;
        let mut json = Map::new();
        for (name, text) in &self.fields {
            let Some(field) = options.get_field_by_name(name) else {
                let field_names: Vec<_> = options
                    .fields()
                    .map(|field| field.name().to_owned())
                    .collect();
                return Err(Failure::Usage(format!(
                    "no option {name:?}; the options of {ruleset} are {}",
                    field_names.join(", ")
                )));
            };
            json.insert(field.name().to_owned(), value(&field, text));
        }
        Ok(Some(Value::Object(json).to_string()))
    }
}

/// Converts a typed value to JSON. Text that does not fit the type of the field is refused later, by the JSON parser.
fn value(field: &FieldDescriptor, text: &str) -> Value {
    if field.is_list() && !text.starts_with('[') {
        let parts = text
            .split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty());
        return parts.map(|part| single(field, part)).collect();
    }
    single(field, text)
}

fn single(field: &FieldDescriptor, text: &str) -> Value {
    let typed = || Value::String(text.to_owned());
    match field.kind() {
        Kind::Enum(kind) => Value::String(named(&kind, text)),
        Kind::String | Kind::Bytes => typed(),
        // A message with a single field is typed as the value of this field; a message without fields, as any text.
        Kind::Message(message) if !text.starts_with('{') => {
            let fields = message.fields().take(1);
            let fields = fields.map(|field| (field.name().to_owned(), value(&field, text)));
            Value::Object(fields.collect())
        }
        Kind::Message(_)
        | Kind::Bool
        | Kind::Double
        | Kind::Float
        | Kind::Int32
        | Kind::Int64
        | Kind::Uint32
        | Kind::Uint64
        | Kind::Sint32
        | Kind::Sint64
        | Kind::Fixed32
        | Kind::Fixed64
        | Kind::Sfixed32
        | Kind::Sfixed64 => serde_json::from_str(text).unwrap_or_else(|_| typed()),
    }
}

/// Returns the full name of an enum value: `throne room` is `CARD_THRONE_ROOM`.
fn named(kind: &EnumDescriptor, text: &str) -> String {
    let upper = text.replace([' ', '-'], "_").to_uppercase();
    let end = format!("_{upper}");
    let mut values = kind.values();
    // The full name of a value consists of the name of the enum and its own name.
    let enum_value = values.find(|value| {
        let short_name = value.name().strip_suffix(&end);
        short_name.is_some_and(|prefix| prefix.replace('_', "").eq_ignore_ascii_case(kind.name()))
    });
    enum_value.map_or(upper, |value| value.name().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(ruleset: &str, fields: &[&str]) -> Result<Option<String>, Failure> {
        let fields = fields.iter().map(|text| pair(text).unwrap()).collect();
        OptionArgs { fields }.json(ruleset)
    }

    #[test]
    fn fields_become_options() {
        assert_eq!(json("dominion", &[]).unwrap(), None);
        for (typed, read) in [
            (
                "cards=throne room,CARD_MOAT",
                r#"{"cards":{"cards":["CARD_THRONE_ROOM","CARD_MOAT"]}}"#,
            ),
            ("set=big-money", r#"{"set":"KINGDOM_SET_BIG_MONEY"}"#),
            ("random=yes", r#"{"random":{}}"#),
            ("first_player=2", r#"{"first_player":2}"#),
        ] {
            assert_eq!(json("dominion", &[typed]).unwrap().as_deref(), Some(read));
        }
        let wrong = json("dominion", &["kingdoms=x"]).unwrap_err().to_string();
        assert!(
            wrong.starts_with("no option \"kingdoms\"; the options of dominion are "),
            "{wrong}"
        );
        assert!(pair("cards").is_err());
    }
}
