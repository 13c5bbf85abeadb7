//! The scores (CAY-8.3).

use super::rules::end::{self, FinalScore};
use super::state::State;
use crate::table::{Score, ScoreItem, sources};

sources! {
    /// A source of points in the final scoring (CAY-8.4).
    Source {
        /// The points gained during the game (CAY-8.7).
        Before "vp" "Before final scoring",
        /// 3 for each gold (CAY-8.2).
        Gold "gold" "Gold",
        /// 1 for three other cubes (CAY-8.2).
        Cubes "cubes" "Cubes",
        /// 1 for four deniers (CAY-8.2).
        Deniers "deniers" "Deniers",
    }
}

/// The scores if the game ended now.
///
/// # Rule CAY-8.3
/// There is no tie-break.
pub fn scores(state: &State) -> impl Iterator<Item = Score<Source>> {
    let scores = end::scores(state);
    let seats = state.players.seats();
    seats.map(move |seat| (seat, breakdown(scores[seat]), Vec::new()))
}

fn breakdown(score: FinalScore) -> Vec<ScoreItem<Source>> {
    let item = |source, points: u16| ScoreItem {
        source,
        points: i32::from(points),
    };
    vec![
        item(Source::Before, score.before),
        item(Source::Gold, score.gold),
        item(Source::Cubes, score.cubes),
        item(Source::Deniers, score.deniers),
    ]
}
