//! What those who record sessions share with the program that replays them.

use serde_json::Value;
use sha2::{Digest, Sha256};

/// The digest that stands for a part of an answer in a recorded session: the first 8 hexadecimal digits of the SHA-256
/// of its JSON, with the names of each object in order and without spaces (RFC 8785). An empty list counts as `null`,
/// since protobuf JSON leaves it out.
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
