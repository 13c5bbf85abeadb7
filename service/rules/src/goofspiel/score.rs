//! The scores (GOO-8.2).

use super::data::points;
use super::state::State;
use crate::table::{Score, ScoreItem, sources};

sources! {
    /// A source of points (GOO-8.2).
    Source {
        /// The points of the prizes (GOO-8.2).
        Prizes "prizes" "Prizes",
    }
}

/// The scores if the game ended now.
///
/// # Rule GOO-8.2
/// More points; otherwise a shared rank.
pub fn scores(state: &State) -> impl Iterator<Item = Score<Source>> {
    state.players.entries().map(|(seat, player)| {
        let prizes = ScoreItem {
            source: Source::Prizes,
            points: points(player.won).into(),
        };
        (seat, vec![prizes], Vec::new())
    })
}
