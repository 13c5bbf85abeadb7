//! The key that signs records of finished games: Ed25519, by `ring`, which TLS links anyway.

use std::path::Path;

use gamekeeper_proto::gamekeeper::v1::RecordSignature;
use ring::signature::{Ed25519KeyPair, KeyPair};
use rustls::pki_types::PrivatePkcs8KeyDer;
use rustls::pki_types::pem::PemObject;
use sha2::{Digest, Sha256};

use super::config::AuthError;

/// The beginning of every Ed25519 key as DER (SubjectPublicKeyInfo, RFC 8410); its 32 bytes follow.
const DER: [u8; 12] = [
    0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00,
];

/// A private key.
pub(super) struct RecordKey {
    pair: Ed25519KeyPair,
    id: Vec<u8>,
}

impl RecordKey {
    /// Reads a key in PEM (PKCS #8), as `openssl genpkey -algorithm ed25519` writes it.
    pub(super) fn read(file: &Path) -> Result<Self, AuthError> {
        let text = std::fs::read(file).map_err(|error| AuthError::Unreadable {
            file: file.to_owned(),
            error,
        })?;
        let key = PrivatePkcs8KeyDer::from_pem_slice(&text).ok();
        let pair = key.and_then(|key| {
            Ed25519KeyPair::from_pkcs8_maybe_unchecked(key.secret_pkcs8_der()).ok()
        });
        let pair = pair.ok_or_else(|| AuthError::RecordKey {
            file: file.to_owned(),
        })?;
        let id = Sha256::new()
            .chain_update(DER)
            .chain_update(pair.public_key())
            .finalize()
            .to_vec();
        Ok(Self { pair, id })
    }

    /// The signature of a digest.
    pub(super) fn sign(&self, digest: &[u8]) -> RecordSignature {
        RecordSignature {
            key_id: self.id.clone(),
            signature: self.pair.sign(digest).as_ref().to_vec(),
        }
    }
}
