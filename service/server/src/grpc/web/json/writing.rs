//! Messages as JSON, **in slices**: a large message is written part by part, and other calls have their turn between
//! the parts. The library writes the parts; it can decode and write a message only as a whole.

use std::collections::BTreeSet;

use bytes::Buf;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use gamekeeper_games::Yielder;
use prost::DecodeError;
use prost::encoding::{DecodeContext, WireType, decode_key, decode_varint, skip_field};
use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, MessageDescriptor, SerializeOptions};
use serde_json::Serializer;

/// The maximum size of a message that is written at once, in bytes: a third of a millisecond.
const SLICE: usize = 4 << 10;

/// The reason why a message cannot be written.
#[derive(Debug, thiserror::Error)]
pub(super) enum WriteError {
    #[error("a field is cut off")]
    CutOff,
    #[error(transparent)]
    Decode(#[from] DecodeError),
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}

/// Writes a message on one line.
///
/// # Errors
/// If these are not the bytes of a message of this type.
pub(super) async fn json(output: &MessageDescriptor, bytes: &[u8]) -> Result<Vec<u8>, WriteError> {
    let mut writer = Writer {
        json: Vec::with_capacity(3 * bytes.len() + 2),
        yielder: Yielder::new(),
    };
    writer.write(output, bytes).await?;
    Ok(writer.json)
}

/// Writes a message on one line, without a break.
///
/// # Errors
/// If these are not the bytes of a message of this type.
pub(super) fn json_at_once(
    output: MessageDescriptor,
    bytes: &[u8],
    json: &mut Vec<u8>,
) -> Result<(), WriteError> {
    let message = DynamicMessage::decode(output, bytes)?;
    let mut writer = Serializer::new(json);
    message.serialize_with_options(&mut writer, &SerializeOptions::new())?;
    Ok(())
}

struct Writer {
    json: Vec<u8>,
    yielder: Yielder,
}

impl Writer {
    async fn write(&mut self, output: &MessageDescriptor, bytes: &[u8]) -> Result<(), WriteError> {
        let is_small =
            bytes.len() <= SLICE || output.parent_file().package_name() == "google.protobuf";
        let fields = if is_small { None } else { fields(bytes)? };
        match fields {
            Some(fields) => self.write_fields(output, &fields).await?,
            None => json_at_once(output.clone(), bytes, &mut self.json)?,
        }
        self.yielder.yield_if_due().await;
        Ok(())
    }

    /// Writes a message field by field. Boxed, because the fields may be messages.
    fn write_fields<'a>(
        &'a mut self,
        output: &'a MessageDescriptor,
        fields: &'a [Field<'a>],
    ) -> BoxFuture<'a, Result<(), WriteError>> {
        async move {
            self.json.push(b'{');
            for field in fields {
                let descriptor = output.get_field(field.number);
                let is_apart = |descriptor: &FieldDescriptor| {
                    descriptor.is_list() || !descriptor.is_map() && field.messages.len() == 1
                };
                let descriptor = descriptor.filter(is_apart);
                let begun = self.json.len();
                match descriptor.map(|descriptor| (descriptor.kind(), descriptor)) {
                    Some((Kind::Message(part), descriptor)) => {
                        self.json
                            .extend(format!("\"{}\":", descriptor.json_name()).bytes());
                        self.write_parts(&part, &field.messages, descriptor.is_list())
                            .await?;
                    }
                    // Its bytes are those of a message with this field alone.
                    Some(_) | None => {
                        json_at_once(output.clone(), field.bytes, &mut self.json)?;
                        self.json.pop();
                        self.json.remove(begun);
                    }
                }
                if self.json.len() > begun {
                    self.json.push(b',');
                }
            }
            match self.json.last_mut() {
                Some(last) if *last == b',' => *last = b'}',
                Some(_) | None => self.json.push(b'}'),
            }
            Ok(())
        }
        .boxed()
    }

    /// Writes the messages of one field.
    async fn write_parts(
        &mut self,
        part: &MessageDescriptor,
        messages: &[&[u8]],
        is_list: bool,
    ) -> Result<(), WriteError> {
        if is_list {
            self.json.push(b'[');
        }
        for (number, message) in messages.iter().enumerate() {
            if number > 0 {
                self.json.push(b',');
            }
            self.write(part, message).await?;
        }
        if is_list {
            self.json.push(b']');
        }
        Ok(())
    }
}

/// A field of an encoded message.
struct Field<'a> {
    number: u32,
    /// All bytes of the field, with its keys.
    bytes: &'a [u8],
    /// The values with a length, such as messages.
    messages: Vec<&'a [u8]>,
}

/// Splits an encoded message into its fields. Returns `None` if the parts of a field are not side by side, as our encoder
/// writes them, or if a field occurs again: the library knows how to merge them.
fn fields(bytes: &[u8]) -> Result<Option<Vec<Field<'_>>>, WriteError> {
    let (mut fields, mut seen) = (Vec::<Field<'_>>::new(), BTreeSet::new());
    let mut rest = bytes;
    while rest.has_remaining() {
        let begun = rest;
        let (number, wire_type) = decode_key(&mut rest)?;
        let value = if wire_type == WireType::LengthDelimited {
            let length = decode_varint(&mut rest)?;
            let length = usize::try_from(length).unwrap_or(usize::MAX);
            let (value, after) = rest.split_at_checked(length).ok_or(WriteError::CutOff)?;
            rest = after;
            Some(value)
        } else {
            skip_field(wire_type, number, &mut rest, DecodeContext::default())?;
            None
        };
        let length = begun.len() - rest.len();
        if let Some(last) = fields.last_mut().filter(|last| last.number == number) {
            let first = bytes.len() - begun.len() - last.bytes.len();
            last.bytes = &bytes[first..][..last.bytes.len() + length];
            last.messages.extend(value);
            continue;
        }
        if !seen.insert(number) {
            return Ok(None);
        }
        fields.push(Field {
            number,
            bytes: &begun[..length],
            messages: value.into_iter().collect(),
        });
    }
    Ok(Some(fields))
}

#[cfg(test)]
mod tests {
    use futures_util::poll;
    use prost::Message;
    use prost_reflect::{MapKey, Value};
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    use super::super::transcoding;
    use super::*;
    use crate::grpc::services::Services;

    /// Fills a message at random with at most about this many values.
    fn random(
        output: &MessageDescriptor,
        left: &mut i32,
        random_by: &mut SmallRng,
    ) -> DynamicMessage {
        let mut message = DynamicMessage::new(output.clone());
        if output.parent_file().package_name() == "google.protobuf" {
            return message;
        }
        for field in output.fields() {
            if *left < 0 || random_by.random_bool(0.3) {
                continue;
            }
            if let Kind::Message(part) = field.kind()
                && part.full_name() == "google.protobuf.Value"
            {
                continue;
            }
            let value = if field.is_map() {
                let entry = |number: u32| {
                    (
                        MapKey::String(format!("key {number}")),
                        Value::String(String::from("\u{e9}\"")),
                    )
                };
                Value::Map((0..3).map(entry).collect())
            } else if field.is_list() {
                let count = random_by.random_range(0..30);
                let values = (0..count).map(|_| value(&field.kind(), left, random_by));
                Value::List(values.collect())
            } else {
                value(&field.kind(), left, random_by)
            };
            message.set_field(&field, value);
        }
        message
    }

    fn value(kind: &Kind, left: &mut i32, random_by: &mut SmallRng) -> Value {
        *left -= 1;
        match kind {
            Kind::Message(part) => Value::Message(random(part, left, random_by)),
            Kind::Enum(names) => Value::EnumNumber(names.values().last().unwrap().number()),
            Kind::String => Value::String("a \"text\"\n".repeat(random_by.random_range(0..40))),
            Kind::Bytes => Value::Bytes((0..random_by.random_range(0..99)).collect()),
            Kind::Bool => Value::Bool(random_by.random()),
            Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => Value::I32(random_by.random()),
            Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => Value::I64(random_by.random()),
            Kind::Uint32 | Kind::Fixed32 => Value::U32(random_by.random()),
            Kind::Uint64 | Kind::Fixed64 => Value::U64(random_by.random()),
            Kind::Float => Value::F32(random_by.random()),
            Kind::Double => Value::F64(random_by.random()),
        }
    }

    fn at_once(output: &MessageDescriptor, bytes: &[u8]) -> serde_json::Value {
        let mut json = Vec::new();
        json_at_once(output.clone(), bytes, &mut json).unwrap();
        serde_json::from_slice(&json).unwrap()
    }

    /// All messages that the service sends, also as no encoder writes them: twice, one after the other.
    #[tokio::test]
    async fn slices_make_the_same_json_as_the_whole() {
        let seed = rand::random();
        let mut random_by = SmallRng::seed_from_u64(seed);
        let methods = Services::methods();
        let outputs = methods
            .iter()
            .filter_map(|name| transcoding::method(&format!("/{name}")));
        let mut large = 0;
        for output in outputs.map(|method| method.output()) {
            for size in [10, 1_000, 3_000] {
                let once = random(&output, &mut { size }, &mut random_by).encode_to_vec();
                large += usize::from(once.len() > 10 * SLICE);
                for bytes in [&once, &once.repeat(2)] {
                    let whole = at_once(&output, bytes);
                    let sliced = json(&output, bytes).await.unwrap();
                    let sliced: serde_json::Value = serde_json::from_slice(&sliced).unwrap();
                    assert!(sliced == whole, "seed {seed}: {}", output.full_name());
                }
            }
        }
        assert!(large > 0, "seed {seed}");
    }

    #[tokio::test]
    async fn others_have_their_turn_between_slices() {
        let method = transcoding::method("/gamekeeper.v1.GameService/BatchGetGames").unwrap();
        let output = method.output();
        let of_seed = |seed| {
            let mut random_by = SmallRng::seed_from_u64(seed);
            random(&output, &mut 300, &mut random_by).encode_to_vec()
        };
        // Bytes one after the other are one message with the lists of all: many parts, each smaller than a slice.
        let mut parts = (0..1_000).map(of_seed);
        let part = parts.find(|part| (200..SLICE).contains(&part.len()));
        let part = part.unwrap();
        let message = part.repeat(20 * SLICE / part.len() + 1);
        let mut written = Box::pin(json(&output, &message));
        let mut turns = 1;
        while poll!(&mut written).is_pending() {
            turns += 1;
        }
        assert!(turns > 3, "{turns} for {} bytes", message.len());
    }

    #[tokio::test]
    async fn what_is_no_message_is_an_error() {
        let method = transcoding::method("/gamekeeper.v1.GameService/BatchGetGames").unwrap();
        let cut = [&[0x0a, 0xff, 0xff, 0x03][..], &[0; 2 * SLICE]].concat();
        for bytes in [&cut[..], &[0xff; 2 * SLICE], &[0xff]] {
            assert!(json(&method.output(), bytes).await.is_err());
        }
    }
}
