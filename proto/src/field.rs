//! Fields of messages, for encoders that write them one by one.

use std::marker::PhantomData;

/// A field of a message: its number, and the type `P` that it has in the compiled message.
pub struct Field<P> {
    /// The number on the wire; 0 for a oneof, whose variants have the numbers.
    pub number: u32,
    kind: PhantomData<fn(P)>,
}

/// A stand-in, in a [`Field`], for an `i32` in zigzag encoding: protobuf's `sint32`.
#[derive(Clone, Copy, Debug)]
pub enum Sint32 {}

impl<P> Field<P> {
    /// Describes the field with this number.
    pub const fn new(number: u32) -> Self {
        let kind = PhantomData;
        Self { number, kind }
    }
}
