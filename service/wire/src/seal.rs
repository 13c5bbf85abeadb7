//! What the signature of a record covers: what the game began with, every version, and the secret behind its luck.

use gamekeeper_proto::gamekeeper::v1::{ExportVersion, SeedReveal};
use gamekeeper_proto::raw;
use prost::{DecodeError, Message};
use sha2::{Digest, Sha256};

use crate::Commitment;

/// The digest of a record, version by version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordDigest(Commitment);

/// No other digest begins with this.
const BEGIN: &str = "gamekeeper record";

impl RecordDigest {
    /// That of a record without versions.
    #[must_use]
    pub fn begin(record_commitment: &[u8]) -> Self {
        Self(after(BEGIN.as_bytes(), record_commitment))
    }

    /// The digest after one more version. Its table does not count: it follows from the rest.
    ///
    /// # Errors
    /// When the version is no message of the contract.
    pub fn then(self, version: &raw::ExportVersion) -> Result<Self, DecodeError> {
        // As the contract encodes it, whoever wrote the parts.
        let version = ExportVersion::decode(&*version.encode_to_vec())?;
        let version = ExportVersion {
            state: None,
            ..version
        };
        Ok(Self(after(&self.0, &version.encode_to_vec())))
    }

    /// The digest of the whole record.
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
