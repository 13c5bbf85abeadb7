//! What a record binds: commitments that are published when a game is created.

use gamekeeper_proto::raw::RecordBasis;
use prost::Message;
use sha2::{Digest, Sha256};

/// SHA-256 of something that is shown later.
pub type Commitment = [u8; 32];

/// The commitment to a name. Nobody who lacks the salt can find out by trying whose name it is.
#[must_use]
pub fn name_commitment(salt: &[u8], name: &str) -> Commitment {
    let hash = Sha256::new().chain_update(salt).chain_update(name);
    hash.finalize().into()
}

/// The commitment to everything that a game began with.
#[must_use]
pub fn record_commitment(basis: &RecordBasis) -> Commitment {
    Sha256::digest(basis.encode_to_vec()).into()
}
