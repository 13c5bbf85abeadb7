//! The **layout versions** of stored data.
//!
//! Each store keeps the number of its layout beside its data and opens no other layout. A new layout gets a new number
//! and a step of `gamekeeperd migrate` that converts the previous one; code that serves calls knows one layout only.

use super::StoreError;

/// The layout that was found in a store, and the layout that this build reads and writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StorageFormat {
    /// The number that was found. Is `None` if there is no store yet.
    pub stored: Option<u64>,
    /// The layout number of this build.
    pub supported: u64,
}

impl StorageFormat {
    /// Refuses a store with a different layout.
    ///
    /// # Errors
    /// Names both layouts, and the command that says more.
    pub fn check(&self) -> Result<(), StoreError> {
        match self.stored {
            Some(stored) if stored != self.supported => Err(StoreError::Setup(format!(
                "the store has the layout {stored}, and this build reads and writes the layout {}: \
                 `gamekeeperd migrate --dry-run` says what to do",
                self.supported
            ))),
            Some(_) | None => Ok(()),
        }
    }
}
