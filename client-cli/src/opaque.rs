//! Messages of a ruleset as bytes in messages that all rulesets share: only common fields are read.

use ::bytes::{Buf, BufMut};
use gamekeeper_proto::envelope::Messages;
use prost::encoding::{DecodeContext, WireType, bytes, fixed32, fixed64, skip_field, uint64};
use prost::{DecodeError, Message};
use prost_reflect::{DynamicMessage, MessageDescriptor};

use crate::contract::dynamic;
use crate::failure::Failure;

/// A message as its bytes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Opaque(Vec<u8>);

impl Opaque {
    /// Encodes a message.
    pub(crate) fn of(message: &impl Message) -> Self {
        Self(message.encode_to_vec())
    }

    /// Decodes it as a message of a known type.
    pub(crate) fn typed<T: Message + Default>(&self) -> Result<T, Failure> {
        T::decode(&*self.0).map_err(|error| Failure::Contract(error.to_string()))
    }

    /// Decodes it as a dynamic message of this kind.
    pub(crate) fn described(&self, kind: &MessageDescriptor) -> Result<DynamicMessage, Failure> {
        dynamic(kind, self)
    }
}

impl Message for Opaque {
    fn encode_raw(&self, buffer: &mut impl BufMut) {
        buffer.put_slice(&self.0);
    }

    fn merge_field(
        &mut self,
        tag: u32,
        wire_type: WireType,
        buffer: &mut impl Buf,
        context: DecodeContext,
    ) -> Result<(), DecodeError> {
        macro_rules! copy {
            ($module:ident, $kind:ty) => {{
                let mut value = <$kind>::default();
                $module::merge(wire_type, &mut value, buffer, context)?;
                $module::encode(tag, &value, &mut self.0);
                Ok(())
            }};
        }
        match wire_type {
            WireType::Varint => copy!(uint64, u64),
            WireType::SixtyFourBit => copy!(fixed64, u64),
            WireType::ThirtyTwoBit => copy!(fixed32, u32),
            WireType::LengthDelimited => copy!(bytes, Vec<u8>),
            // The contract has no groups.
            WireType::StartGroup | WireType::EndGroup => {
                skip_field(wire_type, tag, buffer, context)
            }
        }
    }

    fn encoded_len(&self) -> usize {
        self.0.len()
    }

    fn clear(&mut self) {
        self.0.clear();
    }
}

/// Any ruleset.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Any;

impl Messages for Any {
    const PACKAGE: &'static str = "";
    const SERVICE: &'static str = "";
    const ACTION_KINDS: &'static [(&'static str, &'static str)] = &[];

    type Options = Opaque;
    type Action = Opaque;
    type Event = Opaque;
    type View = Opaque;
    type Catalogue = Opaque;
    type RefusalDetail = Opaque;
}

/// The field that events of all rulesets share.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct EventText {
    /// The event as an English sentence; empty if that of the next event covers it.
    #[prost(string, tag = "1")]
    pub(crate) text: String,
}

#[cfg(test)]
mod tests {
    use gamekeeper_proto::envelope::GetGameResponse;
    use gamekeeper_proto::gamekeeper::dominion::v1 as dominion;

    use super::*;
    use crate::contract::{Contract, field_message, method};

    #[test]
    fn what_is_sealed_is_whole() {
        let counters = dominion::Counters {
            buys: 300,
            ..Default::default()
        };
        let view = dominion::View {
            turn_number: 7,
            counters: Some(counters),
            kingdom: vec![1, 2, 3],
            ..Default::default()
        };
        let answer = dominion::GetGameResponse {
            view: Some(view.clone()),
            board: "a table".to_owned(),
            ..Default::default()
        };
        let sealed = GetGameResponse::<Any>::decode(&*answer.encode_to_vec()).unwrap();
        assert_eq!(sealed.board, answer.board);
        assert_eq!(sealed.encode_to_vec(), answer.encode_to_vec());
        assert_eq!(
            sealed.view.unwrap().typed::<dominion::View>().unwrap(),
            view
        );
    }

    #[test]
    fn the_sentence_of_an_event_has_the_same_place_in_all_rulesets() {
        let contract = Contract::load().unwrap();
        for id in contract.ruleset_ids() {
            let service = contract.ruleset(&id).unwrap();
            let answer = method(&service, "ApplyAction").unwrap().output();
            let event = field_message(&answer, "events").unwrap();
            assert_eq!(event.get_field_by_name("text").unwrap().number(), 1, "{id}");
        }
    }
}
