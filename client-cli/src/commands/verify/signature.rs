//! The **signature** of a record, checked against a public key.

use gamekeeper_proto::gamekeeper::v1::{RecordSignature, SeedReveal};
use gamekeeper_wire::RecordDigest;
use ring::signature::{ED25519, UnparsedPublicKey};
use rustls_pki_types::SubjectPublicKeyInfoDer;
use rustls_pki_types::pem::PemObject;
use sha2::{Digest, Sha256};

use crate::failure::Failure;

/// The beginning of every Ed25519 key as DER (SubjectPublicKeyInfo, RFC 8410); its 32 bytes follow.
const DER: [u8; 12] = [
    0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00,
];

/// An Ed25519 public key with its id.
pub(super) struct Key {
    id: Vec<u8>,
    bytes: [u8; 32],
}

impl Key {
    /// Reads a key in PEM, as `openssl pkey -pubout` writes it.
    ///
    /// # Errors
    /// If it is not an Ed25519 key.
    pub(super) fn read(pem: &str) -> Result<Self, Failure> {
        let wrong = || Failure::Usage("--key: this is no Ed25519 public key in PEM".to_owned());
        let der = SubjectPublicKeyInfoDer::from_pem_slice(pem.as_bytes()).map_err(|_| wrong())?;
        let bytes = der.strip_prefix(&DER).ok_or_else(wrong)?;
        Ok(Self {
            id: Sha256::digest(&der).to_vec(),
            bytes: bytes.try_into().map_err(|_| wrong())?,
        })
    }

    /// Checks the signature of a record with this digest.
    ///
    /// # Errors
    /// If there is no signature, it was made with another key, or it does not match.
    pub(super) fn check(
        &self,
        (digest, reveal): (RecordDigest, Option<&SeedReveal>),
        signature: Option<&RecordSignature>,
    ) -> Result<(), Failure> {
        let differs = |text: &str| Failure::Difference(text.to_owned());
        let (Some(reveal), Some(signature)) = (reveal, signature) else {
            return Err(differs("the record has no signature"));
        };
        if signature.key_id != self.id {
            let id = const_hex::encode(&signature.key_id);
            return Err(Failure::Difference(format!(
                "another key has signed: sha256 {id}"
            )));
        }
        let key = UnparsedPublicKey::new(&ED25519, self.bytes);
        key.verify(&digest.finish(reveal), &signature.signature)
            .map_err(|_| differs("the signature does not fit the record"))
    }
}
