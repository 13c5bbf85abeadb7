//! Worlds that a seat may be in: only the real table, since nothing is hidden (CAY-13.1). The draws of
//! the set-up are public, and no others are made (CAY-13.2).

use super::state::State;

/// The table itself.
pub(crate) fn sample(state: &State) -> State {
    state.clone()
}
