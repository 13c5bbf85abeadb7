//! The envelope around every stored piece: format, revision, checksum.

use gamekeeper_rules::table::decode;
use serde::Serialize;
use serde::de::DeserializeOwned;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::problem::Problem;
use crate::store::Version;

/// What a piece contains. It is stored as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// No table life.
    Plain = 1,
    /// Table life.
    Beside = 2,
    /// The first entry of a fork; the newest format that this build knows.
    Forked = 3,
}

impl Format {
    /// The format with this number.
    fn read(version: Version, number: u8) -> Result<Format, Problem> {
        match number {
            0 => Err(damaged(version, &"format 0 does not exist")),
            1 => Ok(Format::Plain),
            2 => Ok(Format::Beside),
            3 => Ok(Format::Forked),
            4.. => Err(Problem::SnapshotTooNew),
        }
    }
}

/// The length of the checksum at the end of an envelope, in bytes.
const CHECKSUM: usize = 4;

/// Wraps a body for the store. The checksum binds it to its version.
pub(super) fn seal<T: Serialize>(
    format: Format,
    revision: u32,
    version: Version,
    body: &T,
) -> Result<Vec<u8>, Problem> {
    let mut bytes = postcard_bytes(&(format as u8, revision, body))?;
    let sum = checksum(version, &bytes);
    bytes.extend_from_slice(&sum);
    Ok(bytes)
}

/// Format and body of what [`seal`] wrote.
pub(super) fn open(
    revision: u32,
    version: Version,
    bytes: &[u8],
) -> Result<(Format, &[u8]), Problem> {
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
    format: Format,
    revision: u32,
    pub(super) body: &'a [u8],
}

/// Decodes an envelope of a format that this build knows.
pub(super) fn envelope(version: Version, bytes: &[u8]) -> Result<Envelope<'_>, Problem> {
    let (number, rest) =
        postcard::take_from_bytes::<u8>(bytes).map_err(|error| damaged(version, &error))?;
    let format = Format::read(version, number)?;
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
        seal(Format::Plain, 3, 7, &String::from("table")).unwrap()
    }

    #[test]
    fn what_is_sealed_opens() {
        let sealed = sealed();
        let (format, body) = open(3, 7, &sealed).unwrap();
        assert_eq!(format, Format::Plain);
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
        assert!(matches!(open(3, 7, &[]), Err(Problem::Damaged(_))));
    }

    /// A piece with this number as its format, and a checksum that matches.
    fn numbered(number: u8) -> Vec<u8> {
        let mut bytes = postcard_bytes(&(number, 3_u32, "table")).unwrap();
        let sum = checksum(7, &bytes);
        bytes.extend_from_slice(&sum);
        bytes
    }

    #[test]
    fn a_number_that_is_no_format_is_never_taken_for_one() {
        assert!(matches!(open(3, 7, &numbered(0)), Err(Problem::Damaged(_))));
        for format in [Format::Plain, Format::Beside, Format::Forked] {
            let bytes = numbered(format as u8);
            assert_eq!(open(3, 7, &bytes).unwrap().0, format);
        }
        for newer in [4, 5, 127, 128, 255] {
            let bytes = numbered(newer);
            let opened = open(3, 7, &bytes);
            assert!(matches!(opened, Err(Problem::SnapshotTooNew)), "{newer}");
        }
    }
}
