//! Locates the part of an action that names nothing: the rules know the field, the message has the path and the value
//! that was sent.

use gamekeeper_proto::EncodedMessage;
use gamekeeper_rules::terra_mystica::data::Space;
use prost::Message;
use prost_reflect::{DynamicMessage, FieldDescriptor, ReflectMessage, Value};

use crate::Wire;
use crate::contract::{message_name, pool};

/// A name that is missing, or that names nothing in the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownEnumPath {
    /// The path in the request, such as `action.kingsburg.build.building`.
    pub path: String,
    /// The value that was sent: the number of the name, or a text. Empty if nothing was sent.
    pub value: String,
}

/// Returns the first name in this field of an action that does not exist. If all of them exist, but not in this game,
/// returns the field itself.
#[must_use]
pub fn locate_unknown<W: Wire>(action: &EncodedMessage, field: &str) -> Option<UnknownEnumPath> {
    let descriptor = pool().get_message_by_name(&message_name::<W>("Action"))?;
    let action = DynamicMessage::decode(descriptor, &*action.encode_to_vec()).ok()?;
    let (kind, value) = action.fields().next()?;
    let path = format!("action.{}.{}", W::INFO.id, kind.name());
    let message = value.as_message()?;
    match find_field(&path, message, field) {
        Some(field_value) => field_value
            .find_unknown()
            .or_else(|| field_value.own_value()),
        // The rules call some fields by a shorter name.
        None => find_unknown_in(&path, message),
    }
}

/// A field, with its path and the value that was sent.
struct FieldValue {
    path: String,
    field: FieldDescriptor,
    value: Value,
}

/// Returns the field of this name, in this message or nested in it.
fn find_field(path: &str, message: &DynamicMessage, name: &str) -> Option<FieldValue> {
    let descriptor = message.descriptor();
    let fields = descriptor.fields();
    let mut field_values: Vec<FieldValue> = fields
        .map(|field| read_field(path, message, field))
        .collect();
    if let Some(position) = field_values
        .iter()
        .position(|field_value| field_value.field.name() == name)
    {
        return Some(field_values.swap_remove(position));
    }
    field_values.iter().find_map(|field_value| {
        let mut inner = field_value.messages();
        inner.find_map(|(path, inner)| find_field(&path, &inner, name))
    })
}

fn read_field(path: &str, message: &DynamicMessage, field: FieldDescriptor) -> FieldValue {
    FieldValue {
        path: format!("{path}.{}", field.name()),
        value: message.get_field(&field).into_owned(),
        field,
    }
}

impl FieldValue {
    /// Returns the values with their paths: items of a list are counted from 0.
    fn values(&self) -> Vec<(String, &Value)> {
        let Some(items) = self.value.as_list() else {
            return vec![(self.path.clone(), &self.value)];
        };
        let items = items.iter().enumerate();
        items
            .map(|(field_value, item)| (format!("{}[{field_value}]", self.path), item))
            .collect()
    }

    fn messages(&self) -> impl Iterator<Item = (String, DynamicMessage)> {
        let values = self.values().into_iter();
        values.filter_map(|(path, value)| Some((path, value.as_message()?.clone())))
    }

    fn find_unknown(&self) -> Option<UnknownEnumPath> {
        self.values().into_iter().find_map(|(path, value)| {
            if let Some(inner) = value.as_message() {
                return find_unknown_in(&path, inner);
            }
            let number = value.as_enum_number();
            let is_unknown = number.is_some_and(|number| !self.has_name(number))
                // Spaces of Terra Mystica are the only names that are sent as text.
                || value.as_str().is_some_and(|text| Space::by_id(text) == Space::Unknown);
            is_unknown.then(|| path_and_sent_value(path, value))
        })
    }

    fn has_name(&self, number: i32) -> bool {
        let kind = self.field.kind();
        let names = kind.as_enum();
        names.is_none_or(|names| number != 0 && names.get_value(number).is_some())
    }

    fn own_value(&self) -> Option<UnknownEnumPath> {
        let (path, value) = self.values().into_iter().next()?;
        Some(path_and_sent_value(path, value))
    }
}

/// Returns the first field of a message that names nothing. Optional fields count only if they were sent.
fn find_unknown_in(path: &str, message: &DynamicMessage) -> Option<UnknownEnumPath> {
    let descriptor = message.descriptor();
    let fields = descriptor.fields().filter(|field| {
        let may_be_absent = field.supports_presence();
        !may_be_absent || message.has_field(field)
    });
    fields
        .map(|field| read_field(path, message, field))
        .find_map(|field_value| field_value.find_unknown())
}

fn path_and_sent_value(path: String, value: &Value) -> UnknownEnumPath {
    let number = value.as_enum_number().filter(|number| *number != 0);
    let text = value.as_str().map(str::to_owned);
    let value = number.map(|number| number.to_string()).or(text);
    UnknownEnumPath {
        path,
        value: value.unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_proto::gamekeeper::{kingsburg, mythotopia, terra_mystica};
    use gamekeeper_rules::kingsburg::Kingsburg;
    use gamekeeper_rules::mythotopia::Mythotopia;
    use gamekeeper_rules::terra_mystica::TerraMystica;

    use super::*;

    fn unknown_of<W: Wire>(action: &impl Message, field: &str) -> (String, String) {
        let UnknownEnumPath { path, value } =
            locate_unknown::<W>(&EncodedMessage::from_message(action), field).unwrap();
        (path, value)
    }

    fn path_and_value(path: &str, value: &str) -> (String, String) {
        (path.to_owned(), value.to_owned())
    }

    #[test]
    fn a_number_without_a_name_is_found_and_so_is_a_missing_one() {
        use kingsburg::v1::{Action, Build, action::Kind};
        for (building, value) in [(99, "99"), (0, "")] {
            let kind = Some(Kind::Build(Build { building }));
            let path = "action.kingsburg.build.building";
            assert_eq!(
                unknown_of::<Kingsburg>(&Action { kind }, "building"),
                path_and_value(path, value)
            );
        }
    }

    #[test]
    fn items_of_lists_have_their_places() {
        use mythotopia::v1::{Action, MoveArmiesByRoad, RoadMove, action::Kind};
        let step = |from_province, to_province| RoadMove {
            from_province,
            to_province,
            count: 1,
        };
        let moves = vec![step(1, 2), step(2, 77)];
        let kind = Some(Kind::MoveArmiesByRoad(MoveArmiesByRoad { moves }));
        let path = "action.mythotopia.move_armies_by_road.moves[1].to_province";
        assert_eq!(
            unknown_of::<Mythotopia>(&Action { kind }, "moves"),
            path_and_value(path, "77")
        );
    }

    #[test]
    fn what_is_sent_only_sometimes_may_be_absent() {
        use mythotopia::v1::{Action, DraftCard, SymbolPlay, action::Kind};
        let play = |merchant| SymbolPlay {
            card: 1,
            symbol: 1,
            merchant,
            ..SymbolPlay::default()
        };
        let gold = vec![play(None), play(Some(500))];
        let kind = Some(Kind::DraftCard(DraftCard { card: 1, gold }));
        let path = "action.mythotopia.draft_card.gold[1].merchant";
        assert_eq!(
            unknown_of::<Mythotopia>(&Action { kind }, "gold"),
            path_and_value(path, "500")
        );
    }

    #[test]
    fn spaces_are_texts() {
        use terra_mystica::v1::{Action, PlaceDwelling, action::Kind};
        let space = String::from("Z9");
        let kind = Some(Kind::PlaceDwelling(PlaceDwelling { space }));
        let path = "action.terra_mystica.place_dwelling.space";
        assert_eq!(
            unknown_of::<TerraMystica>(&Action { kind }, "space"),
            path_and_value(path, "Z9")
        );
    }
}
