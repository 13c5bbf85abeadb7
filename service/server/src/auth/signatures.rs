//! Signatures of tokens, made and verified by `ring`, which TLS links anyway, so that there is no second cryptographic
//! library.

use std::fmt::Display;

use jsonwebtoken::crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{Error as JwtError, ErrorKind};
use jsonwebtoken::signature::{Error, Signer, Verifier};
use jsonwebtoken::{Algorithm, DecodingKey, DecodingKeyKind, EncodingKey};
use ring::hmac;
use ring::signature::{self as public, RsaParameters, RsaPublicKeyComponents, UnparsedPublicKey};

static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: signer,
    verifier_factory: verifier,
    key_utils: KeyUtils::new_unimplemented(),
};

/// Makes `ring` verify the tokens of this process. Further calls change nothing.
pub fn use_ring() {
    // An error means that it was installed before.
    let _done_before = PROVIDER.install_default();
}

/// Signs with a secret (HMAC).
struct RingSigner {
    algorithm: Algorithm,
    key: hmac::Key,
}

/// Verifies signatures of one algorithm with one key.
struct RingVerifier {
    algorithm: Algorithm,
    key: DecodingKey,
    key_kind: KeyKind,
}

/// The method of verifying a signature.
#[derive(Clone, Copy)]
enum KeyKind {
    Secret(hmac::Algorithm),
    Rsa(&'static RsaParameters),
    Curve(&'static dyn public::VerificationAlgorithm),
}

/// Returns the method of verifying signatures of an algorithm, or `None` if the algorithm is not supported.
const fn key_kind(algorithm: Algorithm) -> Option<KeyKind> {
    Some(match algorithm {
        Algorithm::HS256 => KeyKind::Secret(hmac::HMAC_SHA256),
        Algorithm::HS384 => KeyKind::Secret(hmac::HMAC_SHA384),
        Algorithm::HS512 => KeyKind::Secret(hmac::HMAC_SHA512),
        Algorithm::RS256 => KeyKind::Rsa(&public::RSA_PKCS1_2048_8192_SHA256),
        Algorithm::RS384 => KeyKind::Rsa(&public::RSA_PKCS1_2048_8192_SHA384),
        Algorithm::RS512 => KeyKind::Rsa(&public::RSA_PKCS1_2048_8192_SHA512),
        Algorithm::PS256 => KeyKind::Rsa(&public::RSA_PSS_2048_8192_SHA256),
        Algorithm::PS384 => KeyKind::Rsa(&public::RSA_PSS_2048_8192_SHA384),
        Algorithm::PS512 => KeyKind::Rsa(&public::RSA_PSS_2048_8192_SHA512),
        Algorithm::ES256 => KeyKind::Curve(&public::ECDSA_P256_SHA256_FIXED),
        Algorithm::ES384 => KeyKind::Curve(&public::ECDSA_P384_SHA384_FIXED),
        Algorithm::EdDSA => KeyKind::Curve(&public::ED25519),
        _ => return None,
    })
}

/// Creates a signer. Only secrets sign here: tenants sign their own tokens themselves.
fn signer(algorithm: &Algorithm, key: &EncodingKey) -> Result<Box<dyn JwtSigner>, JwtError> {
    let Some(KeyKind::Secret(mac)) = key_kind(*algorithm) else {
        return Err(ErrorKind::InvalidAlgorithm.into());
    };
    if key.family() != algorithm.family() {
        return Err(ErrorKind::InvalidKeyFormat.into());
    }
    Ok(Box::new(RingSigner {
        algorithm: *algorithm,
        key: hmac::Key::new(mac, key.as_bytes()),
    }))
}

fn verifier(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>, JwtError> {
    if key.family() != algorithm.family() {
        return Err(ErrorKind::InvalidKeyFormat.into());
    }
    Ok(Box::new(RingVerifier {
        algorithm: *algorithm,
        key: key.clone(),
        key_kind: key_kind(*algorithm).ok_or(ErrorKind::InvalidAlgorithm)?,
    }))
}

impl Signer<Vec<u8>> for RingSigner {
    fn try_sign(&self, message: &[u8]) -> Result<Vec<u8>, Error> {
        Ok(hmac::sign(&self.key, message).as_ref().to_vec())
    }
}

impl JwtSigner for RingSigner {
    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }
}

impl Verifier<Vec<u8>> for RingVerifier {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> Result<(), Error> {
        let checked = match (self.key_kind, self.key.kind()) {
            (KeyKind::Secret(mac), DecodingKeyKind::SecretOrDer(secret)) => {
                hmac::verify(&hmac::Key::new(mac, secret), message, signature)
            }
            (KeyKind::Rsa(parameters), DecodingKeyKind::RsaModulusExponent { n, e }) => {
                RsaPublicKeyComponents { n, e }.verify(parameters, message, signature)
            }
            (KeyKind::Rsa(parameters), DecodingKeyKind::SecretOrDer(key)) => {
                UnparsedPublicKey::new(parameters, key).verify(message, signature)
            }
            (KeyKind::Curve(curve), DecodingKeyKind::SecretOrDer(key)) => {
                UnparsedPublicKey::new(curve, key).verify(message, signature)
            }
            (
                KeyKind::Secret(_) | KeyKind::Curve(_),
                DecodingKeyKind::RsaModulusExponent { .. },
            ) => {
                return Err(unfit("the key is of another kind"));
            }
        };
        checked.map_err(unfit)
    }
}

impl JwtVerifier for RingVerifier {
    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }
}

fn unfit(why: impl Display) -> Error {
    Error::from_source(why.to_string())
}

#[cfg(test)]
mod tests {
    use jsonwebtoken::Validation;
    use jsonwebtoken::jwk::Jwk;
    use serde_json::{Value, json};

    use super::*;

    /// The examples of RFC 7515 (A.1, A.3) and RFC 8037 (A.4): key, signed message, and signature.
    fn examples() -> [(Algorithm, Value, String, &'static str); 3] {
        let joe = "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFt\
                   cGxlLmNvbS9pc19yb290Ijp0cnVlfQ";
        [
            (
                Algorithm::HS256,
                json!({"kty": "oct", "k": "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75\
                                           aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"}),
                format!("eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.{joe}"),
                "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
            ),
            (
                Algorithm::ES256,
                json!({
                    "kty": "EC", "crv": "P-256",
                    "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
                    "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
                }),
                format!("eyJhbGciOiJFUzI1NiJ9.{joe}"),
                "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q",
            ),
            (
                Algorithm::EdDSA,
                json!({
                    "kty": "OKP", "crv": "Ed25519",
                    "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
                }),
                String::from("eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc"),
                "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg",
            ),
        ]
    }

    #[test]
    fn the_examples_of_the_standards_are_signed_as_they_say() {
        use_ring();
        for (algorithm, key, message, signature) in examples() {
            let key: Jwk = serde_json::from_value(key).unwrap();
            let key = DecodingKey::from_jwk(&key).unwrap();
            let holds = |message: &str, signature: &str| {
                jsonwebtoken::crypto::verify(signature, message.as_bytes(), &key, algorithm)
            };
            assert!(holds(&message, signature).unwrap(), "{algorithm:?}");
            let other = message.replacen('e', "f", 1);
            assert!(!holds(&other, signature).unwrap(), "{algorithm:?}");
            let other = signature.chars().rev().collect::<String>();
            assert!(!holds(&message, &other).unwrap_or(false), "{algorithm:?}");
            assert!(!holds(&message, "").unwrap(), "{algorithm:?}");
        }
    }

    /// A public key must not be accepted as an HMAC secret, with which anybody could sign (**algorithm confusion**).
    #[test]
    fn a_key_is_of_one_kind_of_algorithm() {
        use_ring();
        let [(_, secret, ..), (_, curve, ..), _] = examples();
        for (key, algorithm) in [(secret, Algorithm::ES256), (curve, Algorithm::HS256)] {
            let key: Jwk = serde_json::from_value(key).unwrap();
            let key = DecodingKey::from_jwk(&key).unwrap();
            assert!(verifier(&algorithm, &key).is_err());
        }
        let secret = EncodingKey::from_secret(b"secret");
        assert!(signer(&Algorithm::ES256, &secret).is_err());
        let token = jsonwebtoken::encode(&jsonwebtoken::Header::default(), &json!({}), &secret);
        let mut validation = Validation::new(Algorithm::HS256);
        validation.required_spec_claims.clear();
        let read = |secret: &[u8]| {
            let key = DecodingKey::from_secret(secret);
            jsonwebtoken::decode::<Value>(token.as_ref().unwrap(), &key, &validation).is_ok()
        };
        assert!(read(b"secret") && !read(b"secreT"));
    }
}
