//! Padding.

use bytes::Bytes;
use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Maximum size of a padding, in bytes.
const MAX: usize = 1 << 20;

static NOTHING: [u8; MAX] = [0; MAX];

/// A number of padding bytes, which take up space only when they are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pad(usize);

impl Pad {
    /// Creates a padding of this size, up to the maximum.
    pub(super) fn new(length: usize) -> Self {
        Self(length.min(MAX))
    }

    /// Creates a padding of this size, up to the maximum.
    pub(super) fn of(length: u32) -> Self {
        Self::new(usize::try_from(length).unwrap_or(MAX))
    }

    pub(super) fn bytes(self) -> Bytes {
        Bytes::from_static(&NOTHING[..self.0])
    }
}

impl Serialize for Pad {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&NOTHING[..self.0])
    }
}

impl<'de> Deserialize<'de> for Pad {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Length;

        impl Visitor<'_> for Length {
            type Value = Pad;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("bytes")
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Pad, E> {
                Ok(Pad::new(bytes.len()))
            }
        }

        deserializer.deserialize_bytes(Length)
    }
}
