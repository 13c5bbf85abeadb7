//! The turns that players have begun (DOM-15.5).

use super::{Judged, path};
use crate::dominion::state::State;
use crate::table::PositionError;

/// The maximum number of turns that a player has begun.
const MAX_TURNS: u32 = 1_000_000;

/// Checks that turns went round: from the first player to the active one, players have begun one turn more than the
/// others.
///
/// # Rule DOM-15.5
pub fn judge(state: &State) -> Judged {
    let (seats, active) = (state.seats(), state.turn.active);
    let turns = |seat| state.players[seat].turns_taken;
    let now = turns(active);
    PositionError::unless((1..=MAX_TURNS).contains(&now), || {
        let allowed = format!("1 to {MAX_TURNS}");
        PositionError::new("DOM-15.5", path(active, "turns_taken"), now, allowed)
    })?;
    // Unless the options name the first player, it is the first one clockwise who has begun as many turns.
    let found = active.others(seats).find(|&seat| turns(seat) == now);
    let first = state.options.first_player.or(found).unwrap_or(active);
    let mut has_begun = false;
    for seat in active.others(seats) {
        has_begun |= seat == first;
        let expected = if has_begun { now } else { now - 1 };
        PositionError::unless(turns(seat) == expected, || {
            let path = path(seat, "turns_taken");
            PositionError::new("DOM-15.5", path, turns(seat), expected.to_string())
        })?;
    }
    Ok(())
}
