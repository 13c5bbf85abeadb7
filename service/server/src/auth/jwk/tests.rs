use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;
use gamekeeper_games::authz::Role;
use ring::rand::SystemRandom;
use ring::rsa;
use ring::signature::{self as public, EcdsaKeyPair, Ed25519KeyPair, KeyPair, RsaEncoding};
use serde_json::json;
use tempfile::TempDir;

use super::*;
use crate::auth::{AuthConfig, Authenticator, JwtRules};

/// An identity provider with keys of every kind.
struct Provider {
    rsa: rsa::KeyPair,
    p256: EcdsaKeyPair,
    p384: EcdsaKeyPair,
    ed25519: Ed25519KeyPair,
}

impl Provider {
    fn new() -> Self {
        let random = SystemRandom::new();
        let curve = |algorithm| {
            let key = EcdsaKeyPair::generate_pkcs8(algorithm, &random).unwrap();
            EcdsaKeyPair::from_pkcs8(algorithm, key.as_ref(), &random).unwrap()
        };
        let ed25519 = Ed25519KeyPair::generate_pkcs8(&random).unwrap();
        Self {
            rsa: rsa::KeyPair::from_der(include_bytes!("rsa.der")).unwrap(),
            p256: curve(&public::ECDSA_P256_SHA256_FIXED_SIGNING),
            p384: curve(&public::ECDSA_P384_SHA384_FIXED_SIGNING),
            ed25519: Ed25519KeyPair::from_pkcs8(ed25519.as_ref()).unwrap(),
        }
    }

    /// The public keys without `alg`, each with an id, as Entra ID publishes them.
    fn keys(&self) -> [Value; 4] {
        let rsa = rsa::PublicKeyComponents::<Vec<u8>>::from(self.rsa.public());
        let [x256, y256] = coordinates(&self.p256);
        let [x384, y384] = coordinates(&self.p384);
        let x25519 = BASE64.encode(self.ed25519.public_key());
        [
            json!({
                "kty": "RSA", "use": "sig", "kid": "rsa", "x5t": "rsa",
                "n": BASE64.encode(rsa.n), "e": BASE64.encode(rsa.e),
                "x5c": ["MIIC"], "issuer": "https://login.example/v2.0",
            }),
            json!({"kty": "EC", "kid": "p256", "crv": "P-256", "x": x256, "y": y256}),
            json!({"kty": "EC", "kid": "p384", "crv": "P-384", "x": x384, "y": y384}),
            json!({"kty": "OKP", "kid": "ed25519", "crv": "Ed25519", "x": x25519}),
        ]
    }

    /// Signs a token of the tenant green.
    fn token(&self, key_id: &str, algorithm: &str) -> String {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        let header = json!({"alg": algorithm, "kid": key_id});
        let claims = json!({"tenant": "green", "exp": now.as_secs() + 600});
        let part = |part: Value| BASE64.encode(part.to_string());
        let message = format!("{}.{}", part(header), part(claims));
        let signature = self.sign(algorithm, message.as_bytes());
        format!("{message}.{}", BASE64.encode(signature))
    }

    fn sign(&self, algorithm: &str, message: &[u8]) -> Vec<u8> {
        let random = SystemRandom::new();
        let of_rsa: &dyn RsaEncoding = match algorithm {
            "RS256" => &public::RSA_PKCS1_SHA256,
            "RS384" => &public::RSA_PKCS1_SHA384,
            "RS512" => &public::RSA_PKCS1_SHA512,
            "PS256" => &public::RSA_PSS_SHA256,
            "PS384" => &public::RSA_PSS_SHA384,
            "PS512" => &public::RSA_PSS_SHA512,
            "ES256" => return self.p256.sign(&random, message).unwrap().as_ref().into(),
            "ES384" => return self.p384.sign(&random, message).unwrap().as_ref().into(),
            _ => return self.ed25519.sign(message).as_ref().into(),
        };
        let mut signature = vec![0; self.rsa.public().modulus_len()];
        let signed = self.rsa.sign(of_rsa, &random, message, &mut signature);
        signed.unwrap();
        signature
    }
}

/// Returns the coordinates of a public key, which is a byte and a point.
fn coordinates(key: &EcdsaKeyPair) -> [String; 2] {
    let point = &key.public_key().as_ref()[1..];
    let (x, y) = point.split_at(point.len() / 2);
    [x, y].map(|part| BASE64.encode(part))
}

/// Loads a key set, or returns the reason why it is refused.
fn load(keys: &[Value]) -> Result<Authenticator, String> {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: String| {
        let file = folder.path().join(name);
        std::fs::write(&file, text).unwrap();
        file
    };
    let config = AuthConfig::Tokens {
        tenant_keys: None,
        operator_keys: None,
        tenant_jwks: Some(write("jwks", json!({"keys": keys}).to_string())),
        jwt: JwtRules::default(),
        token_keys: write("tokens", "a secret of more than 32 characters".into()),
    };
    Authenticator::load(&config).map_err(|error| error.to_string())
}

fn is_accepted(authenticator: &Authenticator, token: &str) -> bool {
    let caller = authenticator.caller(Some(&format!("Bearer {token}")), || Ok(()));
    caller.is_ok_and(|caller| caller.role == Role::Tenant(String::from("green")))
}

/// The algorithms of each kind of key.
const KINDS: [(&str, &[&str]); 4] = [
    (
        "rsa",
        &["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
    ),
    ("p256", &["ES256"]),
    ("p384", &["ES384"]),
    ("ed25519", &["EdDSA"]),
];

/// RFC 7517 makes `alg` optional.
#[test]
fn a_key_is_good_for_the_algorithms_of_its_kind_or_for_the_one_that_it_names() {
    let provider = Provider::new();
    let mut keys = provider.keys();
    let unnamed = load(&keys).unwrap();
    assert_eq!(unnamed.skipped_keys(), []);
    for (id, algorithms) in KINDS {
        for algorithm in algorithms {
            let token = provider.token(id, algorithm);
            assert!(is_accepted(&unnamed, &token), "{id} {algorithm}");
        }
    }
    keys[0]["alg"] = json!("RS384");
    let named = load(&keys).unwrap();
    for algorithm in KINDS[0].1 {
        let token = provider.token("rsa", algorithm);
        assert_eq!(is_accepted(&named, &token), *algorithm == "RS384");
    }
}

/// Returns a key with some members changed; those set to null are removed.
fn changed(key: &Value, change: &Value) -> Value {
    let mut key = key.clone();
    let members = key.as_object_mut().unwrap();
    for (name, value) in change.as_object().unwrap() {
        members.insert(name.clone(), value.clone());
    }
    members.retain(|_, value| !value.is_null());
    key
}

/// Keys that verify no token, each with its reason.
fn useless_keys(provider: &Provider) -> Vec<(Value, KeyProblem)> {
    let [rsa, p256, _, ed25519] = provider.keys();
    let secret = json!({"kty": "oct", "k": "c2VjcmV0"});
    let text = String::from;
    let change = |key: &Value, change| changed(key, &change);
    vec![
        // Keycloak publishes a key for encryption beside the one for signatures.
        (
            change(&rsa, json!({"use": "enc", "alg": "RSA-OAEP"})),
            KeyProblem::Use(text("enc")),
        ),
        (
            change(&rsa, json!({"use": null, "alg": "RSA-OAEP"})),
            KeyProblem::Algorithm(text("RSA-OAEP")),
        ),
        (
            change(&rsa, json!({"key_ops": ["encrypt", "wrapKey"]})),
            KeyProblem::Operations,
        ),
        (
            change(&rsa, json!({"alg": "ES256"})),
            KeyProblem::WrongAlgorithm(text("ES256")),
        ),
        (
            change(&p256, json!({"crv": "P-521", "alg": "ES512"})),
            KeyProblem::Curve(text("P-521")),
        ),
        (
            change(&ed25519, json!({"crv": "X25519"})),
            KeyProblem::Curve(text("X25519")),
        ),
        (
            json!({"kty": "AKP", "alg": "ML-DSA-44", "pub": "AAAA"}),
            KeyProblem::KeyType(text("AKP")),
        ),
        (secret.clone(), KeyProblem::SecretWithoutAlgorithm),
        (
            change(&secret, json!({"alg": "HS256", "k": ""})),
            KeyProblem::EmptySecret,
        ),
        (
            change(&rsa, json!({"n": "AQAB"})),
            KeyProblem::RsaLength(17),
        ),
        (change(&p256, json!({"x": "AQAB"})), KeyProblem::Malformed),
        (change(&p256, json!({"y": null})), KeyProblem::Malformed),
        (change(&rsa, json!({"kty": null})), KeyProblem::Malformed),
        (
            change(&rsa, json!({"n": "no base64!"})),
            KeyProblem::Malformed,
        ),
        (json!("not an object"), KeyProblem::Malformed),
        (
            change(&rsa, json!({"tenants": "green"})),
            KeyProblem::Policy,
        ),
    ]
}

#[test]
fn a_key_that_verifies_nothing_is_skipped_and_named_and_the_others_are_used() {
    let provider = Provider::new();
    let good = &provider.keys()[1];
    for (useless, reason) in useless_keys(&provider) {
        let authenticator = load(&[useless.clone(), good.clone()]).unwrap();
        let skipped = SkippedKey {
            position: 1,
            id: key_id(&useless),
            reason,
        };
        assert_eq!(authenticator.skipped_keys(), [skipped], "{useless}");
        assert!(is_accepted(
            &authenticator,
            &provider.token("p256", "ES256")
        ));
        assert!(!is_accepted(
            &authenticator,
            &provider.token("rsa", "RS256")
        ));
    }
}

#[test]
fn a_set_without_a_usable_key_is_refused_with_all_reasons() {
    let (keys, reasons): (Vec<_>, Vec<_>) = useless_keys(&Provider::new()).into_iter().unzip();
    let refused = load(&keys).err().unwrap();
    for reason in reasons {
        assert!(refused.contains(&reason.to_string()), "{refused}");
    }
    assert!(load(&[]).err().unwrap().ends_with("contains no key"));
}
