//! Corrupted messages for tests of hostile input.

use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::sample::Index;

/// One corruption of bytes.
#[derive(Clone, Debug)]
pub enum Harm {
    /// Flips a bit.
    Flip(Index, u8),
    /// Replaces a byte.
    Set(Index, u8),
    /// Cuts off the rest.
    Cut(Index),
    /// Inserts these bytes.
    Insert(Index, Vec<u8>),
    /// Duplicates a part.
    Double(Index, Index),
    /// Removes a part.
    Skip(Index, Index),
    /// Replaces a number, for example by the maximum.
    Number(Index, u64),
}

/// Edge cases of numbers.
const EDGES: [u64; 12] = [
    0,
    1,
    0x7f,
    0x80,
    0xff,
    0xffff,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x1_0000_0000,
    0x7fff_ffff_ffff_ffff,
    u64::MAX,
];

impl Harm {
    /// Applies the corruption.
    #[must_use]
    pub fn done_to(&self, mut bytes: Vec<u8>) -> Vec<u8> {
        let position = |index: &Index, length: usize| index.index(length + 1);
        let part = |one: &Index, other: &Index, length: usize| {
            let (one, other) = (position(one, length), position(other, length));
            one.min(other)..one.max(other)
        };
        let length = bytes.len();
        match self {
            Harm::Flip(at, bit) => {
                if let Some(byte) = bytes.get_mut(position(at, length)) {
                    *byte ^= 1 << (bit % 8);
                }
            }
            Harm::Set(at, value) => {
                if let Some(byte) = bytes.get_mut(position(at, length)) {
                    *byte = *value;
                }
            }
            Harm::Cut(at) => bytes.truncate(position(at, length)),
            Harm::Insert(at, more) => {
                let at = position(at, length);
                bytes.splice(at..at, more.iter().copied());
            }
            Harm::Double(one, other) => {
                let part = part(one, other, length);
                let (end, copy) = (part.end, bytes[part].to_vec());
                bytes.splice(end..end, copy);
            }
            Harm::Skip(one, other) => {
                bytes.drain(part(one, other, length));
            }
            Harm::Number(at, value) => {
                let at = position(at, length);
                let more = bytes[at..].iter().take_while(|byte| **byte >= 0x80).count();
                let end = (at + more + 1).min(length);
                let mut number = Vec::new();
                prost::encoding::encode_varint(*value, &mut number);
                bytes.splice(at..end, number);
            }
        }
        bytes
    }
}

fn harm() -> impl Strategy<Value = Harm> {
    let at = any::<Index>;
    prop_oneof![
        (at(), any::<u8>()).prop_map(|(at, bit)| Harm::Flip(at, bit)),
        (at(), any::<u8>()).prop_map(|(at, value)| Harm::Set(at, value)),
        at().prop_map(Harm::Cut),
        (at(), vec(any::<u8>(), 1..12)).prop_map(|(at, more)| Harm::Insert(at, more)),
        (at(), at()).prop_map(|(one, other)| Harm::Double(one, other)),
        (at(), at()).prop_map(|(one, other)| Harm::Skip(one, other)),
        (at(), proptest::sample::select(&EDGES[..]))
            .prop_map(|(at, value)| Harm::Number(at, value)),
    ]
}

/// Generates one of these messages, intact or corrupted in a few places, and sometimes arbitrary bytes.
pub fn harmed(samples: Vec<Vec<u8>>) -> impl Strategy<Value = Vec<u8>> {
    let sample = proptest::sample::select(samples);
    let harmed = (sample, vec(harm(), 0..5));
    let of_sample = harmed
        .prop_map(|(sample, harms)| harms.iter().fold(sample, |bytes, harm| harm.done_to(bytes)));
    prop_oneof![9 => of_sample, 1 => vec(any::<u8>(), 0..200)]
}

/// The framing of a message in a body.
#[derive(Clone, Debug)]
pub enum Frame {
    /// Correct framing.
    Right,
    /// Another flag in the first byte: compressed, or unknown.
    Flag(u8),
    /// A wrong length.
    Length(u32),
    /// Two messages where one is expected.
    Twice,
    /// No framing.
    Bare,
    /// Extra bytes after the message.
    Tail(Vec<u8>),
}

/// Generates a framing, which is usually correct.
pub fn frame() -> impl Strategy<Value = Frame> {
    let length = prop_oneof![any::<u32>(), 0..100_u32];
    prop_oneof![
        12 => Just(Frame::Right),
        1 => (1..=u8::MAX).prop_map(Frame::Flag),
        1 => length.prop_map(Frame::Length),
        1 => Just(Frame::Twice),
        1 => Just(Frame::Bare),
        1 => vec(any::<u8>(), 1..8).prop_map(Frame::Tail),
    ]
}

impl Frame {
    /// Builds the body for a message.
    #[must_use]
    pub fn around(&self, message: &[u8]) -> Vec<u8> {
        let length = u32::try_from(message.len()).unwrap_or(u32::MAX);
        let framed = |flag: u8, length: u32| [&[flag], &length.to_be_bytes()[..], message].concat();
        match self {
            Frame::Right => framed(0, length),
            Frame::Flag(flag) => framed(*flag, length),
            Frame::Length(length) => framed(0, *length),
            Frame::Twice => framed(0, length).repeat(2),
            Frame::Bare => message.to_vec(),
            Frame::Tail(more) => [framed(0, length), more.clone()].concat(),
        }
    }
}
