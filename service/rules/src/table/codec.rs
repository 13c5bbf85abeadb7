//! Encoding of values as bytes, in the postcard wire format, which is specified and stable.

use postcard::ser_flavors::Flavor;
use serde::Serialize;
use serde::de::DeserializeOwned;
use xxhash_rust::xxh3::xxh3_64;

/// The error for bytes that cannot be decoded.
#[derive(Debug, thiserror::Error)]
pub enum DecodeError {
    /// The bytes do not encode a value of this type.
    #[error("malformed bytes: {0}")]
    Malformed(#[from] postcard::Error),
    /// Bytes are left over after the value.
    #[error("{0} bytes too many")]
    TooLong(usize),
}

/// A short hash of a state, to detect that two states differ. It does not protect against forgery.
pub type Fingerprint = u64;

/// The initial size of the buffer. Most states are smaller, so it rarely has to grow.
const USUAL: usize = 1024;

/// Encodes a value.
///
/// # Panics
/// Panics if the value cannot be encoded, which plain data always can.
#[must_use]
#[expect(
    clippy::expect_used,
    reason = "postcard refuses only unsized sequences, which no type here has"
)]
pub fn encode<T: Serialize>(value: &T) -> Vec<u8> {
    let buffer = Buffer(Vec::with_capacity(USUAL));
    postcard::serialize_with_flavor(value, buffer).expect("plain data can be encoded")
}

/// A buffer of bytes. The library has one that takes each byte from an iterator, which is slower.
struct Buffer(Vec<u8>);

impl Flavor for Buffer {
    type Output = Vec<u8>;

    #[inline]
    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.0.push(byte);
        Ok(())
    }

    #[inline]
    fn try_extend(&mut self, bytes: &[u8]) -> postcard::Result<()> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }

    fn finalize(self) -> postcard::Result<Vec<u8>> {
        Ok(self.0)
    }
}

/// Decodes a value, which must take all of these bytes.
///
/// # Errors
/// Fails if the bytes are not exactly one such value.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, DecodeError> {
    match postcard::take_from_bytes(bytes)? {
        (value, []) => Ok(value),
        (_, rest) => Err(DecodeError::TooLong(rest.len())),
    }
}

/// Returns the fingerprint of a value: XXH3 of its bytes.
#[must_use]
pub fn fingerprint<T: Serialize>(value: &T) -> Fingerprint {
    xxh3_64(&encode(value))
}
