//! Luck against probabilities calculated by hand: Pearson's **chi-square test**.
//!
//! Seeds are fixed, so a test always passes or always fails. The bound makes a false alarm, with honest luck,
//! less likely than 1 in 1,000,000: of k degrees of freedom, chi-square exceeds
//! k + 2 sqrt(k x) + 2 x with a probability of at most exp(-x) (Laurent and Massart, 2000), and x is
//! ln(1,000,000) = 13.816.

use std::collections::BTreeMap;
use std::fmt::Debug;

use crate::ruleset::Ruleset;
use crate::table::{Chance, Seat, Seed, Viewer};

/// The number of draws of each test.
const TRIALS: u64 = 20_000;

/// ln(1,000,000), in thousandths.
const X: u64 = 13_816;

/// Draws many times and checks that each outcome occurs in proportion to its weight, and that no others occur.
#[track_caller]
pub fn assert_odds<T: Ord + Debug>(
    odds: impl IntoIterator<Item = (T, u64)>,
    mut draw: impl FnMut(&mut Chance) -> T,
) {
    let mut cells: BTreeMap<T, (u64, u64)> = odds
        .into_iter()
        .map(|(outcome, weight)| (outcome, (weight, 0)))
        .collect();
    let weights: u64 = cells.values().map(|(weight, _)| weight).sum();
    for (outcome, (weight, _)) in &cells {
        let enough = TRIALS * weight >= 50 * weights;
        assert!(enough, "too few draws for {outcome:?}");
    }
    let mut chance = Chance::from_seed(&Seed::from_number(20));
    for _ in 0..TRIALS {
        let outcome = draw(&mut chance);
        match cells.get_mut(&outcome) {
            Some((_, count)) => *count += 1,
            None => panic!("{outcome:?} cannot be"),
        }
    }
    let counts: Vec<(u64, u64)> = cells.values().copied().collect();
    let (statistic, bound) = (chi_square(&counts), bound(counts.len()));
    assert!(
        statistic <= bound,
        "{statistic} thousandths exceed {bound}: {cells:?} (weight, count)"
    );
}

/// Asserts, over many sampled worlds of a seat, that the results of `look` have these odds, and that the seat never sees a
/// difference.
#[track_caller]
pub fn assert_worlds<R: Ruleset, T: Ord + Debug>(
    state: &R::State,
    seat: Seat,
    odds: impl IntoIterator<Item = (T, u64)>,
    look: impl Fn(&R::State) -> T,
) {
    let view = |state: &R::State| R::view(state, Viewer::Seat(seat));
    assert_odds(odds, |chance| {
        let world = R::sample_world(state, seat, chance);
        assert_eq!(view(&world), view(state));
        look(&world)
    });
}

/// Asserts that two tables which look the same to a seat give it the same worlds.
#[track_caller]
pub fn assert_same_worlds<R: Ruleset>(one: &R::State, two: &R::State, seat: Seat) {
    assert_ne!(one, two);
    for number in 0..50 {
        let chance = || Chance::from_seed(&Seed::from_number(number));
        let world = |state: &R::State| R::sample_world(state, seat, &mut chance());
        assert_eq!(world(one), world(two));
    }
}

/// Returns chi-square of these weights and counts, in thousandths.
pub fn chi_square(cells: &[(u64, u64)]) -> u64 {
    let sum = |part: fn(&(u64, u64)) -> u64| cells.iter().map(part).sum::<u64>();
    let (weights, trials) = (sum(|cell| cell.0), sum(|cell| cell.1));
    let term = |&(weight, count): &(u64, u64)| {
        let off = u128::from((count * weights).abs_diff(trials * weight));
        let expected = u128::from(trials) * u128::from(weight) * u128::from(weights);
        u64::try_from(off * off * 1_000 / expected).unwrap()
    };
    cells.iter().map(term).sum()
}

/// Returns the maximum chi-square of this many outcomes, in thousandths.
fn bound(outcomes: usize) -> u64 {
    let freedom = u64::try_from(outcomes).unwrap() - 1;
    1_000 * freedom + 2 * (freedom * X * 1_000).isqrt() + 2 * X
}
