//! The **envelope** around every stored piece: format number, rules revision, body and checksum.

use std::cmp::Ordering;
use std::fmt::Display;

use gamekeeper_store::Version;
use prost::Message;
use prost::encoding::{decode_varint, encode_varint};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::errors::ServiceError;

/// The format that this build writes, which is also the newest that it reads.
const FORMAT: u8 = 1;

/// The maximum length of format number and revision together, in bytes.
const MAX_HEADER_LEN: usize = 6;

/// The length of the checksum at the end of an envelope, in bytes.
const CHECKSUM_LEN: usize = 4;

/// Encodes a body with its envelope. The checksum covers the version as well, so that a piece stored under another
/// version is detected.
pub(super) fn encode_envelope(revision: u32, version: Version, body: &impl Message) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(MAX_HEADER_LEN + body.encoded_len() + CHECKSUM_LEN);
    bytes.push(FORMAT);
    encode_varint(revision.into(), &mut bytes);
    body.encode_raw(&mut bytes);
    let checksum = checksum(version, &bytes);
    bytes.extend_from_slice(&checksum);
    bytes
}

/// Decodes the body of what [`encode_envelope`] encoded, if its revision of the rules is this one.
pub(super) fn decode_envelope<M: Message + Default>(
    revision: u32,
    version: Version,
    bytes: &[u8],
) -> Result<M, ServiceError> {
    let (stored_revision, body) = split_envelope(version, bytes)?;
    match stored_revision.cmp(&u64::from(revision)) {
        Ordering::Equal => decode_body(version, body),
        Ordering::Greater => Err(ServiceError::WrittenByNewerBuild),
        Ordering::Less => Err(ServiceError::RulesTooOld),
    }
}

/// Decodes the body of what [`encode_envelope`] encoded, of any revision.
pub(super) fn decode_any_revision<M: Message + Default>(
    version: Version,
    bytes: &[u8],
) -> Result<M, ServiceError> {
    let (_, body) = split_envelope(version, bytes)?;
    decode_body(version, body)
}

fn decode_body<M: Message + Default>(version: Version, body: &[u8]) -> Result<M, ServiceError> {
    M::decode(body).map_err(|error| damaged(version, &error))
}

/// Returns revision and body of a piece, after checking its checksum and format.
fn split_envelope(version: Version, bytes: &[u8]) -> Result<(u64, &[u8]), ServiceError> {
    let format = |(number, rest): (&u8, _)| match number.cmp(&FORMAT) {
        Ordering::Less => Err(damaged(version, &"format 0 does not exist")),
        Ordering::Equal => Ok(rest),
        Ordering::Greater => Err(ServiceError::WrittenByNewerBuild),
    };
    let bytes = verify_checksum(version, bytes)?.split_first();
    let mut rest: &[u8] = format(bytes.ok_or_else(|| damaged(version, &"nothing"))?)?;
    let revision = decode_varint(&mut rest).map_err(|error| damaged(version, &error))?;
    Ok((revision, rest))
}

/// Returns the bytes before the checksum, after checking it.
fn verify_checksum(version: Version, bytes: &[u8]) -> Result<&[u8], ServiceError> {
    match bytes.split_last_chunk::<CHECKSUM_LEN>() {
        Some((body, sum)) if *sum == checksum(version, body) => Ok(body),
        Some(_) => Err(damaged(version, &"the checksum does not match")),
        None => Err(damaged(version, &format!("only {} bytes", bytes.len()))),
    }
}

fn checksum(version: Version, bytes: &[u8]) -> [u8; CHECKSUM_LEN] {
    let hash = xxh3_64_with_seed(bytes, version).to_be_bytes();
    std::array::from_fn(|index| hash[index])
}

pub(super) fn damaged(version: Version, error: &dyn Display) -> ServiceError {
    ServiceError::Damaged(format!("version {version}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sealed() -> Vec<u8> {
        encode_envelope(3, 7, &String::from("table"))
    }

    #[test]
    fn what_is_sealed_opens() {
        assert_eq!(decode_envelope::<String>(3, 7, &sealed()).unwrap(), "table");
        assert_eq!(
            decode_any_revision::<String>(7, &sealed()).unwrap(),
            "table"
        );
    }

    #[test]
    fn every_flipped_bit_is_noticed() {
        for at in 0..sealed().len() * 8 {
            let mut bytes = sealed();
            bytes[at / 8] ^= 1 << (at % 8);
            let opened = decode_envelope::<String>(3, 7, &bytes);
            assert!(matches!(opened, Err(ServiceError::Damaged(_))), "bit {at}");
        }
    }

    #[test]
    fn pieces_of_another_place_or_time_are_refused() {
        let open =
            |revision, version, bytes: &[u8]| decode_envelope::<String>(revision, version, bytes);
        assert!(matches!(
            open(3, 8, &sealed()),
            Err(ServiceError::Damaged(_))
        ));
        assert!(matches!(
            open(2, 7, &sealed()),
            Err(ServiceError::WrittenByNewerBuild)
        ));
        assert!(matches!(
            open(4, 7, &sealed()),
            Err(ServiceError::RulesTooOld)
        ));
        assert!(matches!(open(3, 7, &[]), Err(ServiceError::Damaged(_))));
    }

    /// Encodes a piece with this number as its format and a valid checksum.
    fn numbered(number: u8) -> Vec<u8> {
        let mut bytes = sealed();
        bytes[0] = number;
        bytes.truncate(bytes.len() - CHECKSUM_LEN);
        let sum = checksum(7, &bytes);
        bytes.extend_from_slice(&sum);
        bytes
    }

    #[test]
    fn a_number_that_is_no_format_is_never_taken_for_one() {
        let open = |number| decode_envelope::<String>(3, 7, &numbered(number));
        assert!(matches!(open(0), Err(ServiceError::Damaged(_))));
        assert_eq!(open(FORMAT).unwrap(), "table");
        for newer in [2, 5, 127, 128, 255] {
            assert!(
                matches!(open(newer), Err(ServiceError::WrittenByNewerBuild)),
                "{newer}"
            );
        }
    }
}
