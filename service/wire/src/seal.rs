//! The **hash chain** that the signature of a record covers: the initial data of the game, every version, and the seed
//! of its luck.

use gamekeeper_proto::gamekeeper::v1::{ExportVersion, SeedReveal};
use gamekeeper_proto::raw;
use prost::{DecodeError, Message};
use sha2::{Digest, Sha256};

use crate::Commitment;

/// The digest of a record, version by version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordDigest(Commitment);

/// The domain separator of this digest: no other digest begins with it.
const BEGIN: &str = "gamekeeper record";

impl RecordDigest {
    /// Returns the digest of a record without versions.
    #[must_use]
    pub fn begin(record_commitment: &[u8]) -> Self {
        Self(after(BEGIN.as_bytes(), record_commitment))
    }

    /// Returns the digest after one more version. The state in it is left out: it follows from the rest.
    ///
    /// # Errors
    /// Fails if the version is not a message of the contract.
    pub fn then(self, version: &raw::ExportVersion) -> Result<Self, DecodeError> {
        // Decode and encode again, so that the digest does not depend on the encoder of the parts.
        let version = ExportVersion::decode(&*version.encode_to_vec())?;
        let version = ExportVersion {
            state: None,
            ..version
        };
        Ok(Self(after(&self.0, &version.encode_to_vec())))
    }

    /// Returns the digest of the whole record.
    #[must_use]
    pub fn end(self, reveal: &SeedReveal) -> Commitment {
        after(&self.0, &reveal.encode_to_vec())
    }
}

fn after(before: &[u8], next: &[u8]) -> Commitment {
    let hash = Sha256::new().chain_update(before).chain_update(next);
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(number: u64) -> raw::ExportVersion {
        raw::ExportVersion {
            entry: Some(raw::LogEntry {
                version: number,
                ..Default::default()
            }),
            fingerprint: String::from("print"),
            ..Default::default()
        }
    }

    #[test]
    fn everything_but_the_tables_counts_and_so_does_the_order() {
        let digest = |commitment: &[u8], numbers: &[u64], seed: &[u8]| {
            let begun = RecordDigest::begin(commitment);
            let all = numbers.iter().map(|number| version(*number));
            let all = all.fold(begun, |digest, version| digest.then(&version).unwrap());
            all.end(&SeedReveal {
                seed: seed.to_vec(),
                ..Default::default()
            })
        };
        let whole = digest(b"one", &[1, 2], b"seed");
        assert_eq!(whole, digest(b"one", &[1, 2], b"seed"));
        for other in [
            digest(b"two", &[1, 2], b"seed"),
            digest(b"one", &[2, 1], b"seed"),
            digest(b"one", &[1], b"seed"),
            digest(b"one", &[1, 2], b"seeds"),
        ] {
            assert_ne!(other, whole);
        }
        let with_table = raw::ExportVersion {
            state: Some(raw::View::default()),
            ..version(1)
        };
        let begun = RecordDigest::begin(b"one");
        assert_eq!(begun.then(&with_table), begun.then(&version(1)));
    }
}
