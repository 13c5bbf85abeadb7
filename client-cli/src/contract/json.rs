//! Messages as protobuf JSON.

use prost_reflect::{DynamicMessage, MessageDescriptor, ReflectMessage};
use serde::de::DeserializeSeed;

use crate::failure::Failure;

/// A message as one line of protobuf JSON.
pub(crate) fn json_line(message: &DynamicMessage) -> Result<String, Failure> {
    serde_json::to_string(message).map_err(|error| {
        Failure::Contract(format!("{}: {error}", message.descriptor().full_name()))
    })
}

/// One message from protobuf JSON. Unknown fields are errors: a misspelled option must not be lost.
pub(crate) fn parse(message: &MessageDescriptor, text: &str) -> Result<DynamicMessage, Failure> {
    let mut messages = parse_many(message, text)?;
    match (messages.pop(), messages.len()) {
        (Some(only), 0) => Ok(only),
        (None, _) => Err(Failure::Invalid(format!("no {} was given", message.name()))),
        (Some(_), more) => Err(Failure::Invalid(format!(
            "one {} is wanted, not {}",
            message.name(),
            more + 1
        ))),
    }
}

/// Messages from JSON values that follow each other, such as JSON Lines.
pub(crate) fn parse_many(
    message: &MessageDescriptor,
    text: &str,
) -> Result<Vec<DynamicMessage>, Failure> {
    let values = serde_json::Deserializer::from_str(text).into_iter::<serde_json::Value>();
    let read = |value: Result<serde_json::Value, serde_json::Error>| {
        value
            .and_then(|value| message.clone().deserialize(value))
            .map_err(|error| Failure::Invalid(format!("not a valid {}: {error}", message.name())))
    };
    values.map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::{Contract, chosen, field_message, method};

    fn action() -> MessageDescriptor {
        let service = Contract::load().unwrap().ruleset("dominion").unwrap();
        field_message(&method(&service, "ApplyAction").unwrap().input(), "action").unwrap()
    }

    #[test]
    fn a_message_is_read_and_written_as_protobuf_json() {
        let line = r#"{"buyCard":{"card":"CARD_VILLAGE"}}"#;
        let message = parse(&action(), line).unwrap();
        assert_eq!(json_line(&message).unwrap(), line);
        assert_eq!(chosen(&message).unwrap().0, "buy_card");
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
