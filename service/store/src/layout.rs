//! The layouts of stored data.
//!
//! Each store has a number of its layout beside its data, and opens no other. A new layout gets a new number, and a step
//! of `gamekeeperd migrate` that makes it of the one before; code that serves calls knows one layout only.

use super::StoreError;

/// The layout that a store has, and the one that this build reads and writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The number that was found. `None`: there is no store yet.
    pub found: Option<u64>,
    /// The number of this build.
    pub own: u64,
}

impl Layout {
    /// Refuses a store of another layout.
    ///
    /// # Errors
    /// Names both layouts, and the command that says more.
    pub fn check(&self) -> Result<(), StoreError> {
        match self.found {
            Some(found) if found != self.own => Err(StoreError::Setup(format!(
                "the store has the layout {found}, and this build reads and writes the layout {}: \
                 `gamekeeperd migrate --dry-run` says what to do",
                self.own
            ))),
            Some(_) | None => Ok(()),
        }
    }
}
