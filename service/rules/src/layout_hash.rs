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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::Ruleset;

    #[test]
    fn every_ruleset_has_a_layout_of_its_own() {
        for (id, _) in LAYOUTS {
            let alike = LAYOUTS
                .iter()
                .filter(|(_, other)| *other == layout_hash(id));
            assert_eq!(alike.count(), 1, "{id}");
            assert_ne!(layout_hash(id), 0, "{id}");
        }
        let listed = crate::of_each_ruleset!(R => R::INFO.id);
        assert_eq!(
            LAYOUTS.iter().map(|(id, _)| *id).collect::<Vec<_>>(),
            listed
        );
        assert_eq!(layout_hash("toy"), 0);
    }
}
