//! Prost, with faster encoding of short fields and large messages.
//!
//! A view consists of some hundreds of small numbers and names. Prost writes the key and the value of a field byte by
//! byte, and checks the capacity before each. Here a key and a value (or a length) of one byte each are written
//! together. Prost also measures a message before it writes it, and measures its contents again for every message
//! around it. Here large messages are written to a separate buffer instead, after which their length is known. Both
//! together take less than half of the time; everything else is prost's own. The derived code of messages calls this
//! module instead of prost, by `prost_path` in `build.rs`.

pub(crate) use prost::*;

pub(crate) mod encoding {
    pub(crate) use prost::encoding::*;

    use prost::bytes::BufMut;

    /// A key has one byte up to this tag.
    const LAST_SHORT_TAG: u32 = 15;

    /// A number has one byte up to this value.
    const LAST_SHORT_NUMBER: u64 = 127;

    /// Writes the key of a field, and the number that follows it: its value, or its length.
    #[inline(always)]
    fn key_and_number(tag: u32, wire_type: WireType, number: u64, buf: &mut impl BufMut) {
        if tag <= LAST_SHORT_TAG && number <= LAST_SHORT_NUMBER {
            let ([key, ..], [number, ..]) = (
                ((tag << 3) | wire_type as u32).to_le_bytes(),
                number.to_le_bytes(),
            );
            buf.put_slice(&[key, number]);
        } else {
            encode_key(tag, wire_type, buf);
            encode_varint(number, buf);
        }
    }

    /// Defines the module of a numeric type, with its own function to write one value.
    macro_rules! number {
        ($module:ident: $type:ty, $value:ident => $varint:expr) => {
            pub(crate) mod $module {
                pub(crate) use prost::encoding::$module::*;

                #[inline(always)]
                pub(crate) fn encode(tag: u32, value: &$type, buf: &mut impl prost::bytes::BufMut) {
                    let $value = *value;
                    super::key_and_number(tag, super::WireType::Varint, $varint, buf);
                }
            }
        };
    }

    number!(bool: bool, value => u64::from(value));
    // Negative numbers are written as if they had 64 bits.
    number!(int32: i32, value => i64::from(value).cast_unsigned());
    number!(uint32: u32, value => u64::from(value));
    number!(uint64: u64, value => value);

    pub(crate) mod string {
        pub(crate) use prost::encoding::string::*;

        use super::{WireType, key_and_number};

        #[inline(always)]
        pub(crate) fn encode(tag: u32, value: &String, buf: &mut impl prost::bytes::BufMut) {
            key_and_number(tag, WireType::LengthDelimited, value.len() as u64, buf);
            buf.put_slice(value.as_bytes());
        }
    }

    pub(crate) mod message {
        pub(crate) use prost::encoding::message::*;

        use prost::Message;
        use prost::bytes::BufMut;

        use super::{WireType, key_and_number};

        /// The size of a type, in bytes, from which measuring its fields takes longer than copying them.
        const LARGE: usize = 192;

        #[inline]
        pub(crate) fn encode<M: Message>(tag: u32, message: &M, buf: &mut impl BufMut) {
            if size_of::<M>() < LARGE {
                let length = message.encoded_len() as u64;
                key_and_number(tag, WireType::LengthDelimited, length, buf);
                message.encode_raw(buf);
            } else {
                let mut aside = Vec::with_capacity(4 * size_of::<M>());
                message.encode_raw(&mut aside);
                key_and_number(tag, WireType::LengthDelimited, aside.len() as u64, buf);
                buf.put_slice(&aside);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use prost::encoding as original;

    use super::encoding as fast;

    /// Tags whose keys have every possible length.
    const TAGS: [u32; 7] = [1, 15, 16, 2_047, 2_048, 262_144, 536_870_911];

    /// Checks that both encoders write the same bytes.
    macro_rules! alike {
        ($module:ident, $values:expr) => {
            for tag in TAGS {
                for value in $values {
                    let (mut expected, mut written) = (Vec::new(), Vec::new());
                    original::$module::encode(tag, &value, &mut expected);
                    fast::$module::encode(tag, &value, &mut written);
                    assert_eq!(written, expected, "field {tag}: {value:?}");
                }
            }
        };
    }

    #[test]
    fn numbers_are_written_as_prost_writes_them() {
        alike!(bool, [false, true]);
        alike!(int32, [0, 1, 127, 128, i32::MAX, -1, i32::MIN]);
        alike!(uint32, [0, 1, 127, 128, u32::MAX]);
        alike!(uint64, [0, 1, 127, 128, u64::MAX]);
    }

    #[test]
    fn texts_are_written_as_prost_writes_them() {
        alike!(
            string,
            [0, 1, 127, 128, 20_000].map(|length| "x".repeat(length))
        );
    }

    #[test]
    fn small_messages_are_written_as_prost_writes_them() {
        use prost_types::Any;
        alike!(
            message,
            [0, 1, 125, 126, 20_000].map(|length| Any {
                type_url: "x".repeat(length),
                value: Vec::new(),
            })
        );
    }

    #[test]
    fn large_messages_are_written_as_prost_writes_them() {
        let of = |length| prost_types::FileDescriptorProto {
            name: Some("x".repeat(length)),
            ..Default::default()
        };
        // With their own key and length these messages are two or three bytes longer.
        alike!(message, [0, 1, 125, 126, 127, 20_000].map(of));
    }
}
