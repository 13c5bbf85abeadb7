//! **Cursors**: positions in the feed of a tenant, as opaque texts for clients.
//!
//! A cursor is bound to its tenant and to one incarnation of the store, since a position in another store means
//! nothing.

use gamekeeper_store::feed::FeedPlace;
use gamekeeper_wire::Malformed;

use crate::heart::page::{Page, token};
use crate::heart::problem::Problem;

/// A position in a feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cursor {
    /// The incarnation of the store, as the store reports it.
    pub(super) life: u64,
    pub(super) place: FeedPlace,
}

/// Returns the scope of a cursor, which its checksum covers. The number is the version of this encoding.
fn owner(tenant: &str) -> String {
    format!("feed 1 {tenant}")
}

impl Cursor {
    /// Encodes the cursor for clients.
    pub(super) fn written(self, tenant: &str) -> String {
        let FeedPlace { ms, number, mark } = self.place;
        token(&owner(tenant), &[self.life, ms, number, mark.into()])
    }

    /// Decodes a cursor that a client sends back. Returns `None` if the text is empty.
    ///
    /// # Errors
    /// If the text is not a cursor, or belongs to another tenant.
    pub(super) fn read(text: &str, tenant: &str) -> Result<Option<Cursor>, Problem> {
        let foreign = || Malformed::new("cursor", "is not one of this tenant's feed");
        let numbers = Page::new(0, text.to_owned()).start::<4>(&owner(tenant));
        let Some([life, ms, number, mark]) = numbers.map_err(|_| foreign())? else {
            return Ok(None);
        };
        let mark = u32::try_from(mark).map_err(|_| foreign())?;
        let place = FeedPlace { ms, number, mark };
        Ok(Some(Cursor { life, place }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_read_by_its_own_tenant_alone() {
        let place = FeedPlace {
            ms: 1_790_000_000_000,
            number: 3,
            mark: u32::MAX,
        };
        let life = u64::MAX;
        let cursor = Cursor { life, place };
        let text = cursor.written("red");
        assert_eq!(Cursor::read(&text, "red").unwrap(), Some(cursor));
        assert_eq!(Cursor::read("", "red").unwrap(), None);
        assert!(Cursor::read(&text, "blue").is_err());
        assert!(Cursor::read("now", "red").is_err());
        for at in 0..text.len() {
            let mut changed = text.clone().into_bytes();
            changed[at] = if changed[at] == b'0' { b'1' } else { b'0' };
            let changed = String::from_utf8(changed).unwrap();
            assert!(Cursor::read(&changed, "red").is_err(), "{changed}");
        }
    }
}
