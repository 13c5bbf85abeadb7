//! The two draws are uniform (CAY-5.2).

use std::collections::BTreeMap;

use gamekeeper_rules::caylus::{Caylus, Options};
use gamekeeper_rules::ruleset::create;
use gamekeeper_rules::table::{Chance, Seed};

/// Draws of this many set-ups, counted by their values.
fn counted(players: u8, draw: usize, games: u64) -> BTreeMap<Vec<u16>, u32> {
    let mut counts = BTreeMap::new();
    for seed in 0..games {
        let chance = Chance::from_seed(&Seed::from_number(seed));
        let mut draws = create::<Caylus>(&Options::plain(players), chance).draws;
        *counts.entry(draws.swap_remove(draw).values).or_default() += 1;
    }
    counts
}

/// The sum of squared differences from the expected count, as a multiple of it.
fn chi_square(counts: &BTreeMap<Vec<u16>, u32>, games: u64, cells: u64) -> u64 {
    let expected = games / cells;
    let squares: u64 = counts
        .values()
        .map(|&count| u64::from(count).abs_diff(expected).pow(2))
        .sum();
    let unseen = cells - counts.len() as u64;
    (squares + unseen * expected.pow(2)) / expected
}

/// 720 orders: with 719 degrees of freedom, chi-square stays below 870 except for one seed in 10,000.
#[test]
fn every_order_of_the_neutral_tiles_is_as_likely() {
    let counts = counted(3, 0, 14_400);
    let chi_square = chi_square(&counts, 14_400, 720);
    assert!(chi_square < 870, "{chi_square}");
}

/// 120 orders: with 119 degrees of freedom, below 182 except for one seed in 10,000.
#[test]
fn every_turn_order_is_as_likely() {
    let counts = counted(5, 1, 6_000);
    assert_eq!(counts.len(), 120);
    let chi_square = chi_square(&counts, 6_000, 120);
    assert!(chi_square < 182, "{chi_square}");
}
