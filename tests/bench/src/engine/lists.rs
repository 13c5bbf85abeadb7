//! The figures of lists of legal actions.

use std::ops::ControlFlow;
use std::time::Duration;

use gamekeeper_rules::ruleset::{Ruleset, visit_legal};
use gamekeeper_rules::table::{Detail, Seat};
use serde::Serialize;

use crate::clock::{Spread, float, per_second, time};

/// The number of entries after which a list of all payments is cut off.
const MAX_PAYMENTS: usize = 300_000;

/// The figures of a ruleset's lists.
#[derive(Debug, Serialize)]
pub(super) struct Lists {
    pub(super) median_us: f64,
    pub(super) p99_us: f64,
    pub(super) median_length: usize,
    pub(super) longest: usize,
    /// The entries per second of the longest list of all payments, if it is longer than the list of moves.
    pub(super) payments_per_second: Option<Spread>,
}

/// Measures the lists of legal actions in these positions.
pub(super) fn measure<R: Ruleset>(positions: &[(R::State, Seat)]) -> Lists {
    let mut lengths: Vec<usize> = positions
        .iter()
        .map(|(state, seat)| length::<R>(state, *seat, Detail::Moves))
        .collect();
    let mut micros: Vec<f64> = positions
        .iter()
        .map(|(state, seat)| {
            // The minimum of several measurements, to exclude other load on this core.
            let once = || {
                time(|| {
                    std::hint::black_box(length::<R>(state, *seat, Detail::Moves));
                })
            };
            let best = (0..5).map(|_| once()).min().unwrap_or_default();
            best.as_secs_f64() * 1e6
        })
        .collect();
    lengths.sort_unstable();
    micros.sort_by(f64::total_cmp);
    Lists {
        median_us: micros.get(micros.len() / 2).copied().unwrap_or_default(),
        p99_us: micros
            .get(micros.len() * 99 / 100)
            .copied()
            .unwrap_or_default(),
        median_length: lengths.get(lengths.len() / 2).copied().unwrap_or_default(),
        longest: lengths.last().copied().unwrap_or_default(),
        payments_per_second: payments::<R>(positions),
    }
}

fn payments<R: Ruleset>(positions: &[(R::State, Seat)]) -> Option<Spread> {
    let count = |(state, seat): &&(R::State, Seat)| length::<R>(state, *seat, Detail::AllPayments);
    let (state, seat) = positions.iter().max_by_key(count)?;
    let all = length::<R>(state, *seat, Detail::AllPayments);
    if all == length::<R>(state, *seat, Detail::Moves) {
        return None;
    }
    println!(
        "longest list of all payments: {all} entries ({})",
        float(all)
    );
    Some(per_second(5, Duration::from_millis(300), || {
        length::<R>(state, *seat, Detail::AllPayments)
    }))
}

/// Counts the legal actions.
fn length<R: Ruleset>(state: &R::State, seat: Seat, detail: Detail) -> usize {
    let mut count = 0;
    let _end = visit_legal::<R>(state, seat, detail, &mut |action| {
        std::hint::black_box(action);
        count += 1;
        if count < MAX_PAYMENTS {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    count
}
