//! The **schema fingerprint** of the data that games store in this build.

include!(concat!(env!("OUT_DIR"), "/layouts.rs"));

/// Returns the layout of the stored events and states of a ruleset: a hash of the source of their types, which the
/// build script calculates. Two builds with the same layout store them alike. Returns 0 if this crate has no such
/// ruleset.
#[must_use]
pub fn layout_hash(ruleset: &str) -> u32 {
    let mut layouts = LAYOUTS.iter();
    let entry = layouts.find(|(id, _)| *id == ruleset);
    entry.map_or(0, |(_, hash)| *hash)
}
