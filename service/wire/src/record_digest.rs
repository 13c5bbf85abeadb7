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
const DOMAIN_TAG: &str = "gamekeeper record";

impl RecordDigest {
    /// Returns the digest of a record without versions.
    #[must_use]
    pub fn begin(record_commitment: &[u8]) -> Self {
        Self(chain_hash(DOMAIN_TAG.as_bytes(), record_commitment))
    }

    /// Returns the digest after one more version. The state in it is left out: it follows from the rest.
    ///
    /// # Errors
    /// Fails if the version is not a message of the contract.
    pub fn update(self, version: &raw::ExportVersion) -> Result<Self, DecodeError> {
        // Decode and encode again, so that the digest does not depend on the encoder of the parts.
        let version = ExportVersion::decode(&*version.encode_to_vec())?;
        let version = ExportVersion {
            state: None,
            ..version
        };
        Ok(Self(chain_hash(&self.0, &version.encode_to_vec())))
    }

    /// Returns the digest of the whole record.
    #[must_use]
    pub fn finish(self, reveal: &SeedReveal) -> Commitment {
        chain_hash(&self.0, &reveal.encode_to_vec())
    }
}

fn chain_hash(previous: &[u8], next: &[u8]) -> Commitment {
    let hash = Sha256::new().chain_update(previous).chain_update(next);
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
            let empty = RecordDigest::begin(commitment);
            let all = numbers.iter().map(|number| version(*number));
            let all = all.fold(empty, |digest, version| digest.update(&version).unwrap());
            all.finish(&SeedReveal {
                seed: seed.to_vec(),
                ..Default::default()
            })
        };
        let digest_of_record = digest(b"one", &[1, 2], b"seed");
        assert_eq!(digest_of_record, digest(b"one", &[1, 2], b"seed"));
        for other in [
            digest(b"two", &[1, 2], b"seed"),
            digest(b"one", &[2, 1], b"seed"),
            digest(b"one", &[1], b"seed"),
            digest(b"one", &[1, 2], b"seeds"),
        ] {
            assert_ne!(other, digest_of_record);
        }
        let with_table = raw::ExportVersion {
            state: Some(raw::View::default()),
            ..version(1)
        };
        let empty = RecordDigest::begin(b"one");
        assert_eq!(empty.update(&with_table), empty.update(&version(1)));
    }
}
