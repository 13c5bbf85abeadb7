//! The values of a refusal: as a message, and as text (**error details**).

use gamekeeper_proto::EncodedMessage;
use gamekeeper_proto::raw::{self, refusal_detail as pb, refusal_detail::Detail as Shared};
use gamekeeper_rules::table::{CommonRefusal, CommonRefusals as _, Field};
use prost::Message;
use prost_reflect::{DynamicMessage, ReflectMessage, SerializeOptions};
use serde_json::Value;

use crate::Wire;
use crate::common::seat_number;
use crate::contract::pool;
use crate::mapping::ToPb;
use crate::unknown_enum_path::{UnknownEnumPath, locate_option, locate_unknown};

/// The values of a refusal. A refusal without values has no `Detail`.
#[derive(Clone, Debug, PartialEq)]
pub struct Detail {
    /// The values, typed.
    pub message: raw::RefusalDetail,
    /// The values as text by name, as protobuf's JSON spells them; lists and messages are JSON text.
    pub texts: Vec<(String, String)>,
}

impl Detail {
    /// Completes the detail of an unknown name in an action with its path in the request and the value that was sent.
    /// `outer` is the path of the action. Returns `None` for other refusals.
    pub(crate) fn locate<W: Wire>(
        &mut self,
        action: &EncodedMessage,
        outer: &str,
    ) -> Option<UnknownEnumPath> {
        let unknown_name = locate_unknown::<W>(action, &self.unknown_id()?.field, outer)?;
        self.set_unknown(&unknown_name);
        Some(unknown_name)
    }

    /// Completes the detail of an unknown name in options with the value that was sent. `field` is the part of the
    /// options that the rules refuse, and `path` its path in the request. Returns `None` for other refusals.
    pub(crate) fn locate_option<W: Wire>(
        &mut self,
        options: &W::PbOptions,
        field: Field,
        path: &str,
    ) -> Option<UnknownEnumPath> {
        self.unknown_id()?;
        let unknown_name = locate_option::<W>(options, field, path)?;
        self.set_unknown(&unknown_name);
        Some(unknown_name)
    }

    fn unknown_id(&mut self) -> Option<&mut pb::UnknownId> {
        if let Some(Shared::UnknownId(values)) = &mut self.message.detail {
            Some(values)
        } else {
            None
        }
    }

    fn set_unknown(&mut self, unknown_name: &UnknownEnumPath) {
        if let Some(values) = self.unknown_id() {
            let UnknownEnumPath { field, path, value } = unknown_name.clone();
            *values = pb::UnknownId { field, path, value };
            self.texts = values_as_text(&self.message).unwrap_or_default();
        }
    }
}

/// Returns the values of this refusal, if it has any.
#[must_use]
pub fn detail<W: Wire>(refusal: &W::Refusal) -> Option<Detail> {
    let detail = match refusal.common() {
        Some(shared) => common_detail(&shared)?,
        None => (W::ONEOF_CODEC.detail)(W::encoded_detail(refusal)?),
    };
    let message = raw::RefusalDetail {
        detail: Some(detail),
    };
    let texts = values_as_text(&message).unwrap_or_default();
    Some(Detail { message, texts })
}

/// Returns the values of a refusal that all rulesets have.
fn common_detail(refusal: &CommonRefusal) -> Option<Shared> {
    Some(match *refusal {
        CommonRefusal::GameOver => return None,
        CommonRefusal::NotYourTurn { to_act, decision } => Shared::NotYourTurn(pb::NotYourTurn {
            to_act: seat_number(to_act),
            decision: decision.to_owned(),
        }),
        CommonRefusal::WrongDecision { action, decision } => {
            Shared::WrongDecision(pb::WrongDecision {
                action: action.to_owned(),
                decision: decision.to_owned(),
            })
        }
        CommonRefusal::UnknownId { field } => Shared::UnknownId(pb::UnknownId {
            field: field.to_owned(),
            ..pb::UnknownId::default()
        }),
        CommonRefusal::InvalidPlayerCount { players, min, max } => {
            Shared::InvalidPlayerCount(pb::InvalidPlayerCount {
                players: players.to_pb(),
                min: min.into(),
                max: max.into(),
            })
        }
    })
}

/// The full name of the message.
const MESSAGE_NAME: &str = "gamekeeper.v1.RefusalDetail";

/// Returns the values that are set.
fn values_as_text(message: &raw::RefusalDetail) -> Option<Vec<(String, String)>> {
    let descriptor = pool().get_message_by_name(MESSAGE_NAME)?;
    let detail = DynamicMessage::decode(descriptor, &*message.encode_to_vec()).ok()?;
    let set = |message: &DynamicMessage| Some(message.fields().next()?.1.as_message()?.clone());
    let mut values = set(&detail)?;
    // The values of a ruleset's own refusal are nested one message deeper.
    if values.descriptor().name() == "RefusalDetail" {
        values = set(&values)?;
    }
    let options = SerializeOptions::new()
        .skip_default_fields(false)
        .use_proto_field_name(true);
    let values = values.serialize_with_options(serde_json::value::Serializer, &options);
    let Value::Object(values) = values.ok()? else {
        return None;
    };
    let text = |value: Value| {
        value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned)
    };
    let values = values.into_iter();
    Some(values.map(|(name, value)| (name, text(value))).collect())
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
        let of_ruleset = detail.message.detail.as_ref();
        assert!(matches!(
            of_ruleset,
            Some(raw::refusal_detail::Detail::Kingsburg(_))
        ));
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
