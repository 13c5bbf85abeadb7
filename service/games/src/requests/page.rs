//! **Pagination** of long lists. A page token holds the position of the next page, and is valid only for the list that
//! it was made for.

use gamekeeper_wire::Malformed;
use sha2::{Digest, Sha256};

use crate::errors::ServiceError;

/// The maximum number of entries on one page.
pub(crate) const MAX_PAGE: usize = 1_000;

/// The maximum number of components of a position, which is larger than any hand of cards.
const MAX_CURSOR_LEN: usize = 1_000;

/// The requested part of a list: a page size and a page token.
#[derive(Clone, Debug, Default)]
pub struct PageRequest {
    page_size: i32,
    page_token: String,
}

impl PageRequest {
    /// Creates a page of at most `page_size` entries (0: the default), from the position in `page_token` (empty: the
    /// beginning).
    #[must_use]
    pub const fn new(page_size: i32, page_token: String) -> Self {
        Self {
            page_size,
            page_token,
        }
    }

    /// Returns the maximum number of entries on this page: `default_limit` if the request names none, and never more
    /// than [`MAX_PAGE`].
    ///
    /// # Errors
    /// If the requested size is negative.
    pub(crate) fn limit(&self, default_limit: usize) -> Result<usize, Malformed> {
        match usize::try_from(self.page_size) {
            Ok(0) => Ok(default_limit),
            Ok(size) => Ok(size.min(MAX_PAGE)),
            Err(_) => Err(Malformed::new("page_size", "is negative")),
        }
    }

    /// Returns the position at which this page begins in the list that `list` describes. Returns `None` for the
    /// beginning.
    ///
    /// # Errors
    /// If the token was made for another list, or not by this service.
    pub(crate) fn decode_cursor<const N: usize>(
        &self,
        list: &str,
    ) -> Result<Option<[u64; N]>, ServiceError> {
        let cursor = self.decode_deep_cursor(list)?;
        let cursor = cursor.map(|cursor| cursor.try_into().map_err(|_| wrong_list()));
        Ok(cursor.transpose()?)
    }

    /// Returns the position at which this page begins, as [`Self::decode_cursor`] does, in a list whose positions have
    /// any number of components.
    ///
    /// # Errors
    /// If the token was made for another list, or not by this service.
    pub(crate) fn decode_deep_cursor(&self, list: &str) -> Result<Option<Vec<u64>>, ServiceError> {
        if self.page_token.is_empty() {
            return Ok(None);
        }
        let decode = || {
            let (expected_checksum, numbers) = self.page_token.split_once('-')?;
            let numbers = numbers.split('-').take(MAX_CURSOR_LEN + 1);
            let cursor: Option<Vec<u64>> = numbers
                .map(|number| u64::from_str_radix(number, 16).ok())
                .collect();
            cursor.filter(|cursor| {
                cursor.len() <= MAX_CURSOR_LEN && expected_checksum == checksum(list, cursor)
            })
        };
        Ok(Some(decode().ok_or_else(wrong_list)?))
    }
}

fn wrong_list() -> Malformed {
    Malformed::new("page_token", "does not belong to this list")
}

/// Encodes the token of the page that begins at this position of a list.
pub(crate) fn encode_cursor(list: &str, cursor: &[u64]) -> String {
    use std::fmt::Write;

    cursor
        .iter()
        .fold(checksum(list, cursor), |mut text, number| {
            // Writing to a string cannot fail.
            let _ = write!(text, "-{number:x}");
            text
        })
}

fn checksum(list: &str, cursor: &[u64]) -> String {
    let mut hash = Sha256::new().chain_update(list);
    for number in cursor {
        hash.update(number.to_le_bytes());
    }
    const_hex::encode(&hash.finalize()[..6])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(token: &str) -> PageRequest {
        PageRequest::new(0, token.to_owned())
    }

    #[test]
    fn a_token_holds_for_its_own_list_alone() {
        let next = encode_cursor("events of a game", &[17, 3]);
        assert_eq!(
            page(&next).decode_cursor("events of a game").unwrap(),
            Some([17, 3])
        );
        assert!(page(&next).decode_cursor::<2>("events of another").is_err());
        assert!(page(&next).decode_cursor::<1>("events of a game").is_err());
        assert_eq!(page("").decode_cursor::<2>("any").unwrap(), None);
    }

    #[test]
    fn a_changed_token_is_refused() {
        let next = encode_cursor("list", &[17]);
        for at in 0..next.len() {
            let mut changed = next.clone().into_bytes();
            changed[at] = if changed[at] == b'0' { b'1' } else { b'0' };
            let changed = String::from_utf8(changed).unwrap();
            assert!(
                page(&changed).decode_cursor::<1>("list").is_err(),
                "{changed}"
            );
        }
    }

    #[test]
    fn page_sizes_have_bounds() {
        let size = |size| PageRequest::new(size, String::new()).limit(100).ok();
        assert_eq!(size(0), Some(100));
        assert_eq!(size(1_000), Some(1_000));
        assert_eq!(size(1_001), Some(1_000));
        assert_eq!(size(i32::MAX), Some(1_000));
        assert_eq!(size(-1), None);
    }

    /// A token with too many components is refused, not cut off.
    #[test]
    fn a_place_has_a_greatest_depth() {
        let deepest: Vec<u64> = (0..1_000).collect();
        let next = encode_cursor("list", &deepest);
        assert_eq!(
            page(&next).decode_deep_cursor("list").unwrap(),
            Some(deepest.clone())
        );
        assert!(
            page(&format!("{next}-5"))
                .decode_deep_cursor("list")
                .is_err()
        );
        let deeper: Vec<u64> = (0..1_001).collect();
        assert!(
            page(&encode_cursor("list", &deeper))
                .decode_deep_cursor("list")
                .is_err()
        );
    }
}
