//! The **commitments** of a record, which are published when a game is created.

use gamekeeper_proto::raw::RecordBasis;
use prost::Message;
use sha2::{Digest, Sha256};

/// SHA-256 of data that is revealed later.
pub type Commitment = [u8; 32];

/// Returns the commitment to a name. Without the salt, it cannot be found out by trying names.
#[must_use]
pub fn name_commitment(salt: &[u8], name: &str) -> Commitment {
    let hash = Sha256::new().chain_update(salt).chain_update(name);
    hash.finalize().into()
}

/// Returns the commitment to the initial data of a game.
#[must_use]
pub fn record_commitment(input: &RecordBasis) -> Commitment {
    Sha256::digest(input.encode_to_vec()).into()
}
