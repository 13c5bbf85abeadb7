//! `gamekeeperd migrate`: converts a store from an older layout to the layout of this build (a **schema migration**).
//!
//! There has been one layout so far, so there are no steps yet. A new layout adds a step from its predecessor.

use std::error::Error;

use gamekeeper_store::StorageFormat;

use crate::config::Config;
use crate::stores;

/// Returns what a store needs, and does it unless this is a dry run.
///
/// # Errors
/// When the store cannot be read, or no step leads from its layout to that of this build.
pub(crate) async fn run(config: &Config) -> Result<&'static str, Box<dyn Error>> {
    migration_status(stores::storage_format(config.store_config()).await?).map_err(Into::into)
}

fn migration_status(format: StorageFormat) -> Result<&'static str, String> {
    let supported = format.supported;
    match format.stored {
        None => Ok("there is no store yet: nothing to migrate"),
        Some(stored) if stored == supported => {
            Ok("the store has the layout of this build: nothing to migrate")
        }
        Some(stored) if stored > supported => Err(format!(
            "the store has the layout {stored}, which a newer build wrote, and this build knows layouts up to {supported}: use that \
             build, or restore a backup from before its migration"
        )),
        Some(stored) => Err(format!(
            "the store has the layout {stored}, which no release wrote: this build knows no way from it to the layout {supported}"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_own_layout_needs_nothing() {
        let of = |stored| {
            migration_status(StorageFormat {
                stored,
                supported: 2,
            })
        };
        assert!(of(None).unwrap().contains("nothing to migrate"));
        assert!(of(Some(2)).unwrap().contains("nothing to migrate"));
        assert!(of(Some(3)).unwrap_err().contains("newer build"));
        assert!(of(Some(1)).unwrap_err().contains("no way"));
    }
}
