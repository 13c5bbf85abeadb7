//! The chi-square test tells honest luck from other luck.

use gamekeeper_rules::conformance::{assert_odds, chi_square};
use gamekeeper_rules::table::Chance;

#[test]
fn the_test_tells_honest_luck_from_other() {
    let die = |chance: &mut Chance| chance.roll("die", None, 6, 1)[0];
    assert_odds((1..=6).map(|face| (face, 1)), die);
    let loaded = |chance: &mut Chance| die(chance).min(die(chance) + 4);
    let caught = std::panic::catch_unwind(|| assert_odds((1..=6).map(|face| (face, 1)), loaded));
    assert!(caught.is_err());
    let short = std::panic::catch_unwind(|| assert_odds((1..=5).map(|face| (face, 1)), die));
    assert!(short.is_err());
}

/// The expected value is calculated by hand: 40 heads and 60 tails of a fair coin give (10² + 10²) / 50 = 4.
#[test]
fn chi_square_is_as_worked_out_by_hand() {
    assert_eq!(chi_square(&[(1, 40), (1, 60)]), 4_000);
    assert_eq!(chi_square(&[(3, 75), (1, 25)]), 0);
}
