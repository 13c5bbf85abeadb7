//! Messages that combine those of all rulesets: each ruleset is a field of the oneof `ruleset`, named after its id.

use prost::Message;
use prost_reflect::{DynamicMessage, FieldDescriptor, MessageDescriptor, ReflectMessage, Value};

use strsim::damerau_levenshtein;

use super::json::{only, parse_values};
use super::{field_message, message};
use crate::failure::Failure;

/// A message that has a field for every ruleset.
const JOINED: &str = "Action";

/// Returns the ids of the rulesets that this program knows.
fn ruleset_ids() -> Vec<String> {
    let fields = message(JOINED).map(|joined| joined.fields().collect::<Vec<_>>());
    let fields = fields.unwrap_or_default().into_iter();
    let mut ids: Vec<_> = fields.map(|field| field.name().to_owned()).collect();
    ids.sort();
    ids
}

/// Formats the error for an unknown ruleset, with the closest known id.
fn unknown(ruleset: &str) -> String {
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
pub(crate) fn noun(ruleset: &str, noun: &str) -> Result<MessageDescriptor, Failure> {
    if !ruleset_ids().iter().any(|id| id == ruleset) {
        return Err(Failure::Usage(unknown(ruleset)));
    }
    field_message(&message(noun)?, ruleset)
}

/// Returns the ruleset's own message within a combined one: the field of the oneof `ruleset` that is set.
pub(crate) fn inner(joined: &DynamicMessage) -> Option<DynamicMessage> {
    let of_ruleset = |field: &FieldDescriptor| {
        let oneof = field.containing_oneof();
        oneof.is_some_and(|oneof| oneof.name() == "ruleset")
    };
    let mut set = joined.fields();
    let (_, value) = set.find(|(field, _)| of_ruleset(field))?;
    value.as_message().cloned()
}

/// Parses consecutive JSON values as combined messages. Each value is either a ruleset's own message, `{"buyCard":
/// ...}`, or a combined one, `{"dominion": {"buyCard": ...}}`.
pub(crate) fn read_all_joined<M: Message + Default>(
    ruleset: &str,
    name: &str,
    text: &str,
) -> Result<Vec<M>, Failure> {
    let (joined, own) = (message(name)?, noun(ruleset, name)?);
    let is_joined = |value: &serde_json::Value| {
        let fields = value.as_object();
        let mut names = fields.iter().flat_map(|fields| fields.keys());
        names.any(|name| {
            let field = joined.get_field_by_json_name(name);
            field.or_else(|| joined.get_field_by_name(name)).is_some()
        })
    };
    let kind = |value: &serde_json::Value| match is_joined(value) {
        true => joined.clone(),
        false => own.clone(),
    };
    let read = parse_values(text, name, kind)?.into_iter().map(|read| {
        let whole = match read.descriptor() == own {
            true => {
                let mut whole = DynamicMessage::new(joined.clone());
                whole.set_field_by_name(ruleset, Value::Message(read));
                whole
            }
            false => read,
        };
        Ok(M::decode(&*whole.encode_to_vec())?)
    });
    read.collect()
}

/// Parses exactly one combined message. See [`read_all_joined`] for its forms.
pub(crate) fn read_joined<M: Message + Default>(
    ruleset: &str,
    name: &str,
    text: &str,
) -> Result<M, Failure> {
    only(read_all_joined(ruleset, name, text)?, name)
}

#[cfg(test)]
mod tests {
    use gamekeeper_proto::raw;

    use super::*;
    use crate::contract::{json_line, shared};

    #[test]
    fn a_misspelled_ruleset_is_understood() {
        for (typed, answer) in [
            ("domnion", "No ruleset \"domnion\". Did you mean dominion?"),
            (
                "Terra-Mystica",
                "No ruleset \"Terra-Mystica\". Did you mean terra_mystica?",
            ),
        ] {
            assert_eq!(noun(typed, "Options").unwrap_err().to_string(), answer);
        }
        let other = noun("chess", "Options").unwrap_err().to_string();
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
                let own = noun(&id, name).unwrap();
                assert_eq!(own.full_name(), format!("gamekeeper.{id}.v1.{name}"));
            }
        }
    }

    #[test]
    fn an_unknown_ruleset_is_answered_with_the_known_ones() {
        let failure = noun("chess", "Action").unwrap_err();
        assert!(failure.to_string().contains("dominion"), "{failure}");
    }

    #[test]
    fn an_action_may_be_the_rulesets_own_or_joined() {
        let own = r#"{"buyCard":{"card":"CARD_VILLAGE"}}"#;
        let text = format!("{own}\n{{\"dominion\": {own}}}");
        let read: Vec<raw::Action> = read_all_joined("dominion", "Action", &text).unwrap();
        assert_eq!(read.len(), 2);
        assert_eq!(read[0], read[1]);
        let joined = shared("Action", &read[0]).unwrap();
        assert_eq!(
            json_line(&joined).unwrap(),
            format!("{{\"dominion\":{own}}}")
        );
        assert_eq!(json_line(&inner(&joined).unwrap()).unwrap(), own);
    }

    #[test]
    fn what_is_neither_is_refused_under_the_name_of_the_message() {
        for text in [r#"{"buyCart":{}}"#, r#"{"dominion":{"buyCart":{}}}"#] {
            let failure = read_joined::<raw::Action>("dominion", "Action", text).unwrap_err();
            let told = failure.to_string();
            assert!(told.starts_with("not a valid Action: "), "{told}");
        }
    }
}
