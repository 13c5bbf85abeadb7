//! The encoder: writes values as the fields of messages, with the bytes that prost writes, but without building a
//! message first.

use std::borrow::Borrow;

use arrayvec::ArrayVec;
use enumset::{EnumSet, EnumSetType};
use gamekeeper_proto::{EncodedMessage, Field, Sint32};
use gamekeeper_rules::table::PerSeat;
use prost::Message;
use prost::encoding::{WireType, encode_key, encode_varint, encoded_len_varint};

use super::ToPb;

/// A value of the rules that can be written as an element of type `P`: a number, a text, a message, or a oneof.
#[diagnostic::on_unimplemented(
    message = "no row pairs `{Self}` of the rules with `{P}` of the contract",
    label = "needs a row that writes `{Self}` as `{P}`",
    note = "rows stand in `service/wire/src/<ruleset>/`: `names!` for a closed set of names, `decisions!` for decisions, `message!` for a struct, `oneof!` for an enum with values",
    note = "a number or a list of another kind: compare the type of the field in the `.proto` file with the one in the rules"
)]
pub(crate) trait Value<P> {
    /// Whether the value is a number. Lists of numbers are packed.
    const IS_NUMBER: bool = false;

    /// Returns whether the value is the default of the field, which is not sent.
    fn is_default(&self) -> bool {
        false
    }

    /// Writes the value alone.
    fn write(&self, out: &mut Vec<u8>);

    /// Writes the value as the field of this number, even if it is the default.
    fn write_as(&self, number: u32, out: &mut Vec<u8>) {
        write_delimited(number, out, |out| self.write(out));
    }
}

/// A value of the rules that can be written into a field of type `P`.
#[diagnostic::on_unimplemented(
    message = "no row writes `{Self}` of the rules into a field of type `{P}`",
    label = "needs a row that writes `{Self}` as `{P}`",
    note = "rows stand in `service/wire/src/<ruleset>/`: `names!` for a closed set of names, `decisions!` for decisions, `message!` for a struct, `oneof!` for an enum with values",
    note = "a number or a list of another kind: compare the type of the field in the `.proto` file with the one in the rules"
)]
pub(crate) trait ToField<P> {
    /// Writes the value as the field of this number, unless it is omitted.
    fn write_field(&self, number: u32, out: &mut Vec<u8>);
}

/// A value of the rules that is a string in the contract.
pub(crate) trait AsText {
    /// Returns the string.
    fn as_text(&self) -> &str;
}

impl AsText for String {
    fn as_text(&self) -> &str {
        self
    }
}

impl AsText for &'static str {
    fn as_text(&self) -> &str {
        self
    }
}

/// Writes a field of a message.
pub(crate) fn write<P>(field: &Field<P>, value: &(impl ToField<P> + ?Sized), out: &mut Vec<u8>) {
    value.write_field(field.number, out);
}

/// Writes the field of a oneof, or the message of a field that is always present.
pub(crate) fn write_value<P>(field: &Field<P>, value: &impl Value<P>, out: &mut Vec<u8>) {
    value.write_as(field.number, out);
}

/// Writes the field of a oneof that is a message, whose fields `fields` writes one by one.
pub(crate) fn write_within<P>(
    field: &Field<P>,
    out: &mut Vec<u8>,
    fields: impl FnOnce(&mut Vec<u8>),
) {
    write_delimited(field.number, out, fields);
}

/// The initial capacity, enough for most actions and events.
const SMALL: usize = 64;

/// The initial capacity, enough for most views.
const LARGE: usize = 2 * 1024;

/// Encodes an action or an event, whose oneof is this field.
pub(crate) fn encoded_kind<K>(
    kind: &Field<Option<K>>,
    value: &impl ToField<Option<K>>,
) -> EncodedMessage {
    let mut bytes = Vec::with_capacity(SMALL);
    write(kind, value, &mut bytes);
    bytes.into()
}

/// Encodes a view.
pub(crate) fn encoded_view<P>(view: &impl Value<P>) -> EncodedMessage {
    encoded_with_room(view, LARGE)
}

/// Encodes the values of a refusal. Returns `None` if it has none.
pub(crate) fn encoded_detail<P>(refusal: &impl Value<P>) -> Option<EncodedMessage> {
    let mut bytes = Vec::new();
    refusal.write(&mut bytes);
    (!bytes.is_empty()).then(|| bytes.into())
}

/// Encodes a value as its message.
pub(crate) fn encoded<P>(value: &impl Value<P>) -> EncodedMessage {
    encoded_with_room(value, 0)
}

fn encoded_with_room<P>(value: &impl Value<P>, room: usize) -> EncodedMessage {
    let mut bytes = Vec::with_capacity(room);
    value.write(&mut bytes);
    EncodedMessage::from(bytes)
}

/// Returns the message of a value, for surrounding messages that are built by hand.
pub(crate) fn message_of<P: Message + Default>(value: &impl Value<P>) -> P {
    decoded(&encoded(value))
}

/// Decodes a message that has just been encoded.
pub(crate) fn decoded<P: Message + Default>(encoded: &EncodedMessage) -> P {
    match encoded.decode_as() {
        Ok(message) => message,
        Err(error) => unreachable!("rows write whole messages: {error}"),
    }
}

/// Implements the kinds of numbers by their conversion to a varint.
macro_rules! numbers {
    ($($rust:ty as $pb:ty, $number:ident => $varint:expr);* $(;)?) => {
        $(
            impl<T: ToPb<$rust>> Value<$pb> for T {
                const IS_NUMBER: bool = true;

                fn is_default(&self) -> bool {
                    self.to_pb() == <$rust>::default()
                }

                fn write(&self, out: &mut Vec<u8>) {
                    let $number = self.to_pb();
                    write_varint($varint, out);
                }

                fn write_as(&self, number: u32, out: &mut Vec<u8>) {
                    let $number = self.to_pb();
                    write_key_and_varint(number, WireType::Varint, $varint, out);
                }
            }

            impl<T: ToPb<$rust>> ToField<$pb> for T {
                fn write_field(&self, number: u32, out: &mut Vec<u8>) {
                    write_unless_default::<$pb>(self, number, out);
                }
            }
        )*
    };
}

numbers! {
    bool as bool, it => u64::from(it);
    u32 as u32, it => u64::from(it);
    u64 as u64, it => it;
    // Negative numbers are written as if they had 64 bits.
    i32 as i32, it => i64::from(it).cast_unsigned();
    // Zigzag: 0, -1, 1, -2, … become 0, 1, 2, 3, …
    i32 as Sint32, it => u64::from(((it << 1) ^ (it >> 31)).cast_unsigned());
}

impl<T: AsText> Value<String> for T {
    fn is_default(&self) -> bool {
        self.as_text().is_empty()
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.as_text().as_bytes());
    }

    fn write_as(&self, number: u32, out: &mut Vec<u8>) {
        let text = self.as_text().as_bytes();
        write_key_and_varint(number, WireType::LengthDelimited, text.len() as u64, out);
        out.extend_from_slice(text);
    }
}

impl<T: AsText> ToField<String> for T {
    fn write_field(&self, number: u32, out: &mut Vec<u8>) {
        write_unless_default(self, number, out);
    }
}

impl<T: Value<P>, P> ToField<Option<P>> for Option<T> {
    fn write_field(&self, number: u32, out: &mut Vec<u8>) {
        if let Some(value) = self {
            value.write_as(number, out);
        }
    }
}

impl<T: Value<P>, P> ToField<Vec<P>> for [T] {
    fn write_field(&self, number: u32, out: &mut Vec<u8>) {
        write_list::<T, P>(self.iter(), number, out);
    }
}

impl<T: Value<P>, P> ToField<Vec<P>> for &[T] {
    fn write_field(&self, number: u32, out: &mut Vec<u8>) {
        write_list::<T, P>(self.iter(), number, out);
    }
}

impl<T: Value<P>, P> ToField<Vec<P>> for Vec<T> {
    fn write_field(&self, number: u32, out: &mut Vec<u8>) {
        write_list::<T, P>(self.iter(), number, out);
    }
}

impl<T: Value<P>, P, const N: usize> ToField<Vec<P>> for [T; N] {
    fn write_field(&self, number: u32, out: &mut Vec<u8>) {
        write_list::<T, P>(self.iter(), number, out);
    }
}

impl<T: Value<P>, P, const N: usize> ToField<Vec<P>> for ArrayVec<T, N> {
    fn write_field(&self, number: u32, out: &mut Vec<u8>) {
        write_list::<T, P>(self.iter(), number, out);
    }
}

impl<T: Value<P>, P> ToField<Vec<P>> for PerSeat<T> {
    fn write_field(&self, number: u32, out: &mut Vec<u8>) {
        write_list::<T, P>(self.iter(), number, out);
    }
}

impl<T: EnumSetType + Value<P>, P> ToField<Vec<P>> for EnumSet<T> {
    fn write_field(&self, number: u32, out: &mut Vec<u8>) {
        write_list::<T, P>(self.iter(), number, out);
    }
}

/// A missing list is written like an empty one.
impl<T: ToField<Vec<P>>, P> ToField<Vec<P>> for Option<T> {
    fn write_field(&self, number: u32, out: &mut Vec<u8>) {
        if let Some(list) = self {
            list.write_field(number, out);
        }
    }
}

macro_rules! always_sent {
    ($($rules:ty => $pb:ty),* $(,)?) => {
        $(
            /// Writes an option even if it is the default of the field, so that every choice is spelled out.
            impl ToField<Option<$pb>> for $rules {
                fn write_field(&self, number: u32, out: &mut Vec<u8>) {
                    Value::<$pb>::write_as(self, number, out);
                }
            }
        )*
    };
}

always_sent! { bool => bool, u8 => u32, u32 => u32 }

/// Writes a repeated field.
pub(crate) fn write_list<T: Value<P>, P>(
    values: impl Iterator<Item = impl Borrow<T>>,
    number: u32,
    out: &mut Vec<u8>,
) {
    let mut values = values.peekable();
    if T::IS_NUMBER {
        if values.peek().is_some() {
            write_delimited(number, out, |out| {
                values.for_each(|value| value.borrow().write(out));
            });
        }
    } else {
        values.for_each(|value| value.borrow().write_as(number, out));
    }
}

fn write_unless_default<P>(value: &impl Value<P>, number: u32, out: &mut Vec<u8>) {
    if !value.is_default() {
        value.write_as(number, out);
    }
}

/// Returns the key of a field, if it fits one byte.
#[inline]
fn short_key(number: u32, wire_type: WireType) -> Option<u8> {
    match ((number << 3) | wire_type as u32).to_le_bytes() {
        [key @ ..0x80, 0, 0, 0] => Some(key),
        _ => None,
    }
}

#[inline]
fn write_varint(value: u64, out: &mut Vec<u8>) {
    match value.to_le_bytes() {
        [byte @ ..0x80, 0, 0, 0, 0, 0, 0, 0] => out.push(byte),
        _ => encode_varint(value, out),
    }
}

/// Writes a key and a varint. Most take a byte each, which are written together.
#[inline]
fn write_key_and_varint(number: u32, wire_type: WireType, varint: u64, out: &mut Vec<u8>) {
    match (short_key(number, wire_type), varint.to_le_bytes()) {
        (Some(key), [byte @ ..0x80, 0, 0, 0, 0, 0, 0, 0]) => out.extend_from_slice(&[key, byte]),
        _ => {
            encode_key(number, wire_type, out);
            encode_varint(varint, out);
        }
    }
}

/// The maximum length of a varint, in bytes.
const MAX_VARINT_LEN: usize = 10;

/// Writes content behind its length. Most content is short, so one byte is reserved for the length at first.
fn write_delimited(number: u32, out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
    write_key_and_varint(number, WireType::LengthDelimited, 0, out);
    let at = out.len() - 1;
    write(out);
    let length = out.len() - at - 1;
    match u8::try_from(length) {
        Ok(length @ ..0x80) => out[at] = length,
        _ => {
            let mut bytes = [0; MAX_VARINT_LEN];
            encode_varint(length as u64, &mut &mut bytes[..]);
            let used = encoded_len_varint(length as u64);
            drop(out.splice(at..=at, bytes.into_iter().take(used)));
        }
    }
}
