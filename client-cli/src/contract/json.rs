//! Conversion of messages to and from protobuf JSON.

use prost_reflect::{DynamicMessage, MessageDescriptor, ReflectMessage};
use serde::de::DeserializeSeed;
use serde_json::Value;

use crate::failure::Failure;

/// Formats a message as one line of protobuf JSON.
///
/// # Errors
/// If a value in the message has no JSON form.
pub fn json_line(message: &DynamicMessage) -> Result<String, Failure> {
    serde_json::to_string(message).map_err(|error| {
        Failure::Contract(format!("{}: {error}", message.descriptor().full_name()))
    })
}

/// Parses one message from protobuf JSON. Unknown fields are errors, so that a misspelled option is not silently
/// ignored.
///
/// # Errors
/// If the text is not exactly one such message.
pub fn parse(message: &MessageDescriptor, text: &str) -> Result<DynamicMessage, Failure> {
    only(parse_many(message, text)?, message.name())
}

/// Returns the only message of a list, or an error if there is none or more than one.
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

/// Parses messages of one type from consecutive JSON values, such as JSON Lines.
pub(crate) fn parse_many(
    message: &MessageDescriptor,
    text: &str,
) -> Result<Vec<DynamicMessage>, Failure> {
    parse_values(text, message.name(), |_| message.clone())
}

/// Parses consecutive JSON values, each as the message type that `kind` selects for it. `name` names the messages in
/// errors.
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
    use crate::contract::ruleset_message;

    fn action() -> MessageDescriptor {
        ruleset_message("dominion", "Action").unwrap()
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
