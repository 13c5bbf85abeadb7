//! The values of a refusal: as a message, and as text.

use gamekeeper_proto::envelope::packed;
use prost_reflect::{DynamicMessage, SerializeOptions};
use prost_types::Any;
use serde_json::Value;

use crate::Wire;
use crate::contract::pool;

/// The values that a refusal names; a refusal without values has no `Detail`.
#[derive(Clone, Debug, PartialEq)]
pub struct Detail {
    /// The message `RefusalDetail` of the ruleset.
    pub message: Any,
    /// The same values by name, as protobuf's JSON spells them; lists and messages are JSON text.
    pub texts: Vec<(String, String)>,
}

/// The values of this refusal, if it has any.
#[must_use]
pub fn detail<W: Wire>(refusal: &W::Refusal) -> Option<Detail> {
    let detail = W::encoded_detail(refusal)?;
    let message = packed(W::PACKAGE, "RefusalDetail", &detail);
    let texts = texts(&format!("{}.RefusalDetail", W::PACKAGE), &message.value);
    Some(Detail { message, texts })
}

/// The values of the message that is set in a `RefusalDetail`.
fn texts(name: &str, value: &[u8]) -> Vec<(String, String)> {
    let read = || {
        let descriptor = pool().get_message_by_name(name)?;
        let detail = DynamicMessage::decode(descriptor, value).ok()?;
        let (_, refusal) = detail.fields().next()?;
        let options = SerializeOptions::new()
            .skip_default_fields(false)
            .use_proto_field_name(true);
        let values = refusal.as_message()?;
        let values = values
            .serialize_with_options(serde_json::value::Serializer, &options)
            .ok()?;
        let Value::Object(values) = values else {
            return None;
        };
        let text = |value: Value| {
            value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned)
        };
        let values = values.into_iter();
        Some(values.map(|(name, value)| (name, text(value))).collect())
    };
    read().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use gamekeeper_rules::kingsburg::data::{Building, Goods};
    use gamekeeper_rules::kingsburg::{Kingsburg, Refusal};

    use super::*;

    #[test]
    fn values_are_given_typed_and_as_text() {
        let refusal = Refusal::CannotAfford {
            building: Some(Building::Crane),
            price: Goods::new(1, 1, 0),
            owned: Goods::default(),
        };
        let detail = detail::<Kingsburg>(&refusal).unwrap();
        assert_eq!(
            detail.message.type_url,
            "type.googleapis.com/gamekeeper.kingsburg.v1.RefusalDetail"
        );
        let text = |name: &str| {
            let mut texts = detail.texts.iter();
            texts.find(|(key, _)| key == name).unwrap().1.as_str()
        };
        assert_eq!(text("building"), "BUILDING_CRANE");
        let price: Value = serde_json::from_str(text("price")).unwrap();
        assert_eq!(price, serde_json::json!({"gold": 1, "wood": 1, "stone": 0}));
    }

    #[test]
    fn a_refusal_without_values_has_no_detail() {
        assert_eq!(detail::<Kingsburg>(&Refusal::GameOver), None);
    }
}
