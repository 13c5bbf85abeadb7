//! Descriptions of a ruleset's options: types and comments from the contract, defaults, limits and titles from the
//! rules.

use std::iter;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::table::{OptionRule, Values};
use prost::Message;
use prost_reflect::{
    DynamicMessage, EnumValueDescriptor, FieldDescriptor, Kind, MessageDescriptor,
    Value as Reflected,
};
use prost_types::value::Kind as Json;
use prost_types::{Struct, Value};

use crate::Wire;
use crate::contract::{comment, message_name, pool};

/// Describes the options of a ruleset, in the order of its message `Options`.
#[must_use]
pub fn option_infos<W: Wire>() -> Vec<pb::OptionInfo> {
    let Some(message) = pool().get_message_by_name(&message_name::<W>("Options")) else {
        return Vec::new();
    };
    let mut infos = Infos::<W> {
        infos: Vec::new(),
        ruleset: std::marker::PhantomData,
    };
    infos.add_fields(
        &message,
        plain_options::<W>(&message).as_ref(),
        &Outer::default(),
    );
    infos.infos
}

/// Returns the default options, as a game has them if nothing is set.
fn plain_options<W: Wire>(message: &MessageDescriptor) -> Option<DynamicMessage> {
    let names: Vec<String> = (1..=W::INFO.max_seats)
        .map(|seat| seat.to_string())
        .collect();
    let options = W::options(&names, &W::Draft::default()).ok()?;
    let bytes = W::encoded_options(&options).encode_to_vec();
    DynamicMessage::decode(message.clone(), &*bytes).ok()
}

/// The context that the fields of a nested message inherit from the fields that lead to it.
#[derive(Default)]
struct Outer {
    /// The path, with its last dot.
    path: String,
    description: String,
    oneof: String,
}

struct Infos<W> {
    infos: Vec<pb::OptionInfo>,
    ruleset: std::marker::PhantomData<W>,
}

impl<W: Wire> Infos<W> {
    fn add_fields(
        &mut self,
        message: &MessageDescriptor,
        plain: Option<&DynamicMessage>,
        outer: &Outer,
    ) {
        for field in message.fields() {
            let default = plain.and_then(|plain| default_of(plain, &field));
            let path = format!("{}{}", outer.path, field.name());
            let oneof = oneof_of(&field).unwrap_or_else(|| outer.oneof.clone());
            let kind = field.kind();
            if let Some(inner) = kind.as_message()
                && inner.fields().len() > 0
            {
                let plain = default.as_ref().and_then(Reflected::as_message).cloned();
                let plain = plain.unwrap_or_else(|| DynamicMessage::new(inner.clone()));
                let outer = Outer {
                    path: format!("{path}."),
                    description: description_of(&field, outer),
                    oneof,
                };
                self.add_fields(inner, Some(&plain), &outer);
                continue;
            }
            let rule = rule_of::<W>(&path);
            self.infos.push(pb::OptionInfo {
                title: rule.map_or("", |rule| rule.title).to_owned(),
                values: values_of::<W>(rule, &kind),
                field: if field.is_list() { path + "[]" } else { path },
                description: description_of(&field, outer),
                r#type: format!("{kind:?}"),
                default_value: default.and_then(|value| json(&kind, &value)),
                oneof,
            });
        }
    }
}

/// Returns the comments of a field and of the fields that lead to it. A field that is alone in its message shares its
/// comment.
fn description_of(field: &FieldDescriptor, outer: &Outer) -> String {
    let field_comment = comment(&field.parent_file(), field.path());
    match (&*outer.description, field.parent_message().fields().len()) {
        ("", _) => field_comment,
        (outer, 1) => outer.to_owned(),
        (outer, _) => format!("{outer} {field_comment}"),
    }
}

/// Returns the default of a field; `None` for lists, and for values that are drawn or chosen later.
fn default_of(plain: &DynamicMessage, field: &FieldDescriptor) -> Option<Reflected> {
    let is_said = !field.is_list() && (plain.has_field(field) || !field.supports_presence());
    is_said.then(|| plain.get_field(field).into_owned())
}

fn oneof_of(field: &FieldDescriptor) -> Option<String> {
    let oneof = field.containing_oneof();
    let oneof = oneof.filter(|oneof| !oneof.is_synthetic());
    oneof.map(|oneof| oneof.name().to_owned())
}

/// Returns the rules' description of the field with this path.
pub(crate) fn rule_of<W: Wire>(path: &str) -> Option<&'static OptionRule> {
    W::OPTIONS.iter().find(|rule| rule.field == path)
}

/// Returns the values that a field takes, for each number of players; adjacent equal entries are merged.
fn values_of<W: Wire>(rule: Option<&OptionRule>, kind: &Kind) -> Vec<pb::OptionValues> {
    let mut all: Vec<pb::OptionValues> = Vec::new();
    for seats in W::INFO.min_seats..=W::INFO.max_seats {
        let values = values_at(rule, kind, seats);
        match all.last_mut() {
            Some(last) if same_values(last, &values) => last.max_seats = seats.into(),
            _ => all.push(values),
        }
    }
    all
}

fn same_values(one: &pb::OptionValues, other: &pb::OptionValues) -> bool {
    let seats = (one.min_seats, one.max_seats);
    let of = |values: &pb::OptionValues| pb::OptionValues {
        min_seats: seats.0,
        max_seats: seats.1,
        ..values.clone()
    };
    of(one) == of(other)
}

fn values_at(rule: Option<&OptionRule>, kind: &Kind, seats: u8) -> pb::OptionValues {
    let items = rule.and_then(|rule| rule.items).map(|items| items(seats));
    let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let mut values = pb::OptionValues {
        min_seats: seats.into(),
        max_seats: seats.into(),
        min_items: items.as_ref().map_or(0, |items| count(*items.start())),
        max_items: items.as_ref().map_or(0, |items| count(*items.end())),
        ..pb::OptionValues::default()
    };
    let names = rule.map_or(&[][..], |rule| rule.names);
    match rule.map_or(Values::All, |rule| (rule.values)(seats)) {
        Values::All => values.values = all_of(kind, names),
        Values::Only(value) => values.values = vec![plain_value(Json::BoolValue(value))],
        Values::Numbers(numbers) => {
            values.min_value = Some(*numbers.start());
            values.max_value = Some(*numbers.end());
        }
        Values::Names(indices) => {
            let all = all_of(kind, names);
            let named = indices
                .iter()
                .filter_map(|&item_index| all.get(item_index).cloned());
            values.values = named.collect();
        }
    }
    values
}

/// Lists all values of a type that has few. The zero value of an enum, which means unset, is left out; the others have
/// their names as titles.
fn all_of(kind: &Kind, names: &[&str]) -> Vec<pb::OptionValue> {
    if let Some(of_contract) = kind.as_enum() {
        let file = of_contract.parent_file();
        let set = of_contract.values().filter(|value| value.number() != 0);
        let titles = names.iter().copied().map(capitalized);
        let titles = titles.chain(iter::repeat(String::new()));
        let value = |(value, title): (EnumValueDescriptor, String)| pb::OptionValue {
            value: Some(Json::StringValue(value.name().to_owned()).into()),
            description: comment(&file, value.path()),
            title,
        };
        return set.zip(titles).map(value).collect();
    }
    if *kind == Kind::Bool {
        let both = [false, true].map(Json::BoolValue);
        return both.map(plain_value).into();
    }
    let empty = kind
        .as_message()
        .map(|_| Json::StructValue(Struct::default()));
    empty.into_iter().map(plain_value).collect()
}

/// Returns a value without a title.
fn plain_value(value: Json) -> pb::OptionValue {
    pb::OptionValue {
        value: Some(value.into()),
        ..pb::OptionValue::default()
    }
}

/// Returns a name as a title: `Passing order`.
fn capitalized(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// Converts a value to JSON.
fn json(kind: &Kind, value: &Reflected) -> Option<Value> {
    let json = match (kind, value) {
        (_, Reflected::Bool(value)) => Json::BoolValue(*value),
        (_, Reflected::U32(number)) => Json::NumberValue((*number).into()),
        (Kind::Enum(names), Reflected::EnumNumber(number)) if *number != 0 => {
            Json::StringValue(names.get_value(*number)?.name().to_owned())
        }
        (Kind::Message(_), Reflected::Message(_)) => Json::StructValue(Struct::default()),
        _ => return None,
    };
    Some(json.into())
}

/// Joins names: `A, B or C`.
pub(crate) fn list_text(names: &[String]) -> String {
    match names {
        [others @ .., last] if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        names => names.concat(),
    }
}

/// Describes the values of an option, for every number of players: `1 or 2`,
/// `With 2 players: false. With 3 to 4 players: false or true.`.
#[must_use]
pub fn option_text(option: &pb::OptionInfo) -> String {
    match &option.values[..] {
        [values] => values_text(values),
        several => {
            let players = |values: &pb::OptionValues| match (values.min_seats, values.max_seats) {
                (least, most) if least == most => least.to_string(),
                (least, most) => format!("{least} to {most}"),
            };
            let first = several.first().map(|values| &values.values);
            let one = |(index, values): (usize, &pb::OptionValues)| {
                let is_same = index > 0 && first == Some(&values.values);
                // A list of names is written once, for the first number of players.
                let takes = if values.max_items > 0 && is_same {
                    format!(
                        "{} of these",
                        items_text((values.min_items, values.max_items))
                    )
                } else {
                    values_text(values)
                };
                format!("With {} players: {takes}.", players(values))
            };
            several
                .iter()
                .enumerate()
                .map(one)
                .collect::<Vec<_>>()
                .join(" ")
        }
    }
}

/// Describes the values that a field takes: `1 to 3`, `true`, `COLOR_RED or COLOR_BLUE`.
pub(crate) fn values_text(values: &pb::OptionValues) -> String {
    let names = values.values.iter().filter_map(|one| one.value.as_ref());
    let names: Vec<String> = names.map(value_text).collect();
    let each = match (values.min_value, values.max_value, &names[..]) {
        (Some(least), Some(most), _) if least == most => least.to_string(),
        (Some(least), Some(most), _) => format!("{least} to {most}"),
        (_, _, names) => list_text(names),
    };
    list_of(&each, (values.min_items, values.max_items))
}

/// Describes a list with these numbers of items by its values; the values themselves if there are no items.
pub(crate) fn list_of(each: &str, (least, most): (u32, u32)) -> String {
    match most {
        0 => each.to_owned(),
        _ => format!("{} different values: {each}", items_text((least, most))),
    }
}

/// Describes how many items a list takes: `3`, `1 to 3`.
fn items_text((least, most): (u32, u32)) -> String {
    match (least, most) {
        (least, most) if least == most => most.to_string(),
        (least, most) => format!("{least} to {most}"),
    }
}

/// Returns a value as JSON, without quotes.
#[must_use]
pub fn value_text(value: &Value) -> String {
    match &value.kind {
        Some(Json::StringValue(text)) => text.clone(),
        Some(Json::BoolValue(value)) => value.to_string(),
        Some(Json::NumberValue(number)) => number.to_string(),
        Some(Json::StructValue(_)) => String::from("{}"),
        Some(Json::NullValue(_) | Json::ListValue(_)) | None => String::new(),
    }
}
