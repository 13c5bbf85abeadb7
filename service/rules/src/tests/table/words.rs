//! Counts and lists in words.

use gamekeeper_rules::table::{Count, JoinAnd, JoinCommas};

#[test]
fn one_thing_is_not_many() {
    let counts = [0_u8, 1, 2].map(|count| Count(count, "army").to_string());
    assert_eq!(counts, ["0 armies", "1 army", "2 armies"]);
    assert_eq!(Count(2_u8, "buy").to_string(), "2 buys");
    let points = [-1, 1, 11].map(|count: i32| Count(count, "point").to_string());
    assert_eq!(points, ["-1 points", "1 point", "11 points"]);
}

#[test]
fn commas_lie_between() {
    assert_eq!(JoinCommas([0_u8; 0]).to_string(), "");
    assert_eq!(JoinCommas(["a", "b", "c"]).to_string(), "a, b, c");
    assert_eq!(JoinAnd(["a"]).to_string(), "a");
    assert_eq!(JoinAnd(["a", "b"]).to_string(), "a and b");
    assert_eq!(JoinAnd(["a", "b", "c"]).to_string(), "a, b and c");
}
