//! Bytes in records.

use xxhash_rust::xxh3::xxh3_64;

/// Bytes in full; `-` for none.
pub(crate) fn hex(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return String::from("-");
    }
    let digit = |half: u8| char::from(b"0123456789abcdef"[usize::from(half)]);
    let digits = bytes
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]);
    digits.collect()
}

pub(crate) fn unhex(text: &str) -> Vec<u8> {
    let digits = text.trim_start_matches('-').as_bytes();
    let pairs = digits.chunks(2);
    pairs
        .map(|pair| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}

/// A hash of bytes; `-` for none.
pub(crate) fn short(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return String::from("-");
    }
    let mut digits = format!("{:016x}", xxh3_64(bytes));
    digits.truncate(6);
    digits
}
