//! The schema fingerprints of stored games.

use gamekeeper_rules::layout_hash;
use gamekeeper_rules::ruleset::Ruleset;

include!(concat!(env!("OUT_DIR"), "/layouts.rs"));

#[test]
fn every_ruleset_has_a_layout_of_its_own() {
    for (id, _) in LAYOUTS {
        let alike = LAYOUTS
            .iter()
            .filter(|(_, other)| *other == layout_hash(id));
        assert_eq!(alike.count(), 1, "{id}");
        assert_ne!(layout_hash(id), 0, "{id}");
    }
    let listed = gamekeeper_rules::of_each_ruleset!(R => R::INFO.id);
    assert_eq!(
        LAYOUTS.iter().map(|(id, _)| *id).collect::<Vec<_>>(),
        listed
    );
    assert_eq!(layout_hash("toy"), 0);
}
