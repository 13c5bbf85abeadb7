//! The invariants of TM-11, for every state and for each step.

use crate::table::Fault;
use crate::terra_mystica::position;
use crate::terra_mystica::state::State;

/// The invariants of one table.
pub fn of_state(state: &State) -> Result<(), Fault> {
    position::judge(state).map_err(|error| Fault {
        rule: error.rule,
        text: error.to_string(),
    })
}

/// The invariants of two successive tables.
pub fn of_step(before: &State, after: &State) -> Result<(), Fault> {
    let seated = before
        .players
        .seats()
        .filter(|&seat| after.players.has(seat));
    for seat in seated {
        let (old, new) = (&before.players[seat], &after.players[seat]);
        let tokens = |bowls: [u8; 3]| bowls.iter().sum::<u8>();
        Fault::unless(tokens(new.bowls) <= tokens(old.bowls), "TM-11.2", || {
            format!("{seat} has more power tokens than before")
        })?;
        let falls = old.cults.iter().zip(&new.cults).any(|(old, new)| new < old);
        Fault::unless(!falls, "TM-11.7", || {
            format!("a marker of {seat} went back")
        })?;
        let lost_lands = before.town_lands(seat).minus(after.town_lands(seat));
        Fault::unless(lost_lands.is_empty(), "TM-11.9", || {
            format!("structures of {seat} left a town: {lost_lands:?}")
        })?;
        Fault::unless(old.faction == new.faction, "TM-5.5", || {
            format!("{seat} changed the faction")
        })?;
    }
    let new_round = after.round > before.round;
    let clean = after.used_power_actions.is_empty()
        && after.players.iter().all(|player| player.used.is_empty());
    Fault::unless(!new_round || clean, "TM-11.11", || {
        String::from("used marks at the start of a round")
    })
}
