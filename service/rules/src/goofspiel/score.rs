//! The ranking (GOO-8.2).

use super::data::points;
use super::state::State;
use crate::table::{Ranking, ScoreItem, sources};

sources! {
    /// A source of points (GOO-8.2).
    Source {
        /// The points of the prizes (GOO-8.2).
        Prizes "prizes" "Prizes",
    }
}

/// The ranking, once the game is over.
///
/// # Rule GOO-8.2
/// More points; otherwise a shared rank.
pub fn ranking(state: &State) -> Option<Ranking> {
    state.is_over().then(|| scores(state))
}

/// The ranking if the game ended now.
pub fn scores(state: &State) -> Ranking {
    let scores = state.players.entries().map(|(seat, player)| {
        let prizes = ScoreItem {
            source: Source::Prizes,
            points: points(player.won).into(),
        };
        (seat, vec![prizes], Vec::new())
    });
    Ranking::of(scores)
}
