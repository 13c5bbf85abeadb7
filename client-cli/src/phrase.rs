//! Actions, events and messages of any ruleset in words, from their descriptors alone.

use gamekeeper_proto::gamekeeper::v1::GameInfo;
use prost_reflect::{DynamicMessage, EnumDescriptor, FieldDescriptor, Kind, ReflectMessage, Value};

use crate::contract::{chosen, json_line};
use crate::fields::Fields;

/// An action as a person would say it: `buy card: Village`.
pub(crate) fn action(action: &DynamicMessage) -> String {
    let Some((kind, body)) = chosen(action) else {
        return "nothing".to_owned();
    };
    let details = details(&body);
    if details.is_empty() {
        words(&kind)
    } else {
        format!("{}: {details}", words(&kind))
    }
}

/// The kind of an action as the contract names it: `buy_card`.
pub(crate) fn kind(action: &DynamicMessage) -> String {
    chosen(action).map(|(kind, _)| kind).unwrap_or_default()
}

/// The fields of a message, each with its name where the value alone does not tell. `card: CARD_X`
/// of an enum `Card` is just `X`.
fn details(message: &DynamicMessage) -> String {
    let fields: Vec<_> = message
        .descriptor()
        .fields()
        .filter(|field| told(message, field))
        .collect();
    let tell = |field: &FieldDescriptor| {
        let text = value(&message.get_field(field), &field.kind());
        if text.is_empty() {
            words(field.name())
        } else if fields.len() == 1 && speaks_for_itself(field) {
            text
        } else {
            format!("{} {text}", words(field.name()))
        }
    };
    fields.iter().map(tell).collect::<Vec<_>>().join(", ")
}

/// A field that is not set is not told, but a plain no and an empty list are: they are choices.
fn told(message: &DynamicMessage, field: &FieldDescriptor) -> bool {
    message.has_field(field) || !(field.supports_presence() || unspecified(message, field))
}

fn unspecified(message: &DynamicMessage, field: &FieldDescriptor) -> bool {
    !field.is_list() && message.get_field(field).as_enum_number() == Some(0)
}

fn is_number(kind: &Kind) -> bool {
    !matches!(
        kind,
        Kind::Enum(_) | Kind::Message(_) | Kind::String | Kind::Bytes | Kind::Bool
    )
}

/// `card` of type `Card`, and `cards` likewise.
fn speaks_for_itself(field: &FieldDescriptor) -> bool {
    match field.kind() {
        Kind::Enum(kind) => named_after(field, kind.name()),
        Kind::Message(kind) => named_after(field, kind.name()),
        Kind::String => true,
        Kind::Bool
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
        | Kind::Sfixed64
        | Kind::Bytes => false,
    }
}

fn named_after(field: &FieldDescriptor, kind: &str) -> bool {
    let kind = kind.to_lowercase();
    let name = field.name().replace('_', "");
    name == kind || name.strip_suffix('s') == Some(&kind)
}

/// A value as a person would write it.
pub(crate) fn value(value: &Value, kind: &Kind) -> String {
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
        Value::Message(message) => details(message),
        Value::List(list) if list.is_empty() => "none".to_owned(),
        Value::List(list) if is_number(kind) => {
            let numbers = list.iter().map(|item| self::value(item, kind));
            numbers.collect::<Vec<_>>().join(", ")
        }
        Value::List(list) => runs(list.iter().map(|item| self::value(item, kind))),
        Value::Map(map) => format!("{} entries", map.len()),
    }
}

/// `Copper x2, Estate`: equal neighbours are counted.
pub(crate) fn runs(words: impl Iterator<Item = String>) -> String {
    let mut runs: Vec<(String, usize)> = Vec::new();
    for word in words {
        match runs.last_mut() {
            Some((last, count)) if *last == word => *count += 1,
            Some(_) | None => runs.push((word, 1)),
        }
    }
    let told = runs.into_iter().map(|(word, count)| match count {
        1 => word,
        _ => format!("{word} x{count}"),
    });
    told.collect::<Vec<_>>().join(", ")
}

/// `CARD_THRONE_ROOM` of the enum `Card` is `Throne Room`.
pub(crate) fn enum_word(kind: &EnumDescriptor, number: i32) -> String {
    let Some(found) = kind.get_value(number) else {
        return number.to_string();
    };
    title(
        found
            .name()
            .strip_prefix(&enum_prefix(kind.name()))
            .unwrap_or(found.name()),
    )
}

/// `KingdomSet` begins all its values with `KINGDOM_SET_`.
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

/// `THRONE_ROOM` and `throne_room` are `Throne Room`.
pub(crate) fn title(name: &str) -> String {
    let capital = |word: &str| {
        let mut letters = word.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        first.into_iter().collect::<String>() + &letters.as_str().to_lowercase()
    };
    name.split('_').map(capital).collect::<Vec<_>>().join(" ")
}

/// `buy_card` and `BUY_CARD` are `buy card`.
pub(crate) fn words(name: &str) -> String {
    name.replace('_', " ").to_lowercase()
}

/// An event as its own sentence with the names of the players, or what it is made of.
pub(crate) fn event(event: &DynamicMessage, info: &GameInfo) -> String {
    let sentence = event.text("text");
    if !sentence.is_empty() {
        return with_names(&sentence, info);
    }
    match chosen(event) {
        Some((kind, body)) => format!("{}: {}", words(&kind), details(&body)),
        None => json_line(event).unwrap_or_default(),
    }
}

/// The sentence with names for seats: `Seat 1's turn` is `Ann's turn`.
fn with_names(sentence: &str, info: &GameInfo) -> String {
    let mut told: Vec<String> = Vec::new();
    for word in sentence.split(' ') {
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = word.split_at(digits);
        let seat = number
            .parse()
            .ok()
            .filter(|_| matches!(told.last(), Some(last) if is_seat(last)));
        let name = info.players.iter().find(|player| Some(player.seat) == seat);
        match (name, told.last_mut()) {
            (Some(player), Some(last)) => *last = format!("{}{rest}", player.name),
            _ => told.push(word.to_owned()),
        }
    }
    told.join(" ")
}

fn is_seat(word: &str) -> bool {
    matches!(word, "Seat" | "seat")
}

/// The name of a seat's player.
pub(crate) fn player(info: &GameInfo, seat: u32) -> String {
    let player = info.players.iter().find(|player| player.seat == seat);
    player.map_or_else(|| format!("seat {seat}"), |player| player.name.clone())
}

/// Who owes what: `Ann (seat 1): buy phase`.
pub(crate) fn pending(info: &GameInfo) -> String {
    let owed = info.pending.iter().map(|pending| {
        let name = player(info, pending.seat);
        format!(
            "{name} (seat {}): {}",
            pending.seat,
            words(&pending.decision).to_lowercase()
        )
    });
    owed.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::{Contract, field_message, method, parse};

    fn said(json: &str) -> String {
        let service = Contract::load().unwrap().ruleset("dominion").unwrap();
        let message =
            field_message(&method(&service, "ApplyAction").unwrap().input(), "action").unwrap();
        action(&parse(&message, json).unwrap())
    }

    #[test]
    fn actions_are_said_in_words() {
        assert_eq!(
            said(r#"{"buyCard":{"card":"CARD_THRONE_ROOM"}}"#),
            "buy card: Throne Room"
        );
        assert_eq!(said(r#"{"endTurn":{}}"#), "end turn");
        assert_eq!(
            said(r#"{"endTurn":{"discardTop":"CARD_GOLD"}}"#),
            "end turn: discard top Gold"
        );
        assert_eq!(
            said(r#"{"chancellorDecide":{}}"#),
            "chancellor decide: discard deck no"
        );
        assert_eq!(
            said(r#"{"chancellorDecide":{"discardDeck":true}}"#),
            "chancellor decide: discard deck yes"
        );
        assert_eq!(said(r#"{"cellarDiscard":{}}"#), "cellar discard: none");
        assert_eq!(
            said(r#"{"cellarDiscard":{"cards":["CARD_COPPER","CARD_COPPER"]}}"#),
            "cellar discard: Copper x2"
        );
        assert_eq!(said("{}"), "nothing");
    }

    #[test]
    fn sentences_name_the_players() {
        let player = |seat, name: &str| gamekeeper_proto::gamekeeper::v1::Player {
            seat,
            name: name.to_owned(),
        };
        let players = vec![player(1, "Ann"), player(12, "Bob")];
        let info = GameInfo {
            players,
            ..GameInfo::default()
        };
        let sentence = "Seat 1 robs seat 12's hand; seat 2 takes 1 seat, seat 12.";
        assert_eq!(
            with_names(sentence, &info),
            "Ann robs Bob's hand; seat 2 takes 1 seat, Bob."
        );
    }

    #[test]
    fn enum_values_lose_the_name_of_their_enum() {
        assert_eq!(enum_prefix("KingdomSet"), "KINGDOM_SET_");
        assert_eq!(title("THRONE_ROOM"), "Throne Room");
        assert_eq!(words("PLACE_WORKER"), "place worker");
    }
}
