//! **Idempotency keys**: fingerprints by which a request is recognized when it is sent again.

use sha2::{Digest, Sha256};

/// The idempotency key of a request, as the log stores it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RequestFingerprint {
    /// The caller sent a request id: the first bytes of the SHA-256 hashes of the id and of the body.
    Named { id: [u8; 16], body: [u8; 8] },
    /// The caller sent no request id: random bytes, which make the entry differ from any other.
    Unnamed([u8; 8]),
}

impl RequestFingerprint {
    /// Computes the fingerprint of a request with this id (may be empty) and this body.
    pub(crate) fn new(request_id: &str, body: &[u8]) -> Self {
        if request_id.is_empty() {
            return Self::Unnamed(rand::random());
        }
        Self::Named {
            id: hash_prefix(request_id.as_bytes()),
            body: hash_prefix(body),
        }
    }

    /// Encodes the fingerprint for the log.
    pub(super) fn to_bytes(self) -> Vec<u8> {
        match self {
            Self::Named { id, body } => [&id[..], &body].concat(),
            Self::Unnamed(bytes) => bytes.to_vec(),
        }
    }

    /// Decodes what [`to_bytes`](Self::to_bytes) encoded. The two kinds differ in length. Returns `None` for any other
    /// length.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        if let Ok(random) = bytes.try_into() {
            return Some(Self::Unnamed(random));
        }
        let (id, body) = bytes.split_first_chunk()?;
        let body = body.try_into().ok()?;
        Some(Self::Named { id: *id, body })
    }
}

fn hash_prefix<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let hash = Sha256::digest(bytes);
    std::array::from_fn(|index| hash[index])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_recognized_by_id_and_body() {
        assert_eq!(
            RequestFingerprint::new("a", b"x"),
            RequestFingerprint::new("a", b"x")
        );
        assert_ne!(
            RequestFingerprint::new("a", b"x"),
            RequestFingerprint::new("a", b"y")
        );
        assert_ne!(
            RequestFingerprint::new("", b"x"),
            RequestFingerprint::new("", b"x")
        );
    }

    #[test]
    fn marks_are_stored_and_read() {
        for fingerprint in [
            RequestFingerprint::new("a", b"x"),
            RequestFingerprint::new("", b"x"),
        ] {
            let mut bytes = fingerprint.to_bytes();
            assert_eq!(RequestFingerprint::from_bytes(&bytes), Some(fingerprint));
            bytes.pop();
            assert_eq!(RequestFingerprint::from_bytes(&bytes), None);
        }
    }
}
