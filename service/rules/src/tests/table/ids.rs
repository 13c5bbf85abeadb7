//! Closed sets of names.

use gamekeeper_rules::table::{ClosedSet, ids};

ids! {
    #[allow(unreachable_pub, reason = "a closed set is part of a ruleset's interface")]
    Good {
        Wood "wood",
        WhiteStone "white_stone" "white stone",
    }
}

#[test]
fn a_row_says_everything() {
    assert_eq!(Good::ALL.map(Good::id), ["wood", "white_stone"]);
    assert_eq!(Good::WhiteStone.to_string(), "white stone");
    assert_eq!(Good::Wood.name(), "wood");
    assert_eq!(Good::by_id("white_stone"), Some(Good::WhiteStone));
    assert_eq!((Good::nth(0), Good::nth(2)), (Some(Good::Wood), None));
}
