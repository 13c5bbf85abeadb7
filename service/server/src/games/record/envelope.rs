//! The envelope around every stored piece: format, revision, checksum.

use gamekeeper_rules::table::decode;
use serde::Serialize;
use serde::de::DeserializeOwned;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::problem::Problem;
use crate::store::Version;

/// The format of pieces without table life.
pub(super) const PLAIN: u8 = 1;

/// The format of pieces with table life.
pub(super) const BESIDE: u8 = 2;

/// The format of the first entry of a fork; the newest that this build knows.
pub(super) const FORKED: u8 = 3;

/// The length of the checksum at the end of an envelope, in bytes.
const CHECKSUM: usize = 4;

/// Wraps a body for the store. The checksum binds it to its version.
pub(super) fn seal<T: Serialize>(
    format: u8,
    revision: u32,
    version: Version,
    body: &T,
) -> Result<Vec<u8>, Problem> {
    let mut bytes = postcard_bytes(&(format, revision, body))?;
    let sum = checksum(version, &bytes);
    bytes.extend_from_slice(&sum);
    Ok(bytes)
}

/// Format and body of what [`seal`] wrote.
pub(super) fn open(revision: u32, version: Version, bytes: &[u8]) -> Result<(u8, &[u8]), Problem> {
    let Envelope {
        format,
        revision: found,
        body,
    } = envelope(version, checked(version, bytes)?)?;
    match found.cmp(&revision) {
        std::cmp::Ordering::Equal => Ok((format, body)),
        std::cmp::Ordering::Greater => Err(Problem::SnapshotTooNew),
        std::cmp::Ordering::Less => Err(Problem::RulesTooOld),
    }
}

pub(super) fn read<T: DeserializeOwned>(version: Version, body: &[u8]) -> Result<T, Problem> {
    decode(body).map_err(|error| damaged(version, &error))
}

/// The bytes without their checksum, if it matches.
pub(super) fn checked(version: Version, bytes: &[u8]) -> Result<&[u8], Problem> {
    match bytes.split_last_chunk::<CHECKSUM>() {
        Some((body, sum)) if *sum == checksum(version, body) => Ok(body),
        Some(_) => Err(Problem::Damaged(format!(
            "version {version}: the checksum does not match"
        ))),
        None => Err(Problem::Damaged(format!(
            "version {version}: only {} bytes",
            bytes.len()
        ))),
    }
}

/// A decoded envelope.
pub(super) struct Envelope<'a> {
    format: u8,
    revision: u32,
    pub(super) body: &'a [u8],
}

/// Decodes an envelope of a format that this build knows.
pub(super) fn envelope(version: Version, bytes: &[u8]) -> Result<Envelope<'_>, Problem> {
    let (format, rest) =
        postcard::take_from_bytes::<u8>(bytes).map_err(|error| damaged(version, &error))?;
    if format > FORKED {
        return Err(Problem::SnapshotTooNew);
    }
    let (revision, body) =
        postcard::take_from_bytes::<u32>(rest).map_err(|error| damaged(version, &error))?;
    Ok(Envelope {
        format,
        revision,
        body,
    })
}

fn checksum(version: Version, bytes: &[u8]) -> [u8; CHECKSUM] {
    let hash = xxh3_64_with_seed(bytes, version).to_be_bytes();
    std::array::from_fn(|at| hash[at])
}

/// The initial capacity of a buffer, in bytes: most pieces are smaller, so their buffers need not grow.
const USUAL: usize = 512;

fn postcard_bytes<T: Serialize>(value: &T) -> Result<Vec<u8>, Problem> {
    postcard::to_extend(value, Vec::with_capacity(USUAL))
        .map_err(|error| Problem::Fault(error.to_string()))
}

/// The error for a piece with the format of another kind of piece.
pub(super) fn misplaced(version: Version) -> Problem {
    damaged(version, &"the format of another kind of piece")
}

pub(super) fn damaged(version: Version, error: &dyn std::fmt::Display) -> Problem {
    Problem::Damaged(format!("version {version}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sealed() -> Vec<u8> {
        seal(PLAIN, 3, 7, &String::from("table")).unwrap()
    }

    #[test]
    fn what_is_sealed_opens() {
        let sealed = sealed();
        let (format, body) = open(3, 7, &sealed).unwrap();
        assert_eq!(format, PLAIN);
        assert_eq!(read::<String>(7, body).unwrap(), "table");
    }

    #[test]
    fn every_flipped_bit_is_noticed() {
        for at in 0..sealed().len() * 8 {
            let mut bytes = sealed();
            bytes[at / 8] ^= 1 << (at % 8);
            assert!(
                matches!(open(3, 7, &bytes), Err(Problem::Damaged(_))),
                "bit {at}"
            );
        }
    }

    #[test]
    fn pieces_of_another_place_or_time_are_refused() {
        assert!(matches!(open(3, 8, &sealed()), Err(Problem::Damaged(_))));
        assert!(matches!(
            open(2, 7, &sealed()),
            Err(Problem::SnapshotTooNew)
        ));
        assert!(matches!(open(4, 7, &sealed()), Err(Problem::RulesTooOld)));
        let mut newer = postcard_bytes(&(FORKED + 1, 3_u32, "table")).unwrap();
        let sum = checksum(7, &newer);
        newer.extend_from_slice(&sum);
        assert!(matches!(open(3, 7, &newer), Err(Problem::SnapshotTooNew)));
        assert!(matches!(open(3, 7, &[]), Err(Problem::Damaged(_))));
    }
}
