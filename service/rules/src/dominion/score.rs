//! The ranking (DOM-8.3).

use super::rules::end;
use super::stage::Phase;
use super::state::State;
use crate::table::Ranking;

/// The ranking, once the game is over.
///
/// # Rule DOM-8.3
pub(crate) fn ranking(state: &State) -> Option<Ranking> {
    (state.turn.phase == Phase::Over).then(|| scores(state))
}

/// The ranking if the game ended now.
pub(crate) fn scores(state: &State) -> Ranking {
    end::rank(state)
}
