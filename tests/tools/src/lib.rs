//! The code that tests share with the programs of this package: the digests of recorded conformance sessions, and the
//! conversion of recorded games.

pub mod recorded;

use serde_json::Value;
use sha2::{Digest, Sha256};

/// Returns the digest that replaces a part of a response in a recorded session: the first 8 hexadecimal digits of the
/// SHA-256 of its canonical JSON (RFC 8785: sorted names, no spaces). An empty list counts as `null`, because protobuf
/// JSON omits it.
#[must_use]
pub fn digest(part: &Value) -> String {
    let is_empty = part.as_array().is_some_and(Vec::is_empty);
    let json = if is_empty { Value::Null } else { part.clone() }.to_string();
    const_hex::encode(&Sha256::digest(json)[..4])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_digest_is_that_of_canonical_json() {
        // printf '{"a":[],"b":{"c":"é"}}' | sha256sum
        assert_eq!(digest(&json!({"b": {"c": "é"}, "a": []})), "ee339299");
        assert_eq!(digest(&json!([])), digest(&Value::Null));
    }
}
