//! `gamekeeperd migrate`: converts a store from an older layout to the layout of this build (a **schema migration**).
//!
//! There has been one layout so far, so there are no steps yet. A new layout adds a step from its predecessor.

use std::error::Error;

use gamekeeper_store::Layout;

use crate::config::Config;
use crate::stores;

/// Returns what a store needs, and does it unless this is a dry run.
///
/// # Errors
/// When the store cannot be read, or no step leads from its layout to that of this build.
pub(crate) async fn run(config: &Config) -> Result<&'static str, Box<dyn Error>> {
    answer(stores::layout(config.store_config()).await?).map_err(Into::into)
}

fn answer(layout: Layout) -> Result<&'static str, String> {
    let own = layout.own;
    match layout.found {
        None => Ok("there is no store yet: nothing to migrate"),
        Some(found) if found == own => {
            Ok("the store has the layout of this build: nothing to migrate")
        }
        Some(found) if found > own => Err(format!(
            "the store has the layout {found}, which a newer build wrote, and this build knows layouts up to {own}: use that \
             build, or restore a backup from before its migration"
        )),
        Some(found) => Err(format!(
            "the store has the layout {found}, which no release wrote: this build knows no way from it to the layout {own}"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_own_layout_needs_nothing() {
        let of = |found| answer(Layout { found, own: 2 });
        assert!(of(None).unwrap().contains("nothing to migrate"));
        assert!(of(Some(2)).unwrap().contains("nothing to migrate"));
        assert!(of(Some(3)).unwrap_err().contains("newer build"));
        assert!(of(Some(1)).unwrap_err().contains("no way"));
    }
}
