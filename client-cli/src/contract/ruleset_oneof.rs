//! Messages that combine those of all rulesets: each ruleset is a field of the oneof `ruleset`, named after its id.

use prost::Message;
use prost_reflect::{DynamicMessage, FieldDescriptor, MessageDescriptor, ReflectMessage, Value};

use strsim::damerau_levenshtein;

use super::json::{only, parse_values};
use super::{field_message, message};
use crate::failure::Failure;

/// A message that has a field for every ruleset.
const ONEOF_MESSAGE: &str = "Action";

/// Returns the ids of the rulesets that this program knows.
fn ruleset_ids() -> Vec<String> {
    let fields = message(ONEOF_MESSAGE).map(|joined| joined.fields().collect::<Vec<_>>());
    let fields = fields.unwrap_or_default().into_iter();
    let mut ids: Vec<_> = fields.map(|field| field.name().to_owned()).collect();
    ids.sort();
    ids
}

/// Formats the error for an unknown ruleset, with the closest known id.
fn unknown_ruleset_text(ruleset: &str) -> String {
    let ids = ruleset_ids();
    let near = ids
        .iter()
        .map(|id| (damerau_levenshtein(id, &ruleset.to_lowercase()), id));
    match near.min() {
        Some((letters, id)) if letters <= 1 + id.len() / 4 => {
            format!("No ruleset {ruleset:?}. Did you mean {id}?")
        }
        _ => format!("No ruleset {ruleset:?}. There are {}.", ids.join(", ")),
    }
}

/// Returns the descriptor of a ruleset's own message, such as its `Action`.
pub(crate) fn ruleset_message(
    ruleset: &str,
    message_name: &str,
) -> Result<MessageDescriptor, Failure> {
    if !ruleset_ids().iter().any(|id| id == ruleset) {
        return Err(Failure::Usage(unknown_ruleset_text(ruleset)));
    }
    field_message(&message(message_name)?, ruleset)
}

/// Returns the ruleset's own message within a combined one: the field of the oneof `ruleset` that is set.
pub(crate) fn unwrap_oneof(wrapper: &DynamicMessage) -> Option<DynamicMessage> {
    let of_ruleset = |field: &FieldDescriptor| {
        let oneof = field.containing_oneof();
        oneof.is_some_and(|oneof| oneof.name() == "ruleset")
    };
    let mut set = wrapper.fields();
    let (_, value) = set.find(|(field, _)| of_ruleset(field))?;
    value.as_message().cloned()
}

/// Parses consecutive JSON values as combined messages. Each value is either a ruleset's own message, `{"buyCard":
/// ...}`, or a combined one, `{"dominion": {"buyCard": ...}}`.
pub(crate) fn read_all_wrapped<M: Message + Default>(
    ruleset: &str,
    name: &str,
    text: &str,
) -> Result<Vec<M>, Failure> {
    let (wrapper_kind, ruleset_kind) = (message(name)?, ruleset_message(ruleset, name)?);
    let is_wrapped = |value: &serde_json::Value| {
        let fields = value.as_object();
        let mut names = fields.iter().flat_map(|fields| fields.keys());
        names.any(|name| {
            let field = wrapper_kind.get_field_by_json_name(name);
            field
                .or_else(|| wrapper_kind.get_field_by_name(name))
                .is_some()
        })
    };
    let kind = |value: &serde_json::Value| match is_wrapped(value) {
        true => wrapper_kind.clone(),
        false => ruleset_kind.clone(),
    };
    let parsed = parse_values(text, name, kind)?.into_iter().map(|parsed| {
        let wrapped = match parsed.descriptor() == ruleset_kind {
            true => {
                let mut wrapped = DynamicMessage::new(wrapper_kind.clone());
                wrapped.set_field_by_name(ruleset, Value::Message(parsed));
                wrapped
            }
            false => parsed,
        };
        Ok(M::decode(&*wrapped.encode_to_vec())?)
    });
    parsed.collect()
}

/// Parses exactly one combined message. See [`read_all_wrapped`] for its forms.
pub(crate) fn read_wrapped<M: Message + Default>(
    ruleset: &str,
    name: &str,
    text: &str,
) -> Result<M, Failure> {
    only(read_all_wrapped(ruleset, name, text)?, name)
}

#[cfg(test)]
mod tests {
    use gamekeeper_proto::raw;

    use super::*;
    use crate::contract::{json_line, to_dynamic};

    #[test]
    fn a_misspelled_ruleset_is_understood() {
        for (typed, expected_error) in [
            ("domnion", "No ruleset \"domnion\". Did you mean dominion?"),
            (
                "Terra-Mystica",
                "No ruleset \"Terra-Mystica\". Did you mean terra_mystica?",
            ),
        ] {
            assert_eq!(
                ruleset_message(typed, "Options").unwrap_err().to_string(),
                expected_error
            );
        }
        let other = ruleset_message("chess", "Options").unwrap_err().to_string();
        assert!(
            other.starts_with("No ruleset \"chess\". There are caylus, "),
            "{other}"
        );
    }

    #[test]
    fn every_ruleset_has_all_nouns() {
        let ids = ruleset_ids();
        assert!(ids.contains(&"terra_mystica".to_owned()), "{ids:?}");
        for id in ids {
            for name in ["Options", "Action", "Event", "View", "Catalogue"] {
                let descriptor = ruleset_message(&id, name).unwrap();
                assert_eq!(descriptor.full_name(), format!("gamekeeper.{id}.v1.{name}"));
            }
        }
    }

    #[test]
    fn an_unknown_ruleset_is_answered_with_the_known_ones() {
        let failure = ruleset_message("chess", "Action").unwrap_err();
        assert!(failure.to_string().contains("dominion"), "{failure}");
    }

    #[test]
    fn an_action_may_be_the_rulesets_own_or_joined() {
        let ruleset_json = r#"{"buyCard":{"card":"CARD_VILLAGE"}}"#;
        let text = format!("{ruleset_json}\n{{\"dominion\": {ruleset_json}}}");
        let parsed: Vec<raw::Action> = read_all_wrapped("dominion", "Action", &text).unwrap();
        assert_eq!(parsed.len(), 2);
        assert_eq!(parsed[0], parsed[1]);
        let joined = to_dynamic("Action", &parsed[0]).unwrap();
        assert_eq!(
            json_line(&joined).unwrap(),
            format!("{{\"dominion\":{ruleset_json}}}")
        );
        assert_eq!(
            json_line(&unwrap_oneof(&joined).unwrap()).unwrap(),
            ruleset_json
        );
    }

    #[test]
    fn what_is_neither_is_refused_under_the_name_of_the_message() {
        for text in [r#"{"buyCart":{}}"#, r#"{"dominion":{"buyCart":{}}}"#] {
            let failure = read_wrapped::<raw::Action>("dominion", "Action", text).unwrap_err();
            let error_text = failure.to_string();
            assert!(
                error_text.starts_with("not a valid Action: "),
                "{error_text}"
            );
        }
    }
}
