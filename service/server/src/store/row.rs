//! Index rows as bytes, and the order of a list.

use uuid::Uuid;

use super::{GameId, IndexRow, ListFilter, StoreError};

/// The first byte of an encoded row. Another layout gets another number.
const FORMAT: u8 = 1;

/// The place of a game in a list, oldest first; lists are read backwards.
pub(super) type Place = (u64, GameId);

/// The bytes of a [`Place`]; they sort as places do.
pub(super) const PLACE_LEN: usize = 24;

/// The place of a game in a list.
pub(super) fn place_of(id: GameId, row: &IndexRow) -> Place {
    (row.created_ms, id)
}

/// A place as bytes that sort as places do.
pub(super) fn encode_place(place: Place) -> [u8; PLACE_LEN] {
    let mut bytes = [0; PLACE_LEN];
    bytes[..8].copy_from_slice(&place.0.to_be_bytes());
    bytes[8..].copy_from_slice(place.1.as_bytes());
    bytes
}

/// The place in such bytes.
pub(super) fn decode_place(bytes: &[u8]) -> Option<Place> {
    let (created, id) = bytes.split_first_chunk::<8>()?;
    Some((u64::from_be_bytes(*created), Uuid::from_slice(id).ok()?))
}

/// A row as bytes: format, finished, creation time, ruleset (its length in one byte before it),
/// tenant.
pub(super) fn encode_row(row: &IndexRow) -> Result<Vec<u8>, StoreError> {
    let ruleset_len = u8::try_from(row.ruleset.len())
        .map_err(|_| StoreError::Unavailable("the ruleset's id is too long".into()))?;
    let mut bytes = Vec::with_capacity(11 + row.ruleset.len() + row.tenant.len());
    bytes.extend([FORMAT, u8::from(row.finished)]);
    bytes.extend(row.created_ms.to_be_bytes());
    bytes.push(ruleset_len);
    bytes.extend(row.ruleset.as_bytes());
    bytes.extend(row.tenant.as_bytes());
    Ok(bytes)
}

/// The row in such bytes.
pub(super) fn decode_row(bytes: &[u8]) -> Result<IndexRow, StoreError> {
    read_row(bytes).ok_or_else(|| StoreError::Damaged("a row of the list cannot be read".into()))
}

fn read_row(bytes: &[u8]) -> Option<IndexRow> {
    let ([FORMAT, finished], rest) = bytes.split_first_chunk::<2>()? else {
        return None;
    };
    let (created, rest) = rest.split_first_chunk::<8>()?;
    let (ruleset_len, rest) = rest.split_first()?;
    let (ruleset, tenant) = rest.split_at_checked(usize::from(*ruleset_len))?;
    Some(IndexRow {
        tenant: String::from_utf8(tenant.to_vec()).ok()?,
        ruleset: String::from_utf8(ruleset.to_vec()).ok()?,
        created_ms: u64::from_be_bytes(*created),
        finished: match finished {
            0 => false,
            1 => true,
            _ => return None,
        },
    })
}

/// Is this row asked for?
pub(super) fn matches(filter: &ListFilter, row: &IndexRow) -> bool {
    filter
        .tenant
        .as_ref()
        .is_none_or(|tenant| *tenant == row.tenant)
        && filter
            .ruleset
            .as_ref()
            .is_none_or(|ruleset| *ruleset == row.ruleset)
        && filter
            .finished
            .is_none_or(|finished| finished == row.finished)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_survives_the_bytes_and_nothing_shorter_does() {
        let row = IndexRow {
            tenant: "Zürich".into(),
            ruleset: "dominion".into(),
            created_ms: 1_790_000_000_000,
            finished: true,
        };
        let bytes = encode_row(&row).unwrap();
        assert_eq!(decode_row(&bytes).unwrap(), row);
        for len in 0..11 + row.ruleset.len() {
            assert!(decode_row(&bytes[..len]).is_err(), "{len} bytes");
        }
        assert!(
            decode_row(&[&[2], &bytes[1..]].concat()).is_err(),
            "another format"
        );
    }

    #[test]
    fn places_sort_as_their_bytes() {
        let mut places = [
            (2, Uuid::from_u128(1)),
            (1, Uuid::from_u128(9)),
            (256, Uuid::from_u128(0)),
            (1, Uuid::from_u128(2)),
        ];
        places.sort_unstable();
        let mut bytes = places.map(encode_place);
        bytes.sort_unstable();
        assert_eq!(bytes.map(|place| decode_place(&place).unwrap()), places);
    }
}
