//! The encoding of index rows, and the order of lists.

use uuid::Uuid;

use super::{GameId, IndexRow, ListFilter, ListPosition, Lists, StoreError};

/// The first byte of an encoded row without named lists.
const PLAIN: u8 = 1;

/// The first byte of an encoded row with named lists.
const LISTED: u8 = 2;

/// The first byte of an encoded row with named and timed lists.
const TIMED: u8 = 4;

/// The length of an encoded [`ListPosition`].
pub const POSITION_LEN: usize = 24;

/// Returns the position of a game in the lists by creation.
pub fn creation_position(id: GameId, row: &IndexRow) -> ListPosition {
    let ms = row.created_ms;
    ListPosition { ms, id }
}

/// Returns the position of a game in its named lists, and the names of these lists.
pub fn named_lists(id: GameId, row: &IndexRow) -> Option<(ListPosition, &[String])> {
    let lists = row.lists.as_ref()?;
    let ms = lists.changed_ms;
    Some((ListPosition { ms, id }, &lists.names))
}

/// Encodes a position as bytes that sort like positions.
pub fn encode_position(position: ListPosition) -> [u8; POSITION_LEN] {
    let mut bytes = [0; POSITION_LEN];
    bytes[..8].copy_from_slice(&position.ms.to_be_bytes());
    bytes[8..].copy_from_slice(position.id.as_bytes());
    bytes
}

/// Decodes a position.
pub fn decode_position(bytes: &[u8]) -> Option<ListPosition> {
    let (ms, id) = bytes.split_first_chunk::<8>()?;
    let (ms, id) = (u64::from_be_bytes(*ms), Uuid::from_slice(id).ok()?);
    Some(ListPosition { ms, id })
}

/// Returns the range of a list that a filter selects and that follows `after`: from the first (older) position,
/// inclusive, to the second, exclusive.
pub fn bounds(filter: &ListFilter, after: Option<ListPosition>) -> (ListPosition, ListPosition) {
    let period = if filter.lists.is_empty() && filter.timed.is_none() {
        filter.created
    } else {
        filter.changed
    };
    let at = |ms| ListPosition {
        ms,
        id: Uuid::nil(),
    };
    let until = at(period.until_ms);
    let until = after.map_or(until, |after| after.min(until));
    (at(period.from_ms).min(until), until)
}

/// Encodes a row: format, finished, creation time, ruleset (with its length in one byte before it) and tenant. With
/// lists, the length of the tenant precedes it in two bytes, and the time of the last change and the names follow,
/// each name with its length in two bytes before it. With timed lists, their number in one byte, and time and name of
/// each, precede the other names.
pub fn encode_row(row: &IndexRow) -> Result<Vec<u8>, StoreError> {
    let ruleset_len = u8::try_from(row.ruleset.len()).map_err(|_| too_long("ruleset's id"))?;
    let mut bytes = Vec::with_capacity(11 + row.ruleset.len() + row.tenant.len());
    let format = match &row.lists {
        None => PLAIN,
        Some(lists) if lists.timed.is_empty() => LISTED,
        Some(_) => TIMED,
    };
    bytes.extend([format, u8::from(row.finished)]);
    bytes.extend(row.created_ms.to_be_bytes());
    bytes.push(ruleset_len);
    bytes.extend(row.ruleset.as_bytes());
    match &row.lists {
        None => bytes.extend(row.tenant.as_bytes()),
        Some(lists) => {
            put_text(&mut bytes, &row.tenant)?;
            bytes.extend(lists.changed_ms.to_be_bytes());
            if format == TIMED {
                put_timed(&mut bytes, &lists.timed)?;
            }
            for name in &lists.names {
                put_text(&mut bytes, name)?;
            }
        }
    }
    Ok(bytes)
}

/// Returns the length of the encoding of a row.
pub fn encoded_len(row: &IndexRow) -> usize {
    let texts = row.ruleset.len() + row.tenant.len();
    let lists = row.lists.as_ref().map_or(0, |lists| {
        let names: usize = lists.names.iter().map(|name| 2 + name.len()).sum();
        let timed: usize = lists.timed.iter().map(|(name, _)| 10 + name.len()).sum();
        10 + names + timed + usize::from(!lists.timed.is_empty())
    });
    11 + texts + lists
}

fn put_timed(bytes: &mut Vec<u8>, timed: &[(String, u64)]) -> Result<(), StoreError> {
    bytes.push(u8::try_from(timed.len()).map_err(|_| too_long("list of timed lists"))?);
    for (name, ms) in timed {
        bytes.extend(ms.to_be_bytes());
        put_text(bytes, name)?;
    }
    Ok(())
}

fn put_text(bytes: &mut Vec<u8>, text: &str) -> Result<(), StoreError> {
    let len = u16::try_from(text.len()).map_err(|_| too_long("name of a list"))?;
    bytes.extend(len.to_be_bytes());
    bytes.extend(text.as_bytes());
    Ok(())
}

fn too_long(what: &str) -> StoreError {
    StoreError::Unavailable(format!("the {what} is too long"))
}

/// Decodes a row.
pub fn decode_row(bytes: &[u8]) -> Result<IndexRow, StoreError> {
    read_row(bytes).ok_or_else(|| StoreError::Damaged("a row of the list cannot be read".into()))
}

fn read_row(bytes: &[u8]) -> Option<IndexRow> {
    let ([format, finished], rest) = bytes.split_first_chunk::<2>()?;
    let (created, rest) = rest.split_first_chunk::<8>()?;
    let (ruleset_len, rest) = rest.split_first()?;
    let (ruleset, rest) = rest.split_at_checked(usize::from(*ruleset_len))?;
    let (tenant, lists) = match *format {
        PLAIN => (text(rest)?, None),
        LISTED | TIMED => {
            let (tenant, rest) = take_text(rest)?;
            (tenant, Some(read_lists(rest, *format == TIMED)?))
        }
        _ => return None,
    };
    Some(IndexRow {
        tenant,
        ruleset: text(ruleset)?,
        created_ms: u64::from_be_bytes(*created),
        finished: match finished {
            0 => false,
            1 => true,
            _ => return None,
        },
        lists,
    })
}

fn read_lists(bytes: &[u8], is_timed: bool) -> Option<Lists> {
    let (changed, mut rest) = bytes.split_first_chunk::<8>()?;
    let mut timed = Vec::new();
    if is_timed {
        let (count, after) = rest.split_first()?;
        rest = after;
        for _ in 0..*count {
            let (ms, after) = rest.split_first_chunk::<8>()?;
            let (name, after) = take_text(after)?;
            timed.push((name, u64::from_be_bytes(*ms)));
            rest = after;
        }
    }
    let mut names = Vec::new();
    while !rest.is_empty() {
        let (name, after) = take_text(rest)?;
        names.push(name);
        rest = after;
    }
    let changed_ms = u64::from_be_bytes(*changed);
    Some(Lists {
        changed_ms,
        names,
        timed,
    })
}

fn take_text(bytes: &[u8]) -> Option<(String, &[u8])> {
    let (len, rest) = bytes.split_first_chunk::<2>()?;
    let (taken, rest) = rest.split_at_checked(usize::from(u16::from_be_bytes(*len)))?;
    Some((text(taken)?, rest))
}

fn text(bytes: &[u8]) -> Option<String> {
    String::from_utf8(bytes.to_vec()).ok()
}

/// Whether a filter matches this row.
pub fn matches(filter: &ListFilter, row: &IndexRow) -> bool {
    let is = |wanted: &Option<String>, actual: &String| {
        wanted.as_ref().is_none_or(|wanted| wanted == actual)
    };
    let in_time = match &filter.timed {
        Some(list) => row.time_in(list).is_some_and(|ms| filter.changed.has(ms)),
        None => {
            let changed = row.lists.as_ref().map(|lists| lists.changed_ms);
            changed.is_none_or(|changed| filter.changed.has(changed))
        }
    };
    is(&filter.tenant, &row.tenant)
        && is(&filter.ruleset, &row.ruleset)
        && filter
            .finished
            .is_none_or(|finished| finished == row.finished)
        && filter.created.has(row.created_ms)
        && in_time
        && filter
            .lists
            .iter()
            .all(|name| row.list_names().contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Period;

    #[test]
    fn a_row_survives_the_bytes_and_nothing_shorter_does() {
        let row = IndexRow {
            tenant: "Zürich".into(),
            ruleset: "dominion".into(),
            created_ms: 1_790_000_000_000,
            finished: true,
            lists: None,
        };
        let bytes = encode_row(&row).unwrap();
        assert_eq!(bytes.len(), encoded_len(&row));
        assert_eq!(decode_row(&bytes).unwrap(), row);
        for len in 0..11 + row.ruleset.len() {
            assert!(decode_row(&bytes[..len]).is_err(), "{len} bytes");
        }
        assert!(
            decode_row(&[&[3], &bytes[1..]].concat()).is_err(),
            "another format"
        );
    }

    #[test]
    fn a_row_with_lists_survives_the_bytes_too() {
        let row = IndexRow {
            tenant: "Zürich".into(),
            ruleset: "dominion".into(),
            created_ms: 1_790_000_000_000,
            finished: false,
            lists: Some(Lists {
                changed_ms: 1_790_000_000_001,
                names: vec!["u:Ada".into(), String::new(), "l:Größe=2".into()],
                timed: vec![("due".into(), 7), (String::new(), u64::MAX)],
            }),
        };
        let bytes = encode_row(&row).unwrap();
        assert_eq!(bytes.len(), encoded_len(&row));
        assert_eq!(decode_row(&bytes).unwrap(), row);
        let last = "l:Größe=2".len();
        for cut in 1..last {
            let shorter = &bytes[..bytes.len() - cut];
            assert!(decode_row(shorter).is_err(), "{cut} bytes less");
        }
        let none = IndexRow {
            lists: Some(Lists {
                changed_ms: 0,
                names: vec![],
                timed: vec![],
            }),
            ..row
        };
        let bytes = encode_row(&none).unwrap();
        assert_eq!(bytes.len(), encoded_len(&none));
        assert_eq!(decode_row(&bytes).unwrap(), none);
    }

    #[test]
    fn a_page_is_bounded_by_its_cursor_and_its_period() {
        let at = |ms, id| ListPosition {
            ms,
            id: Uuid::from_u128(id),
        };
        let filter = ListFilter {
            created: Period {
                from_ms: 3,
                until_ms: 9,
            },
            ..ListFilter::default()
        };
        assert_eq!(bounds(&filter, None), (at(3, 0), at(9, 0)));
        assert_eq!(bounds(&filter, Some(at(7, 5))), (at(3, 0), at(7, 5)));
        assert_eq!(bounds(&filter, Some(at(9, 5))), (at(3, 0), at(9, 0)));
        assert_eq!(bounds(&filter, Some(at(2, 5))), (at(2, 5), at(2, 5)));
    }

    #[test]
    fn positions_sort_as_their_bytes() {
        let mut positions = [(2, 1), (1, 9), (256, 0), (1, 2)].map(|(ms, id)| ListPosition {
            ms,
            id: Uuid::from_u128(id),
        });
        positions.sort_unstable();
        let mut bytes = positions.map(encode_position);
        bytes.sort_unstable();
        assert_eq!(
            bytes.map(|place| decode_position(&place).unwrap()),
            positions
        );
    }
}
