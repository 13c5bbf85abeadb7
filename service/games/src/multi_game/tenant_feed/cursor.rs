//! **Cursors**: positions in the feed of a tenant, as opaque texts for clients.
//!
//! A cursor is bound to its tenant and to one incarnation of the store, since a position in another store means
//! nothing.

use gamekeeper_store::feed::FeedOffset;
use gamekeeper_wire::Malformed;

use crate::errors::ServiceError;
use crate::requests::page::{PageRequest, encode_cursor};

/// A position in a feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FeedCursor {
    /// The incarnation of the store, as the store reports it.
    pub(super) epoch: u64,
    pub(super) position: FeedOffset,
}

/// Returns the scope of a cursor, which its checksum covers. The number is the version of this encoding.
fn cursor_scope(tenant: &str) -> String {
    format!("feed 1 {tenant}")
}

impl FeedCursor {
    /// Encodes the cursor for clients.
    pub(super) fn encode(self, tenant: &str) -> String {
        let FeedOffset {
            ms,
            number,
            record_hash: feed_id,
        } = self.position;
        encode_cursor(
            &cursor_scope(tenant),
            &[self.epoch, ms, number, feed_id.into()],
        )
    }

    /// Decodes a cursor that a client sends back. Returns `None` if the text is empty.
    ///
    /// # Errors
    /// If the text is not a cursor, or belongs to another tenant.
    pub(super) fn decode(text: &str, tenant: &str) -> Result<Option<FeedCursor>, ServiceError> {
        let wrong_feed = || Malformed::new("cursor", "is not one of this tenant's feed");
        let numbers =
            PageRequest::new(0, text.to_owned()).decode_cursor::<4>(&cursor_scope(tenant));
        let Some([epoch, ms, number, feed_id]) = numbers.map_err(|_| wrong_feed())? else {
            return Ok(None);
        };
        let feed_id = u32::try_from(feed_id).map_err(|_| wrong_feed())?;
        let position = FeedOffset {
            ms,
            number,
            record_hash: feed_id,
        };
        Ok(Some(FeedCursor { epoch, position }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_read_by_its_own_tenant_alone() {
        let position = FeedOffset {
            ms: 1_790_000_000_000,
            number: 3,
            record_hash: u32::MAX,
        };
        let epoch = u64::MAX;
        let cursor = FeedCursor { epoch, position };
        let text = cursor.encode("red");
        assert_eq!(FeedCursor::decode(&text, "red").unwrap(), Some(cursor));
        assert_eq!(FeedCursor::decode("", "red").unwrap(), None);
        assert!(FeedCursor::decode(&text, "blue").is_err());
        assert!(FeedCursor::decode("now", "red").is_err());
        for at in 0..text.len() {
            let mut changed = text.clone().into_bytes();
            changed[at] = if changed[at] == b'0' { b'1' } else { b'0' };
            let changed = String::from_utf8(changed).unwrap();
            assert!(FeedCursor::decode(&changed, "red").is_err(), "{changed}");
        }
    }
}
