//! Keys of JSON Web Key Sets (RFC 7517): which of them verify tokens, and with which algorithms.
//!
//! Identity providers publish sets for all their clients: with keys for encryption, with keys of other curves, and
//! without `alg`, which is optional. A key that verifies no token here is skipped, and the others are used.

use std::fmt;

use jsonwebtoken::jwk::{AlgorithmParameters, CommonParameters, Jwk};
use jsonwebtoken::{Algorithm, DecodingKey, DecodingKeyKind};
use serde::Deserialize;
use serde_json::Value;

/// The algorithms of RSA keys. They verify with the same public key, so a key without `alg` is good for all of them.
const RSA: &[Algorithm] = &[
    Algorithm::RS256,
    Algorithm::RS384,
    Algorithm::RS512,
    Algorithm::PS256,
    Algorithm::PS384,
    Algorithm::PS512,
];

/// The algorithms of secrets.
const SECRET: &[Algorithm] = &[Algorithm::HS256, Algorithm::HS384, Algorithm::HS512];

/// The supported lengths of RSA keys, in bits.
const RSA_BITS: std::ops::RangeInclusive<usize> = 2_048..=8_192;

/// A key of a key set that verifies no tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedKey {
    /// The position of the key in its set, from 1.
    pub(super) position: usize,
    /// The id of the key (`kid`).
    pub(super) id: Option<String>,
    /// The reason why it is skipped.
    pub(super) reason: KeyProblem,
}

impl fmt::Display for SkippedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            position,
            id,
            reason,
        } = self;
        match id {
            Some(id) => write!(f, "key {position} ({id:?}): {reason}"),
            None => write!(f, "key {position}: {reason}"),
        }
    }
}

/// The reason why a key of a key set verifies no tokens.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyProblem {
    /// The key lacks members of its kind, or has malformed ones.
    #[error("it is not a well-formed key")]
    Malformed,
    /// The members that limit the tokens of the key are malformed.
    #[error("`iss`, `aud`, `tenants` or `only_users` is malformed")]
    Policy,
    /// The key is for another purpose, such as encryption.
    #[error("its `use` is {0:?}, not \"sig\"")]
    Use(String),
    /// The key is for other operations.
    #[error("its `key_ops` lack \"verify\"")]
    Operations,
    /// Keys of this kind are not supported.
    #[error("its `kty` {0:?} is not supported")]
    KeyType(String),
    /// The curve is not supported.
    #[error("its `crv` {0:?} is not supported")]
    Curve(String),
    /// The algorithm is not supported, or not one for signatures.
    #[error("its `alg` {0:?} is not supported")]
    Algorithm(String),
    /// The algorithm is one for other kinds of keys.
    #[error("its `alg` {0:?} does not fit its kind")]
    WrongAlgorithm(String),
    /// A secret that does not say its algorithm.
    #[error("its `kty` is \"oct\", which needs `alg`")]
    SecretWithoutAlgorithm,
    /// An empty secret, with which anybody could sign.
    #[error("its secret is empty")]
    EmptySecret,
    /// The RSA key is too short or too long.
    #[error("it has {0} bits; RSA keys have 2048 to 8192")]
    RsaLength(usize),
}

/// The members of a key that say what it is for.
#[derive(Deserialize)]
struct Purpose {
    kty: String,
    crv: Option<String>,
    alg: Option<String>,
    #[serde(rename = "use")]
    usage: Option<String>,
    key_ops: Option<Vec<String>>,
}

/// Returns the id of a key (`kid`), if it has one.
pub(super) fn key_id(key: &Value) -> Option<String> {
    key.get("kid").and_then(Value::as_str).map(str::to_owned)
}

/// Whether this key must be kept secret: it can sign.
pub(super) fn is_secret(key: &Value) -> bool {
    ["k", "d"].iter().any(|member| key.get(member).is_some())
}

/// Returns the key that verifies signatures, and the algorithms that it is good for.
///
/// # Errors
/// The reason why the key verifies no tokens.
pub(super) fn verification_key(key: &Value) -> Result<(DecodingKey, Vec<Algorithm>), KeyProblem> {
    let purpose: Purpose = Deserialize::deserialize(key).map_err(|_| KeyProblem::Malformed)?;
    if let Some(usage) = purpose.usage.as_ref().filter(|usage| *usage != "sig") {
        return Err(KeyProblem::Use(usage.clone()));
    }
    let mut operations = purpose.key_ops.iter().flatten();
    if purpose.key_ops.is_some() && !operations.any(|operation| operation == "verify") {
        return Err(KeyProblem::Operations);
    }
    let algorithms = purpose.algorithms()?;
    let algorithm = AlgorithmParameters::deserialize(key).map_err(|_| KeyProblem::Malformed)?;
    let common = CommonParameters::default();
    let key = DecodingKey::from_jwk(&Jwk { common, algorithm });
    let key = key.map_err(|_| KeyProblem::Malformed)?;
    check_length(&key, &algorithms)?;
    Ok((key, algorithms))
}

impl Purpose {
    /// Returns the algorithms that the key is good for: the one that it names, or all of its kind.
    fn algorithms(&self) -> Result<Vec<Algorithm>, KeyProblem> {
        let of_kind = self.of_kind()?;
        let Some(name) = &self.alg else {
            return match self.kty.as_str() {
                // The holder of a secret could choose, and so could whoever guesses it.
                "oct" => Err(KeyProblem::SecretWithoutAlgorithm),
                _ => Ok(of_kind.to_vec()),
            };
        };
        let algorithm = name.parse().ok();
        let algorithm = algorithm.ok_or_else(|| KeyProblem::Algorithm(name.clone()))?;
        if of_kind.contains(&algorithm) {
            return Ok(vec![algorithm]);
        }
        Err(KeyProblem::WrongAlgorithm(name.clone()))
    }

    /// Returns the algorithms of keys of this kind.
    fn of_kind(&self) -> Result<&'static [Algorithm], KeyProblem> {
        let curve = self.crv.as_deref().unwrap_or_default();
        match (self.kty.as_str(), curve) {
            ("RSA", _) => Ok(RSA),
            ("oct", _) => Ok(SECRET),
            ("EC", "P-256") => Ok(&[Algorithm::ES256]),
            ("EC", "P-384") => Ok(&[Algorithm::ES384]),
            ("OKP", "Ed25519") => Ok(&[Algorithm::EdDSA]),
            ("EC" | "OKP", _) => Err(KeyProblem::Curve(curve.to_owned())),
            (kind, _) => Err(KeyProblem::KeyType(kind.to_owned())),
        }
    }
}

/// Refuses keys of a length with which no signature could be verified.
fn check_length(key: &DecodingKey, algorithms: &[Algorithm]) -> Result<(), KeyProblem> {
    let bytes = match key.kind() {
        DecodingKeyKind::RsaModulusExponent { n, .. } => {
            let bits = bit_length(n);
            let is_supported = RSA_BITS.contains(&bits);
            return is_supported
                .then_some(())
                .ok_or(KeyProblem::RsaLength(bits));
        }
        DecodingKeyKind::SecretOrDer(bytes) => bytes.len(),
    };
    // A point is one byte and two coordinates.
    let is_right = match algorithms.first() {
        Some(Algorithm::ES256) => bytes == 65,
        Some(Algorithm::ES384) => bytes == 97,
        Some(Algorithm::EdDSA) => bytes == 32,
        Some(_) if bytes == 0 => return Err(KeyProblem::EmptySecret),
        Some(_) | None => true,
    };
    is_right.then_some(()).ok_or(KeyProblem::Malformed)
}

/// Returns the number of bits of a number, most significant byte first.
fn bit_length(number: &[u8]) -> usize {
    let mut significant = number.iter().skip_while(|byte| **byte == 0);
    let Some(first) = significant.next() else {
        return 0;
    };
    let in_first = u8::BITS - first.leading_zeros();
    8 * significant.count() + usize::try_from(in_first).unwrap_or(0)
}

#[cfg(test)]
mod tests;
