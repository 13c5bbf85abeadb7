//! Requirements on what refusals say, for every ruleset: a refusal of a name leads to exactly the field that was wrong
//! and tells what was sent there, and the allowed values of an option are those with which it is accepted.

mod names;
mod options;

use gamekeeper_proto::EncodedMessage;
use prost::Message as _;
use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, ReflectMessage as _, Value};

use crate::Wire;
use crate::contract::{message_name, pool};
use crate::tests::Dice;

macro_rules! tests {
    ($($module:ident: $Ruleset:ident),* $(,)?) => {
        $(mod $module {
            use gamekeeper_rules::$module::$Ruleset;

            #[test]
            fn a_refused_name_is_found_where_it_was_sent() {
                super::names::check_names::<$Ruleset>();
            }

            #[test]
            fn what_is_allowed_is_accepted() {
                super::options::check_options::<$Ruleset>();
            }
        })*
    };
}
crate::for_each_ruleset!(tests);

/// A number that no enum, space or seat has.
const NO_NAME: i32 = 9_999;

/// A text that is no space.
const NO_SPACE: &str = "Z9";

/// The maximum number of pairs of wrong values that are sent together, for each message.
const PAIRS: usize = 24;

/// A field, or an item of a list, in a message.
#[derive(Clone, Debug)]
struct Spot {
    /// The path from the message, such as `gold[1].card`.
    path: String,
    field: FieldDescriptor,
    is_item: bool,
}

impl Spot {
    /// The last part of the path, without an index.
    fn name(&self) -> &str {
        self.field.name()
    }

    /// Returns the text by which a refusal tells this value, which is empty if it was not sent.
    fn text_of(&self, value: &Value) -> String {
        let is_sent = self.is_item || self.field.supports_presence();
        let text = match (value.as_str(), value.as_u32()) {
            (Some(text), _) => text.to_owned(),
            (None, Some(number)) => number.to_string(),
            (None, None) => {
                let number = value.as_enum_number().or(value.as_i32());
                number.expect("a text or a number").to_string()
            }
        };
        match &*text {
            "0" if !is_sent => String::new(),
            _ => text,
        }
    }

    /// Returns values that no name has. With the first one nothing is named, whatever the game.
    fn wrong_values(&self) -> Vec<Value> {
        let kind = self.field.kind();
        if kind.as_enum().is_some() {
            vec![Value::EnumNumber(NO_NAME), Value::EnumNumber(0)]
        } else if kind == Kind::String {
            vec![Value::String(NO_SPACE.to_owned())]
        } else if kind == Kind::Uint32 {
            vec![Value::U32(u32::MAX), Value::U32(0)]
        } else if kind == Kind::Int32 || kind == Kind::Sint32 {
            vec![Value::I32(i32::MAX), Value::I32(i32::MIN)]
        } else {
            assert_eq!(kind, Kind::Bool, "{}", self.path);
            Vec::new()
        }
    }

    /// Returns whether the values of this field are names in every ruleset.
    fn takes_names(&self) -> bool {
        matches!(self.field.kind(), Kind::Enum(_) | Kind::String)
    }
}

/// Lists the fields of a message that are set or can be set alone, with those of the messages in it.
fn spots(message: &DynamicMessage, path: &str, all: &mut Vec<Spot>) {
    for field in message.descriptor().fields() {
        let in_oneof = field
            .containing_oneof()
            .is_some_and(|oneof| !oneof.is_synthetic());
        if in_oneof && !message.has_field(&field) {
            continue;
        }
        let at = format!("{path}{}", field.name());
        let spot = |path: String, is_item| Spot {
            path,
            field: field.clone(),
            is_item,
        };
        let value = message.get_field(&field);
        if let Some(inner) = value.as_message() {
            // With one field of a message that is not sent, its others would be missing.
            if message.has_field(&field) {
                spots(inner, &format!("{at}."), all);
            }
            continue;
        }
        let Some(items) = value.as_list() else {
            all.push(spot(at, false));
            continue;
        };
        for (index, item) in items.iter().enumerate() {
            let at = format!("{at}[{index}]");
            match item.as_message() {
                Some(inner) => spots(inner, &format!("{at}."), all),
                None => all.push(spot(at, true)),
            }
        }
    }
}

/// Sets the field or item with this path.
fn set(message: &mut DynamicMessage, path: &str, value: Value) {
    let (part, rest) = path.split_once('.').unwrap_or((path, ""));
    let (name, index) = match part.split_once('[') {
        Some((name, index)) => (name, index.trim_end_matches(']').parse::<usize>().ok()),
        None => (part, None),
    };
    let field = message.descriptor().get_field_by_name(name).unwrap();
    match (index, rest) {
        (None, "") => message.set_field(&field, value),
        (None, rest) => {
            let inner = message.get_field_mut(&field);
            set(inner.as_message_mut().unwrap(), rest, value);
        }
        (Some(index), rest) => {
            let list = message.get_field_mut(&field).as_list_mut().unwrap();
            match rest {
                "" => list[index] = value,
                rest => set(list[index].as_message_mut().unwrap(), rest, value),
            }
        }
    }
}

/// Reads bytes as a message of the ruleset's package.
fn reflected<W: Wire>(name: &str, bytes: &EncodedMessage) -> DynamicMessage {
    let kind = pool()
        .get_message_by_name(&message_name::<W>(name))
        .unwrap();
    DynamicMessage::decode(kind, &*bytes.encode_to_vec()).unwrap()
}

/// A wrong value in a field.
#[derive(Clone, Debug)]
struct Flaw {
    spot: Spot,
    value: Value,
}

impl Flaw {
    fn all_of(spots: &[Spot]) -> Vec<Self> {
        let flaws = |spot: &Spot| {
            let values = spot.wrong_values().into_iter();
            let spot = spot.clone();
            values.map(move |value| Self {
                spot: spot.clone(),
                value,
            })
        };
        spots.iter().flat_map(flaws).collect()
    }

    /// Returns whether no name has this value in any game.
    fn names_nothing(&self) -> bool {
        self.spot.takes_names() && self.value != Value::EnumNumber(0)
    }
}

/// Returns some pairs of flaws in different fields.
fn pairs<'a>(flaws: &'a [Flaw], dice: &mut Dice) -> Vec<[&'a Flaw; 2]> {
    if flaws.len() < 2 {
        return Vec::new();
    }
    let pair = |_| {
        [
            &flaws[dice.below(flaws.len())],
            &flaws[dice.below(flaws.len())],
        ]
    };
    let pairs = (0..PAIRS).map(pair);
    pairs
        .filter(|[one, other]| one.spot.path != other.spot.path)
        .collect()
}
