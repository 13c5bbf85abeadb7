//! Messages to bytes and back, for clients and servers; and bytes as they are.

use std::marker::PhantomData;

use prost::Message;
use prost::bytes::{Buf, BufMut, Bytes};
use tonic::Status;
use tonic::codec::{BufferSettings, DecodeBuf, Decoder, EncodeBuf, Encoder};

/// Room for most answers; larger ones get more.
const BUFFER: usize = 2 * 1024;

/// A stream hands over what it has gathered when it is more than this.
const YIELD: usize = 32 * 1024;

/// Protobuf as usual, but quicker: a message is written into a plain vector and handed over as a
/// whole. Written byte by byte into the buffer of the connection, a view of nested messages takes
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
    type Encoder = Half<T>;
    type Decoder = Half<U>;

    fn encoder(&mut self) -> Half<T> {
        Half(PhantomData)
    }

    fn decoder(&mut self) -> Half<U> {
        Half(PhantomData)
    }
}

/// One direction of a [`Codec`].
#[derive(Clone, Copy, Debug)]
pub struct Half<T>(PhantomData<T>);

impl<T: Message> Encoder for Half<T> {
    type Item = T;
    type Error = Status;

    fn encode(&mut self, message: T, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        // A vector has always room: its length need not be worked out beforehand.
        let mut bytes = Vec::with_capacity(BUFFER);
        message.encode_raw(&mut bytes);
        buffer.reserve(bytes.len());
        buffer.put_slice(&bytes);
        Ok(())
    }

    fn buffer_settings(&self) -> BufferSettings {
        BufferSettings::new(BUFFER, YIELD)
    }
}

impl<T: Message + Default> Decoder for Half<T> {
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

/// Sends and reads bytes as they are, for clients that encode messages themselves or do not read them.
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
