//! Codecs of gRPC: messages to bytes and back, for clients and servers; and bytes without conversion.

use std::marker::PhantomData;

use prost::bytes::{Buf, BufMut, Bytes};
use prost::encoding::{DecodeContext, WireType, skip_field};
use prost::{DecodeError, Message};
use tonic::Status;
use tonic::codec::{BufferSettings, DecodeBuf, Decoder, EncodeBuf, Encoder};

/// The initial capacity of a buffer: enough for most answers, and it grows if needed.
const INITIAL_BUFFER_SIZE: usize = 2 * 1024;

/// The number of buffered bytes above which a stream sends them.
const YIELD_THRESHOLD: usize = 32 * 1024;

/// Protobuf's usual encoding, but faster: a message is written into a plain vector and passed on as a whole. Written
/// byte by byte into the buffer of the connection, a view of nested messages would take longer than all rules
/// together.
/// longer than all rules together.
#[derive(Clone, Copy, Debug)]
pub struct Codec<T, U>(PhantomData<(T, U)>);

impl<T, U> Default for Codec<T, U> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<T, U> tonic::codec::Codec for Codec<T, U>
where
    T: Message + Send + 'static,
    U: Message + Default + Send + 'static,
{
    type Encode = T;
    type Decode = U;
    type Encoder = CodecHalf<T>;
    type Decoder = CodecHalf<U>;

    fn encoder(&mut self) -> CodecHalf<T> {
        CodecHalf(PhantomData)
    }

    fn decoder(&mut self) -> CodecHalf<U> {
        CodecHalf(PhantomData)
    }
}

/// One direction of a [`Codec`].
#[derive(Clone, Copy, Debug)]
pub struct CodecHalf<T>(PhantomData<T>);

impl<T: Message> Encoder for CodecHalf<T> {
    type Item = T;
    type Error = Status;

    fn encode(&mut self, message: T, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        let bytes = encode_to_vec(&message);
        buffer.reserve(bytes.len());
        buffer.put_slice(&bytes);
        Ok(())
    }

    fn buffer_settings(&self) -> BufferSettings {
        BufferSettings::new(INITIAL_BUFFER_SIZE, YIELD_THRESHOLD)
    }
}

impl<T: Message + Default> Decoder for CodecHalf<T> {
    type Item = T;
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<T>, Status> {
        let length = buffer.remaining();
        let message = if buffer.chunk().len() == length {
            let message = T::decode(buffer.chunk());
            buffer.advance(length);
            message
        } else {
            T::decode(buffer)
        };
        message
            .map(Some)
            .map_err(|error| Status::internal(error.to_string()))
    }
}

/// Encodes a message. A vector grows as needed, so the length need not be calculated beforehand.
fn encode_to_vec(message: &impl Message) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(INITIAL_BUFFER_SIZE);
    message.encode_raw(&mut bytes);
    bytes
}

/// Encodes a message once, to be sent to several receivers.
pub fn encode_shared(message: &impl Message) -> Bytes {
    Bytes::copy_from_slice(&encode_to_vec(message))
}

/// A message that was already encoded by [`encode_shared`], to be sent as a `T`. It can only be sent: to read one, read
/// a `T`.
#[derive(Clone, Debug)]
pub struct PreEncoded<T> {
    bytes: Bytes,
    message: PhantomData<fn() -> T>,
}

impl<T: Message> From<Bytes> for PreEncoded<T> {
    fn from(bytes: Bytes) -> Self {
        let message = PhantomData;
        Self { bytes, message }
    }
}

impl<T: Message> Message for PreEncoded<T> {
    fn encode_raw(&self, buffer: &mut impl BufMut) {
        buffer.put_slice(&self.bytes);
    }

    fn encoded_len(&self) -> usize {
        self.bytes.len()
    }

    fn merge_field(
        &mut self,
        tag: u32,
        wire_type: WireType,
        buffer: &mut impl Buf,
        context: DecodeContext,
    ) -> Result<(), DecodeError> {
        skip_field(wire_type, tag, buffer, context)
    }

    fn clear(&mut self) {
        self.bytes.clear();
    }
}

/// A codec that sends and receives bytes without conversion, for clients that encode messages themselves or do not
/// read them.
#[derive(Clone, Copy, Debug, Default)]
pub struct BytesCodec;

impl tonic::codec::Codec for BytesCodec {
    type Encode = Bytes;
    type Decode = Bytes;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        Self
    }

    fn decoder(&mut self) -> Self {
        Self
    }
}

impl Encoder for BytesCodec {
    type Item = Bytes;
    type Error = Status;

    fn encode(&mut self, message: Bytes, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        buffer.put(message);
        Ok(())
    }
}

impl Decoder for BytesCodec {
    type Item = Bytes;
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<Bytes>, Status> {
        Ok(Some(buffer.copy_to_bytes(buffer.remaining())))
    }
}
