//! **EncodedMessage** messages, which are kept as their bytes.

use prost::bytes::{Buf, BufMut};
use prost::encoding::{
    DecodeContext, WireType, decode_varint, encode_key, encode_varint, fixed32, fixed64,
    skip_field, uint64,
};
use prost::{DecodeError, Message};

/// The maximum length of a key and a length, in bytes.
const MAX_KEY_AND_LENGTH_LEN: usize = 15;

/// A message of any type, as its bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct EncodedMessage(Vec<u8>);

impl EncodedMessage {
    /// Encodes a message.
    pub fn from_message(message: &impl Message) -> Self {
        Self(message.encode_to_vec())
    }

    /// Decodes it as a message of a known type.
    pub fn decode_as<T: Message + Default>(&self) -> Result<T, DecodeError> {
        T::decode(&*self.0)
    }
}

/// The bytes of a message.
impl From<Vec<u8>> for EncodedMessage {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

/// The bytes of the message.
impl From<EncodedMessage> for Vec<u8> {
    fn from(message: EncodedMessage) -> Self {
        message.0
    }
}

impl Message for EncodedMessage {
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
            WireType::LengthDelimited => {
                let length = decode_varint(buffer)?;
                let within = usize::try_from(length).ok();
                let Some(within) = within.filter(|length| *length <= buffer.remaining()) else {
                    // The declared length exceeds the remaining bytes. Skipping such a field gives prost's own error.
                    return skip_field(wire_type, tag, &mut &[1_u8][..], context);
                };
                self.0.reserve(MAX_KEY_AND_LENGTH_LEN + within);
                encode_key(tag, wire_type, &mut self.0);
                encode_varint(length, &mut self.0);
                self.0.put(buffer.take(within));
                Ok(())
            }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gamekeeper::dominion::v1 as dominion;
    use crate::gamekeeper::v1::{self as typed, view::Ruleset};
    use crate::raw;

    #[test]
    fn what_is_opaque_is_whole() {
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
        let table = typed::Table {
            view: Some(typed::View {
                ruleset: Some(Ruleset::Dominion(view.clone())),
            }),
            board: "a table".to_owned(),
            ..Default::default()
        };
        let passed_on = raw::Table::decode(&*table.encode_to_vec()).unwrap();
        assert_eq!(passed_on.board, table.board);
        assert_eq!(passed_on.encode_to_vec(), table.encode_to_vec());
        let Some(raw::view::Ruleset::Dominion(opaque)) = passed_on.view.unwrap().ruleset else {
            panic!("a view of Dominion");
        };
        assert_eq!(opaque.decode_as::<dominion::View>().unwrap(), view);
    }

    #[test]
    fn a_field_that_ends_too_soon_is_unreadable() {
        for cut in [
            &[0x0a, 3, 1, 2][..],
            &[0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f],
            &[0x0a],
        ] {
            assert!(EncodedMessage::decode(cut).is_err(), "{cut:?}");
        }
        let complete = [0x0a, 2, 1, 2, 0x12, 0];
        assert_eq!(
            EncodedMessage::decode(&complete[..]),
            Ok(EncodedMessage::from(complete.to_vec()))
        );
    }
}
