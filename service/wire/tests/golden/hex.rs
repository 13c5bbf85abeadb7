//! Bytes as text in records.

use xxhash_rust::xxh3::xxh3_64;

/// Returns bytes in full; `-` if there are none.
pub(crate) fn hex(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return String::from("-");
    }
    const_hex::encode(bytes)
}

pub(crate) fn unhex(text: &str) -> Vec<u8> {
    const_hex::decode(text.trim_start_matches('-')).expect("recorded bytes")
}

/// Returns a short hash of bytes; `-` if there are none.
pub(crate) fn short(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return String::from("-");
    }
    let mut digits = format!("{:016x}", xxh3_64(bytes));
    digits.truncate(6);
    digits
}
