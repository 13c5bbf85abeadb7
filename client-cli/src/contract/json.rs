//! Messages as protobuf JSON.

use prost_reflect::{DynamicMessage, MessageDescriptor, ReflectMessage};
use serde::de::DeserializeSeed;
use serde_json::Value;

use crate::failure::Failure;

/// A message as one line of protobuf JSON.
///
/// # Errors
/// When a value in it has no form in JSON.
pub fn json_line(message: &DynamicMessage) -> Result<String, Failure> {
    serde_json::to_string(message).map_err(|error| {
        Failure::Contract(format!("{}: {error}", message.descriptor().full_name()))
    })
}

/// One message from protobuf JSON. Unknown fields are errors: a misspelled option must not be lost.
///
/// # Errors
/// When the text is not exactly one such message.
pub fn parse(message: &MessageDescriptor, text: &str) -> Result<DynamicMessage, Failure> {
    only(parse_many(message, text)?, message.name())
}

/// The only one of these messages.
pub(super) fn only<M>(mut messages: Vec<M>, name: &str) -> Result<M, Failure> {
    match (messages.pop(), messages.len()) {
        (Some(only), 0) => Ok(only),
        (None, _) => Err(Failure::Invalid(format!("no {name} was given"))),
        (Some(_), more) => Err(Failure::Invalid(format!(
            "one {name} is wanted, not {}",
            more + 1
        ))),
    }
}

/// Messages from JSON values that follow each other, such as JSON Lines.
pub(crate) fn parse_many(
    message: &MessageDescriptor,
    text: &str,
) -> Result<Vec<DynamicMessage>, Failure> {
    parse_values(text, message.name(), |_| message.clone())
}

/// The same, each as a message of the kind that fits its value. `name`: what they are called in errors.
pub(super) fn parse_values(
    text: &str,
    name: &str,
    kind: impl Fn(&Value) -> MessageDescriptor,
) -> Result<Vec<DynamicMessage>, Failure> {
    let values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let read = |value: Result<Value, serde_json::Error>| {
        value
            .and_then(|value| kind(&value).deserialize(value))
            .map_err(|error| Failure::Invalid(format!("not a valid {name}: {error}")))
    };
    values.map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::noun;

    fn action() -> MessageDescriptor {
        noun("dominion", "Action").unwrap()
    }

    #[test]
    fn a_message_is_read_and_written_as_protobuf_json() {
        let line = r#"{"buyCard":{"card":"CARD_VILLAGE"}}"#;
        let message = parse(&action(), line).unwrap();
        assert_eq!(json_line(&message).unwrap(), line);
        let by_proto_name = parse(&action(), r#"{"buy_card": {"card": 29}}"#).unwrap();
        assert_eq!(json_line(&by_proto_name).unwrap(), line);
    }

    #[test]
    fn lines_are_read_one_after_the_other() {
        let text = "{\"endTurn\":{}}\n\n{\"endActionPhase\":{}}\n";
        assert_eq!(parse_many(&action(), text).unwrap().len(), 2);
        assert!(parse(&action(), text).is_err());
        assert!(parse(&action(), " \n").is_err());
    }

    #[test]
    fn misspelled_fields_and_values_are_refused() {
        for text in [
            r#"{"buyCart":{}}"#,
            r#"{"buyCard":{"card":"VILLAGE"}}"#,
            "{",
            "7",
        ] {
            let failure = parse(&action(), text).unwrap_err();
            assert!(matches!(failure, Failure::Invalid(_)), "{text}: {failure}");
        }
    }
}
