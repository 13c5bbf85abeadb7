//! The number of games of each tenant.

use std::collections::HashMap;

use super::errors::{During, of_fjall};
use super::tables::{List, Tables};
use crate::store::StoreError;

/// The number of games of each tenant: counted once on disk, then kept up to date, since all changes pass
/// through here.
#[derive(Default)]
pub(super) struct Counts {
    known: HashMap<String, u64>,
    /// Changes of the current group for tenants that were not counted yet. They are not on disk yet.
    unwritten: HashMap<String, i64>,
    /// Whether the current group deletes a game of an unknown tenant.
    is_unsure: bool,
}

impl Counts {
    pub(super) fn of(&mut self, tables: &Tables, tenant: &str) -> Result<u64, StoreError> {
        if let Some(count) = self.known.get(tenant) {
            return Ok(*count);
        }
        let mut count = 0_u64;
        for place in tables.places.prefix(List::Of(tenant).prefix()) {
            place
                .key()
                .map_err(|error| of_fjall(&error, During::Read))?;
            count += 1;
        }
        let unwritten = self.unwritten.get(tenant).copied().unwrap_or(0);
        let count = count.saturating_add_signed(unwritten);
        self.known.insert(tenant.to_owned(), count);
        Ok(count)
    }

    pub(super) fn one_more(&mut self, tenant: &str) {
        self.change(tenant, 1);
    }

    pub(super) fn one_less(&mut self, tenant: &str) {
        self.change(tenant, -1);
    }

    /// A game is deleted whose row does not say which tenant it belongs to.
    pub(super) fn one_less_of_somebody(&mut self) {
        self.is_unsure = true;
    }

    fn change(&mut self, tenant: &str, by: i64) {
        match self.known.get_mut(tenant) {
            Some(count) => *count = count.saturating_add_signed(by),
            None => *self.unwritten.entry(tenant.to_owned()).or_default() += by,
        }
    }

    /// Ends a group. If it could not be written, or deleted a game of an unknown tenant, what is on disk is
    /// unknown, so everything is counted again.
    pub(super) fn written(&mut self, written: Result<(), ()>) {
        self.unwritten.clear();
        if std::mem::take(&mut self.is_unsure) || written.is_err() {
            self.known.clear();
        }
    }
}
