//! The ranking (CAY-8.3).

use super::rules::end::{self, FinalScore};
use super::state::State;
use crate::table::{Ranking, ScoreItem};

/// The ranking, once the game is over.
///
/// # Rule CAY-8.3
/// There is no tie-break.
pub(crate) fn ranking(state: &State) -> Option<Ranking> {
    let scores = end::scores(state)?;
    Some(Ranking::of(
        scores
            .entries()
            .map(|(seat, &score)| (seat, breakdown(score), Vec::new())),
    ))
}

fn breakdown(score: FinalScore) -> Vec<ScoreItem> {
    let item = |source, points: u16| ScoreItem {
        source,
        points: i32::from(points),
    };
    vec![
        item("vp", score.before),
        item("gold", score.gold),
        item("cubes", score.cubes),
        item("deniers", score.deniers),
    ]
}
